/// The space of a search: a row of points that is shared among the nodes of its tree. The root has all of them. The
/// branches of a node divide its points evenly, in order; the first ones get one more if it does not come out even. A
/// node with fewer points than branches keeps them undivided: all that is below it belongs to its first point, and its
/// other points are empty.
///
/// So any range of points is a part of the tree that can be searched alone, lent, split and given back.
public enum SearchSpace {
    /// The number of points. A real number holds each exactly, and twenty cities have no more orders.
    public static var points: UInt64 { 1 << 52 }

    /// The most branches from the root to a solution.
    @inlinable public static var deepest: Int { 4096 }

    /// The most nodes that are looked at to find a solution again. With cheap nodes this takes less than a second.
    @inlinable public static var mostShown: UInt64 { 1 << 24 }

    /// The points of one branch.
    @inlinable
    static func share(_ branch: UInt64, of branches: UInt64, first: UInt64, width: UInt64) -> Range<UInt64> {
        let (each, more) = width.quotientAndRemainder(dividingBy: branches)
        let start = first &+ each &* branch &+ min(branch, more)
        return start..<start &+ each &+ (branch < more ? 1 : 0)
    }
}

/// A part of a search that one call searches. Without points it asks for the solution of the author's start branches.
public struct SearchRequest: Sendable, Equatable {
    /// The points to search.
    public var points: Range<UInt64>
    /// The rest of the first point that the call before left: the branches that lead to the node to continue with.
    /// Empty if that point is not begun.
    public var path: [UInt32]
    /// The best that is known. Only something better counts.
    public var bound: Best
    /// The number of nodes after which the call ends.
    public var budget: UInt64

    /// Creates a request. By default it begins at the first point, knows no solution and searches to its end.
    public init(points: Range<UInt64>, path: [UInt32] = [], bound: Best = Best(), budget: UInt64 = .max) {
        self.points = points
        self.path = path
        self.bound = bound
        self.budget = budget
    }
}

/// The result of one call.
public struct SearchReply: Sendable, Equatable {
    /// The points before it are done.
    public var end: UInt64
    /// The rest of the point `end`; empty if that point is not begun, or if all is done.
    public var path: [UInt32]
    /// The best solution, if it is better than the bound; otherwise empty.
    public var best: Best
    /// The number of nodes that were looked at.
    public var expanded: UInt64

    /// Creates a reply. An empty `path` says that the point `end` is not begun.
    public init(end: UInt64, path: [UInt32] = [], best: Best, expanded: UInt64) {
        self.end = end
        self.path = path
        self.best = best
        self.expanded = expanded
    }
}
