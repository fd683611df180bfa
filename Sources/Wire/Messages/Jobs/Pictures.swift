import PotluckKit
import PotluckModel

/// The encoding of `picture` and `result`.
extension JobPicture {
    func encoded() -> [UInt8] {
        let bins = longest <= Message.maximumLength
        return JobMessage.encoded(.picture, job) { writer in
            writer.line(2, submitter, limit: JobMessage.maximumDisplayName)
            writer.record(3) { state.write(to: &$0) }
            writer.number(4, trials)
            writer.slots(5, Array(counts.prefix(JobMessage.mostCounts)))
            writer.list(6, Reading.items(readings, bins: bins))
            writer.duration(7, elapsed)
            writer.real(8, rate.flatMap { $0.isRate ? $0 : nil })
            writer.number(9, remaining.onWire)
            if case .about(let duration) = remaining { writer.duration(10, duration) }
            writer.list(11, NodeRow.items(nodes))
            if isReadSlowly { writer.number(12, 1) }
            if hidesExact { writer.number(13, 1) }
            if let best { writer.octets(14, best.packed) }
        }
    }

    /// Returns nil for a state that only a later version knows.
    static func decode(_ fields: inout FieldReader) throws(WireError) -> JobPicture? {
        var job: JobID?, submitter = "", state: JobState?, trials: UInt64 = 0, counts: [UInt64] = []
        var readings: [Reading] = [], elapsed = Duration.zero, rate: Double?
        var remaining: UInt64?, about = Duration.zero, nodes: [NodeRow] = [], isReadSlowly = false
        var hidesExact = false, best: Best?
        while let field = try fields.next() {
            switch field.tag {
            case 1: job = try field.job()
            case 2: submitter = try field.line(limit: JobMessage.maximumDisplayName)
            case 3: state = try JobState(field.record())
            case 4: trials = try field.number()
            case 5: counts = try field.slots(limit: JobMessage.mostCounts)
            case 6: readings = try Reading.list(field, bins: true)
            case 7: elapsed = try field.duration()
            case 8: rate = try field.rate()
            case 9: remaining = try field.number()
            case 10: about = try field.duration()
            case 11: nodes = try NodeRow.list(field)
            case 12: isReadSlowly = try field.number() == 1
            case 13: hidesExact = try field.number() == 1
            case 14: best = try field.best()
            default: break
            }
        }
        let id = try JobMessage.there(job)
        let left = Remaining(onWire: try JobMessage.there(remaining), about: about)
        guard let state else { return nil }
        return JobPicture(
            job: id, submitter: submitter, state: state, trials: trials, counts: counts, readings: readings,
            elapsed: elapsed, rate: rate, remaining: left, nodes: nodes, isReadSlowly: isReadSlowly,
            hidesExact: hidesExact, best: best)
    }
}

extension JobResult {
    /// Omits what does not fit: first the course, which every node that watched has already, then the bins.
    func encoded(_ job: JobID) -> [UInt8] {
        let withCourse = longest(course: true, bins: true) <= Message.maximumLength
        let bins = longest(course: false, bins: true) <= Message.maximumLength
        return JobMessage.encoded(.result, job) { writer in
            spec.write(to: &writer)
            writer.number(5, trials)
            writer.slots(6, tally)
            writer.list(7, Reading.items(readings, bins: bins))
            if withCourse {
                writer.list(
                    8,
                    course.prefix(JobMessage.mostCourse).map { point in
                        FieldWriter.record { point.write(to: &$0) }
                    })
            }
            writer.number(9, completion.onWire)
            writer.duration(10, elapsed)
            writer.list(11, NodeRow.items(nodes))
            writer.blob(12, output)
            if hidesExact { writer.number(13, 1) }
        }
    }
}

extension JobMessage {
    static func result(_ fields: inout FieldReader) throws(WireError) -> JobMessage? {
        var id: JobID?, spec = JobSpecFields(), trials: UInt64 = 0, tally: [UInt64] = []
        var readings: [Reading] = [], course: [CoursePoint] = []
        var completion: UInt64?, elapsed = Duration.zero, nodes: [NodeRow] = [], output: BlobReference?
        var hidesExact = false
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2...4: try spec.read(field)
            case 5: trials = try field.number()
            case 6: tally = try field.slots(limit: mostSlots)
            case 7: readings = try Reading.list(field, bins: true)
            case 8:
                for item in try field.list(limit: mostCourse, itemLimit: .max) {
                    course.append(try CoursePoint(item))
                }
            case 9: completion = try field.number()
            case 10: elapsed = try field.duration()
            case 11: nodes = try NodeRow.list(field)
            case 12: output = try field.blob(atMost: BlobReference.largest)
            case 13: hidesExact = try field.number() == 1
            default: break
            }
        }
        let named = try there(id)
        let whole = try spec.spec()
        guard let completion = Completion(onWire: try there(completion)) else { return nil }
        let result = JobResult(
            spec: whole, trials: trials, tally: tally, readings: readings, course: course, completion: completion,
            elapsed: elapsed, nodes: nodes, output: output, hidesExact: hidesExact)
        return .result(named, result)
    }
}

extension Completion {
    var onWire: UInt64 {
        switch self {
        case .trials: 1
        case .precision: 2
        case .duration: 3
        case .stopped: 4
        }
    }

    /// Returns nil for a completion that only a later version knows.
    init?(onWire number: UInt64) {
        switch number {
        case 1: self = .trials
        case 2: self = .precision
        case 3: self = .duration
        case 4: self = .stopped
        default: return nil
        }
    }
}

extension Remaining {
    fileprivate var onWire: UInt64 {
        switch self {
        case .endless: 1
        case .unknown: 2
        case .about: 3
        }
    }

    /// A number that only a later version knows becomes `unknown`.
    fileprivate init(onWire number: UInt64, about: Duration) {
        switch number {
        case 1: self = .endless
        case 3: self = .about(about)
        default: self = .unknown
        }
    }
}
