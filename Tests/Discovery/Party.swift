import PotluckCore
import PotluckDoubles
import PotluckSystem
import Testing

@testable import PotluckNet

/// Nodes of one or several sessions in a room, and the changes that each reported.
final class Party {
    struct Guest {
        let host: SimulatedNetwork.Host
        let discovery: any Discovery
        let announcement: Announcement
        let room: SimulatedNetwork
        var node: NodeID { announcement.node }
    }

    let room: SimulatedNetwork
    private(set) var guests: [Guest] = []
    private var generator: SeededGenerator

    init(seed: UInt64, loss: Double = 0, delay: Duration = .milliseconds(1), dropsAtOnce: Bool = true) {
        room = SimulatedNetwork(seed: seed, loss: loss, delay: delay, dropsAtOnce: dropsAtOnce)
        generator = SeededGenerator(seed: seed ^ 0x7061_7274)
    }

    static let monty = session("Monty")

    static func session(_ name: String) -> SessionID {
        guard let session = SessionID(name) else { preconditionFailure("no session is called \(name)") }
        return session
    }

    func newID() -> NodeID {
        NodeID(firstOctetsOf: (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    }

    /// Adds a node, on a laptop of its own by default.
    @discardableResult
    func join(
        _ session: SessionID = Party.monty, on host: SimulatedNetwork.Host? = nil, port: UInt16 = 7077,
        avahi: Bool = false,
        beaconBlocked: Bool = false, ipv6: Bool = true, announces: Bool = true, scope: Scope? = nil,
        hasKey: Bool = true,
        knocks: Bool = false
    ) -> Guest {
        let host = host ?? room.addHost(avahi: avahi, beaconBlocked: beaconBlocked, ipv6: ipv6)
        let announcement = Announcement(
            node: newID(), mode: .peer, sessionHash: session.hash, session: session, name: "node", port: port)
        let setup = DiscoverySetup(
            node: announcement.node, scope: scope ?? .session(session.hash),
            key: hasKey ? SessionRoot(openTo: session).beacon : nil, knocks: knocks, seed: generator.next())
        let discovery = room.join(host, setup)
        let guest = Guest(host: host, discovery: discovery, announcement: announcement, room: room)
        if announces { discovery.announce(announcement) }
        guests.append(guest)
        return guest
    }

    /// Returns whether each of these nodes sees all others of them.
    func allSeeAll(_ some: [Guest]? = nil) -> Bool {
        let some = some ?? guests
        return some.allSatisfy { guest in
            let seen = Set(guest.discovery.entries.map(\.node))
            return some.allSatisfy { $0.node == guest.node || seen.contains($0.node) }
        }
    }
}

extension Party.Guest {
    func sees(_ other: Party.Guest) -> Bool { discovery.entries.contains { $0.node == other.node } }

    func entry(of other: Party.Guest) -> NodeEntry? { discovery.entries.first { $0.node == other.node } }

    var changes: [NodeChange] { room.history(of: discovery).map(\.change) }

    var departures: [(NodeID, Departure)] {
        changes.compactMap { if case .disappeared(let entry, let why) = $0 { (entry.node, why) } else { nil } }
    }
}
