/// Which part of a job's blocks a shard computes, such as 3/8: the third of eight.
public struct ShardNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The most shards of a job: more tasks than batch engines take at once.
    public static let most = 1_000_000

    /// From 1 to `count`.
    public let index: Int
    public let count: Int

    /// Returns nil unless 1 ≤ index ≤ count ≤ `most`.
    public init?(_ index: Int, of count: Int) {
        guard 1 <= index, index <= count, count <= Self.most else { return nil }
        (self.index, self.count) = (index, count)
    }

    public var description: String { "\(index)/\(count)" }

    public static func < (a: ShardNumber, b: ShardNumber) -> Bool { (a.count, a.index) < (b.count, b.index) }

    /// Returns this part of the blocks. All parts together are the blocks, each once, and differ by one block at most.
    public func part(of blocks: Range<UInt64>) -> Range<UInt64> {
        border(index - 1, blocks)..<border(index, blocks)
    }

    private func border(_ index: Int, _ blocks: Range<UInt64>) -> UInt64 {
        let product = UInt64(blocks.count).multipliedFullWidth(by: UInt64(index))
        return blocks.lowerBound + UInt64(count).dividingFullWidth(product).quotient
    }
}
