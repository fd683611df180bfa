/// What the ranks keep at checkpoints. A checkpoint is complete when all ranks have brought their state and nothing is
/// open.
public struct RankCheckpoints: Sendable {
    /// The states of the next checkpoint, as far as they have come.
    private var coming: [[UInt8]?]
    /// How many of them have not come.
    private var missing: Int
    /// The states of the last complete checkpoint, by rank; nil if there is none.
    public private(set) var last: [[UInt8]]?
    /// How many checkpoints are complete.
    public private(set) var count = 0

    init(size: Int) {
        coming = Array(repeating: nil, count: size)
        missing = size
    }

    /// Whether a rank has brought its state to the next checkpoint.
    func has(_ rank: Int) -> Bool { coming[rank] != nil }

    /// Whether all ranks but this one have brought their state.
    func isLast(_ rank: Int) -> Bool { missing == 1 && coming[rank] == nil }

    mutating func bring(_ state: [UInt8], of rank: Int) {
        precondition(coming[rank] == nil, "a rank waits at a checkpoint until it is complete")
        coming[rank] = state
        missing -= 1
    }

    /// The checkpoint is complete. Its states are kept elsewhere if they were not brought here.
    mutating func pass() {
        count += 1
        guard missing == 0 else { return }
        last = coming.map { $0 ?? [] }
        coming = Array(repeating: nil, count: coming.count)
        missing = coming.count
    }
}
