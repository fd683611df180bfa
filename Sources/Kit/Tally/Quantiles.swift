/// Counts numbers in buckets of 1/32 to 1/64 of their size, so that every quantile can be read from them later. No range has
/// to be known before: numbers of either sign from 2⁻³² to 2³² have buckets, and smaller ones count as 0.
///
///     var latency = Quantiles()
@frozen public struct Quantiles: Accumulator, Equatable {
    /// The counts, in the order of the numbers: below all buckets, the buckets, above all buckets. The last one is 2⁶⁴ − 1
    /// once NaN was added.
    @usableFromInline var counts = [UInt64](repeating: 0, count: QuantileCounts.count)
    /// How many numbers were not at the end of their bucket that is nearer to 0. If there are none, as with whole numbers
    /// below 64, the buckets tell each number exactly.
    @usableFromInline var between: UInt64 = 0

    /// Creates the quantiles of no numbers.
    public init() {}

    /// Adds a number. NaN spoils the quantiles for good.
    @inlinable @inline(__always)
    public mutating func add(_ x: Double) {
        counts.withUnsafeMutableBufferPointer { QuantileCounts.add(x, $0.baseAddress.unsafelyUnwrapped, &between) }
    }

    /// Whether NaN was added.
    public var isSpoilt: Bool { counts[QuantileCounts.count - 1] == .max }

    /// The number that a part `p` of the numbers is below; nil if nothing was added, if spoilt, or if that number is beyond
    /// 2³². It is off by less than 1/32 of itself.
    public func quantile(_ p: Double) -> Double? { read { $0.quantile(p) } }

    /// The buckets that have numbers, in order: their ends, which are equal if the numbers are known exactly, and the count.
    public var buckets: [(low: Double, high: Double, count: UInt64)] {
        read { all in
            counts.indices.compactMap { place in
                guard counts[place] > 0, let ends = all.ends(place) else { return nil }
                return (ends.low, ends.high, counts[place])
            }
        }
    }

    func read<Value>(_ body: (QuantileCounts) -> Value) -> Value {
        counts.withUnsafeBufferPointer { body(QuantileCounts($0.baseAddress!, between: between)) }
    }

    public static var kind: FieldKind { .quantiles }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.count, QuantileCounts.count + 1) }

    public func write(_ slots: inout SlotWriter) {
        for count in counts { slots.put(count) }
        slots.put(between)
    }

    public mutating func read(_ slots: inout SlotReader) {
        for index in counts.indices { counts[index] = slots.take() }
        between = slots.take()
    }
}

/// The counts of quantiles, wherever they are in memory. They are real numbers here, so that no sum overflows.
@frozen @usableFromInline struct QuantileCounts {
    let counts: UnsafePointer<UInt64>
    let between: UInt64
    /// How many numbers there are.
    let total: Double

    init(_ counts: UnsafePointer<UInt64>, between: UInt64) {
        (self.counts, self.between) = (counts, between)
        total = (0..<Self.count).reduce(0) { $0 + Double(counts[$1]) }
    }

    /// The buckets of one sign: 32 for each of 64 powers of two.
    @inlinable static var buckets: Int { 64 * 32 }
    /// The number of counts, and the place of the one about 0.
    @inlinable static var count: Int { 2 * buckets + 3 }
    @inlinable static var zero: Int { buckets + 1 }
    /// The bits of a number below those of its bucket.
    @inlinable static var rest: UInt64 { 1 &<< 47 - 1 }
    /// The exponent and the first five bits of 2⁻³², less 1.
    @inlinable static var first: Int { (1023 - 32) * 32 - 1 }

    /// Returns the bucket of a number with these bits, from 1; 0 or less about 0, and more than `buckets` beyond all.
    @inlinable @inline(__always)
    static func bucket(_ bits: UInt64) -> Int { Int(truncatingIfNeeded: (bits &<< 1) &>> 48) &- first }

    @inlinable @inline(__always)
    static func add(_ x: Double, _ counts: UnsafeMutablePointer<UInt64>, _ between: inout UInt64) {
        let bits = x.bitPattern
        let bucket = bucket(bits)
        guard bucket <= buckets else { return addFar(x, counts) }
        let place = max(0, bucket)
        let sign = Int(truncatingIfNeeded: Int64(bitPattern: bits) &>> 63)
        counts[zero &+ (place ^ sign) &- sign] &+= 1
        // Whether there are bits below the bucket's, without a jump, which numbers would mispredict. Those of about 0 say
        // nothing.
        let rest = UInt64(truncatingIfNeeded: place) &* (bits & rest)
        between &+= (rest | (0 &- rest)) &>> 63
    }

    @inlinable @inline(never)
    static func addFar(_ x: Double, _ counts: UnsafeMutablePointer<UInt64>) {
        if x.isNaN {
            counts[count - 1] = .max
        } else if x < 0 {
            counts[0] &+= 1
        } else if counts[count - 1] != .max {
            counts[count - 1] &+= 1
        }
    }

    var isSpoilt: Bool { counts[Self.count - 1] == .max }

    /// Whether no bucket has all numbers.
    var vary: Bool { !(0..<Self.count).contains { Double(counts[$0]) == total } }

    /// The ends of the bucket at a place, the lower one first; nil for those without ends.
    func ends(_ place: Int) -> (low: Double, high: Double)? {
        guard 0 < place, place < Self.count - 1 else { return nil }
        let bucket = abs(place - Self.zero)
        guard bucket > 0 else { return (0, 0) }
        let near = Double(bitPattern: UInt64(bucket + Self.first) << 47)
        let far = between == 0 ? near : Double(bitPattern: UInt64(bucket + Self.first + 1) << 47)
        return place < Self.zero ? (-far, -near) : (near, far)
    }

    /// Returns the number of this rank, from 1. Ranks between whole ones are between two numbers. Numbers in a bucket are
    /// taken to be equally far from each other.
    func number(_ rank: Double) -> Double? {
        let whole = rank.rounded(.down)
        guard let low = number(whole: whole) else { return nil }
        guard rank > whole else { return low }
        return number(whole: whole + 1).map { low + ($0 - low) * (rank - whole) }
    }

    private func number(whole rank: Double) -> Double? {
        guard let (place, before) = find(rank), let ends = ends(place) else { return nil }
        return ends.low + (ends.high - ends.low) * ((rank - before - 0.5) / Double(counts[place]))
    }

    /// Returns the bucket that has the number of a whole rank, and how many numbers are in those before it.
    private func find(_ rank: Double) -> (place: Int, before: Double)? {
        var before = 0.0
        for place in 0..<Self.count where counts[place] > 0 {
            if rank <= before + Double(counts[place]) { return (place, before) }
            before += Double(counts[place])
        }
        return nil
    }

    /// Returns the lowest or the highest number that may have this rank: `number(rank)` is only right if the numbers in its
    /// bucket are equally far from each other.
    func bound(_ rank: Double, isUpper: Bool) -> Double? {
        guard let number = number(rank), let (place, _) = find(rank.rounded(isUpper ? .up : .down)),
            let ends = ends(place)
        else { return nil }
        return number + unevenness(place) * ((isUpper ? ends.high : ends.low) - number)
    }

    /// How uneven the numbers in a bucket may be, from 0 to 1: the part by which the buckets beside it have more or fewer,
    /// beyond what chance explains.
    func unevenness(_ place: Int) -> Double {
        guard let ends = ends(place), ends.low < ends.high else { return 0 }
        let count = Double(counts[place])
        var most = 0.0
        for step in [-1, 1] {
            // At a power of two, the buckets beside each other are not equally wide.
            let other = self.ends(place + step)
            let width = other.map { $0.high - $0.low } ?? 0
            let beside = Double(counts[place + step]) * (width > 0 ? (ends.high - ends.low) / width : 1)
            let chance = 2 * (count + beside).squareRoot()
            most = max(most, ((count - beside).magnitude - chance) / max(count, beside))
        }
        return most
    }

    func quantile(_ p: Double) -> Double? {
        guard total > 0, !isSpoilt else { return nil }
        // The median of an even count is in the middle between two numbers.
        return number(max(1, min(total, p * total + 0.5)))
    }
}
