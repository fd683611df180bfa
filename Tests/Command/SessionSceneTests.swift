import Potluck
import PotluckCore
import Testing

@testable import PotluckCommand

/// What a session tells its user.
@Suite struct SessionSceneTests {
    /// A laptop on battery is counted apart, here and elsewhere, and its cores are not.
    @Test func coresThatRestAreNotCounted() {
        let nodes = (1...4 as ClosedRange<UInt8>).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
        var scene = SessionScene(id: "Monty", mode: .client, own: nodes[0], ownName: "ana", port: 7077)
        func see(server: Int, guests: [Int]) {
            _ = scene.apply(
                .peer(
                    Peer(
                        node: nodes[1], name: "sam", displayName: "sam", mode: .server, cores: server,
                        state: .connected)), at: .start)
            _ = scene.apply(
                .roster(
                    zip(nodes.dropFirst(2), guests).map {
                        RosterEntry(node: $0, mode: .client, name: $0.short, cores: $1, isConnected: true)
                    }), at: .start)
        }
        scene.lends(4)
        see(server: 0, guests: [8, 2])
        #expect(scene.waiting.hasPrefix("4 nodes with 14 cores in this session."), "\(scene.waiting)")
        see(server: 0, guests: [0, 2])
        #expect(scene.waiting.hasPrefix("3 nodes with 6 cores, and 1 that rests, in this session."), "\(scene.waiting)")
        scene.lends(0)
        #expect(scene.waiting.hasPrefix("2 nodes with 2 cores, and 2 that rest, in this session."), "\(scene.waiting)")
        scene.lends(4)
        see(server: 0, guests: [8, 2])
        #expect(scene.waiting.hasPrefix("4 nodes with 14 cores in this session."), "\(scene.waiting)")
    }

    /// Somebody who tries the host's page again and again fills no screen.
    @Test func aRefusalIsNotToldAgainAtOnce() {
        let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
        var scene = SessionScene(id: "Monty", mode: .server, own: own, ownName: "sam", port: 7077)
        var told: [Bool] = []
        for (text, second) in [("a", 0), ("a", 29), ("b", 29), ("a", 30), ("a", 59), ("a", 60)] {
            told.append(scene.knocked(.init(text), at: .start + .seconds(second)))
        }
        #expect(told == [true, false, true, true, false, true])
    }

    @Test func anotherCodeIsToldOnceHoweverManyAddressesAHostHas() {
        let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
        var scene = SessionScene(id: "Monty", mode: .client, own: own, ownName: "ana", port: 7077)
        let first = scene.apply(.trouble(.otherCodeAt(host: "10.0.0.1", port: 7077)), at: .start)?.text
        let second = scene.apply(.trouble(.otherCodeAt(host: "10.9.0.1", port: 7077)), at: .start)?.text
        #expect(first?.hasPrefix("Monty at 10.0.0.1:7077 has another join code; still looking.") == true)
        #expect(second == nil)
        #expect(scene.refusal == "Monty at 10.0.0.1:7077 has other words than yours")
        let other = scene.apply(.trouble(.unreachable(host: "10.9.0.2", port: 7077)), at: .start)?.text
        #expect(other == "10.9.0.2:7077 does not answer; retrying")
    }
}
