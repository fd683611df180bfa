import PotluckCore
import PotluckNet
import PotluckSystem

/// A simulated room with laptops, for tests of discovery. It has a network with loss and delay, Avahi daemons with
/// caches, crashes and sleep, all on a virtual clock and from one seed. So hours pass in seconds, and every failure can
/// be replayed.
public final class SimulatedNetwork: Sendable {
    /// A laptop.
    public struct Host: Hashable, Sendable { let index: Int }

    let state: Guarded<RoomState>

    /// If `dropsAtOnce` is true, nodes drop datagrams early as real nodes do. Otherwise they handle every datagram.
    public init(
        seed: UInt64, loss: Double = 0, delay: Duration = .milliseconds(1), dropsAtOnce: Bool = true
    ) {
        state = Guarded(
            RoomState(
                generator: SeededGenerator(seed: seed), loss: loss, delay: delay, dropsAtOnce: dropsAtOnce))
    }

    public var now: Instant { state.with { $0.now } }

    /// Adds a laptop with loopback and one network card; `plug` adds more. Without IPv6 each beacon crosses the network
    /// once instead of twice.
    public func addHost(avahi: Bool = true, beaconBlocked: Bool = false, ipv6: Bool = true) -> Host {
        state.with { state in
            state.hosts.append(
                RoomHost(
                    number: state.hosts.count + 1, avahi: avahi, beaconBlocked: beaconBlocked, hasIPv6: ipv6))
            return Host(index: state.hosts.count - 1)
        }
    }

    /// Adds a network card: on the room's network, or one that leads nowhere, like docker0.
    public func plug(_ host: Host, name: String, address: [UInt8], leadsNowhere: Bool = false) {
        state.with { state in
            state.hosts[host.index].plug(name: name, address: address, segment: leadsNowhere ? -1 - host.index : 0)
            state.tellInterfaces(of: host.index)
        }
    }

    /// Starts a node's discovery on a laptop. It announces nothing until `announce` is called.
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

    // MARK: - Faults

    /// Pulls the cable: nothing arrives or leaves, and the laptop does not notice.
    public func cut(_ host: Host) { state.with { $0.hosts[host.index].isCut = true } }

    public func heal(_ host: Host) { state.with { $0.hosts[host.index].isCut = false } }

    /// Cuts the power of a laptop. It sends no goodbye, and mDNS caches keep its entries.
    public func crash(_ host: Host) { state.with { $0.crash(host.index) } }

    /// Restores the power. Nodes must be started again.
    public func boot(_ host: Host) { state.with { $0.hosts[host.index].isCrashed = false } }

    /// Kills a node. Its laptop's Avahi daemon withdraws its entry.
    public func kill(_ member: any Discovery) {
        guard let member = member as? Member else { return }
        state.with { $0.kill(member.number) }
    }

    /// Puts a laptop to sleep. Its clock continues, and its processes do not.
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

    /// Broadcasts a datagram on the room's network from any address. The sender is an outsider, and slightly faster
    /// than the nodes.
    public func shout(_ bytes: [UInt8], from address: [UInt8]) { state.with { $0.shout(bytes, from: address) } }

    /// The latest datagrams on the room's network, as everybody there hears them.
    public var overheard: [[UInt8]] { state.with(\.overheard) }

    /// The number of datagrams that nodes dropped early.
    public var dropped: Int { state.with(\.dropped) }

    /// Returns the addresses of a laptop.
    public func addresses(of host: Host) -> [[UInt8]] {
        state.with { $0.hosts[host.index].cards.flatMap { $0.interface.addresses.map(\.octets) } }
    }

    /// Returns every change that a node's discovery reported, in order.
    public func history(of member: any Discovery) -> [(at: Instant, change: NodeChange)] {
        guard let member = member as? Member else { return [] }
        return state.with { $0.members[member.number].history }
    }

    // MARK: - Time

    public func run(for duration: Duration) { state.with { $0.run(until: $0.now + duration) } }

    /// Runs until the condition holds. Returns how long that took, or nil if it exceeded the limit.
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
        let room: SimulatedNetwork
        let number: Int
        private let feed: ChangeFeed

        init(room: SimulatedNetwork, number: Int, feed: ChangeFeed) {
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
