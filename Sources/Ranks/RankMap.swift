/// Where the ranks of a program are. Its nodes are counted from 0.
public struct RankMap: Hashable, Sendable {
    /// The node of each rank.
    public let places: [Int]
    public let nodes: Int
    private let ranks: [[Int]]

    /// All ranks on one node.
    public init(size: Int) {
        (places, nodes, ranks) = (Array(repeating: 0, count: size), 1, [Array(0..<size)])
    }

    /// Each rank on the node with this number. Nil unless each node has a rank, or if there are too many ranks.
    public init?(_ places: [Int]) {
        guard places.count <= RankLimits.ranks, let last = places.max(),
            places.allSatisfy({ (0..<places.count).contains($0) })
        else { return nil }
        var ranks: [[Int]] = Array(repeating: [], count: last + 1)
        for (rank, node) in places.enumerated() { ranks[node].append(rank) }
        guard ranks.allSatisfy({ !$0.isEmpty }) else { return nil }
        (self.places, self.ranks, nodes) = (places, ranks, last + 1)
    }

    public var size: Int { places.count }

    public func ranks(of node: Int) -> [Int] { ranks[node] }

    func has(node: Int) -> Bool { ranks.indices.contains(node) }

    /// Whether there is such a rank, and it is on this node.
    public func isOn(_ node: Int, _ rank: Int) -> Bool { places.indices.contains(rank) && places[rank] == node }
}
