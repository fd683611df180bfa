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

    var message: LocalMessage { .way(node, isHost: isHost, port: port, code: code?.spelled ?? "") }
}

extension WayIn {
    /// Returns nil for another message, and for a code that is none.
    init?(_ message: LocalMessage) {
        guard case .way(let node, let isHost, let port, let spelled) = message else { return nil }
        let code = try? JoinCode(typed: spelled)
        guard code != nil || spelled.isEmpty else { return nil }
        self.init(node: node, isHost: isHost, port: port, code: code)
    }
}

extension StateDirectory {
    /// The way into a session through a node of it on this machine, a host if there is one. Nil if no node runs here, or
    /// none knows the way.
    func wayIn(to session: SessionID) -> WayIn? {
        let ways = answers(to: .access, at: controls(session), of: session.name).compactMap { WayIn($0) }
        return ways.first(where: \.isHost) ?? ways.first
    }
}
