import PotluckCore

/// Finds a node by a name that the user typed.
enum NameFinder {
    enum Answer: Equatable {
        case found(NodeID)
        /// One line that says why no node was found.
        case nobody(String)
    }

    /// Finds the one node with this name (in any case) or with an ID that begins with `text`.
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

    /// An ID needs at least four digits. Fewer are taken as a name.
    private static func isID(_ text: String, _ node: NodeID) -> Bool {
        text.utf8.count >= 4 && node.description.hasPrefix(text)
    }

    /// Whether this is the name of nodes that are shown with their IDs because several have the same name.
    private static func isName(_ text: String, _ shown: String) -> Bool {
        let shown = shown.lowercased()
        return shown.hasPrefix(text + " (") && shown.hasSuffix(")")
    }
}
