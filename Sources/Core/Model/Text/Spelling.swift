/// Suggests the words that users may have meant by an unknown one.
public enum Spelling {
    /// Returns the candidate nearest to `word`, if it is near enough for a helpful
    /// hint. Of equally near ones, the first.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        nearest(1, to: word, among: candidates).first
    }

    /// Returns the nearest candidates, at most `most`, in order of distance.
    public static func nearest(_ most: Int, to word: String, among candidates: some Sequence<String>) -> [String] {
        let typed = fold(word)
        // Longer than any name, and the work grows with the length.
        guard (1...64).contains(typed.count) else { return [] }
        var near: [(candidate: String, distance: Int, place: Int)] = []
        for (place, candidate) in candidates.enumerated() {
            let wanted = fold(candidate)
            let distance =
                // The beginning of a name most likely means that name.
                typed.count >= 3 && wanted.starts(with: typed) ? 1 : distance(typed, wanted)
            // A third of the letters may differ, and always one letter, unless the word has only one.
            guard distance <= max(1, wanted.count / 3), distance < wanted.count else { continue }
            near.append((candidate, distance, place))
        }
        return near.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(most).map(\.candidate)
    }

    /// Returns ", did you mean X?" for a message, or an empty string.
    public static func hint(for word: String, among candidates: some Sequence<String>, prefix: String = "") -> String {
        nearest(to: word, among: candidates).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
    }

    /// Ignores case and the difference between `_` and `-`.
    private static func fold(_ word: String) -> [Character] {
        word.lowercased().map { $0 == "_" ? "-" : $0 }
    }

    /// Returns the number of letters to insert, delete, replace or swap with their neighbour.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }

    /// Quotes the path of a file in full, because users type it again.
    public static func path(_ path: String) -> String {
        let shown = harmless(path, longest: 4096)
        return path.isEmpty || path.contains(" ") ? "'\(shown)'" : shown
    }

    /// Quotes what a user typed for a message: in one line, of limited length, and harmless to a terminal.
    public static func quoted(_ word: String) -> String { "'\(harmless(word, longest: 60))'" }

    private static func harmless(_ word: String, longest: Int) -> String {
        var text = ""
        for scalar in word.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        if word.unicodeScalars.count > longest { text += "…" }
        return text
    }
}
