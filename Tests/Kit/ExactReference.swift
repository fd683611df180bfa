/// A sum of numbers that is kept as counts of single bits: a slow and obvious
/// implementation to compare `ExactSum` with.
struct BitSum {
    /// For each i, how often 2^(i − 128) was added, minus how often it was subtracted.
    private var bits = [Int](repeating: 0, count: 256)

    mutating func add(_ x: Double) {
        guard x != 0 else { return }
        var bit = Int(x.exponent) + 128
        var rest = x.magnitude / scale(x.exponent)
        while rest > 0 && bit >= 0 {
            if rest >= 1 {
                bits[bit] += x < 0 ? -1 : 1
                rest -= 1
            }
            rest *= 2
            bit -= 1
        }
    }

    /// Adds the exact square, truncated at 2⁻¹²⁸.
    mutating func addSquare(of x: Double) {
        guard x != 0 else { return }
        var factor = UInt128(x.significandBitPattern | (x.isNormal ? 1 << 52 : 0))
        factor *= factor
        // The last bit of x has the weight 2^(exponent − 52), and that of its square the square of this weight.
        let last = 2 * ((x.isNormal ? Int(x.exponent) : -1022) - 52) + 128
        for bit in 0..<128 where factor >> UInt128(bit) & 1 == 1 && last + bit >= 0 { bits[last + bit] += 1 }
    }

    /// 256 bits of two's complement, least significant word first.
    var words: [UInt64] {
        var words: [UInt64] = [0, 0, 0, 0]
        var carry = 0
        for bit in 0..<256 {
            let sum = bits[bit] + carry
            if sum & 1 != 0 { words[bit / 64] |= 1 << UInt64(bit % 64) }
            carry = sum >> 1
        }
        return words
    }

    /// The number, rounded from its bits to the nearest double, ties to even.
    var value: Double {
        var words = words
        let negative = words[3] >> 63 != 0
        if negative {
            var carry = true
            for index in 0..<4 {
                let (sum, overflow) = (~words[index]).addingReportingOverflow(carry ? 1 : 0)
                (words[index], carry) = (sum, overflow)
            }
        }
        func isSet(_ bit: Int) -> Bool { bit >= 0 && words[bit / 64] >> UInt64(bit % 64) & 1 != 0 }
        guard let top = (0..<256).last(where: isSet) else { return 0 }
        var significand = 0.0
        for bit in stride(from: top, to: top - 53, by: -1) { significand = 2 * significand + (isSet(bit) ? 1 : 0) }
        let half = isSet(top - 53)
        let more = top > 53 && (0..<(top - 53)).contains(where: isSet)
        if half && (more || isSet(top - 52)) { significand += 1 }
        let value = significand * scale(top - 52 - 128)
        return negative ? -value : value
    }

    /// Returns 2^exponent by doubling or halving, so that only the last steps may leave the normal numbers.
    private func scale(_ exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<abs(exponent) { power *= exponent < 0 ? 0.5 : 2 }
        return power
    }
}
