import PotluckModel

/// Finds who is meant by a name as people type it.
enum NameFinder {
    enum Answer: Equatable {
        case found(NodeID)
        /// One line for whoever asked.
        case nobody(String)
    }

    /// The name as it is shown, in any case, or the beginning of a node ID; and it must be one node only.
    static func find(_ text: String, among names: [NodeID: String]) -> Answer {
        let wanted = text.lowercased()
        let shown = names.filter { $0.value.lowercased() == wanted }
        let matches = shown.isEmpty ? names.filter { isID(wanted, $0.key) || isName(wanted, $0.value) } : shown
        if let match = matches.first, matches.count == 1 { return .found(match.key) }
        let quoted = Spelling.quoted(text)
        guard matches.isEmpty else {
            return .nobody(
                "\(quoted) matches \(matches.count) nodes; choose one: \(matches.values.sorted().joined(separator: ", "))"
            )
        }
        let hint = Spelling.hint(for: text, among: names.values.sorted())
        return .nobody("no node called \(quoted)\(hint)")
    }

    /// Fewer than four digits are a name rather than an ID.
    private static func isID(_ text: String, _ node: NodeID) -> Bool {
        text.utf8.count >= 4 && node.description.hasPrefix(text)
    }

    /// Of two called ana, who are shown with their IDs, the name alone means both.
    private static func isName(_ text: String, _ shown: String) -> Bool {
        let shown = shown.lowercased()
        return shown.hasPrefix(text + " (") && shown.hasSuffix(")")
    }
}
