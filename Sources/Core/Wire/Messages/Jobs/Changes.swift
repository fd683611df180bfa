/// The fields of the changes in `replica`.
extension JournalChange: WireRecord, WireUnion {
    /// The most bytes of a job's record: an order with all the names that it may have.
    private static let longestRecord = 64 << 10

    package static let blank = JournalChange.forgotten(JobID(0))
    package static let cases: WireCases<JournalChange> = cases(of: JobID(0))

    /// Returns the blank changes of a job. A change is sent without the job.
    static func cases(of job: JobID) -> WireCases<JournalChange> {
        let tally = SettledTally(blocks: 0, tally: [])
        return WireCases([
            .accepted(JobRecord(id: job, spec: [], simulation: "", submitter: "", acceptedAt: 0)),
            .done(job, BlockTally(blocks: 0..<0, node: .nobody, tally: [])), .settled(job, tally), .passed(job, tally),
            .rewritten(job, tally), .judged(job, end: 0), .ran(job, .zero), .stands(job, .running), .forgotten(job),
            .credited(job, []),
        ])
    }

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .accepted(var record):
            try v.kind(1)
            try v.octets(7, &record.spec, atMost: Self.longestRecord)
            try v.line(8, &record.simulation, atMost: JobMessage.maximumName)
            try v.line(9, &record.submitter, atMost: JobMessage.maximumDisplayName)
            try v.number(10, &record.acceptedAt)
            try v.number(11, &record.epoch, atMost: JobRecord.lastEpoch)
            self = .accepted(record)
        case .done(let id, var piece):
            try v.kind(2)
            try v.blocks(2, &piece.blocks)
            try v.id(4, &piece.node)
            try v.slots(5, &piece.tally, atMost: JobMessage.mostSlots)
            self = .done(id, piece)
        case .settled(let id, var tally):
            try v.kind(3)
            try v.settled(3, 5, &tally)
            self = .settled(id, tally)
        case .passed(let id, var tally):
            try v.kind(4)
            try v.settled(3, 5, &tally)
            self = .passed(id, tally)
        case .rewritten(let id, var tally):
            try v.kind(5)
            try v.settled(3, 5, &tally)
            self = .rewritten(id, tally)
        case .judged(let id, var end):
            try v.kind(6)
            try v.number(3, &end, atMost: JobMessage.mostBlocks)
            self = .judged(id, end: end)
        case .ran(let id, var duration):
            try v.kind(7)
            try v.duration(6, &duration)
            self = .ran(id, duration)
        case .stands(let id, var standing):
            try v.kind(8)
            try v.one(2, &standing)
            self = .stands(id, standing)
        case .forgotten: try v.kind(9)
        case .credited(let id, var credits):
            try v.kind(10)
            try v.list(12, &credits, atMost: JobMessage.mostRows)
            self = .credited(id, credits)
        }
    }
}

extension JobStanding: WireNumbered {}

extension FieldVisitor {
    /// Visits how many blocks are settled, and their tally.
    mutating func settled(_ blocks: UInt64, _ tally: UInt64, _ settled: inout SettledTally) throws(WireError) {
        try number(blocks, &settled.blocks, atMost: JobMessage.mostBlocks)
        try slots(tally, &settled.tally, atMost: JobMessage.mostSlots)
    }
}

extension JobRecord {
    /// Returns the record as it is after `time` has passed: the remaining delay is shorter.
    public func after(_ time: Duration) -> JobRecord {
        guard time > .zero, var taken = try? TakenJob(spec), taken.order.delay > .zero else { return self }
        taken.order.delay = max(.zero, taken.order.delay - time)
        var record = self
        record.spec = taken.encoded
        return record
    }
}

/// The fields in a journal: the order as it was sent, and its sender.
extension TakenJob: WireRecord {
    package static let blank = TakenJob(order: .blank, ticket: .none, submitter: .nobody, submitterName: "")

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var message = Message.job(.order(order, ticket: ticket, token: 0))
        try v.message(1, &message)
        if case .job(.order(let order, let ticket, _)) = message {
            let (slice, sweep) = (self.order.goal.slice, self.order.sweep)
            (self.order, self.ticket) = (order, ticket)
            (self.order.goal.slice, self.order.sweep) = (slice, sweep)
        } else {
            try v.check(false, "an invalid order")
        }
        try v.id(2, &submitter)
        try v.line(3, &submitterName, atMost: JobMessage.maximumDisplayName)
        // Only a run's file on disk has a slice. It is no field of the goal, so that no message can order one.
        var slice = order.goal.slice ?? 0..<0
        try v.blocks(4, &slice, mayBeEmpty: true)
        order.goal.slice = slice.upperBound > 0 ? slice : nil
        // A slice takes fields 4 and 5. A sweep, too, is known on one machine only.
        var sweep = order.sweep?.number ?? 0
        try v.number(6, &sweep)
        order.sweep = sweep > 0 ? JobID(sweep) : nil
        var guesses = guesses.list
        try v.list(7, &guesses, atMost: Guesses.most)
        self.guesses = Guesses(guesses)
    }

    public var encoded: [UInt8] { fields }

    public init(_ octets: [UInt8]) throws(WireError) {
        guard let taken = try Self.read(octets[...]) else { throw .malformed("an invalid order") }
        self = taken
    }
}
