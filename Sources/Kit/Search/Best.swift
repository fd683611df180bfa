/// The best solution of a part of a search: its key, and the point of the space where it is. Of two solutions the one
/// with the smaller key is better, and of equally good ones the one at the lower point. So it never depends on the
/// order in which parts are searched which of them is the best.
@frozen public struct Best: Accumulator, Comparable, Hashable {
    /// `Int64.max` if there is no solution.
    public var key = Int64.max
    /// The point, or `UInt64.max` if there is no solution or if the key is only known to be reached somewhere.
    public var point = UInt64.max

    /// Creates the best of no solutions.
    public init() {}

    /// Creates a solution with this key. Without a point, the key is only known to be reached somewhere.
    public init(key: Int64, point: UInt64 = .max) {
        self.key = key
        self.point = point
    }

    /// Whether there is no solution.
    public var isEmpty: Bool { key == .max }

    /// Returns whether `one` is better than `other`.
    @inlinable
    public static func < (one: Best, other: Best) -> Bool {
        one.key < other.key || one.key == other.key && one.point < other.point
    }

    public static var kind: FieldKind { .best }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.best, 1) }

    @inlinable public func write(_ slots: inout SlotWriter) {
        slots.put(UInt64(bitPattern: key))
        slots.put(point)
    }

    @inlinable public mutating func read(_ slots: inout SlotReader) {
        key = Int64(bitPattern: slots.take())
        point = slots.take()
    }
}

/// The tally of every search.
public struct SearchTally: SimulationTally {
    /// The best solution found.
    public var best = Best()

    /// Creates the tally of a search that has found no solution.
    public init() {}
    /// Creates the tally of a search whose best solution is `best`.
    public init(_ best: Best) { self.best = best }

    public mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("best", &best) }
}
