/// The parts of a real number, for exact sums. There is no jump for 0: half of an author's numbers may be 0.
@frozen @usableFromInline struct Significand {
    @usableFromInline let bits: UInt64
    /// The exponent as it is encoded.
    @usableFromInline let exponent: UInt64
    /// No bit is set for 0 and for subnormal numbers, which add nothing to an exact sum; otherwise all bits are set.
    @usableFromInline let mask: UInt64

    @inlinable @inline(__always)
    init(_ x: Double) {
        bits = x.bitPattern
        exponent = bits &>> 52 & 0x7ff
        // The compiler turns a comparison with 0, and code that it recognises as one, into a jump.
        mask = 0 &- (exponent &+ 2047) &>> 11
    }

    /// The number without its sign in units of its last bit, less than 2⁵³.
    @inlinable @inline(__always)
    var magnitude: UInt64 { (bits & 0xf_ffff_ffff_ffff | 1 &<< 52) & mask }

    /// The number in units of its last bit.
    @inlinable @inline(__always)
    var signed: Int64 {
        let sign = Int64(bitPattern: bits) &>> 63
        return (Int64(bitPattern: magnitude) ^ sign) &- sign
    }

    /// The place of the last bit if that of 1 is `one`. 0 has the place of 1, so that it goes where most numbers go: a
    /// CPU guesses which of the writes before it a read has to wait for.
    @inlinable @inline(__always)
    func place(ofOne one: UInt64) -> UInt64 { (exponent &- 1023) & mask &+ one }
}
