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
        case .failed(var why):
            try v.kind(6)
            try v.line(5, &why, atMost: JobMessage.maximumLine)
            self = .failed(why)
        }
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
