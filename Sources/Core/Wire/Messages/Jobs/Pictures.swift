import PotluckKit

/// The fields of `picture` and `result`.
extension JobPicture: WireRecord {
    package static let blank = JobPicture(id: JobID(0), submitter: "", state: .running)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.job(1, &id)
        try v.line(2, &submitter, atMost: JobMessage.maximumDisplayName)
        try v.record(3, &state)
        try v.number(4, &trials)
        if counts.count > JobMessage.mostCounts { counts.removeLast(counts.count - JobMessage.mostCounts) }
        try v.slots(5, &counts, atMost: JobMessage.mostCounts)
        try v.list(6, &readings, atMost: JobMessage.mostReadings)
        try v.duration(7, &elapsed)
        try v.rate(8, &rate)
        try remaining.visit(&v)
        try v.list(11, &nodes, atMost: JobMessage.mostRows)
        try v.flag(12, &isReadSlowly)
        try v.flag(13, &hidesExact)
        try v.best(14, &best)
        try v.priority(15, &priority)
    }

    /// The picture without the bins of its readings if it is too long for a message.
    var fitting: JobPicture {
        var picture = self
        if picture.fieldsLength > Message.maximumLength { picture.readings = readings.map(\.withoutBins) }
        return picture
    }
}

extension JobResult: WireRecord {
    package static let blank = JobResult(
        spec: .blank, trials: 0, tally: [], readings: [], completion: .trials, elapsed: .zero, nodes: [])

    /// Visits the tags after 1, which is the job.
    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try spec.visit(&v)
        try v.number(5, &trials)
        try v.slots(6, &tally, atMost: JobMessage.mostSlots)
        try v.list(7, &readings, atMost: JobMessage.mostReadings)
        try v.list(8, &course, atMost: JobMessage.mostCourse)
        try v.one(9, &completion)
        try v.duration(10, &elapsed)
        try v.list(11, &nodes, atMost: JobMessage.mostRows)
        try v.blob(12, &output, atMost: BlobReference.largest)
        try v.flag(13, &hidesExact)
    }

    /// The result without what does not fit a message: first the course, which every node that watched has already, then
    /// the bins.
    var fitting: JobResult {
        var result = self
        if result.fieldsLength > Message.maximumLength { result.course = [] }
        if result.fieldsLength > Message.maximumLength { result.readings = readings.map(\.withoutBins) }
        return result
    }
}

extension Completion: WireListed {}

extension Guess: WireRecord {
    package static let blank = Guess(page: 0, value: 0, by: "")

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.number(1, &page)
        var guessed: Double? = value
        try v.real(2, &guessed)
        try v.check(guessed?.isFinite == true, "a guess that is no number")
        value = guessed ?? 0
        try v.line(3, &by, atMost: JobMessage.maximumDisplayName)
    }
}

extension Remaining {
    /// Visits the tags 9 and 10. A number that only a later version knows becomes `unknown`.
    fileprivate mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (number, about): (UInt64, Duration) =
            switch self {
            case .endless: (1, .zero)
            case .unknown: (2, .zero)
            case .about(let duration): (3, duration)
            }
        try v.number(9, &number)
        try v.check(number != 0, "a message without a required field")
        try v.duration(10, &about)
        self = number == 1 ? .endless : number == 3 ? .about(about) : .unknown
    }
}
