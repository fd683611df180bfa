/// Counts in which of several categories each trial falls, such as the hands of poker.
///
///     var hand = Counts<9>()
///     tally.hand.add(3)
@frozen public struct Counts<let size: Int>: Accumulator {
    @usableFromInline var counts = [size of UInt64](repeating: 0)

    /// Creates the counts of no trials.
    public init() {
        Misuse.stop(unless: 1...CategoryCounts.most ~= size, "counts are of 1 to 256 categories")
    }

    /// Counts a category, from 0.
    @inlinable @inline(__always)
    public mutating func add(_ category: Int) {
        Misuse.stop(
            unless: UInt(bitPattern: category) < UInt(bitPattern: size),
            "counts have no such category; the first one is 0, and the last one is one less than their number")
        counts[unchecked: category] &+= 1
    }

    /// How often a category was counted. The first one is 0.
    public subscript(_ category: Int) -> UInt64 { counts[category] }

    func read<Value>(_ body: (CategoryCounts) -> Value) -> Value {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: size) { memory in
            for place in 0..<size { memory.initializeElement(at: place, to: counts[place]) }
            return body(CategoryCounts(memory.baseAddress!, size))
        }
    }

    public static var kind: FieldKind { .counts }
    public static var parts: Int { size }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.count, size) }

    public func write(_ slots: inout SlotWriter) { for place in 0..<size { slots.put(counts[place]) } }
    public mutating func read(_ slots: inout SlotReader) { for place in 0..<size { counts[place] = slots.take() } }
}

/// The counts of categories, wherever they are in memory.
struct CategoryCounts {
    let counts: UnsafePointer<UInt64>
    let size: Int

    init(_ counts: UnsafePointer<UInt64>, _ size: Int) { (self.counts, self.size) = (counts, size) }

    /// The most categories: each has a reading, and this is the most readings.
    static var most: Int { 256 }

    /// How many times a category was counted.
    var total: UInt64 {
        (0..<size).reduce(0) { sum, place in
            let (larger, overflow) = sum.addingReportingOverflow(counts[place])
            return overflow ? .max : larger
        }
    }
}
