import PotluckCore
import PotluckNet

/// Makes typed names fit to be shown.
enum ViewerNames {
    /// The name of a page whose user typed nothing that can be shown.
    private static let fallback = "guest"
    /// The most marks on a letter. No script needs more than four, and an emoji of a family has seven scalars.
    private static let mostScalars = 8
    /// The bytes of ` 256`, the largest number that a name may need.
    private static let longestNumber = 4

    /// Returns the name without characters that do not belong on a screen, and with single blanks.
    static func clean(_ typed: String) -> String {
        let shown = typed.unicodeScalars.map { $0.isFitForScreen && !$0.properties.isNoncharacterCodePoint ? $0 : " " }
        var text = String(String.UnicodeScalarView(shown))
        text = String(text.filter { $0.unicodeScalars.count <= mostScalars })
        text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // Joiners and marks alone show nothing.
        guard text.contains(where: { $0.isLetter || $0.isNumber || $0.isSymbol || $0.isPunctuation }) else {
            return fallback
        }
        var name = String(text.unicodeScalars.prefix(PageLimits.name))
        // A page that lends its cores is a node of this name, with a number if another one has it.
        while name.utf8.count > Announcement.maximumName - longestNumber { name.removeLast() }
        return name
    }

    /// Returns the name, with the first free number if another node or page has it.
    static func unique(_ name: String, among others: some Sequence<String>) -> String {
        let taken = Set(others.map(alike))
        guard taken.contains(alike(name)) else { return name }
        var number = 2
        while taken.contains(alike("\(name) \(number)")) { number += 1 }
        return "\(name) \(number)"
    }

    /// Folds names that look the same into one key.
    static func alike(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
