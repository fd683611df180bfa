/// How many nodes of a search's tree were looked at. It tells the work of a search and is no part of its result: the
/// same search looks at more or fewer nodes, depending on when each solution becomes known.
public struct SearchEffort: Hashable, Sendable {
    /// The nodes that were looked at, those in vain included.
    public var expanded: UInt64
    /// The nodes of chunks that do not count, because another laptop was faster or the chunk was taken back.
    public var inVain: UInt64

    public static let none = SearchEffort()

    public init(expanded: UInt64 = 0, inVain: UInt64 = 0) {
        self.expanded = max(expanded, inVain)
        self.inVain = inVain
    }

    public static func + (a: SearchEffort, b: SearchEffort) -> SearchEffort {
        SearchEffort(
            expanded: a.expanded.addingClamped(b.expanded), inVain: a.inVain.addingClamped(b.inVain))
    }
}

extension [NodeRow] {
    /// The nodes that all laptops together looked at.
    public var effort: SearchEffort { reduce(.none) { $0 + $1.effort } }
}
