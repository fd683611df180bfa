import PotluckKit

/// How people read and type several names of a list: `AMS,BCN`, `none`, `all`, or the slot as a number, `0x12`.
package struct SeveralText {
    private let names: [String]
    private let count: ClosedRange<Int>

    init(_ names: [ParameterLabel], _ count: ClosedRange<Int>) {
        self.names = names.map(\.description)
        self.count = count
    }

    /// Whether a list may have this name, so that people can type it among others.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.contains { $0 == "," || $0.isWhitespace } && name != "none" && name != "all"
            && !name.hasPrefix("0x")
    }

    func text(of slot: UInt64) -> String {
        if slot == 0 { return "none" }
        if slot.nonzeroBitCount == names.count, names.count > 1 { return "all" }
        return names.indices.filter { slot >> UInt64($0) & 1 == 1 }.map { names[$0] }.joined(separator: ",")
    }

    /// `any of ham, olives, rocket`, or with numbers if not every number of names is permitted.
    var range: String {
        (count == 0...names.count ? "any" : wanted) + " of " + names.joined(separator: ", ")
    }

    /// How many names are permitted: `2`, `up to 3`, `2 or more`, `2 to 5`.
    private var wanted: String {
        if count.lowerBound == count.upperBound { return "\(count.lowerBound)" }
        if count.lowerBound == 0 { return "up to \(count.upperBound)" }
        return count.upperBound == names.count
            ? "\(count.lowerBound) or more" : "\(count.lowerBound) to \(count.upperBound)"
    }

    /// Parses what people type. The error completes a sentence that begins with the parameter's name.
    func slot(of text: String) throws(ParameterTextError) -> UInt64 {
        let slot = try bits(of: text.trimmed)
        guard count.contains(slot.nonzeroBitCount) else {
            throw ParameterTextError("must be \(wanted) of \(names.count) names, not \(slot.nonzeroBitCount)")
        }
        return slot
    }

    private func bits(of text: String) throws(ParameterTextError) -> UInt64 {
        switch text {
        case "none": return 0
        case "all": return names.indices.reduce(0) { $0 | 1 << UInt64($1) }
        case _ where text.hasPrefix("0x"):
            guard let slot = UInt64(text.dropFirst(2), radix: 16), slot >> UInt64(names.count) == 0 else {
                throw ParameterTextError("must be names with commas between them, \(example)")
            }
            return slot
        default: break
        }
        var slot: UInt64 = 0
        for name in text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed) {
            guard Self.isName(name) else {
                throw ParameterTextError("must be names with commas between them, \(example)")
            }
            guard let place = names.firstIndex(of: name) else {
                let hint = Spelling.hint(for: name, among: names + ["all", "none"])
                throw ParameterTextError(
                    "unknown name \(Spelling.quoted(name))" + (hint.isEmpty ? "; use \(few)" : hint))
            }
            guard slot >> UInt64(place) & 1 == 0 else { throw ParameterTextError("'\(name)' is given twice") }
            slot |= 1 << UInt64(place)
        }
        return slot
    }

    /// A value of the right form: `such as ham,olives`.
    private var example: String { "such as " + names.prefix(2).joined(separator: ",") }

    /// As many names as fit on a line.
    private var few: String {
        let most = 12
        return names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    }
}
