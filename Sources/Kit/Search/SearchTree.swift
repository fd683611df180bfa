/// A tree of partial solutions, which is searched by branch and bound. A `Search` is one.
public protocol SearchTree: Sendable {
    /// A partial solution: numbers, and rows of numbers (see `SearchMemory`).
    associatedtype Partial: BitwiseCopyable
    /// The cost of a solution: `Int`, `Int64` or `Double`.
    associatedtype Cost: SearchCost

    /// Whether smaller or larger costs are better. Default: smaller.
    static var better: SearchOrder { get }

    /// Returns the partial solution that every other one extends. Its rows come from `memory`.
    func root(_ memory: SearchMemory) -> Partial

    /// A cost that some solution has, or a worse one, if the author knows one. Nothing worse is looked at.
    var start: Cost? { get }

    /// Returns the branch of a partial solution that leads to a good complete one, which the author's own method finds
    /// without a search; nil if there is none. A run follows these branches from the root before it searches, so it
    /// has a solution at once. Default: nil.
    func startBranch(_ partial: Partial) -> Int?

    /// Returns the cost of a complete solution; nil for a partial one.
    func cost(_ partial: Partial) -> Cost?

    /// Returns the number of ways to extend a partial solution; 0 for a dead end.
    func branches(_ partial: Partial) -> Int

    /// Returns the partial solution extended in the way with this number, counted from 0. It may change rows, which
    /// all partial solutions share.
    func take(_ branch: Int, _ partial: Partial) -> Partial

    /// Changes the rows back to what they were before `take` extended this partial solution in this way.
    func undo(_ branch: Int, _ partial: Partial)

    /// Returns a cost that no complete solution which extends this one can better.
    func bound(_ partial: Partial) -> Cost

    /// Returns the bound of the partial solution that `take` would return, if it can be told without taking the branch.
    /// Default: nil. A branch with a bound that is too bad is then neither taken nor undone, which saves time.
    func bound(after branch: Int, _ partial: Partial) -> Cost?

    /// Writes a complete solution for people, as text. Lines with two numbers are the x and y of points, which are
    /// joined to a picture.
    func show(_ partial: Partial, _ output: inout Output)
}

extension SearchTree {
    /// Smaller costs are better.
    public static var better: SearchOrder { .smaller }
    /// No cost is known.
    public var start: Cost? { nil }
    /// No solution is known.
    @inlinable public func startBranch(_ partial: Partial) -> Int? { nil }
    /// Does nothing, which is right for a tree whose `take` changes no rows.
    @inlinable public func undo(_ branch: Int, _ partial: Partial) {}
    /// Nil: a branch must be taken to tell its bound.
    @inlinable public func bound(after branch: Int, _ partial: Partial) -> Cost? { nil }
}
