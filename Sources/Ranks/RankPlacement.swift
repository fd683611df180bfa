import PotluckCore

/// How the ranks of a program are placed on nodes.
public enum RankPlacement: Hashable, Sendable {
    /// Each node in turn gets as many ranks as it has cores, those with the most cores first. If there are more ranks than
    /// cores, the nodes get more in the same way. A node that claims far more cores than most gets the ranks for which the
    /// others have no core.
    case byCores
    /// Each node in turn gets this many ranks, those with the most cores first.
    case perNode(Int)
    /// These nodes get ranks, in this order.
    case named([Share])

    public struct Share: Hashable, Sendable {
        public let name: String
        public let ranks: Int

        public init(name: String, ranks: Int) { (self.name, self.ranks) = (name, ranks) }
    }

    /// A node that computes.
    public struct Node: Hashable, Sendable {
        public let name: String
        let cores: Int

        public init(name: String, cores: Int) { (self.name, self.cores) = (name, cores) }
    }

    public enum PlacementError: Error, Hashable, CustomStringConvertible {
        case unknown(String, present: [String])
        case repeated(String)
        /// There are more ranks than places for them.
        case full(ranks: Int, places: Int)
        case otherSize(ranks: Int, named: Int)
        /// There are more ranks than all nodes take.
        case tooMany(ranks: Int, most: Int)
        /// A node gets more ranks than it takes.
        case crowded(name: String, ranks: Int, most: Int)

        public var description: String {
            switch self {
            case .unknown(let name, let present):
                "no laptop called \(Spelling.quoted(name)) computes in this session"
                    + Spelling.hint(for: name, among: present) + "; those that do: \(present.joined(separator: ", "))"
            case .repeated(let name): "--map names \(name) twice"
            case .full(let ranks, let places):
                "\(ranks) ranks do not fit: --ranks-per-node leaves \(places) places; launch fewer, or raise it"
            case .otherSize(let ranks, let named):
                "--map has \(named) ranks, but -n asks for \(ranks); leave out -n, or change one of them"
            case .tooMany(let ranks, let most):
                "\(ranks) ranks do not fit: the laptops of the session take at most \(most), "
                    + "\(RankLimits.ranksPerCore) on each core; launch fewer"
            case .crowded(let name, let ranks, let most):
                "\(ranks) ranks do not fit on \(name), which takes at most \(most), "
                    + "\(RankLimits.ranksPerCore) on each core; place fewer there"
            }
        }
    }

    /// How many times as many cores as most nodes a node may claim and be believed. A workstation has four times as many as
    /// the laptops beside it; nobody checks a claim.
    private static let plausible = 4

    /// The most ranks that a node draws by the number of its cores alone: a plausible number in this room, or its fair
    /// share. `cores` are those of all nodes, the most first.
    private static func unchecked(_ size: Int, _ cores: [Int]) -> Int {
        guard !cores.isEmpty else { return 0 }
        return max(plausible * cores[cores.count / 2], (size + cores.count - 1) / cores.count)
    }

    /// The nodes that get ranks, by their index in `nodes`, and where the ranks are, by the index in that list. `size` is the
    /// number of ranks; nil for one on each core, or as many as the placement names.
    public func place(_ size: Int?, on nodes: [Node]) throws(PlacementError) -> (chosen: [Int], places: [Int]) {
        let order = nodes.indices.sorted {
            (nodes[$1].cores, nodes[$0].name, $0) < (nodes[$0].cores, nodes[$1].name, $1)
        }
        var shares: [(node: Int, ranks: Int)]
        switch self {
        case .byCores:
            let total = order.reduce(0) { $0 + nodes[$1].cores }
            let size = min(size ?? total, RankLimits.ranks)
            guard size <= total * RankLimits.ranksPerCore else {
                throw .tooMany(ranks: size, most: total * RankLimits.ranksPerCore)
            }
            shares = order.map { ($0, nodes[$0].cores) }
            // Whole rounds first, so that a node's ranks follow each other.
            let rounds = total == 0 ? 0 : size / total
            var rest = size - rounds * total
            var more = shares.map { _ in 0 }
            for most in [Self.unchecked(size, order.map { nodes[$0].cores }), .max] {
                for index in shares.indices {
                    let added = min(rest, max(0, min(shares[index].ranks, most) - more[index]))
                    more[index] += added
                    rest -= added
                }
            }
            for index in shares.indices { shares[index].ranks = shares[index].ranks * rounds + more[index] }
        case .perNode(let most):
            let places = most * order.count
            let size = min(size ?? places, RankLimits.ranks)
            guard size <= places else { throw .full(ranks: size, places: places) }
            var rest = size
            shares = order.map { node in
                defer { rest -= min(rest, most) }
                return (node, min(rest, most))
            }
        case .named(let named):
            shares = []
            for share in named {
                guard let node = nodes.firstIndex(where: { $0.name == share.name }) else {
                    throw .unknown(share.name, present: nodes.map(\.name))
                }
                guard !shares.contains(where: { $0.node == node }) else { throw .repeated(share.name) }
                shares.append((node, share.ranks))
            }
            let total = named.reduce(0) { $0 + $1.ranks }
            if let size, size != total { throw .otherSize(ranks: size, named: total) }
        }
        shares.removeAll { $0.ranks == 0 }
        for share in shares where share.ranks > nodes[share.node].cores * RankLimits.ranksPerCore {
            let node = nodes[share.node]
            throw .crowded(name: node.name, ranks: share.ranks, most: node.cores * RankLimits.ranksPerCore)
        }
        let places = shares.enumerated().flatMap { Array(repeating: $0, count: $1.ranks) }
        return (shares.map(\.node), places)
    }
}
