import PotluckEngine
import PotluckModel
import Testing

/// Somebody without the code is seen as a server of the session's name, and answers when called or does not. What is seen
/// of it may even be verified: that is a member's old beacon, repeated.
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
                // It goes on all evening, and nobody leaves for it.
                for number in 0..<20 {
                    room.lie(to: client, network, number, trust: trust)
                    room.run(.seconds(1))
                }
                #expect(room.connected(client) == [room.node(server)])
                #expect(!room.states(client, of: room.node(server)).contains(.suspect))
            }
        }
    }

    /// Of a server that is only listed by mDNS nothing is verified either: it is tried like the others, at the same time.
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

    /// Nothing shows whether the code is wrong or the server: it says so once, and goes on.
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

    /// That a server has our code is said of one that proved it.
    @Test(arguments: 0..<5) func nobodyIsSaidToHaveOurCodeWhoDidNotProveIt(seed: UInt64) throws {
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
