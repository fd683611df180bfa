/// An integer that is wide enough for the variances and covariances of exact sums. It computes products and differences without rounding, and
/// rounds once at the end. It is slow, and only used to read a finished tally.
struct WideInteger {
    private var isNegative = false
    /// Least significant first. Those from `count` on are 0.
    private var digits = [16 of UInt32](repeating: 0)
    /// How many digits there are without leading zeros.
    private var count = 0

    /// The digits of the square of an exact sum.
    private static var most: Int { 16 }

    private init() {}

    init(_ n: UInt64) {
        digits[0] = UInt32(truncatingIfNeeded: n)
        digits[1] = UInt32(n >> 32)
        trim(2)
    }

    /// Creates an integer of 256 bits from its words, least significant first.
    init(twosComplement words: [4 of UInt64]) {
        isNegative = words[3] >> 63 != 0
        var carry: UInt64 = isNegative ? 1 : 0
        for index in 0..<8 {
            let half = UInt32(truncatingIfNeeded: words[index >> 1] >> UInt64(32 * (index & 1)))
            let sum = UInt64(isNegative ? ~half : half) + carry
            digits[index] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
        trim(8)
    }

    /// Counts the digits, of which there are at most so many.
    private mutating func trim(_ most: Int) {
        count = most
        while count > 0, digits[count - 1] == 0 { count -= 1 }
    }

    /// The product must have at most 512 bits.
    static func * (a: WideInteger, b: WideInteger) -> WideInteger {
        var product = WideInteger()
        for i in 0..<a.count {
            var carry: UInt64 = 0
            for j in 0..<b.count {
                let sum = UInt64(a.digits[i]) * UInt64(b.digits[j]) + UInt64(product.digits[i + j]) + carry
                product.digits[i + j] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            if carry > 0 { product.digits[i + b.count] = UInt32(carry) }
        }
        product.isNegative = a.isNegative != b.isNegative
        product.trim(min(a.count + b.count, most))
        return product
    }

    /// The difference must have at most 512 bits.
    static func - (a: WideInteger, b: WideInteger) -> WideInteger {
        guard a.isNegative == b.isNegative else { return a.plus(b) }
        let aIsSmaller = a.isSmaller(than: b)
        let (large, small) = aIsSmaller ? (b, a) : (a, b)
        var difference = large
        difference.isNegative = a.isNegative != aIsSmaller
        var borrow: Int64 = 0
        for index in 0..<large.count {
            let rest = Int64(large.digits[index]) - Int64(small.digits[index]) - borrow
            borrow = rest < 0 ? 1 : 0
            difference.digits[index] = UInt32(truncatingIfNeeded: rest)
        }
        difference.trim(large.count)
        return difference
    }

    /// Returns the number with the digits of another one added.
    private func plus(_ other: WideInteger) -> WideInteger {
        var sum = self
        var carry: UInt64 = 0
        for index in 0..<Self.most {
            carry += UInt64(digits[index]) + UInt64(other.digits[index])
            sum.digits[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        sum.trim(Self.most)
        return sum
    }

    /// Whether the number without its sign is smaller than another one.
    private func isSmaller(than other: WideInteger) -> Bool {
        for index in stride(from: Self.most - 1, through: 0, by: -1) where digits[index] != other.digits[index] {
            return digits[index] < other.digits[index]
        }
        return false
    }

    /// Returns the number times 2³² to the power `words`. It must have at most 512 bits.
    func shiftedLeft(byWords words: Int) -> WideInteger {
        var shifted = WideInteger()
        for index in 0..<count { shifted.digits[index + words] = digits[index] }
        shifted.isNegative = isNegative
        shifted.count = count == 0 ? 0 : count + words
        return shifted
    }

    /// Returns the number times 2^scale, rounded to nearest, ties to even. Results of 2^±900 and beyond do not occur.
    func double(scale: Int) -> Double {
        guard count > 0 else { return 0 }
        let bits = count * 32 - digits[count - 1].leadingZeroBitCount
        // The top 64 bits. The last one is also set if any bit below is set, so that rounding is right.
        var head: UInt64 = 0
        for bit in 0..<64 where bit < bits && isSet(bits - 1 - bit) { head |= 1 << UInt64(63 - bit) }
        for bit in 0..<max(0, bits - 64) where isSet(bit) { head |= 1 }
        let power = bits - 64 + scale
        let scaled = Double(head) * Double(bitPattern: UInt64(1023 + power) << 52)
        return isNegative ? -scaled : scaled
    }

    private func isSet(_ bit: Int) -> Bool { digits[bit >> 5] >> UInt32(bit & 31) & 1 != 0 }
}
