import PotluckKit

extension ParameterDescription {
    public var label: String { name.description }

    /// Returns a value as users read and type it, or a question mark for a slot outside the domain.
    public func text(of slot: UInt64) -> String {
        guard domain.contains(slot) else { return "?" }
        return switch domain {
        case .integer: String(Int64(bitPattern: slot))
        case .real: Self.short(Double(bitPattern: slot))
        case .choice(let names): names[Int(slot)].description
        case .flag: slot == 0 ? "no" : "yes"
        case .several(let names, let count): SeveralText(names, count).text(of: slot)
        }
    }

    /// Returns a value that fits the title of a job. It reads and types like the value of `text`, but a long list of
    /// names is the slot's number.
    public func brief(_ slot: UInt64) -> String {
        let text = text(of: slot)
        return text.utf8.count <= JobTitle.longestValue ? text : "0x" + String(slot, radix: 16)
    }

    /// The permitted values: `3 to 100`, `call or put`, `yes or no`, `1 to 2 of ham, olives, rocket`.
    public var range: String {
        switch domain {
        case .integer(let range):
            "\(Self.typed("\(range.lowerBound)")) to \(Self.typed("\(range.upperBound)"))"
        case .real(let range):
            "\(Self.typed(Self.short(range.lowerBound))) to \(Self.typed(Self.short(range.upperBound)))"
        case .choice(let names):
            names.count < 2
                ? names.map(\.description).joined()
                : names.dropLast().map(\.description).joined(separator: ", ") + " or \(names[names.count - 1])"
        case .flag: "yes or no"
        case .several(let names, let count): SeveralText(names, count).range
        }
    }

    /// Parses a typed value. The error completes a sentence that begins with the parameter's name.
    public func slot(of text: String) throws(ParameterTextError) -> UInt64 {
        let wrong = ParameterTextError("must be \(range)")
        switch domain {
        case .integer(let range):
            guard let value = Self.whole(text) else {
                if Double(text) != nil { throw ParameterTextError("must be a whole number, \(self.range)") }
                throw wrong
            }
            guard range.contains(value) else { throw wrong }
            return UInt64(bitPattern: value)
        case .real(let range):
            // Double also parses "nan" and "0x1p3". And "-0" would be a different
            // experiment from "0" with the same meaning.
            guard text.allSatisfy({ $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) }), let value = Double(text),
                range.contains(value)
            else { throw wrong }
            return (value == 0 ? 0 : value).bitPattern
        case .choice(let names):
            let names = names.map(\.description)
            guard let index = names.firstIndex(of: text) else {
                let hint = Spelling.hint(for: text, among: names)
                throw ParameterTextError("must be \(range)\(hint)")
            }
            return UInt64(index)
        case .flag:
            switch text.lowercased() {
            case "yes", "true", "on", "1": return 1
            case "no", "false", "off", "0": return 0
            default: throw wrong
            }
        case .several(let names, let count): return try SeveralText(names, count).slot(of: text)
        }
    }

    /// Parses `1000`, `1_000` and `1e3`, the forms in which users type a number of trials.
    private static func whole(_ text: String) -> Int64? {
        if let value = Int64(text.filter { $0 != "_" }) { return value }
        let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let front = Int64(parts[0]), let power = UInt8(parts[1]), power <= 18 else {
            return nil
        }
        let (value, overflow) = (0..<power).reduce((front, false)) { sum, _ in
            let (product, overflow) = sum.0.multipliedReportingOverflow(by: 10)
            return (product, sum.1 || overflow)
        }
        return overflow ? nil : value
    }

    /// Shortens a bound with many zeros: `1e12`.
    private static func typed(_ number: String) -> String {
        let zeros = number.reversed().prefix { $0 == "0" }.count
        return zeros >= 9 && number.allSatisfy { $0.isNumber || $0 == "-" }
            ? "\(number.dropLast(zeros))e\(zeros)" : number
    }

    /// Returns `0.2` and `100`, not `100.0`.
    private static func short(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// Why a text is not a value of a parameter.
public struct ParameterTextError: Error, Equatable {
    /// The end of a sentence that begins with the parameter's name.
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}
