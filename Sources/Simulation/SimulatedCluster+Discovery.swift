import PotluckCore
import PotluckEngine

/// Discovery: beacons are late or lost, and a node that is gone is noticed only after a while.
extension SimulatedCluster {
    private static let soon: ClosedRange<Duration> = .milliseconds(2) ... .milliseconds(40)
    /// The delay if a beacon was lost and the next one is heard.
    private static let late: ClosedRange<Duration> = .milliseconds(500) ... .seconds(4)
    private static let doubt: ClosedRange<Duration> = .seconds(2) ... .seconds(3)
    private static let silence: ClosedRange<Duration> = .seconds(5) ... .seconds(7)

    /// Makes a node and all others see each other.
    func appear(_ seat: Seat) {
        for other in laptops.indices where other != seat {
            after(chance(0.15) ? Self.late : Self.soon) { $0.see(other, seat) }
            after(chance(0.15) ? Self.late : Self.soon) { $0.see(seat, other) }
        }
    }

    private func see(_ seat: Seat, _ other: Seat) {
        let (laptop, seen) = (laptops[seat], laptops[other])
        guard laptop.isAwake, seen.isAwake, !path(other, seat).isCut, let mode = seen.setup.session?.mode,
            let session = seen.setup.session?.session
        else { return }
        let entry = NodeEntry(
            announcement: Announcement(
                node: seen.node, mode: mode, sessionHash: session, session: nil, name: seen.name,
                port: seen.endpoint.port),
            standing: .present, trust: .verified, sources: [.beacon], host: nil, sameMachine: false,
            endpoints: [seen.endpoint], since: .start)
        let isNew = laptop.network.seen.updateValue(entry, forKey: entry.node) == nil
        handle(seat, .session(.sighted(isNew ? .appeared(entry) : .changed(entry))))
    }

    private func doubt(_ seat: Seat, _ node: NodeID) {
        let laptop = laptops[seat]
        guard laptop.isAwake, var entry = laptop.network.seen[node] else { return }
        entry.standing = .suspect
        laptop.network.seen[node] = entry
        handle(seat, .session(.sighted(.changed(entry))))
    }

    private func unsee(_ seat: Seat, _ node: NodeID, _ departure: Departure) {
        let laptop = laptops[seat]
        guard laptop.isRunning, let entry = laptop.network.seen.removeValue(forKey: node) else { return }
        handle(seat, .session(.sighted(.disappeared(entry, departure))))
    }

    /// Announces to all others that a node has left.
    func vanish(_ seat: Seat) {
        let node = laptops[seat].node
        for other in laptops.indices where other != seat {
            after(.milliseconds(1) ... .milliseconds(50)) { room in
                if !room.path(seat, other).isCut { room.unsee(other, node, .left) }
            }
        }
    }

    /// Makes another node suspect this one and then drop it, unless it is heard again in between.
    func fallSilent(_ seat: Seat, for other: Seat) {
        let node = laptops[seat].node
        let isSilent: (SimulatedCluster) -> Bool = { room in
            let laptop = room.laptops[seat]
            return laptop.node != node || !laptop.isAwake || room.path(seat, other).isCut
        }
        after(Self.doubt) { if isSilent($0) { $0.doubt(other, node) } }
        after(Self.silence) { if isSilent($0) { $0.unsee(other, node, .silent) } }
    }

    /// Makes another node hear this one's beacon again.
    func beHeard(_ seat: Seat, by other: Seat) {
        after(.milliseconds(1) ... .milliseconds(1000)) { $0.see(other, seat) }
    }

    /// Announces to all others that a new node has replaced an old one at its address.
    func replace(_ old: NodeID, at seat: Seat) {
        let new = laptops[seat].node
        for other in laptops.indices where other != seat {
            after(.milliseconds(100) ... .milliseconds(900)) { room in
                if !room.path(seat, other).isCut { room.unsee(other, old, .replaced(by: new)) }
            }
        }
    }
}
