extension Angle {
    /// Reduces any finite angle with a magnitude of 1/2 or more, however large or
    /// close to a multiple of π/2 (after Payne and Hanek).
    ///
    /// |x| = m · 2^e with an integer m of 53 bits. Only 192 bits of 2/π matter: the bits before
    /// them give multiples of four quadrants, and the bits after them less than 2⁻¹³⁷ of a
    /// quadrant. No double is closer than 2⁻⁶² to a multiple of π/2.
    @usableFromInline init(precisely x: Double) {
        let bits = x.bitPattern
        let significand = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000
        let exponent = Int((bits >> 52) & 0x7ff) - 1075
        // The table starts with 64 zeros, so the bit of weight 2^-i is number 63 + i. The first bit that matters has
        // i = e - 1, and the product then starts with the two bits of the quadrant.
        let first = exponent + 62
        let word = first >> 6
        let shift = UInt64(first & 63)
        var window: (UInt64, UInt64, UInt64) = (0, 0, 0)
        let words = (
            Maths.twoOverPi(word), Maths.twoOverPi(word + 1), Maths.twoOverPi(word + 2), Maths.twoOverPi(word + 3)
        )
        window.0 = words.0 << shift | words.1 >> (64 - shift)
        window.1 = words.1 << shift | words.2 >> (64 - shift)
        window.2 = words.2 << shift | words.3 >> (64 - shift)

        let last = Self.product(significand, window.2)
        let middle = Self.product(significand, window.1)
        let (center, carry) = middle.low.addingReportingOverflow(last.high)
        let top = significand &* window.0 &+ middle.high &+ (carry ? 1 : 0)

        var quadrant = Int64(top >> 62)
        var fraction = (high: top << 2 | center >> 62, low: center << 2 | last.low >> 62)
        var negative = x < 0
        if fraction.high >> 63 == 1 {
            // More than half a quadrant: count down from the next quadrant.
            quadrant += 1
            negative.toggle()
            fraction = (~fraction.high &+ (fraction.low == 0 ? 1 : 0), 0 &- fraction.low)
        }
        // The leading 53 bits and the next 53 bits as doubles.
        let zeros = UInt64(fraction.high.leadingZeroBitCount)
        let high = fraction.high << zeros | fraction.low >> (64 - zeros)
        let low = fraction.low << zeros
        let unit = Double(bitPattern: (1023 - 53 - zeros) << 52)
        let leading = Double(Int64(high >> 11)) * unit
        let following = Double(Int64((high & 0x7ff) << 42 | low >> 22)) * (unit * 0x1p-53)
        // Multiply by π/2, with its first 26 bits split off.
        let a = Maths.upper(leading)
        let b = (leading - a) + following
        let product = a * 0x1.921fb58p0
        let rest = b * 0x1.921fb58p0 - leading * 0x1.dde973dcb3b3ap-27
        let remainder = product + rest
        let error = (product - remainder) + rest
        self.init(
            quadrant: x < 0 ? -quadrant : quadrant,
            remainder: negative ? -remainder : remainder, error: negative ? -error : error)
    }

    /// Returns the 128-bit product of two words, computed by halves. WebAssembly
    /// needs a library call for a 128-bit product.
    static func product(_ a: UInt64, _ b: UInt64) -> (high: UInt64, low: UInt64) {
        let (a1, a0) = (a >> 32, a & 0xffff_ffff)
        let (b1, b0) = (b >> 32, b & 0xffff_ffff)
        let low = a0 &* b0
        let cross = a1 &* b0 &+ low >> 32
        let other = a0 &* b1 &+ cross & 0xffff_ffff
        return (a1 &* b1 &+ cross >> 32 &+ other >> 32, other << 32 | low & 0xffff_ffff)
    }
}

extension Maths {
    /// Returns one 64-bit word of the binary digits of 2/π. Word 0 is zero.
    static func twoOverPi(_ word: Int) -> UInt64 {
        switch word {
        case 1: 0xa2f9_836e_4e44_1529
        case 2: 0xfc27_57d1_f534_ddc0
        case 3: 0xdb62_9599_3c43_9041
        case 4: 0xfe51_63ab_debb_c561
        case 5: 0xb724_6e3a_424d_d2e0
        case 6: 0x0649_2eea_09d1_921c
        case 7: 0xfe1d_eb1c_b129_a73e
        case 8: 0xe882_35f5_2ebb_4484
        case 9: 0xe99c_7026_b45f_7e41
        case 10: 0x3991_d639_8353_39f4
        case 11: 0x9c84_5f8b_bdf9_283b
        case 12: 0x1ff8_97ff_de05_980f
        case 13: 0xef2f_118b_5a0a_6d1f
        case 14: 0x6d36_7ecf_27cb_09b7
        case 15: 0x4f46_3f66_9e5f_ea2d
        case 16: 0x7527_bac7_ebe5_f17b
        case 17: 0x3d07_39f7_8a52_92ea
        case 18: 0x6bfb_5fb1_1f8d_5d08
        case 19: 0x5603_3046_fc7b_6bab
        default: 0
        }
    }
}
