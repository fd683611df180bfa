/// An integer of any size. It computes products and differences of exact sums without rounding, and rounds once at the
/// end. It is slow, and only used to read a finished tally.
struct WideInteger {
    private var negative: Bool
    /// 32-bit digits, least significant first, without leading zeros.
    private var magnitude: [UInt32]

    private init(negative: Bool, magnitude: [UInt32]) {
        self.magnitude = magnitude
        while self.magnitude.last == 0 { self.magnitude.removeLast() }
        self.negative = negative && !self.magnitude.isEmpty
    }

    init(_ n: UInt64) {
        self.init(negative: false, magnitude: [UInt32(truncatingIfNeeded: n), UInt32(n >> 32)])
    }

    init(twosComplement words: [UInt64]) {
        let negative = words[words.count - 1] >> 63 != 0
        var carry: UInt64 = negative ? 1 : 0
        var magnitude: [UInt32] = []
        for word in words {
            for half in [UInt32(truncatingIfNeeded: word), UInt32(word >> 32)] {
                let sum = UInt64(negative ? ~half : half) + carry
                magnitude.append(UInt32(truncatingIfNeeded: sum))
                carry = sum >> 32
            }
        }
        self.init(negative: negative, magnitude: magnitude)
    }

    static func * (a: WideInteger, b: WideInteger) -> WideInteger {
        var product = [UInt32](repeating: 0, count: a.magnitude.count + b.magnitude.count)
        for i in a.magnitude.indices {
            var carry: UInt64 = 0
            for j in b.magnitude.indices {
                let sum = UInt64(a.magnitude[i]) * UInt64(b.magnitude[j]) + UInt64(product[i + j]) + carry
                product[i + j] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            product[i + b.magnitude.count] = UInt32(carry)
        }
        return WideInteger(negative: a.negative != b.negative, magnitude: product)
    }

    /// Returns the difference of two numbers that are not negative.
    static func - (a: WideInteger, b: WideInteger) -> WideInteger {
        let aIsSmaller = a.isSmaller(than: b)
        let large = aIsSmaller ? b : a
        let small = aIsSmaller ? a : b
        var difference = large.magnitude
        var borrow: Int64 = 0
        for index in difference.indices {
            let taken = index < small.magnitude.count ? Int64(small.magnitude[index]) : 0
            let rest = Int64(difference[index]) - taken - borrow
            borrow = rest < 0 ? 1 : 0
            difference[index] = UInt32(truncatingIfNeeded: rest)
        }
        return WideInteger(negative: aIsSmaller, magnitude: difference)
    }

    private func isSmaller(than other: WideInteger) -> Bool {
        if magnitude.count != other.magnitude.count { return magnitude.count < other.magnitude.count }
        for index in magnitude.indices.reversed() where magnitude[index] != other.magnitude[index] {
            return magnitude[index] < other.magnitude[index]
        }
        return false
    }

    func shiftedLeft(byWords words: Int) -> WideInteger {
        WideInteger(negative: negative, magnitude: [UInt32](repeating: 0, count: words) + magnitude)
    }

    /// Returns the number times 2^scale, rounded to nearest, ties to even. Results of 2^±900 and beyond do not occur.
    func double(scale: Int) -> Double {
        guard let top = magnitude.last else { return 0 }
        let bits = magnitude.count * 32 - top.leadingZeroBitCount
        // The top 64 bits. The last one is also set if any bit below is set, so that rounding is right.
        var head: UInt64 = 0
        for bit in 0..<64 {
            let position = bits - 1 - bit
            guard position >= 0 else { break }
            if magnitude[position / 32] >> UInt32(position % 32) & 1 != 0 { head |= 1 << UInt64(63 - bit) }
        }
        var position = bits - 65
        while position >= 0 {
            if magnitude[position / 32] >> UInt32(position % 32) & 1 != 0 {
                head |= 1
                break
            }
            position -= 1
        }
        let power = bits - 64 + scale
        let scaled = Double(head) * Double(bitPattern: UInt64(1023 + power) << 52)
        return negative ? -scaled : scaled
    }
}
