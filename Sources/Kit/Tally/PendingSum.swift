/// Numbers that are not yet part of an exact sum. Each is added to two of six parts, without a carry to the others. An
/// addition to 256 bits takes twice as long, and longer in WebAssembly, which has no carry flag.
///
/// Part `j` counts units of 2³²ʲ of the sum's units. A part takes 32 bits of a number or its upper bits, at most 54, so
/// that it has room for the parts of many numbers.
@frozen @usableFromInline struct PendingSum: Sendable {
    @usableFromInline var parts = [6 of Int64](repeating: 0)
    @usableFromInline var count: UInt64 = 0

    @inlinable init() {}

    /// Whether no other number fits. A number adds less than 2⁵⁵ to a part.
    @inlinable @inline(__always)
    var isFull: Bool { count == 1 &<< 8 }

    /// Adds ±n · 2^place units. `n` must be less than 2⁵³, and `sign` be 0, or -1 for a negative number. The result must
    /// be less than 2¹⁹² units.
    @inlinable @inline(__always)
    mutating func add(_ n: UInt64, at place: UInt64, sign: Int64) {
        put(n, at: place, sign)
        count &+= 1
    }

    /// Adds n² · 2^place units. `n` must be less than 2⁵³. The result must be less than 2¹⁹² units.
    @inlinable @inline(__always)
    mutating func addSquare(of n: UInt64, at place: UInt64) {
        // n² = a² + 2ab · 2²⁷ + b² · 2⁵⁴, cut at 2⁵⁴ without a carry: no product needs 64 bits.
        let (a, b) = (n & 0x7ff_ffff, n &>> 27)
        let middle = a &* b &<< 1
        put(a &* a &+ (middle & 0x7ff_ffff) &<< 27, at: place, 0)
        put(b &* b &+ middle &>> 27, at: place &+ 54, 0)
        count &+= 1
    }

    @inlinable @inline(__always)
    mutating func put(_ n: UInt64, at place: UInt64, _ sign: Int64) {
        let shift = place & 31
        let low = Int64(bitPattern: n &<< shift & 0xffff_ffff)
        let high = Int64(bitPattern: n &>> (32 &- shift))
        // `place` is less than 139, so the index is at most 4.
        let part = Int(truncatingIfNeeded: place &>> 5)
        parts[unchecked: part] &+= (low ^ sign) &- sign
        parts[unchecked: part &+ 1] &+= (high ^ sign) &- sign
    }

    /// Removes all numbers and returns the parts.
    @inlinable
    mutating func taken() -> [6 of Int64] {
        defer { self = PendingSum() }
        return parts
    }
}
