/// The fields of a partial run, without its output.
extension PartialRun: WireRecord {
    /// The most checkpoints in a record: one more than a job has, so that any list fits.
    private static let mostCheckpoints = Checkpoint.last + 1
    /// The longest path of a simulation's file in bytes: the longest that Linux takes.
    fileprivate static let longestPath = 4096

    package static let blank = PartialRun(
        job: Job(experiment: .blank, goal: Goal(), typed: ""), number: ShardNumber(1, of: 1)!, slice: 0..<0, tally: [],
        checkpoints: [], origin: Origin(host: "", cores: 0, startedAt: 0, elapsed: .zero))!

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (experiment, goal, typed, inputs) = (job.experiment, job.goal, job.typed, job.inputs)
        try v.record(1, &experiment)
        try v.record(2, &goal)
        try v.line(3, &typed, atMost: Self.longestPath)
        try v.list(4, &inputs, atMost: JobMessage.mostParameters, each: 2 * Self.longestPath)
        var (index, count, slice, tally, checkpoints) = (number.index, number.count, slice, tally, checkpoints)
        try v.number(5, &index, atMost: ShardNumber.most)
        try v.number(6, &count, atMost: ShardNumber.most)
        try v.blocks(7, &slice, mayBeEmpty: true)
        try v.slots(9, &tally, atMost: JobMessage.mostSlots)
        try v.list(10, &checkpoints, atMost: Self.mostCheckpoints)
        var (host, cores, startedAt, elapsed) = (origin.host, origin.cores, origin.startedAt, origin.elapsed)
        var (effort, length) = (origin.effort, (output ?? -1) + 1)
        try v.line(11, &host, atMost: JobMessage.maximumDisplayName)
        try v.number(12, &cores, atMost: RecordedNode.mostCores)
        try v.number(13, &startedAt)
        try v.duration(14, &elapsed)
        try v.effort(15, &effort)
        try v.number(17, &length, atMost: BlobReference.largest)
        guard let number = ShardNumber(index, of: count), goal.duration == nil else {
            return try v.check(false, "an impossible shard")
        }
        // The slice is a field of its own.
        goal.slice = nil
        let partial = PartialRun(
            job: Job(experiment: experiment, goal: goal, typed: typed, inputs: inputs), number: number, slice: slice,
            tally: tally, checkpoints: checkpoints,
            origin: Origin(host: host, cores: cores, startedAt: startedAt, elapsed: elapsed, effort: effort),
            output: length == 0 ? nil : length - 1)
        guard let partial, slice.upperBound <= experiment.mostBlocks(of: goal) else {
            return try v.check(false, "an impossible slice")
        }
        self = partial
    }

    public var encoded: [UInt8] { fields }

    public init(_ octets: [UInt8]) throws(WireError) {
        guard let partial = try Self.read(octets[...]) else { throw .malformed("a shard of a later version") }
        self = partial
    }
}

extension RecordedInput: WireRecord {
    package static let blank = RecordedInput(name: "", path: "", rows: 0, columns: 0)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.text(1, &name, atMost: PartialRun.longestPath)
        try v.text(2, &path, atMost: PartialRun.longestPath)
        try v.number(3, &rows, atMost: Int(Int32.max))
        try v.number(4, &columns, atMost: Int(Int32.max))
    }
}

extension SettledTally: WireRecord {
    package static let blank = SettledTally(blocks: 0, tally: [])

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) { try v.settled(1, 2, &self) }
}
