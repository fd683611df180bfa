/// The decimal digits of a number, to round and print it. They come from the shortest text that names the number, so no
/// system formatter is needed.
struct Digits {
    private let isNegative: Bool
    /// The digits without leading and trailing zeros; empty for zero.
    private let digits: [UInt8]
    /// The number is 0.d₁d₂d₃… times ten to this power.
    private let power: Int

    private init(isNegative: Bool, digits: [UInt8], power: Int) {
        self.isNegative = isNegative
        self.digits = digits
        self.power = power
    }

    /// Returns nil unless the value is finite.
    init?(_ value: Double) {
        guard value.isFinite else { return nil }
        var digits: [UInt8] = []
        var (power, exponent) = (0, 0)
        var isWhole = true
        // Forms such as `0.00123`, `123.0`, `1.23e-07`. Reads bytes for speed, because a long list has tens of
        // thousands of numbers.
        var text = value.magnitude.description
        text.withUTF8 { octets in
            digits.reserveCapacity(octets.count)
            for (place, octet) in octets.enumerated() {
                switch octet {
                case UInt8(ascii: "."): isWhole = false
                case UInt8(ascii: "e"):
                    exponent = Int(String(decoding: octets[(place + 1)...], as: UTF8.self)) ?? 0
                    return
                default:
                    if isWhole { power += 1 }
                    // Leading zeros only move the decimal point.
                    if digits.isEmpty, octet == UInt8(ascii: "0") { power -= 1 } else { digits.append(octet - 48) }
                }
            }
        }
        power += exponent
        while digits.last == 0 { digits.removeLast() }
        self.init(isNegative: value < 0, digits: digits, power: digits.isEmpty ? 0 : power)
    }

    /// The exponent in scientific notation: 2 for 123; nil for zero.
    var exponent: Int? { digits.isEmpty ? nil : power - 1 }

    /// Keeps `count` digits; halves round away from zero.
    func rounded(to count: Int) -> Digits {
        guard count < digits.count else { return self }
        guard count >= 0 else { return Digits(isNegative: false, digits: [], power: 0) }
        var kept = Array(digits.prefix(count))
        var power = power
        if digits[count] >= 5 {
            var at = count - 1
            while at >= 0, kept[at] == 9 {
                kept[at] = 0
                at -= 1
            }
            if at >= 0 {
                kept[at] += 1
            } else {
                kept.insert(1, at: 0)
                power += 1
            }
        }
        while kept.last == 0 { kept.removeLast() }
        return Digits(isNegative: isNegative && !kept.isEmpty, digits: kept, power: kept.isEmpty ? 0 : power)
    }

    /// Returns fixed notation with `decimals` digits after the point.
    func fixed(_ decimals: Int) -> String {
        let rounded = rounded(to: power + decimals)
        let whole = (0..<max(0, rounded.power)).map { rounded.digit($0) }
        let part = (0..<decimals).map { rounded.digit(rounded.power + $0) }
        return (rounded.isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
            + (decimals > 0 ? "." : "") + String(decoding: part, as: UTF8.self)
    }

    /// Returns scientific notation with `significant` digits: `1.234e-7`.
    func scientific(_ significant: Int) -> String {
        let rounded = rounded(to: significant)
        let part = String(decoding: (1..<max(2, significant)).map { rounded.digit($0) }, as: UTF8.self)
        return (rounded.isNegative ? "-" : "") + String(decoding: [rounded.digit(0)], as: UTF8.self)
            + (significant > 1 ? "." + part : "") + "e\(rounded.exponent ?? 0)"
    }

    /// Returns the digit at a place after `0.`, as ASCII.
    private func digit(_ index: Int) -> UInt8 { digits.indices.contains(index) ? digits[index] + 48 : 48 }
}
