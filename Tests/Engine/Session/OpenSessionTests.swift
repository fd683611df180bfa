import PotluckCore
import Testing

@testable import PotluckEngine

/// Tests of open sessions and sessions with a code under the same name.
@Suite struct OpenSessionTests {
    @Test(arguments: [Mode.client, .peer]) func aGuestWithACodeDialsNoOpenSession(mode: Mode) throws {
        for seed: UInt64 in 0..<20 {
            let room = VirtualRoom(seed: seed)
            let serves: Mode = mode == .client ? .server : .peer
            let lures = (0..<3).map { room.arrive(serves, "eve \($0)", isOpen: true) }
            let guest = room.arrive(mode)
            room.run(.seconds(10))
            #expect(room.connected(guest).isEmpty)
            #expect(!room.effects(guest).contains { if case .dial = $0 { true } else { false } })
            // The user is told once, however many open sessions there are.
            #expect(room.troubles(guest).count == 1)
            guard case .withoutCode = try #require(room.troubles(guest).first) else {
                Issue.record("another trouble")
                return
            }
            let server = room.arrive(serves)
            #expect(room.wait(atMost: .seconds(3)) { room.areConnected(guest, server) } != nil)
            #expect(lures.allSatisfy { room.state($0, guest) != .connected })
        }
    }

    @Test func openOnesMeet() {
        let room = VirtualRoom(seed: 1)
        let server = room.arrive(.server, isOpen: true)
        let guest = room.arrive(.client, isOpen: true)
        #expect(room.wait(atMost: .seconds(3)) { room.areConnected(guest, server) } != nil)
    }
}
