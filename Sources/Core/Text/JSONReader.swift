/// Reads JSON from outside. It takes only what RFC 8259 permits, and nothing twice.
package struct JSONReader {
    /// Values within values. Messages of the page need four.
    static let deepest = 16
    /// Members of one object. The largest message has fewer than thirty.
    static let mostMembers = 64
    /// Digits and signs of a number. 64 bits need 20, and a `Double` 24.
    static let longestNumber = 40

    private let octets: [UInt8]
    private var place = 0

    private init(_ octets: [UInt8]) { self.octets = octets }

    /// Returns the value; nil if the text is no JSON or exceeds a limit.
    package static func value(_ octets: [UInt8]) -> JSON? {
        var reader = JSONReader(octets)
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipBlanks()
        return reader.place == octets.count ? value : nil
    }

    private var next: UInt8? { place < octets.count ? octets[place] : nil }

    private mutating func skipBlanks() {
        while let next, [0x20, 0x09, 0x0a, 0x0d].contains(next) { place += 1 }
    }

    private mutating func take(_ octet: UInt8) -> Bool {
        guard next == octet else { return false }
        place += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= octets.count else { return false }
        for offset in 0..<count where octets[place + offset] != word.utf8Start[offset] { return false }
        place += count
        return true
    }

    private mutating func value(depth: Int) -> JSON? {
        guard depth < Self.deepest else { return nil }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string().map(JSON.string)
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        case let octet? where octet == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet):
            return number()
        default: return nil
        }
    }

    private mutating func object(_ depth: Int) -> JSON? {
        place += 1
        var members: [(key: String, value: JSON)] = []
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipBlanks()
            guard members.count < Self.mostMembers, next == UInt8(ascii: "\""), let key = string(),
                !members.contains(where: { $0.key == key })
            else { return nil }
            skipBlanks()
            guard take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            members.append((key, value))
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func array(_ depth: Int) -> JSON? {
        place += 1
        var values: [JSON] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func string() -> String? {
        place += 1
        var text: [UInt8] = []
        while let octet = next {
            place += 1
            switch octet {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard escape(into: &text) else { return nil }
            case 0..<0x20: return nil
            default: text.append(octet)
            }
        }
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
        guard let octet = next else { return false }
        place += 1
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(octet)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = escapedScalar() else { return false }
            text += Array(String(scalar).utf8)
        default: return false
        }
        return true
    }

    /// Reads the digits after `\u`, and the second half of a pair.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard let first = unit() else { return nil }
        guard (0xd800...0xdfff).contains(first) else { return Unicode.Scalar(first) }
        guard first < 0xdc00, take("\\u"), let second = unit(), (0xdc00...0xdfff).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    private mutating func unit() -> UInt32? {
        guard place + 4 <= octets.count else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let octet = octets[place]
            switch octet {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(octet - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(octet - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(octet - UInt8(ascii: "A") + 10)
            default: return nil
            }
            place += 1
        }
        return unit
    }

    private mutating func digits() -> Bool {
        let start = place
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { place += 1 }
        return place > start
    }

    private mutating func number() -> JSON? {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), !digits() { return nil }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() else { return nil }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() else { return nil }
        }
        guard place - start <= Self.longestNumber else { return nil }
        let text = String(decoding: octets[start..<place], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        if isWhole, let number = UInt64(text) { return .unsigned(number) }
        guard let number = Double(text), number.isFinite else { return nil }
        return .number(number)
    }
}
