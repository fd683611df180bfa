extension Maths {
    /// Returns the error function. Error at most 0.95 ulp (measured: 0.917).
    public static func erf(_ x: Double) -> Double {
        let size = x.magnitude
        if size < 0.875 { return x + x * polynomial(nearErrors, x * x) }
        // Beyond 6 the rest is too small to matter.
        guard size < 6 else { return x.isNaN ? .nan : signed(1, as: x) }
        let rest = complement(size)
        return x > 0 ? 1 - rest : rest - 1
    }

    /// Returns 1 − erf(x), with all digits where that is small. Error at most 2.3 ulp (measured: 2.24); from x = 26 on,
    /// where it is below 10⁻²⁹⁵, at most 3.5.
    public static func erfc(_ x: Double) -> Double {
        let size = x.magnitude
        if size < 0.875 {
            let near = x * polynomial(nearErrors, x * x)
            if x < 0.25 { return 1 - (x + near) }
            let sum = TwoPart.sum(x - 0.5, near)
            return (0.5 - sum.high) - sum.low
        }
        if x < 0 { return 2 - (size < 6 ? complement(size) : 0) }
        return x.isNaN ? .nan : x < 27.3 ? complement(x) : 0
    }

    /// Returns erfc(x) for an `x` from 7/8 to 27.3.
    private static func complement(_ x: Double) -> Double {
        let place = (x - 3) / (x + 3)
        let factor = TwoPart.sum(0x1.6e9827d229d2dp-1, place * polynomial(farErrors, place)) / TwoPart.sum(x, 1)
        let square = TwoPart.product(x, x)
        if x < 26 {
            let large = exponential(-square.high, -square.low)
            return large * factor.high + large * factor.low
        }
        // e^(−x²) would soon be subnormal, and its root is not.
        let root = exponential(-0.5 * square.high, -0.5 * square.low)
        return root * (factor.high + factor.low) * root
    }

    /// erf(x) / x − 1 in powers of x², for |x| < 7/8.
    private static let nearErrors: InlineArray<12, Double> = [
        0x1.06eba8214db69p-3, -0x1.812746b0379e5p-2, 0x1.ce2f21a0429cp-4, -0x1.b82ce3127ba39p-6,
        0x1.565bcd0bd44c8p-8, -0x1.c02db3658a5adp-11, 0x1.f9a31006aac53p-14, -0x1.f4d01d5e9ddbdp-17,
        0x1.b9c1221153b3ap-20, -0x1.5dd08310f6f5p-23, 0x1.e54e0dabc154cp-27, -0x1.dc9f930870182p-31,
    ]

    /// erfc(x) · e^(x²) · (1 + x) in powers of (x − 3) / (x + 3) from the first power on, for x from 7/8 on.
    private static let farErrors: InlineArray<20, Double> = [
        -0x1.d8f06dfac798ep-3, 0x1.9596c92adafaap-4, -0x1.4f64aa4aa13bap-7, -0x1.8600d9145c6efp-6,
        0x1.67c18994d8ff9p-6, -0x1.3f82b5d1b63c5p-7, 0x1.a84c560ff4e24p-10, 0x1.5297b87ac9309p-11,
        -0x1.81214afd8514p-12, -0x1.58cdc81a21524p-16, 0x1.d6c63e2286b66p-15, -0x1.963b97474a2cep-20,
        -0x1.2de0229b773a5p-17, 0x1.178045cac96f7p-22, 0x1.afa11a2225b5ep-20, 0x1.b8a8217282d42p-25,
        -0x1.5aef7daa4a829p-22, -0x1.3408e104ff263p-26, 0x1.1d8815836c546p-24, -0x1.c0a6a9d9b8bb9p-27,
    ]
}
