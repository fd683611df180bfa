import Potluck
import PotluckCore

/// The data with which a server restarts as the same session: guests know it by the founding, find it at the port, and
/// get in with the code. Those that its host has approved need no approval again.
struct ServedSession: Equatable {
    let session: SessionID
    let founding: Founding
    let port: UInt16
    /// Nil for an open session.
    let code: JoinCode?
    /// The nodes that the host has approved.
    var approved: [NodeID] = []

    private static let title = "potluck session 1"
    private static let approved = "approved"
    /// The largest file in bytes: a session's name and five words need less than a thousand, and each approval is one more.
    static let maximumLength =
        1024 + Session.mostApproved * (2 * NodeID.length + 1)

    /// The file's content: one value per line, readable for people.
    var text: String {
        [
            Self.title, "session \(session.name)", "founding \(founding)", "port \(port)",
            code.map { "code \($0.spelled)" } ?? "open",
        ].joined(separator: "\n") + "\n" + approvals
    }

    private var approvals: String {
        approved.isEmpty ? "" : ([Self.approved] + approved.map(\.octets.hexadecimal)).joined(separator: " ") + "\n"
    }

    init(session: SessionID, founding: Founding, port: UInt16, code: JoinCode?, approved: [NodeID] = []) {
        self.session = session
        self.founding = founding
        self.port = port
        self.code = code
        self.approved = approved
    }

    /// Returns nil unless `text` makes this content.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard (6...7).contains(lines.count), lines[0] == Self.title, lines.last == "" else { return nil }
        func value(_ line: Int, _ key: String) -> String? {
            lines[line].hasPrefix(key + " ") ? String(lines[line].dropFirst(key.count + 1)) : nil
        }
        guard let session = value(1, "session").flatMap({ SessionID($0) }),
            let founding = value(2, "founding").flatMap({ [UInt8](hexadecimal: $0) }).flatMap({ Founding($0) }),
            let port = value(3, "port").flatMap({ UInt16($0) }), port > 0
        else { return nil }
        let code = value(4, "code").flatMap { try? JoinCode(typed: $0) }
        guard code != nil || lines[4] == "open" else { return nil }
        // Earlier versions wrote none.
        let words = lines.count == 7 ? lines[5].split(separator: " ", omittingEmptySubsequences: false) : []
        let approved = words.dropFirst().compactMap { [UInt8](hexadecimal: $0).flatMap { NodeID($0) } }
        guard words.first.map({ $0 == Self.approved }) ?? true, approved.count == max(0, words.count - 1) else {
            return nil
        }
        self.init(session: session, founding: founding, port: port, code: code, approved: approved)
    }
}
