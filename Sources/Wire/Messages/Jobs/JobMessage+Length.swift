import PotluckKit
import PotluckModel

/// Upper bounds for the length of an encoding, computed without encoding.
extension JobMessage {
    /// The most bytes for the kind, the job, and the numbers that occur once in a message.
    static let around = 160

    package var longest: Int {
        switch self {
        case .results(_, let results): results.reduce(Self.around) { $0 + $1.longest }
        case .picture(let picture): picture.longest
        case .result(_, let result): result.longest(course: true, bins: true)
        case .offer(_, let work): work.reduce(Self.around) { $0 + $1.longest }
        case .replica(_, let changes): changes.reduce(Self.around) { $0 + $1.longest }
        case .part(_, _, let octets): Self.around + octets.count
        case .order, .command, .withdraw, .taken, .refused, .list, .listed, .job, .ready, .unable, .cores, .lend, .drop,
            .interrupt, .improved, .bound, .failure, .course, .over, .unresolved, .forgotten, .fetch, .lacking:
            Self.longestControl
        }
    }
}

extension WorkResult {
    var longest: Int { 120 + 8 * tally.count }
}

extension OfferedWork {
    var longest: Int { 48 + 8 * tally.count }
}

extension JobPicture {
    var longest: Int {
        var length = JobMessage.around + 24 + submitter.utf8.count + JobState.longest + 8 * counts.count
        for reading in readings { length += reading.longest(bins: true) }
        for row in nodes { length += row.longest }
        return length
    }
}

extension JobResult {
    func longest(course withCourse: Bool, bins: Bool) -> Int {
        var length = JobMessage.around + spec.longest + 8 * tally.count
        for reading in readings { length += reading.longest(bins: bins) }
        if withCourse { for point in course { length += point.longest } }
        for row in nodes { length += row.longest }
        return length
    }
}

extension CoursePoint {
    var longest: Int { readings.reduce(40) { $0 + $1.longest(bins: false) } }
}

extension Reading {
    func longest(bins withBins: Bool) -> Int { 96 + name.utf8.count + (withBins ? 8 * bins.count : 0) }
}

extension NodeRow {
    var longest: Int {
        var length = 136 + name.utf8.count
        if case .unable(let why) = work { length += why.utf8.count }
        return length
    }
}

extension JobSpec {
    var longest: Int {
        var length = 256 + experiment.simulation.name.utf8.count + experiment.simulation.source.utf8.count
        length += 8 * experiment.parameters.count + title.summary.utf8.count
        for parameter in title.parameters { length += 16 + parameter.label.utf8.count + parameter.value.utf8.count }
        for count in title.counts { length += 16 + count.name.utf8.count }
        return length
    }
}
