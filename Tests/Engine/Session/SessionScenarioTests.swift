import PotluckCore
import Testing

@testable import PotluckEngine

/// Stories of what people do in a room, one for each test.
@Suite struct SessionScenarioTests {
    @Test(arguments: 0..<20) func aClientFindsItsServer(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let server = room.arrive(.server, "Monty")
        let client = room.arrive(.client, "ana")
        let time = try #require(room.wait(atMost: .seconds(1)) { room.areConnected(server, client) })
        #expect(time <= .milliseconds(300))
        #expect(room.laptops[client].machine.role == .submits)
        #expect(room.wires(server, client).count == 1)
    }

    @Test(arguments: 0..<10) func eitherMayStartFirst(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let client = room.arrive(.client)
        room.run(.seconds(60))
        let server = room.arrive(.server)
        let time = try #require(room.wait(atMost: .seconds(2)) { room.areConnected(server, client) })
        #expect(time <= .milliseconds(100))
    }

    @Test(arguments: 0..<10) func thirtyStudents(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let server = room.arrive(.server, "Monty")
        let students = (0..<30).map { _ in room.arrive(.client, "ana") }
        let time = try #require(
            room.wait(atMost: .seconds(3)) { students.allSatisfy { room.areConnected(server, $0) } })
        #expect(time <= .seconds(1))
        room.run(.seconds(3))
        for student in students { #expect(room.wires(server, student).count == 1) }
        // All students have the name "ana" and none is mistaken for another. The clients hear of each other as well.
        #expect(Set(room.laptops[server].machine.peers.map(\.displayName)).count == 30)
        for student in students {
            let rosters = room.effects(student).compactMap {
                if case .roster(let entries) = $0 { entries } else { nil }
            }
            #expect(rosters.last?.count == 31)
            #expect(rosters.last?.contains { !$0.isConnected } == false)
        }
    }

    @Test(arguments: 0..<10) func peersFindEachOther(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let peers = (0..<6).map { _ in room.arrive(.peer) }
        let pairs = peers.flatMap { a in peers.filter { $0 > a }.map { (a, $0) } }
        #expect(room.wait(atMost: .seconds(1)) { room.isWhole(pairs) } != nil)
        room.run(.seconds(3))
        for (a, b) in pairs { #expect(room.wires(a, b).count == 1) }
    }

    @Test(arguments: 0..<20) func aFirewallMayStandOneWay(seed: UInt64) throws {
        for blocked in 0..<2 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server, firewalled: blocked == 0)
            let client = room.arrive(.client, firewalled: blocked == 1)
            #expect(room.wait(atMost: .seconds(2)) { room.areConnected(server, client) } != nil)
            room.run(.seconds(20))
            #expect(room.areConnected(server, client))
            #expect(room.wires(server, client).count == 1)
        }
    }

    @Test(arguments: 0..<20) func aServerKilledAndStartedAgain(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let server = room.arrive(.server)
        let clients = (0..<8).map { _ in room.arrive(.client) }
        room.run(.seconds(2))
        let old = room.node(server)
        room.crash(server)
        room.run(.milliseconds(700))
        room.restart(server)
        let time = try #require(
            room.wait(atMost: .seconds(6)) { clients.allSatisfy { room.areConnected(server, $0) } })
        // This is before anyone has noticed that the old server is gone.
        #expect(time <= .milliseconds(200))
        room.run(.seconds(12))
        for client in clients {
            #expect(room.connected(client) == [room.node(server)])
            #expect(room.states(client, of: old).last == .gone(.lost))
            #expect(!room.effects(client).contains { if case .choose = $0 { true } else { false } })
            #expect(room.troubles(client).isEmpty)
        }
    }

    /// A node that knows the code claims to be the restarted server while the server is alive.
    @Test func noOtherServerTakesOurPlace() {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server, founding: 5)
            let client = room.arrive(.client)
            room.run(.seconds(2))
            let other = room.arrive(.server, founding: 5)
            room.run(.seconds(30))
            #expect(room.connected(client) == [room.node(server)])
            #expect(!room.states(client, of: room.node(server)).contains(.suspect))
            #expect(room.connected(other).isEmpty)
        }
    }

    @Test func twoServersOfOneNameAreNotMixed() throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let servers = [room.arrive(.server, "one"), room.arrive(.server, "two")]
            room.run(.seconds(1))
            let client = room.arrive(.client)
            room.run(.seconds(20))
            // The client reports both servers, waits for the user's choice, and has joined neither.
            #expect(room.connected(client).isEmpty)
            let choices = room.effects(client).compactMap { if case .choose(let peers) = $0 { peers } else { nil } }
            #expect(Set(choices.last?.map(\.node) ?? []) == Set(servers.map(room.node)))
            room.want(client, .choose(room.node(servers[1])))
            #expect(room.wait(atMost: .seconds(12)) { room.areConnected(servers[1], client) } != nil)
            room.run(.seconds(20))
            #expect(room.connected(client) == [room.node(servers[1])])
            #expect(room.connected(servers[0]).isEmpty)
            // And back to the first server.
            room.want(client, .choose(room.node(servers[0])))
            #expect(room.wait(atMost: .seconds(12)) { room.areConnected(servers[0], client) } != nil)
            #expect(room.connected(client) == [room.node(servers[0])])
            // The servers know of each other.
            #expect(room.troubles(servers[0]).contains { if case .otherServer = $0 { true } else { false } })
        }
    }

    /// A client that returns from a server to a session of peers connects to all of them again.
    @Test(arguments: 0..<20) func aSessionOfPeersIsLeftForAServerAndBack(seed: UInt64) {
        let room = VirtualRoom(seed: seed)
        let peers = (0..<3).map { _ in room.arrive(.peer) }
        let server = room.arrive(.server)
        room.run(.seconds(2))
        let client = room.arrive(.client)
        room.run(.seconds(2))
        for _ in 0..<2 {
            room.want(client, .choose(room.node(peers[0])))
            let isAmongPeers = room.wait(atMost: .seconds(12)) { peers.allSatisfy { room.areConnected($0, client) } }
            #expect(isAmongPeers != nil)
            room.want(client, .choose(room.node(server)))
            #expect(room.wait(atMost: .seconds(12)) { room.areConnected(server, client) } != nil)
            #expect(room.connected(client) == [room.node(server)])
        }
    }

    /// A server was killed, and a node of another session has its port. A client with the code waits for the server.
    @Test(arguments: 0..<10) func aReusedPortProvesNothingAboutTheCode(seed: UInt64) {
        for trust in [Sighting.Trust.verified, .unverified] {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            room.losePort(server, trust: trust)
            let client = room.arrive(.client, firewalled: true)
            room.run(.seconds(5))
            // Only an unverified server may have another code than ours, so the client reports only that one.
            #expect(room.troubles(client).count == (trust == .verified ? 0 : 1))
            #expect(room.end(client) == nil)
            room.losePort(server, false)
            #expect(room.wait(atMost: .seconds(20)) { room.areConnected(server, client) } != nil)
        }
    }

    @Test func aSecondServerTakesNobodyAway() throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            let client = room.arrive(.client)
            room.run(.seconds(2))
            let other = room.arrive(.server)
            room.run(.seconds(30))
            #expect(room.connected(client) == [room.node(server)])
            #expect(room.states(client, of: room.node(server)).filter { $0 == .suspect }.isEmpty)
            #expect(room.troubles(client).count == 1)
            // Its own server leaves for good. The client joins the only other server with that name and code.
            room.leave(server)
            #expect(room.wait(atMost: .seconds(12)) { room.areConnected(other, client) } != nil)
        }
    }

    @Test func otherSessionsAreOtherRooms() {
        for seed: UInt64 in 0..<10 {
            let room = VirtualRoom(seed: seed)
            let a = [room.arrive(.server, session: 1), room.arrive(.client, session: 1)]
            let b = [room.arrive(.server, session: 2), room.arrive(.client, session: 2)]
            room.run(.seconds(5))
            #expect(room.areConnected(a[0], a[1]) && room.areConnected(b[0], b[1]))
            #expect(room.connected(a[0]).count == 1 && room.connected(b[0]).count == 1)
        }
    }

    @Test func theHostIsAsked() throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server, asks: true)
            let client = room.arrive(.client)
            let rude = room.arrive(.client)
            room.run(.seconds(60))
            #expect(room.state(server, client) == .connecting(.ourUser))
            #expect(room.state(client, server) == .connecting(.theirHost))
            let asked = room.effects(server).compactMap { if case .ask(let peer) = $0 { peer.node } else { nil } }
            #expect(Set(asked) == [room.node(client), room.node(rude)])
            #expect(asked.count == 2)
            room.want(server, .decline(room.node(rude)))
            room.want(server, .accept(room.node(client)))
            room.run(.seconds(1))
            #expect(room.areConnected(server, client))
            #expect(room.end(rude) == .declined)
            // A guest that was accepted once reconnects without another question.
            room.breakSomeWire()
            #expect(room.wait(atMost: .seconds(6)) { !room.areConnected(server, client) } != nil)
            #expect(room.wait(atMost: .seconds(6)) { room.areConnected(server, client) } != nil)
        }
    }

    @Test func aRemovedNodeNeedsApproval() throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            let client = room.arrive(.client)
            let other = room.arrive(.client)
            room.run(.seconds(2))
            room.want(server, .remove(room.node(client)))
            room.run(.seconds(1))
            #expect(room.end(client) == .removed)
            #expect(room.states(server, of: room.node(client)).contains(.gone(.removed)))
            #expect(room.areConnected(server, other))
            // A new node at the address of a removed one must wait for consent.
            room.crash(client)
            room.restart(client)
            room.run(.seconds(30))
            #expect(room.state(server, client) == .connecting(.ourUser))
            room.want(server, .accept(room.node(client)))
            room.run(.seconds(1))
            #expect(room.areConnected(server, client))
        }
    }

    /// A laptop on two networks is removed by the one that its link uses, and returns by the other one.
    @Test func aRemovedNodeNeedsApprovalAtEachAddress() throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            let client = room.arrive(.client)
            room.put(client, on: [0, 1])
            room.run(.seconds(2))
            room.want(server, .remove(room.node(client)))
            room.run(.seconds(1))
            for networks: [UInt8] in [[1], [1, 0], [0]] {
                room.crash(client)
                room.put(client, on: networks)
                room.restart(client)
                room.run(.seconds(30))
                #expect(room.state(server, client) == .connecting(.ourUser), "\(networks)")
            }
            // A host that lets it in once lets it in by any address.
            room.want(server, .accept(room.node(client)))
            room.run(.seconds(1))
            #expect(room.areConnected(server, client))
            room.crash(client)
            room.put(client, on: [1])
            room.restart(client)
            room.run(.seconds(30))
            #expect(room.areConnected(server, client))
        }
    }

    @Test func aLaptopSleeps() throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            let client = room.arrive(.client)
            room.run(.seconds(2))
            room.sleep(client, .seconds(600))
            room.run(.seconds(30))
            #expect(room.state(server, client) == nil)
            room.run(.seconds(570))
            // After the sleep the laptop reports nobody as lost because of the time it slept.
            #expect(room.wait(atMost: .seconds(3)) { room.areConnected(server, client) } != nil)
            #expect(!room.states(client, of: room.node(server)).contains(.gone(.lost)))
        }
    }

    @Test func aCutAndItsHealing() throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            let clients = (0..<6).map { _ in room.arrive(.client) }
            room.run(.seconds(2))
            for cut in [4, 8, 60] {
                room.islands([0, 1, 1, 1, 0, 0, 0])
                room.run(.seconds(cut))
                #expect(clients[3...].allSatisfy { room.areConnected(server, $0) })
                #expect(clients[..<3].allSatisfy { room.state($0, server) != .connected })
                room.islands([0, 0, 0, 0, 0, 0, 0])
                let time = room.wait(atMost: .seconds(9)) { clients.allSatisfy { room.areConnected(server, $0) } }
                #expect(try #require(time) <= .seconds(4), "\(seed) \(cut)")
            }
        }
    }

    @Test func aTypedAddressNeedsNoSighting() throws {
        for seed: UInt64 in 0..<10 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            room.islands([1])
            let client = room.arrive(.client)
            room.want(client, .connect(host: "laptop0", port: 7077))
            room.run(.seconds(6))
            #expect(room.troubles(client).contains(.unreachable(host: "laptop0", port: 7077)))
            room.islands([0, 0])
            #expect(room.wait(atMost: .seconds(8)) { room.areConnected(server, client) } != nil)
            // A node's own address is not a peer.
            room.want(server, .connect(host: "laptop0", port: 7077))
            room.run(.seconds(1))
            #expect(room.troubles(server) == [.ownAddress(host: "laptop0", port: 7077)])
        }
    }

    /// Discovery lists nodes that no longer exist. Another node answers at their address.
    @Test func aGhostIsNotCalledForEver() throws {
        let room = VirtualRoom(seed: 1)
        let server = room.arrive(.server)
        let client = room.arrive(.client)
        var entry = room.entry(client)
        for ghost: UInt8 in [0, 255] {
            entry.announcement.node = try #require(NodeID([UInt8](repeating: ghost, count: 16)))
            room.handle(server, .sighted(.appeared(entry)))
        }
        room.run(.seconds(60))
        #expect(room.areConnected(server, client))
        #expect(room.wires(server, client).count == 1)
        let dials = room.effects(server).count { if case .dial = $0 { true } else { false } }
        #expect((2...20).contains(dials))
        #expect(room.states(client, of: room.node(server)).count { $0 == .suspect } == 0)
    }

    @Test func leavingIsSeenAtOnce() throws {
        let room = VirtualRoom(seed: 1)
        let server = room.arrive(.server)
        let client = room.arrive(.client)
        room.run(.seconds(2))
        room.leave(client)
        room.run(.milliseconds(100))
        #expect(room.states(server, of: room.node(client)).last == .gone(.left))
        #expect(room.state(server, client) == nil)
    }

    @Test func anotherVersionIsNamed() throws {
        let room = VirtualRoom(seed: 3)
        let server = room.arrive(.server)
        var setup = room.laptops[server].machine.setup
        setup.versions = 2...3
        #expect(ProtocolVersion.agreed(setup.versions, ProtocolVersion.supported) == nil)
        var machine = SessionMachine(room.laptops[server].machine.setup, now: .start)
        let client = try #require(NodeID([UInt8](repeating: 9, count: 16)))
        _ = machine.handle(.opened(.accepted(1), address: [10, 0, 0, 9]), at: .start)
        let hello = Introduction(
            versions: 2...3, session: setup.session, mode: .client, name: "new", cores: 1, founding: nil, dial: 1)
        let outputs = machine.handle(.greeted(.accepted(1), hello, by: client), at: .start)
        #expect(outputs.contains(.effect(.send(.accepted(1), .decline(.version), reliably: true))))
        #expect(outputs.contains(.effect(.trouble(.version(client, name: "new")))))
        #expect(outputs.contains(.effect(.close(.accepted(1)))))
    }

    @Test func anUnavailableServerAdmitsNobody() {
        let room = VirtualRoom(seed: 5)
        let server = room.arrive(.server)
        let early = room.arrive(.client)
        room.run(.seconds(2))
        room.want(server, .available(false))
        #expect(room.effects(server).contains(.announce(false)))
        let late = room.arrive(.client)
        room.run(.seconds(20))
        #expect(room.areConnected(server, early))
        #expect(room.state(late, server) == .available)
        room.want(server, .available(true))
        #expect(room.wait(atMost: .seconds(12)) { room.areConnected(server, late) } != nil)
    }
}
