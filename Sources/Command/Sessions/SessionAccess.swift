import Potluck
import PotluckCore

/// How another command of this user can join a session, as a node of the session on this machine tells it.
struct SessionAccess: Equatable, Sendable {
    let node: NodeID
    /// Whether the node admits others: it is a server or a peer.
    let isHost: Bool
    let port: UInt16
    /// The session's code; nil if it is open.
    let code: JoinCode?

    var access: Access { code.map(Access.code) ?? .open }

    var message: LocalMessage { .way(node, isHost: isHost, port: port, code: code?.spelled ?? "") }
}

extension SessionAccess {
    /// Returns nil for another message, and for a code that is none.
    init?(_ message: LocalMessage) {
        guard case .way(let node, let isHost, let port, let spelled) = message else { return nil }
        let code = try? JoinCode(typed: spelled)
        guard code != nil || spelled.isEmpty else { return nil }
        self.init(node: node, isHost: isHost, port: port, code: code)
    }
}

extension StateDirectory {
    /// How to join a session through a node of it on this machine, a host if there is one. Nil if no node runs here, or
    /// none knows how.
    func access(to session: SessionID) -> SessionAccess? {
        let known = answers(to: .access, at: controls(session), of: session.name).compactMap { SessionAccess($0) }
        return known.first(where: \.isHost) ?? known.first
    }
}
