/// Counts of numbers in each of `bins` equally wide bins, below them and above them.
///
///     var games = Histogram<50>(from: 0, to: 100)
@frozen public struct Histogram<let bins: Int>: Accumulator {
    @usableFromInline var counts = [bins of UInt64](repeating: 0)
    public let lower: Double
    public let upper: Double
    @usableFromInline let scale: Double
    /// The count of numbers less than `lower`.
    public var below: UInt64 = 0
    /// The count of numbers of `upper` or more. NaN counts here too, so that the counts always add up.
    public var above: UInt64 = 0

    public init(from lower: Double, to upper: Double) {
        precondition(
            bins > 0 && lower < upper && (upper - lower).isFinite, "a histogram needs bins and a valid range")
        self.lower = lower
        self.upper = upper
        scale = Double(bins) / (upper - lower)
        precondition(scale.isFinite, "a histogram's bins are too narrow")
    }

    @inlinable
    public mutating func add(_ x: Double) {
        if x < lower {
            below &+= 1
        } else if x < upper {
            // Rounding may lift a number just below `upper` to the bin after the last.
            counts[min(Int((x - lower) * scale), bins - 1)] &+= 1
        } else {
            above &+= 1
        }
    }

    public subscript(_ bin: Int) -> UInt64 { counts[bin] }

    public static var kind: FieldKind { .histogram }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.count, bins + 2) }

    public func write(_ slots: inout SlotWriter) {
        slots.put(below)
        for bin in 0..<bins { slots.put(counts[bin]) }
        slots.put(above)
    }

    public mutating func read(_ slots: inout SlotReader) {
        below = slots.take()
        for bin in 0..<bins { counts[bin] = slots.take() }
        above = slots.take()
    }

    public var range: ClosedRange<Double>? { lower...upper }
}
