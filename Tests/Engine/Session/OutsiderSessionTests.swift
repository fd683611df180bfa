import PotluckCore
import PotluckEngine
import Testing

/// An outsider without the code appears as a server of the session, and either refuses connections or never answers. It
/// may even appear verified, because it can repeat an old beacon of a member.
@Suite struct OutsiderSessionTests {
    @Test(arguments: [Sighting.Trust.verified, .unverified], [VirtualRoom.liars, VirtualRoom.silent])
    func newcomersAreNotHeldOut(trust: Sighting.Trust, network: UInt8) throws {
        for seed: UInt64 in 0..<20 {
            for liars in [1, 6, 40] {
                let room = VirtualRoom(seed: seed)
                let server = room.arrive(.server)
                room.run(.seconds(2))
                let client = room.arrive(.client)
                for number in 0..<liars { room.lie(to: client, network, number, trust: trust) }
                let time = room.wait(atMost: .seconds(3)) { room.areConnected(server, client) }
                #expect(time.map { $0 < .seconds(1) } == true, "\(seed) \(liars): \(String(describing: time))")
                #expect(room.end(client) == nil)
                // The outsiders keep appearing, and nobody disconnects because of them.
                for number in 0..<20 {
                    room.lie(to: client, network, number, trust: trust)
                    room.run(.seconds(1))
                }
                #expect(room.connected(client) == [room.node(server)])
                #expect(!room.states(client, of: room.node(server)).contains(.suspect))
            }
        }
    }

    /// A server that is known only from mDNS is not verified either. The client tries it at the same time as the
    /// outsiders.
    @Test(arguments: 0..<20) func aServerThatProvesNothingIsTriedBesideOthers(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let server = room.arrive(.server)
        room.losePort(server, false, trust: .unverified)
        room.run(.seconds(2))
        let client = room.arrive(.client)
        // Five machines, one of which has a hundred nodes.
        for number in 0..<104 { room.lie(to: client, VirtualRoom.silent, max(0, number - 99), trust: .unverified) }
        let time = room.wait(atMost: .seconds(3)) { room.areConnected(server, client) }
        #expect(time.map { $0 < .milliseconds(1300) } == true, "\(String(describing: time))")
    }

    /// The client cannot know whether its code is wrong or the server is an outsider. It reports this once and keeps
    /// trying.
    @Test(arguments: 0..<10) func aRefusalIsNotTheEnd(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let client = room.arrive(.client)
        for number in 0..<10 { room.lie(to: client, VirtualRoom.liars, number, trust: .unverified) }
        room.run(.seconds(30))
        #expect(room.end(client) == nil)
        #expect(room.troubles(client).count == 1)
        let server = room.arrive(.server)
        #expect(room.wait(atMost: .seconds(1)) { room.areConnected(server, client) } != nil)
    }

    /// Only a server that proved that it knows our code is reported as having our code.
    @Test(arguments: 0..<5) func onlyProvenNodesAreSaidToHaveOurCode(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let server = room.arrive(.server)
        let client = room.arrive(.client)
        room.run(.seconds(2))
        for seat in [server, client] { room.lie(to: seat, VirtualRoom.liars, 1, trust: .unverified) }
        room.run(.seconds(30))
        #expect(room.troubles(server).isEmpty && room.troubles(client).isEmpty)
        for seat in [server, client] { room.lie(to: seat, VirtualRoom.silent, 1, trust: .verified) }
        room.run(.seconds(30))
        #expect(room.troubles(server).count == 1 && room.troubles(client).count == 1)
    }
}
