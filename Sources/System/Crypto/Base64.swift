/// Bytes as text, six bits in a character (RFC 4648), with `+` and `/`, and padded with `=`.
public enum Base64 {
    public static func text(_ octets: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((octets.count + 2) / 3 * 4)
        for start in stride(from: 0, to: octets.count, by: 3) {
            let group = octets[start..<min(start + 3, octets.count)]
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | UInt32(place < group.count ? group[start + place] : 0) }
            for place in 0...group.count {
                text.append(character(UInt8(truncatingIfNeeded: bits >> UInt32(18 - 6 * place)) & 63))
            }
            text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns nil unless `text` is exactly what `text(_:)` makes of some bytes.
    public static func octets(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard digits.count % 4 != 1 else { return nil }
        var octets: [UInt8] = []
        octets.reserveCapacity(digits.count / 4 * 3 + 2)
        for start in stride(from: 0, to: digits.count, by: 4) {
            let group = digits[start..<min(start + 4, digits.count)]
            var bits: UInt32 = 0
            for place in 0..<4 {
                guard place < group.count else {
                    bits <<= 6
                    continue
                }
                guard let value = value(group[start + place]) else { return nil }
                bits = bits << 6 | UInt32(value)
            }
            for place in 0..<group.count - 1 {
                octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place)))
            }
        }
        // Bits that stand for nothing must be 0, and padding complete, so that each value has one text only.
        return self.text(octets) == text ? octets : nil
    }

    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
