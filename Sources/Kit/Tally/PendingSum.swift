/// Numbers that are not yet part of an exact sum. Each is added to a few of six parts, without a carry to the others. An
/// addition to 256 bits takes twice as long, and longer in WebAssembly, which has no carry flag.
///
/// Part `j` counts units of 2³²ʲ of the sum's units. A part takes 32 bits of a number or its upper bits, at most 52, so
/// that it has room for the parts of many numbers.
@frozen @usableFromInline struct PendingSum: Sendable {
    @usableFromInline var parts = [6 of Int64](repeating: 0)
    /// How many numbers were added since it was empty, without those that the owner counts.
    @usableFromInline var count: UInt64 = 0

    @inlinable init() {}

    /// The most numbers to count here, and the most that the owner may count in addition. A number adds at most 2⁵² to a
    /// part, so that twice as many fit.
    @inlinable static var most: UInt64 { 256 }

    /// `most` if no other number fits, otherwise 0.
    @inlinable @inline(__always)
    var full: UInt64 { count & Self.most }

    /// Adds n · 2^place units. The magnitude of `n` must be less than 2⁵³, and that of the result less than 2¹⁹² units.
    @inlinable @inline(__always)
    mutating func add(_ n: Int64, at place: UInt64) {
        let shift = Int64(bitPattern: place & 31)
        let part = Int(truncatingIfNeeded: place &>> 5)
        parts[unchecked: part] &+= n &<< shift & 0xffff_ffff
        parts[unchecked: part &+ 1] &+= n &>> (32 &- shift)
    }

    /// Adds n² · 2^place units. `n` must be less than 2⁵³, and the result less than 2¹⁹² units.
    @inlinable @inline(__always)
    mutating func addSquare(of n: UInt64, at place: UInt64) {
        let square = Self.product(n, n)
        add(square.high, square.low, 0, at: place)
    }

    /// Adds (high · 2⁶⁴ + low) · 2^place units, or subtracts them if `sign` is −1 instead of 0. `high` must be less than
    /// 2⁴², and the result less than 2¹⁹² units.
    @inlinable @inline(__always)
    mutating func add(_ high: UInt64, _ low: UInt64, _ sign: Int64, at place: UInt64) {
        let shift = place & 31
        let shifted = low &<< shift
        let part = Int(truncatingIfNeeded: place &>> 5)
        // Each part once: the next number would wait for a part that was written twice.
        put(shifted & 0xffff_ffff, sign, part)
        put(shifted &>> 32, sign, part &+ 1)
        put((high &<< shift | (low &>> 1) &>> (63 &- shift)) & 0xffff_ffff, sign, part &+ 2)
        put(high &>> (32 &- shift), sign, part &+ 3)
    }

    @inlinable @inline(__always)
    mutating func put(_ n: UInt64, _ sign: Int64, _ part: Int) {
        parts[unchecked: part] &+= (Int64(bitPattern: n) ^ sign) &- sign
    }

    /// Returns the product of two numbers below 2⁵³.
    @inlinable @inline(__always)
    static func product(_ x: UInt64, _ y: UInt64) -> (high: UInt64, low: UInt64) {
        #if arch(wasm32)
            // (a + b · 2²⁷) · (c + d · 2²⁷). No product needs 64 bits, and there is no instruction for 128.
            let (a, b) = (x & 0x7ff_ffff, x &>> 27)
            let (c, d) = (y & 0x7ff_ffff, y &>> 27)
            let middle = a &* d &+ b &* c &+ (a &* c) &>> 27
            return ((b &* d &+ middle &>> 27) &>> 10, x &* y)
        #else
            return x.multipliedFullWidth(by: y)
        #endif
    }

    /// Removes all numbers and returns the parts.
    @inlinable
    mutating func taken() -> [6 of Int64] {
        defer { self = PendingSum() }
        return parts
    }
}
