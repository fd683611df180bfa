import Glibc
import Potluck
import PotluckCore
import PotluckNet

/// Finds the session that a user means by a name, among those nearby.
enum NearbyName {
    enum Match: Equatable {
        /// The name as the user typed it.
        case typed
        /// The only session whose name differs in capitals alone.
        case sameLetters(String)
        /// A session with a similar name, which the user may have meant.
        case similar(String)
    }

    static func match(_ typed: String, among names: [String]) -> Match {
        if names.contains(typed) { return .typed }
        let same = names.filter { $0.lowercased() == typed.lowercased() }
        if let name = same.first { return same.count == 1 ? .sameLetters(name) : .typed }
        return Spelling.nearest(to: typed, among: names.sorted()).map(Match.similar) ?? .typed
    }

    /// The most sessions that a message names.
    private static let mostNamed = 5

    /// Says which sessions are nearby if the one of that name is not; nil if it is, or if there are none.
    static func absence(of typed: String, among names: [String]) -> String? {
        guard !names.isEmpty, !names.contains(typed) else { return nil }
        let named = names.sorted().prefix(mostNamed).map { Spelling.quoted($0) }.joined(separator: ", ")
        return "no session called \(Spelling.quoted(typed)) nearby yet; sessions nearby: \(named)"
            + (names.count > mostNamed ? ", …" : "")
    }

    /// Returns the session to look for. Asks if another one may be meant and there is a terminal to ask on.
    static func choose(_ typed: SessionID, among names: [String]) -> SessionID {
        switch match(typed.name, among: names) {
        case .typed:
            if let words = absence(of: typed.name, among: names) { Output.complain(words) }
            return typed
        case .sameLetters(let name):
            Output.complain("the session nearby is called \(Spelling.quoted(name))")
            return SessionID(name) ?? typed
        case .similar(let name):
            let question =
                "no session called \(Spelling.quoted(typed.name)) nearby; did you mean \(Spelling.quoted(name))?"
            guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
                Output.complain(question)
                return typed
            }
            try? Output.write("\(question) [Y/n] ", to: STDERR_FILENO)
            let answer = (readLine() ?? "n").trimmed.lowercased()
            return answer.isEmpty || answer.hasPrefix("y") ? SessionID(name) ?? typed : typed
        }
    }

    /// Returns a warning if another server nearby has a session of this name; nil if none has. Users would not know
    /// which one they join.
    static func namesake(of id: SessionID, own: NodeID, _ hosts: [String: [NodeID: NodeEntry]]) -> String? {
        let others = hosts.filter { $0.key.lowercased() == id.name.lowercased() }.values.flatMap(\.values).filter {
            // mDNS lists servers that crashed.
            $0.node != own && $0.announcement.mode == .server && $0.sources.contains(.beacon)
        }
        guard let other = others.min(by: { $0.node < $1.node }) else { return nil }
        let name = other.announcement.name ?? other.node.short
        return "\(name) serves another session called \(Spelling.quoted(other.announcement.session?.name ?? id.name)); "
            + "rename one of them"
    }
}
