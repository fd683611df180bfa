import PotluckKit

extension ParameterDescription {
    /// Its name as a string.
    public var label: String { name.description }

    /// A value as people read and type it; a slot outside the domain shows as a question mark.
    public func text(of slot: UInt64) -> String {
        guard domain.contains(slot) else { return "?" }
        return switch domain {
        case .integer: String(Int64(bitPattern: slot))
        case .real: Self.short(Double(bitPattern: slot))
        case .choice(let names): names[Int(slot)].description
        case .flag: slot == 0 ? "no" : "yes"
        }
    }

    /// What it may be: `3 … 100`, `call or put`, `yes or no`.
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
        }
    }

    /// The slot of a typed value, or what is wrong with it.
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
            // Double reads "nan" and "0x1p3" too, and "-0" would be another experiment than "0" with the same meaning.
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
        }
    }

    /// `1000`, `1_000`, `1e3`: what is typed for a number of trials is good for other whole numbers.
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

    /// A bound with many zeros as it is read and typed: `1e12`.
    private static func typed(_ number: String) -> String {
        let zeros = number.reversed().prefix { $0 == "0" }.count
        return zeros >= 9 && number.allSatisfy { $0.isNumber || $0 == "-" }
            ? "\(number.dropLast(zeros))e\(zeros)" : number
    }

    /// `0.2` and `100`, not `100.0`.
    private static func short(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// Why a text is no value of a parameter.
public struct ParameterTextError: Error, Equatable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}
