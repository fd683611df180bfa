import PotluckModel
import PotluckSystem

/// A room with laptops that exists in memory only: discovery's twin for tests. It has a network with loss and delay, an
/// Avahi with its caches, crashes and closed lids, all on a virtual clock and from one seed, so that hours pass in seconds
/// and every failure can be replayed.
public final class Room: Sendable {
    /// A laptop.
    public struct Host: Hashable, Sendable { let index: Int }

    let state: Guarded<RoomState>

    /// `dropsAtOnce` as a real node does it; without, everything is looked at.
    public init(
        seed: UInt64, loss: Double = 0, delay: Duration = .milliseconds(1), dropsAtOnce: Bool = true
    ) {
        state = Guarded(
            RoomState(
                generator: SeededGenerator(seed: seed), loss: loss, delay: delay, dropsAtOnce: dropsAtOnce))
    }

    public var now: Instant { state.with { $0.now } }

    /// A laptop with loopback and one network card, unless it gets others with `plug`. Without IPv6 each beacon crosses
    /// the network once, and not twice.
    public func addHost(avahi: Bool = true, beaconBlocked: Bool = false, ipv6: Bool = true) -> Host {
        state.with { state in
            state.hosts.append(
                RoomHost(
                    number: state.hosts.count + 1, avahi: avahi, beaconBlocked: beaconBlocked, hasIPv6: ipv6))
            return Host(index: state.hosts.count - 1)
        }
    }

    /// One more network card: on the room's network, or one that leads nowhere like docker0.
    public func plug(_ host: Host, name: String, address: [UInt8], leadsNowhere: Bool = false) {
        state.with { state in
            state.hosts[host.index].plug(name: name, address: address, segment: leadsNowhere ? -1 - host.index : 0)
            state.tellInterfaces(of: host.index)
        }
    }

    /// Starts a node's discovery on a laptop. It announces what it is told to by `announce`.
    public func join(_ host: Host, _ setup: DiscoverySetup, beacon: Bool = true, mdns: Bool = true) -> any Discovery {
        state.with { state in
            let feed = ChangeFeed()
            let member = state.add(
                RoomMember(
                    host: host.index, core: DiscoveryCore(setup, now: state.now), feed: feed, beacon: beacon,
                    mdns: mdns && state.hosts[host.index].avahi))
            return Member(room: self, number: member, feed: feed)
        }
    }

    // MARK: - Trouble

    /// The cable is out: nothing goes or comes, and the laptop does not know.
    public func cut(_ host: Host) { state.with { $0.hosts[host.index].isCut = true } }

    public func heal(_ host: Host) { state.with { $0.hosts[host.index].isCut = false } }

    /// Power failure: no goodbye reaches anyone, and what mDNS caches hold stays there.
    public func crash(_ host: Host) { state.with { $0.crash(host.index) } }

    /// Power is back; nodes must be started anew.
    public func boot(_ host: Host) { state.with { $0.hosts[host.index].isCrashed = false } }

    /// A node is killed; its laptop and its Avahi live, and say so for it.
    public func kill(_ member: any Discovery) {
        guard let member = member as? Member else { return }
        state.with { $0.kill(member.number) }
    }

    /// The lid is closed. Its clock goes on, its processes do not.
    public func close(_ host: Host) {
        state.with { state in
            state.hosts[host.index].isAsleep = true
            state.hosts[host.index].isCut = true
        }
    }

    public func open(_ host: Host) {
        state.with { state in
            state.hosts[host.index].isAsleep = false
            state.hosts[host.index].isCut = false
        }
    }

    /// Somebody on the room's network sends a datagram to everybody, from whatever address they like. They have cards as good
    /// as any, and are a little faster than our own nodes.
    public func shout(_ bytes: [UInt8], from address: [UInt8]) { state.with { $0.shout(bytes, from: address) } }

    /// The latest datagrams of the room's network, as everybody there hears them.
    public var overheard: [[UInt8]] { state.with(\.overheard) }

    /// Datagrams that nodes dropped without a look.
    var dropped: Int { state.with(\.dropped) }

    /// The addresses of a laptop.
    func addresses(of host: Host) -> [[UInt8]] {
        state.with { $0.hosts[host.index].cards.flatMap { $0.interface.addresses.map(\.octets) } }
    }

    /// Every change a node's discovery told, in order.
    public func history(of member: any Discovery) -> [(at: Instant, change: NodeChange)] {
        guard let member = member as? Member else { return [] }
        return state.with { $0.members[member.number].history }
    }

    // MARK: - Time

    public func run(for duration: Duration) { state.with { $0.run(until: $0.now + duration) } }

    /// Runs until the condition holds; nil where it does not within the limit, otherwise how long it took.
    public func run(upTo limit: Duration, until condition: () -> Bool) -> Duration? {
        let start = now
        while !condition() {
            guard now - start < limit else { return nil }
            state.with { $0.run(until: start + limit, orChange: true) }
        }
        return now - start
    }

    /// A node's discovery in the room.
    final class Member: Discovery {
        let room: Room
        let number: Int
        private let feed: ChangeFeed

        init(room: Room, number: Int, feed: ChangeFeed) {
            self.room = room
            self.number = number
            self.feed = feed
        }

        var now: Instant { room.now }

        var entries: [NodeEntry] { feed.entries }

        func changes() -> NodeChanges { NodeChanges(feed) }

        func announce(_ announcement: Announcement?) { room.state.with { $0.announce(announcement, by: number) } }

        func stop() {
            announce(nil)
            room.state.with { $0.kill(number) }
            feed.finish()
        }
    }
}
