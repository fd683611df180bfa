/// Counts of numbers in each of `bins` equally wide bins, below them and above them.
///
///     var games = Histogram<50>(from: 0, to: 100)
@frozen public struct Histogram<let bins: Int>: Accumulator {
    @usableFromInline var counts = [bins of UInt64](repeating: 0)
    /// The lower end of the first bin.
    public let lower: Double
    /// The upper end of the last bin, which does not belong to it.
    public let upper: Double
    @usableFromInline let scale: Double
    /// The count of numbers less than `lower`.
    public var below: UInt64 = 0
    /// The count of numbers of `upper` or more; 2⁶⁴ − 1 once NaN was added.
    public var above: UInt64 = 0

    /// Creates an empty histogram with bins from `lower` up to but not including `upper`.
    public init(from lower: Double, to upper: Double) {
        Misuse.stop(
            unless: bins > 0 && lower < upper && (upper - lower).isFinite,
            "a histogram needs bins, and a range that ends above its beginning")
        self.lower = lower
        self.upper = upper
        scale = Double(bins) / (upper - lower)
        Misuse.stop(unless: scale.isFinite, "a histogram's bins are too narrow")
    }

    /// Adds a number to its bin, to `below` or to `above`. NaN spoils the histogram for good.
    @inlinable
    public mutating func add(_ x: Double) {
        if x < lower {
            below &+= 1
        } else if x < upper {
            // Rounding may lift a number just below `upper` to the bin after the last.
            counts[min(Int((x - lower) * scale), bins - 1)] &+= 1
        } else if x.isNaN {
            above = .max
        } else {
            above &+= above == .max ? 0 : 1
        }
    }

    /// Whether NaN was added.
    public var isSpoilt: Bool { above == .max }

    /// The count of the numbers in a bin. The first bin is 0.
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

    public static var parts: Int { bins }

    /// The range of the bins, from `lower` to `upper`.
    public var range: ClosedRange<Double>? { lower...upper }
}
