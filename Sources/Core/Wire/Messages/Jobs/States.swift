/// The fields of a job's state: its number, then the kind of waiting or completion, and details of that kind.
extension JobState: WireRecord, WireUnion {
    package static let blank = JobState.running
    package static let cases = WireCases<JobState>([
        .waiting(.simulation), .running, .paused, .stopping, .done(.trials), .failed(""),
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .waiting(var wait):
            try v.kind(1)
            try v.union(2, &wait)
            self = .waiting(wait)
        case .running: try v.kind(2)
        case .paused: try v.kind(3)
        case .stopping: try v.kind(4)
        case .done(var completion):
            try v.kind(5)
            try v.one(2, &completion)
            self = .done(completion)
        case .failed(var failure):
            try v.kind(6)
            try failure.visit(&v)
            self = .failed(failure)
        }
    }
}

extension JobFailure {
    /// Visits the reason as a line, which is all that older versions know, and the block that failed.
    fileprivate mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (why, block) = (description, block)
        try v.line(5, &why, atMost: JobMessage.maximumLine)
        try v.optional(7, &block)
        self = block.map { .block($0) } ?? .other(why)
    }
}

extension BlockFailure: WireRecord {
    package static let blank = BlockFailure(block: 0, seed: 0, text: "")

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.number(1, &block, atMost: JobMessage.mostBlocks - 1)
        try v.number(2, &seed)
        try v.line(3, &text, atMost: JobMessage.maximumLine)
        try v.check(!text.isEmpty, "a message without a required field")
    }
}

extension JobWait: WireUnion {
    package static let cases = WireCases<JobWait>([.simulation, .line(0), .start(.zero), .workers(0, of: 0)])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .simulation: try v.kind(1)
        case .line(var jobs, let behind):
            try v.kind(2)
            try v.clamped(3, &jobs, atMost: JobMessage.mostWaiting)
            var (id, names) = (behind?.id, behind.map { [$0.name] } ?? [])
            try v.job(6, &id)
            try v.names(8, &names)
            self = .line(jobs, behind: id.flatMap { id in names.first.map { JobAhead(id: id, name: $0) } })
        case .start(var duration):
            try v.kind(3)
            try v.duration(3, &duration)
            self = .start(duration)
        case .workers(var there, var wanted, var among):
            try v.kind(4)
            try v.clamped(3, &there, atMost: JobMessage.mostWaiting)
            try v.clamped(4, &wanted, atMost: JobMessage.mostWaiting)
            try v.names(8, &among)
            self = .workers(there, of: wanted, among: among)
        }
    }
}

extension FieldVisitor {
    fileprivate mutating func names(_ tag: UInt64, _ names: inout [String]) throws(WireError) {
        try lines(tag, &names, atMost: JobWait.mostNames, each: JobMessage.maximumDisplayName)
        let read = names
        try check(!read.contains(""), "an empty name")
    }
}
