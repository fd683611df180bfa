import PotluckCore
import Testing

@testable import PotluckEngine

/// What an approval of the host is worth, and how long it lasts.
@Suite struct ApprovalTests {
    /// Returns a room with a server that asks, and a guest that it has approved.
    private func room(_ seed: UInt64) throws -> (room: VirtualRoom, server: Int, guest: Int) {
        let room = VirtualRoom(seed: seed)
        let (server, guest) = (room.arrive(.server, asks: true), room.arrive(.client))
        room.run(.seconds(2))
        room.want(server, .accept(room.node(guest)))
        try #require(room.wait(atMost: .seconds(2)) { room.areConnected(server, guest) } != nil)
        return (room, server, guest)
    }

    private func asked(_ room: VirtualRoom, _ server: Int) -> [NodeID] {
        room.effects(server).compactMap { if case .ask(let peer) = $0 { peer.node } else { nil } }
    }

    /// Longer than the grace after which the server forgets a node whose link is lost.
    @Test(arguments: 0..<20) func anApprovedGuestReturnsAfterALongLossWithoutAQuestion(seed: UInt64) throws {
        let (room, server, guest) = try room(seed)
        for seconds in [16, 600] {
            room.islands([0, 1])
            room.run(.seconds(seconds))
            #expect(room.states(server, of: room.node(guest)).last == .gone(.lost))
            room.islands([0, 0])
            #expect(room.wait(atMost: .seconds(12)) { room.areConnected(server, guest) } != nil)
        }
        #expect(asked(room, server) == [room.node(guest)])
        #expect(!room.states(guest, of: room.node(server)).suffix(3).contains(.connecting(.theirHost)))
    }

    @Test(arguments: 0..<20) func anApprovalOutlivesTheServer(seed: UInt64) throws {
        let (room, server, guest) = try room(seed)
        for seconds in [1, 30] {
            room.crash(server)
            room.run(.seconds(seconds))
            room.restart(server)
            #expect(room.wait(atMost: .seconds(12)) { room.areConnected(server, guest) } != nil)
            #expect(asked(room, server).isEmpty)
        }
    }

    /// The user approves a node whose link is just lost.
    @Test(arguments: 0..<20) func anApprovalWaitsForItsNode(seed: UInt64) throws {
        let room = VirtualRoom(seed: seed)
        let (server, guest) = (room.arrive(.server, asks: true), room.arrive(.client))
        room.run(.seconds(2))
        room.islands([0, 1])
        room.run(.seconds(16))
        #expect(room.state(server, guest) == nil)
        room.want(server, .accept(room.node(guest)))
        room.islands([0, 0])
        #expect(room.wait(atMost: .seconds(12)) { room.areConnected(server, guest) } != nil)
        #expect(asked(room, server) == [room.node(guest)])
    }

    @Test(arguments: 0..<20) func anotherNodeAtTheAddressIsAskedAbout(seed: UInt64) throws {
        let (room, server, guest) = try room(seed)
        room.crash(guest)
        room.restart(guest)
        room.run(.seconds(30))
        #expect(room.state(server, guest) == .connecting(.ourUser))
        #expect(asked(room, server).last == room.node(guest))
    }

    @Test(arguments: 0..<20) func aRemovalEndsTheApproval(seed: UInt64) throws {
        let (room, server, guest) = try room(seed)
        let node = room.node(guest)
        #expect(room.laptops[server].machine.approved == [node])
        // Also that of a node that is away.
        room.islands([0, 1])
        room.run(.seconds(16))
        room.want(server, .remove(node))
        room.islands([0, 0])
        room.run(.seconds(15))
        #expect(room.state(server, guest) == .connecting(.ourUser))
        room.want(server, .accept(node))
        room.run(.seconds(1))
        room.want(server, .remove(node))
        room.run(.seconds(1))
        #expect(room.end(guest) == .removed)
        let told = room.effects(server).compactMap { if case .approved(let nodes) = $0 { nodes } else { nil } }
        #expect(told == [[node], [], [node], []])
        #expect(room.laptops[server].machine.approved.isEmpty)
    }

    /// No crowd of approved nodes makes a server keep more.
    @Test func approvalsAreBounded() {
        let room = VirtualRoom(seed: 1)
        let server = room.arrive(.server, asks: true)
        let nodes = (0..<UInt8.max).flatMap { high in
            (0..<UInt8(4)).map { NodeID(firstOctetsOf: [high, $0] + [UInt8](repeating: 7, count: 14)) }
        }
        for node in nodes { room.want(server, .accept(node)) }
        #expect(room.laptops[server].machine.approved == nodes.suffix(SessionLimits.approvedNodes))
    }
}
