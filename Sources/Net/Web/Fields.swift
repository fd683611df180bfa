import PotluckCore
import PotluckSystem

// How the fields of a message are read. Each returns nil unless the value is exactly of that kind.
extension JSON {
    /// The member of an object; nil if there is none, or null.
    package subscript(_ key: String) -> JSON? {
        guard case .object(let members) = self, let value = members.first(where: { $0.key == key })?.value else {
            return nil
        }
        if case .null = value { return nil }
        return value
    }

    package var asString: String? { if case .string(let text) = self { text } else { nil } }
    package var asArray: [JSON]? { if case .array(let values) = self { values } else { nil } }

    /// A whole number from 0 on.
    package var asCount: Int? {
        guard case .integer(let number) = self, number >= 0 else { return nil }
        return Int(exactly: number)
    }

    /// A number of 64 bits as a decimal text, written in the only way.
    package var asBig: UInt64? {
        guard let text = asString, let number = UInt64(text), String(number) == text else { return nil }
        return number
    }

    package var asReal: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    var asOctets: [UInt8]? { asString.flatMap { Base64.octets($0) } }

    /// Tally slots: octets, eight a slot, least significant first.
    var asSlots: [UInt64]? {
        guard let octets = asOctets, octets.count % 8 == 0 else { return nil }
        return stride(from: 0, to: octets.count, by: 8).map { start in
            octets[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// A text of at most this many characters.
    func asLine(_ most: Int) -> String? {
        guard let text = asString, text.unicodeScalars.count <= most else { return nil }
        return text
    }

    /// Bytes in lower-case hexadecimal digits.
    func asHexadecimal(_ count: Int) -> [UInt8]? {
        guard let text = asString, text.utf8.count == 2 * count, let octets = [UInt8](hexadecimal: text),
            octets.hexadecimal == text
        else { return nil }
        return octets
    }

    static func big(_ number: UInt64) -> JSON { .string(String(number)) }

    static func slots(_ slots: [UInt64]) -> JSON {
        .string(
            Base64.text(slots.flatMap { slot in (0..<8).map { UInt8(truncatingIfNeeded: slot >> UInt64(8 * $0)) } }))
    }
}
