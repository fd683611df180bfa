/// A value with the place where it was found, to ask which rank has the smallest or largest one:
///
///     let worst = world.allReduce(Located(error, at: world.rank), Located.max)
///
/// Of equal values the one with the lowest place counts.
public struct Located<Value: Comparable & BitwiseCopyable>: BitwiseCopyable {
    /// The value.
    public let value: Value
    /// The place: a rank, or an index.
    public let place: Int

    /// Creates a value at a place.
    public init(_ value: Value, at place: Int) {
        self.value = value
        self.place = place
    }

    /// Returns the smaller one.
    public static func min(_ one: Located, _ other: Located) -> Located {
        if one.value == other.value { return one.place <= other.place ? one : other }
        return one.value < other.value ? one : other
    }

    /// Returns the larger one.
    public static func max(_ one: Located, _ other: Located) -> Located {
        if one.value == other.value { return one.place <= other.place ? one : other }
        return one.value > other.value ? one : other
    }
}
