import PotluckModel

/// What `potluck say` and `potluck kick` ask of a node that runs on this machine.
enum ControlRequest: Equatable {
    case say(String, to: String?)
    case kick(String)

    /// The longest text a session carries is 4096 octets; a name has 63.
    static let maximumLength = 8192

    /// Three lines: what, whom, and all the rest is text.
    var text: String {
        switch self {
        case .say(let text, let name): "say\n\(name ?? "")\n\(text)"
        case .kick(let name): "kick\n\(name)\n"
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        switch parts[0] {
        case "say": self = .say(parts[2], to: parts[1].isEmpty ? nil : parts[1])
        case "kick" where parts[2].isEmpty && !parts[1].isEmpty: self = .kick(parts[1])
        default: return nil
        }
    }
}

/// What came of it, for whoever asked.
enum ControlAnswer: Equatable {
    case done(String)
    case refused(String)

    var text: String {
        switch self {
        case .done(let text): "done\n\(text)"
        case .refused(let text): "refused\n\(text)"
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("done", 2): self = .done(parts[1])
        case ("refused", 2): self = .refused(parts[1])
        default: return nil
        }
    }
}

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
            return .nobody("\(quoted) may be any of \(matches.values.sorted().joined(separator: ", ")): say which")
        }
        let hint = Spelling.hint(for: text, among: names.values.sorted())
        return .nobody("nobody here is called \(quoted)\(hint)")
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
