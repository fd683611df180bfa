import PotluckCore
import PotluckDoubles
import PotluckNet
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckEngine

/// Sessions in memory. They share a room for discovery, a network and a virtual clock.
private final class Table: @unchecked Sendable {
    let room = SimulatedNetwork(seed: 1)
    let network = MemoryNetwork(seed: 2)
    private let session = SessionID("Monty") ?? Table.none
    private var seed: UInt64 = 0
    private static var none: SessionID { preconditionFailure("a good name") }

    struct Clock: SessionClock {
        let network: MemoryNetwork
        var now: Instant { network.now }
        func call(at time: Instant, _ body: @escaping @Sendable () -> Void) { network.schedule(at: time, body) }
    }

    struct Seat {
        let session: Session
        let events: Guarded<[Session.Event]>
        let transport: MemoryTransport
        let host: SimulatedNetwork.Host

        var states: [PeerState] {
            events.with { $0.compactMap { if case .peer(let peer) = $0 { peer.state } else { nil } } }
        }
        var messages: [[UInt8]] {
            events.with { $0.compactMap { if case .message(let message) = $0 { message.octets } else { nil } } }
        }
        /// Whether it has seen another node in this state.
        func has(seen node: NodeID, _ state: PeerState) -> Bool {
            events.with {
                $0.contains { if case .peer(let peer) = $0 { peer.node == node && peer.state == state } else { false } }
            }
        }
        func does(_ body: @Sendable (isolated Session) -> Void) { session.assumeIsolated(body) }
    }

    /// `versions` are those of the protocol that the node's program speaks.
    func sit(
        _ mode: PotluckCore.Mode, _ name: String, versions: ClosedRange<UInt64> = ProtocolVersion.supported
    ) throws -> Seat {
        let root = SessionRoot(openTo: session)
        seed += 1
        let host = room.addHost(avahi: false)
        let identity = Identity()
        let transport = network.member(at: [10, 77, 0, UInt8(seed)], key: root.link, session: session.hash)
        var setup = SessionSetup(
            node: identity.node, name: name, cores: 2, session: session.hash, mode: mode,
            founding: mode == .server ? Founding(seed) : nil, seed: seed)
        setup.versions = versions
        let discovery = room.join(
            host, DiscoverySetup(node: identity.node, scope: .session(session.hash), key: root.beacon, seed: seed))
        let new = try Session.start(
            setup, session: session, port: .usual, identity: identity, transport: transport, discovery: discovery,
            clock: Clock(network: network))
        return Seat(session: new, events: events(of: new), transport: transport, host: host)
    }

    func events(of session: Session) -> Guarded<[Session.Event]> {
        let events = Guarded<[Session.Event]>([])
        Task(executorPreference: network) { for await event in session.events { events.with { $0.append(event) } } }
        return events
    }

    func run(_ time: Duration) {
        for _ in 0..<Int(time / .milliseconds(10)) {
            room.run(for: .milliseconds(10))
            network.advance(by: .milliseconds(10))
        }
    }
}

@Suite struct SessionTests {
    @Test func nodesMeetTalkAndLeave() throws {
        let table = Table()
        let server = try table.sit(.server, "Monty")
        let client = try table.sit(.client, "ana")
        table.run(.seconds(2))
        #expect(server.states.last == .connected)
        #expect(client.states.last == .connected)
        let sent = (0..<50).map { [UInt8](repeating: UInt8($0), count: 1 << ($0 % 17)) }
        client.does { session in for octets in sent { session.post(octets) } }
        server.does { $0.post([42], to: .some([client.session.node])) }
        client.does { $0.say("hello") }
        table.run(.seconds(1))
        #expect(server.messages == sent)
        #expect(client.messages == [[42]])
        #expect(
            server.events.with {
                $0.contains { if case .said("hello", let from) = $0 { from == client.session.node } else { false } }
            })
        client.does { $0.leave() }
        table.run(.seconds(1))
        #expect(server.states.last == .gone(.left))
        #expect(client.events.with { if case .ended(.left) = $0.last { true } else { false } })
    }

    /// The next version of a program speaks the next version of the protocol and this one. A later one may have given
    /// this one up.
    @Test func nodesMeetIfTheySpeakACommonVersion() throws {
        let table = Table()
        let own = ProtocolVersion.supported
        let server = try table.sit(.server, "Monty")
        let next = try table.sit(.client, "next", versions: own.lowerBound...own.upperBound + 1)
        let later = try table.sit(.client, "later", versions: own.upperBound + 1...own.upperBound + 2)
        table.run(.seconds(2))
        #expect(server.has(seen: next.session.node, .connected) && next.states.last == .connected)
        next.does { $0.say("hello") }
        table.run(.seconds(1))
        #expect(server.events.with { $0.contains { if case .said("hello", _) = $0 { true } else { false } } })
        #expect(!server.has(seen: later.session.node, .connected))
        for (seat, other) in [(server, later), (later, server)] {
            #expect(
                seat.events.with {
                    $0.contains {
                        if case .trouble(.version(let node, _)) = $0 { node == other.session.node } else { false }
                    }
                })
        }
    }

    /// Messages that are sent while the link is cut arrive after it heals, once and in order.
    @Test func aCutLosesNothing() throws {
        let table = Table()
        let server = try table.sit(.server, "Monty")
        let client = try table.sit(.client, "ana")
        table.run(.seconds(2))
        for round in 0..<3 {
            table.network.cut(server.transport.address, client.transport.address)
            for number in 0..<10 {
                client.does { $0.post([UInt8(round * 10 + number)]) }
                table.run(.milliseconds(500))
            }
            table.network.heal(server.transport.address, client.transport.address)
            table.run(.seconds(8))
        }
        #expect(server.messages == (0..<30).map { [$0] })
        #expect(client.states.contains(.suspect))
        #expect(client.states.last == .connected)
        #expect(!server.states.contains(.gone(.lost)))
    }

    /// A node that starts one program after the other sends each as much as may wait for it. That ends its own link, and
    /// never the link of the node that does not read so fast.
    @Test func aRelayedFloodCostsTheSendersLink() throws {
        let table = Table()
        let (ana, bob, carl) = (try table.sit(.peer, "ana"), try table.sit(.peer, "bob"), try table.sit(.peer, "carl"))
        table.run(.seconds(3))
        bob.does { session in for link in session.links.ids { session.transport.hold(link, true) } }
        let part = ArraySlice([UInt8](repeating: 0, count: RankFrame.longestPart))
        let most = 2 * LinkLimits.bulkBacklog / Int(RankStream.window(nodes: 1))
        for launch in 0..<UInt64(most) where !carl.has(seen: ana.session.node, .suspect) {
            ana.does { session in
                guard let way = session.route(to: carl.session.node, relay: nil) else { return }
                let through = RankStream.Route(link: way.link, target: bob.session.node)
                session.send(.open([bob.session.node]), launch, along: way)
                for _ in 0..<Int(RankStream.window(nodes: 1)) / part.count {
                    session.send(.part(part, isLast: false), launch, along: through)
                }
                session.send(.closed("over"), launch, along: way)
            }
            table.run(.milliseconds(100))
        }
        #expect(carl.has(seen: ana.session.node, .suspect) && !carl.has(seen: bob.session.node, .suspect))
        bob.does { session in for link in session.links.ids { session.transport.hold(link, false) } }
        table.run(.seconds(5))
        #expect(!carl.has(seen: bob.session.node, .suspect))
    }

    /// A node that computes for a browser is a guest like others, and has only a link within the process.
    @Test func aBrowsersNodeNeedsNoNetwork() throws {
        let table = Table()
        let server = try table.sit(.server, "Monty")
        let browser: [UInt8] = [10, 0, 0, 9]
        func lend() throws -> (session: Session, events: Guarded<[Session.Event]>) {
            let lent = try #require(
                server.session.lend("phone", at: browser, Computing(Simulations([]), cores: 2)))
            return (lent, table.events(of: lent))
        }
        let (phone, other) = (try lend(), try lend())
        table.run(.seconds(1))
        #expect(server.has(seen: phone.session.node, .connected) && server.has(seen: other.session.node, .connected))
        server.does { session in
            #expect(session.peers.map(\.kind) == [.browser(at: browser), .browser(at: browser)])
            #expect(session.links.ids.count == 2 && session.links.ids.allSatisfy(\.isInside))
        }
        other.session.assumeIsolated { $0.leave() }
        table.run(.seconds(1))
        #expect(server.has(seen: other.session.node, .gone(.left)))
        #expect(other.events.with { if case .ended(.left) = $0.last { true } else { false } })
        // From now on every page at that address needs approval.
        server.does { $0.remove(phone.session.node) }
        table.run(.seconds(1))
        #expect(phone.events.with { if case .ended(.removed) = $0.last { true } else { false } })
        let again = try lend()
        table.run(.seconds(1))
        #expect(!server.has(seen: again.session.node, .connected))
        #expect(server.has(seen: again.session.node, .connecting(.ourUser)))
        server.does { $0.leave() }
        table.run(.seconds(1))
        again.session.assumeIsolated { $0.leave() }
        table.run(.seconds(1))
        #expect(again.events.with { if case .ended(.left) = $0.last { true } else { false } })
    }

    /// The owner of a session reads slowly. Nothing of a browser's node is lost, and it waits.
    @Test func aSlowOwnerHoldsBackBrowsersNodes() throws {
        let table = Table()
        let server = try table.sit(.server, "Monty")
        let lent = try #require(server.session.lend("phone", at: [10, 0, 0, 9], Computing(Simulations([]), cores: 2)))
        let events = table.events(of: lent)
        table.run(.seconds(1))
        server.does { session in for link in session.links.ids { session.carrier(of: link).hold(link, true) } }
        for number in 0..<10 as Range<UInt8> { lent.assumeIsolated { $0.post([number]) } }
        table.run(.seconds(1))
        #expect(server.messages.isEmpty)
        server.does { session in for link in session.links.ids { session.carrier(of: link).hold(link, false) } }
        table.run(.seconds(1))
        #expect(server.messages == (0..<10).map { [$0] })
        lent.assumeIsolated { $0.leave() }
        table.run(.seconds(1))
        #expect(events.with { if case .ended(.left) = $0.last { true } else { false } })
    }

    /// Tests the whole path on loopback: beacon, Argon2id, TCP, TLS, proof and messages.
    @Test func twoNodesOnOneMachine() async throws {
        let code = JoinCode.random()
        let options = DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: 17_391)
        let server = try await Session.start(
            "Monty at home", name: "server", mode: .server, access: .code(code), port: .loopback, discovery: options)
        let client = try await Session.start(
            "Monty at home", name: "ana", mode: .client, access: .code(code), port: .loopback, discovery: options)
        for await event in client.events {
            guard case .peer(let peer) = event, peer.state == .connected else { continue }
            #expect(peer.name == "server" && peer.node == server.node)
            break
        }
        await client.send(Array("ping".utf8))
        for await event in server.events {
            guard case .message(let message) = event else { continue }
            #expect(message.octets == Array("ping".utf8) && message.sender == client.node)
            #expect(throws: DecodingError.self) { try message.decoded(as: String.self) }
            break
        }
        // A `[UInt8]` is sent as bytes, even when it is written as a list of numbers. Anything else is sent as a value.
        await server.send([42])
        try await server.send(["ana": 7])
        var isFirst = true
        for await event in client.events {
            guard case .message(let message) = event else { continue }
            #expect(message.isValue != isFirst)
            if isFirst {
                #expect(message.octets == [42])
                isFirst = false
            } else {
                #expect(try message.decoded(as: [String: Int].self) == ["ana": 7])
                break
            }
        }
        await server.leave()
        for await event in client.events {
            if case .peer(let peer) = event, case .gone(let parting) = peer.state {
                #expect(parting == .left)
                break
            }
        }
        await client.leave()
    }

    /// A node with another code gets one event that says so, and keeps trying: the code may be right and the server
    /// wrong.
    @Test func anotherCodeIsTold() async throws {
        let options = DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: 17_392)
        let server = try await Session.start(
            "Monty's door", mode: .server, access: .code(.random()), port: .loopback, discovery: options)
        let port = server.port
        let client = try await Session.start(
            "Monty's door", mode: .client, access: .code(.random()), port: .loopback, discovery: options)
        await client.connect(host: "127.0.0.1", port: port)
        for await event in client.events {
            guard case .trouble(let trouble) = event else { continue }
            switch trouble {
            case .otherCode: break
            default: #expect(trouble == .otherCodeAt(host: "127.0.0.1", port: port))
            }
            break
        }
        for await event in server.events {
            guard case .turnedAway(_, let refusal) = event else { continue }
            #expect(refusal == .wrongCode)
            break
        }
        await client.leave()
        await server.leave()
    }
}
