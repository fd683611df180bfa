import PotluckKit

/// A request to a module to compute blocks, in a format for all shapes of work.
public struct RunRequest: Hashable, Sendable {
    public var shape: ModuleInterface.Shape
    var seed: UInt64
    public var first: UInt64
    public var blocks: UInt64
    /// The number of trials in all these blocks together. Only the last block may be short.
    public var trials: UInt64
    /// For a search: the key of the best solution known so far, or `RunReply.nothing`.
    var bound: UInt64
    /// For a search: where it continues.
    var payload: [UInt8]
    /// For a search of points: the point of the best solution known so far.
    public var point = UInt64.max
    /// For a search of points: the number of nodes after which the call ends; 0 to show a solution.
    public var nodes: UInt64 = 0

    public init(
        shape: ModuleInterface.Shape, seed: UInt64, first: UInt64, blocks: UInt64, trials: UInt64, bound: UInt64 = 0,
        payload: [UInt8] = []
    ) {
        self.shape = shape
        self.seed = seed
        self.first = first
        self.blocks = blocks
        self.trials = trials
        self.bound = bound
        self.payload = payload
    }

    public var record: [UInt64] {
        var writer = RecordWriter()
        writer.put(shape.rawValue)
        for number in [seed, first, blocks, trials, bound] { writer.put(number) }
        writer.put(payload)
        if shape == .space {
            writer.put(point)
            writer.put(nodes)
        }
        return writer.slots
    }
}

/// A module's answer to a `RunRequest`.
public struct RunReply: Hashable, Sendable {
    /// The number of blocks that are done. A search may return with more to do.
    public var blocks: UInt64
    var hasMore: Bool
    var best: UInt64
    public var slots: [UInt64]
    /// The output of the blocks in order; for a search, the best solution.
    public var output: [UInt8]
    /// For a search that has more to do: the payload of the request that continues it.
    public var rest: [UInt8]
    /// For a search of points: the number of nodes that it looked at.
    var expanded: UInt64 = 0

    /// The value of `best` while a search has found nothing; no number has this key.
    static let nothing = UInt64(bitPattern: Int64.max)

    /// Decodes a record and checks it against the request. `writes` is the kind of output that the module declared.
    public init(
        _ record: [UInt64], to request: RunRequest, slots expected: Int, writes: OutputKind = .text
    ) throws(SandboxError) {
        var reader = RecordReader("potluck_run", record)
        guard try reader.number() == request.shape.rawValue else { throw reader.wrong("a different kind of work") }
        blocks = try reader.number()
        guard try reader.number() <= 1 else { throw reader.wrong("an unknown state") }
        hasMore = record[2] == 1
        best = try reader.number()
        let count = try reader.count("slots", most: expected)
        guard count == expected else { throw reader.wrong("\(count) slots instead of \(expected)") }
        slots = try reader.slots(count)
        output = try reader.octets(most: PluginLimits.largestAnswer)
        rest = try reader.octets(most: PluginLimits.largestAnswer)
        if request.shape == .space { expanded = try reader.number() }
        try reader.end()
        switch request.shape {
        case .tally:
            guard output.isEmpty, rest.isEmpty, !hasMore else { throw reader.wrong("more than a tally") }
            guard blocks == request.blocks else { throw reader.wrong("\(blocks) blocks instead of \(request.blocks)") }
        case .collect:
            guard rest.isEmpty, !hasMore else { throw reader.wrong("more than its output") }
            switch writes {
            case .nothing: guard output.isEmpty else { throw reader.wrong("output that it did not declare") }
            case .rows:
                guard UInt64(output.count) % (8 * max(1, request.trials)) == 0 else {
                    throw reader.wrong("\(output.count) bytes, which are not \(request.trials) rows of equal length")
                }
            case .text: break
            }
            guard blocks == request.blocks else { throw reader.wrong("\(blocks) blocks instead of \(request.blocks)") }
        case .search:
            guard blocks <= request.blocks else { throw reader.wrong("\(blocks) blocks instead of \(request.blocks)") }
            guard hasMore == (blocks < request.blocks) else { throw reader.wrong("both finished and unfinished") }
            guard hasMore || rest.isEmpty else { throw reader.wrong("a finished search with work left") }
            let found = best != Self.nothing
            guard found == !output.isEmpty else {
                throw reader.wrong("a best value without a solution, or a solution without one")
            }
            guard !found || Int64(bitPattern: best) <= Int64(bitPattern: request.bound) else {
                throw reader.wrong("a best value that is worse than the bound")
            }
        case .space: try checkSpace(request, reader)
        case .ranks: throw reader.wrong("an answer of a program with ranks")
        }
    }
}
