/// The moments of numbers at several times of a trial, such as how many people are ill on each day. The times are numbered from
/// 0.
///
///     var ill = Series<60>()
///     tally.ill.add(day, Double(count))
@frozen public struct Series<let size: Int>: Accumulator, Equatable {
    /// On the heap, as those of many times would fill the stack of a module.
    @usableFromInline var moments: [Moments]
    /// An accumulator is a whole number of words of eight bytes, see `SimulationTally.flaw`, and a module's pointer has four.
    @usableFromInline let rest: UInt64 = 0

    /// Creates the moments of no numbers.
    public init() {
        Misuse.stop(unless: 1...SeriesLimits.most ~= size, "a series has 1 to 1000 times")
        moments = [Moments](repeating: Moments(), count: size)
    }

    /// Adds a real number at a time. Its magnitude must be less than 3·10⁹.
    @inlinable @inline(__always)
    public mutating func add(_ time: Int, _ x: Double) { change(time) { $0.add(x) } }

    /// Adds an integer with a magnitude of less than 3·10⁹. Faster than adding a real number.
    @inlinable @inline(__always)
    public mutating func add(_ time: Int, _ n: Int) { change(time) { $0.add(n) } }

    /// Changes the moments of a time.
    @inlinable @inline(__always)
    mutating func change(_ time: Int, _ body: (inout Moments) -> Void) {
        Misuse.stop(
            unless: UInt(bitPattern: time) < UInt(bitPattern: size),
            "a series has no such time; the first one is 0, and the last one is one less than their number")
        moments.withUnsafeMutableBufferPointer { body(&$0.baseAddress.unsafelyUnwrapped[time]) }
    }

    /// The moments of the numbers at a time.
    public subscript(_ time: Int) -> Moments { moments[time] }

    /// Whether a number that was added was too large or NaN.
    public var isSpoilt: Bool { moments.contains { $0.isSpoilt } }

    public static var kind: FieldKind { .series }
    public static var parts: Int { size }
    public static func rules(_ add: (SlotRule, Int) -> Void) { for _ in 0..<size { Moments.rules(add) } }

    public func write(_ slots: inout SlotWriter) { for each in moments { each.write(&slots) } }
    public mutating func read(_ slots: inout SlotReader) {
        for time in moments.indices { moments[time].read(&slots) }
    }
}

enum SeriesLimits {
    /// The most times: their slots are a sixth of what a tally may have, and no curve shows more.
    static var most: Int { 1000 }
}
