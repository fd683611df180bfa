/// How much the node that launches a program keeps of its checkpoints.
public struct RankStateLimits: Hashable, Sendable {
    /// The most bytes of one rank's state, which must fit into the rank's memory.
    public let each: Int
    /// The most bytes of all ranks' states at one checkpoint. The lead keeps two checkpoints: the last one, and the
    /// next as far as it has come.
    public let all: Int
    /// Whether the states are kept. Only a program that may begin again needs them.
    let areKept: Bool

    public init(each: Int, all: Int, areKept: Bool = true) {
        (self.each, self.all, self.areKept) = (min(each, RankLimits.checkpoint), all, areKept)
    }

    static let none = RankStateLimits(each: .max, all: .max)

    /// The fault of a rank that keeps too much.
    var excess: RankError {
        .ended(
            why: "the ranks keep more than \(all >> 20) MiB at a checkpoint, and this laptop has room for no more; "
                + "keep less, use fewer ranks, or launch without --restarts")
    }
}

/// The states of the ranks at checkpoints. A checkpoint is complete when all ranks have brought their state and nothing
/// is open.
public struct RankCheckpoints: Sendable {
    /// The states of the next checkpoint, as far as they have come.
    private var coming: [[UInt8]?]
    /// How many of them have not come.
    private var missing: Int
    /// Bytes of the states that have come.
    private var octets = 0
    private let areKept: Bool
    /// The states of the last complete checkpoint, by rank; nil if there is none.
    public private(set) var last: [[UInt8]]?
    /// How many checkpoints are complete.
    public private(set) var count = 0

    init(size: Int, areKept: Bool = true) {
        self.areKept = areKept
        coming = Array(repeating: nil, count: size)
        missing = size
    }

    /// Whether a rank has brought its state to the next checkpoint.
    func has(_ rank: Int) -> Bool { coming[rank] != nil }

    /// Whether all ranks but this one have brought their state.
    func isLast(_ rank: Int) -> Bool { missing == 1 && coming[rank] == nil }

    mutating func bring(_ state: [UInt8], of rank: Int) {
        precondition(coming[rank] == nil, "a rank waits at a checkpoint until it is complete")
        let state = areKept ? state : []
        coming[rank] = state
        octets += state.count
        missing -= 1
    }

    /// Whether the states of one checkpoint stay within the limit with this one.
    func hasRoom(for state: [UInt8], _ limits: RankStateLimits) -> Bool {
        !areKept || octets + state.count <= limits.all
    }

    /// Bytes of all states that are kept.
    public var held: Int { octets + (last?.reduce(0) { $0 + $1.count } ?? 0) }

    /// The checkpoint is complete. Its states are kept elsewhere if they were not brought here.
    mutating func pass() {
        count += 1
        guard missing == 0 else { return }
        last = coming.map { $0 ?? [] }
        coming = Array(repeating: nil, count: coming.count)
        (missing, octets) = (coming.count, 0)
    }
}
