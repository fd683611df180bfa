import Potluck
import PotluckCore

/// The way of another command of this user into a session, as a node of the session on this machine tells it.
struct WayIn: Equatable, Sendable {
    let node: NodeID
    /// Whether the node admits others: it is a server or a peer.
    let isHost: Bool
    let port: UInt16
    /// The session's code; nil if it is open.
    let code: JoinCode?

    var access: Access { code.map(Access.code) ?? .open }

    /// Four lines.
    var text: String {
        "\(node.octets.hexadecimal)\n\(isHost ? "host" : "guest")\n\(port)\n\(code?.spelled ?? "open")"
    }
}

extension WayIn {
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, let octets = [UInt8](hexadecimal: lines[0]), let node = NodeID(octets),
            lines[1] == "host" || lines[1] == "guest", let port = UInt16(lines[2])
        else { return nil }
        let code = try? JoinCode(typed: String(lines[3]))
        guard code != nil || lines[3] == "open" else { return nil }
        self.init(node: node, isHost: lines[1] == "host", port: port, code: code)
    }
}

extension StateDirectory {
    /// The way into a session through a node of it on this machine, a host if there is one. Nil if no node runs here, or
    /// none knows the way.
    func wayIn(to session: SessionID) -> WayIn? {
        let ways = answers(to: .access, of: session).compactMap { WayIn($0) }
        return ways.first(where: \.isHost) ?? ways.first
    }
}
