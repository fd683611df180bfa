import PotluckCore

/// The words for the state of a peer.
enum PeerWords {
    public static func words(_ state: PeerState) -> String {
        switch state {
        case .available: "found"
        case .connecting(.link): "connecting"
        case .connecting(.theirHost): "waiting for approval"
        case .connecting(.ourUser): "asks to join"
        case .connected: "connected"
        case .suspect: "lost, reconnecting"
        case .gone(let parting): "\(parting)"
        }
    }

    static func ink(_ state: PeerState) -> Ink {
        switch state {
        case .connected: .plain
        case .available, .connecting(.link), .connecting(.theirHost), .gone: .faint
        case .connecting(.ourUser), .suspect: .warning
        }
    }
}
