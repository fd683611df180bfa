/// Names in a sentence.
package enum NameList {
    /// The most names in a list. More would not be read.
    private static let most = 10

    /// `a`, `a and b`, `a, b and c`, or the first names and how many more there are.
    package static func text(_ names: [String]) -> String {
        if names.count > most {
            return names.prefix(most).joined(separator: ", ") + " and \(names.count - most) more"
        }
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
