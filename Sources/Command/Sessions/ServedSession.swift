import Potluck
import PotluckModel

/// What a server keeps so that it can restart as the same session: guests know it by the founding, find it at the port,
/// and get in with the code.
struct ServedSession: Equatable {
    let session: SessionID
    let founding: Founding
    let port: UInt16
    /// Nil for an open session.
    let code: JoinCode?

    private static let title = "potluck session 1"
    /// The largest file in bytes. A session's name and five words need far fewer.
    static let maximumLength = 1024

    /// The file's content: one value per line, readable for people.
    var text: String {
        [
            Self.title, "session \(session.name)", "founding \(founding)", "port \(port)",
            code.map { "code \($0.spelled)" } ?? "open", "",
        ].joined(separator: "\n")
    }

    init(session: SessionID, founding: Founding, port: UInt16, code: JoinCode?) {
        self.session = session
        self.founding = founding
        self.port = port
        self.code = code
    }

    /// Returns nil unless `text` makes this content.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 6, lines[0] == Self.title, lines[5].isEmpty else { return nil }
        func value(_ line: Int, _ key: String) -> String? {
            lines[line].hasPrefix(key + " ") ? String(lines[line].dropFirst(key.count + 1)) : nil
        }
        guard let session = value(1, "session").flatMap({ SessionID($0) }),
            let founding = value(2, "founding").flatMap({ [UInt8](hexadecimal: $0) }).flatMap({ Founding($0) }),
            let port = value(3, "port").flatMap({ UInt16($0) }), port > 0
        else { return nil }
        let code = value(4, "code").flatMap { try? JoinCode(typed: $0) }
        guard code != nil || lines[4] == "open" else { return nil }
        self.init(session: session, founding: founding, port: port, code: code)
    }
}
