/// Work that looks for the best of many solutions by branch and bound. The author describes a tree of partial
/// solutions. The kit searches it depth first, leaves out parts that cannot be better, and shares the tree among cores
/// and laptops.
///
///     /// The largest value of things that a knapsack can hold.
///     struct Knapsack: Search {
///         static let name: StaticString = "knapsack"
///         static let summary: StaticString = "The most valuable load of a knapsack"
///         @Parameter("limit", "the weight that it holds", in: 1...1000) var limit = 50
///         static let weights = [12, 2, 1, 4, 1, 9, 20, 31], values = [4, 2, 1, 10, 2, 9, 13, 29]
///         static var better: SearchOrder { .larger }
///
///         struct Partial: BitwiseCopyable { var next = 0, weight = 0, value = 0, taken = 0 }
///         func root(_ memory: SearchMemory) -> Partial { Partial() }
///         func cost(_ partial: Partial) -> Int? { partial.next == Self.weights.count ? partial.value : nil }
///
///         // Branch 0 leaves the next thing out, branch 1 takes it if it fits.
///         func branches(_ partial: Partial) -> Int { partial.weight + Self.weights[partial.next] <= limit ? 2 : 1 }
///         func take(_ branch: Int, _ partial: Partial) -> Partial {
///             var next = partial
///             next.next += 1
///             if branch == 1 {
///                 next.weight += Self.weights[partial.next]
///                 next.value += Self.values[partial.next]
///                 next.taken |= 1 << partial.next
///             }
///             return next
///         }
///         func bound(_ partial: Partial) -> Int { partial.value + Self.values[partial.next...].reduce(0, +) }
///
///         func show(_ partial: Partial, _ output: inout Output) {
///             for thing in 0..<Self.weights.count where partial.taken >> thing & 1 == 1 { output.line(thing + 1) }
///         }
///         static var readings: [ReadingRule<Knapsack>] {
///             derived("value", { _, tally, _ in Int.number(tally.best.key, better) })
///         }
///     }
///
/// All nodes see the same tree, so it may depend on the parameters and the inputs only.
public protocol Search: Work, SearchTree where Tally == SearchTally {
    /// The type of `instead`.
    associatedtype Instead: SearchTree = Self

    /// The tree that is searched instead of this one with these parameters; nil to search this one.
    var instead: Instead? { get }
}

extension Search {
    /// A search has no trials; a block is one point of its space.
    public var blockSize: Int { 1 }
}

extension Search where Instead == Self {
    /// None.
    @inlinable public var instead: Self? { nil }
}

/// Which of two costs is better.
public enum SearchOrder: Sendable {
    /// The solution with the smaller cost, or the one with the larger cost.
    case smaller, larger
}

/// A cost that has a key: a number in the same order. Smaller keys are better everywhere outside the author's file.
public protocol SearchCost: Comparable, Sendable {
    /// The key of this cost when smaller costs are better. `Int64.max` is the key of no solution.
    var key: Int64 { get }
    /// The key of this cost when larger costs are better.
    var mirrored: Int64 { get }
    /// Returns the cost of a key as a real number, for readings; nil if the key belongs to none.
    static func number(_ key: Int64, _ order: SearchOrder) -> Double?
    /// Returns the cost of a key; the nearest one if the key belongs to none.
    static func cost(_ key: Int64, _ order: SearchOrder) -> Self
}

extension Int64: SearchCost {
    @inlinable public var key: Int64 { Swift.min(self, .max - 1) }
    @inlinable public var mirrored: Int64 { self == .min ? .max - 1 : Swift.min(-self, .max - 1) }
    public static func number(_ key: Int64, _ order: SearchOrder) -> Double? {
        key == .max ? nil : order == .smaller ? Double(key) : 0 - Double(key)
    }
    @inlinable
    public static func cost(_ key: Int64, _ order: SearchOrder) -> Int64 {
        order == .smaller ? key : key == .min ? .max : key == .max ? .min : -key
    }
}

extension Int: SearchCost {
    @inlinable public var key: Int64 { Int64(self).key }
    @inlinable public var mirrored: Int64 { Int64(self).mirrored }
    public static func number(_ key: Int64, _ order: SearchOrder) -> Double? { Int64.number(key, order) }
    @inlinable
    public static func cost(_ key: Int64, _ order: SearchOrder) -> Int { Int(clamping: Int64.cost(key, order)) }
}

extension Double: SearchCost {
    /// NaN is worse than every number.
    @inlinable public var key: Int64 { isNaN ? .max - 1 : OrderedKey.key(self) }
    @inlinable public var mirrored: Int64 { isNaN ? .max - 1 : OrderedKey.key(-self) }
    public static func number(_ key: Int64, _ order: SearchOrder) -> Double? {
        OrderedKey.number(key).map { order == .smaller ? $0 : 0 - $0 }
    }
    @inlinable
    public static func cost(_ key: Int64, _ order: SearchOrder) -> Double {
        let number = OrderedKey.number(key) ?? (key < 0 ? -.infinity : .infinity)
        return order == .smaller ? number : -number
    }
}
