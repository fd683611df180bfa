import PotluckCore

@testable import PotluckEngine

/// The observable state of a room.
extension VirtualRoom {
    func state(_ seat: Seat, _ other: Seat) -> PeerState? {
        laptops[seat].machine.peers.first { $0.node == node(other) }?.state
    }

    func peer(_ seat: Seat, _ other: Seat) -> Peer? {
        laptops[seat].machine.peers.first { $0.node == node(other) }
    }

    func areConnected(_ a: Seat, _ b: Seat) -> Bool { state(a, b) == .connected && state(b, a) == .connected }

    /// Returns whether both seats of every pair are connected to each other.
    func isWhole(_ pairs: [(Seat, Seat)]) -> Bool { pairs.allSatisfy { areConnected($0.0, $0.1) } }

    /// Returns the links between two seats that both ends still hold.
    func wires(_ a: Seat, _ b: Seat) -> [Wire] {
        laptops[a].wires.values.filter { wire in
            !wire.isBroken && wire.ends.contains { $0.seat == b && laptops[b].wires[$0.link] === wire }
        }
    }

    func connected(_ seat: Seat) -> [NodeID] {
        laptops[seat].machine.peers.filter { $0.state == .connected }.map(\.node)
    }

    func effects(_ seat: Seat) -> [SessionEffect] { laptops[seat].effects.map(\.effect) }

    func troubles(_ seat: Seat) -> [SessionTrouble] {
        effects(seat).compactMap { if case .trouble(let trouble) = $0 { trouble } else { nil } }
    }

    func states(_ seat: Seat, of node: NodeID) -> [PeerState] {
        effects(seat).compactMap { if case .changed(let peer) = $0, peer.node == node { peer.state } else { nil } }
    }

    func end(_ seat: Seat) -> SessionEnd? {
        effects(seat).compactMap { if case .ended(let end) = $0 { end } else { nil } }.first
    }

    func delivered(_ seat: Seat, from node: NodeID) -> [[UInt8]] {
        effects(seat).compactMap { effect in
            if case .deliver(let octets, _, node, _) = effect { octets } else { nil }
        }
    }

    func said(_ seat: Seat) -> [String] {
        effects(seat).compactMap { if case .said(let text, _) = $0 { text } else { nil } }
    }

    /// Runs the room until the condition holds. Returns the time that this took, or nil if the limit came first.
    func wait(atMost limit: Duration, until isSo: () -> Bool) -> Duration? {
        let begin = now
        while !isSo() {
            guard now - begin < limit else { return nil }
            run(.milliseconds(10))
        }
        return now - begin
    }
}
