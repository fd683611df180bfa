import Potluck
import PotluckCore
import Testing

@testable import PotluckCommand

/// `potluck say` counts those that it reaches.
@Suite struct HearersTests {
    private static func node(_ number: UInt8) -> NodeID {
        NodeID(firstOctetsOf: [UInt8](repeating: number, count: 16))
    }

    private func peer(_ number: UInt8, _ name: String, _ state: PeerState, isPage: Bool = false) -> Session.Event {
        .peer(
            Peer(
                node: Self.node(number), name: name, displayName: name, mode: .client, cores: 2, state: state,
                kind: isPage ? .browser(at: [10, 0, 0, 9]) : .program))
    }

    private func scene(_ events: [Session.Event]) -> SessionScene {
        var scene = SessionScene(id: "Monty", mode: .server, own: Self.node(1), ownName: "lab", port: 7077)
        for event in events { _ = scene.apply(event, at: .start) }
        return scene
    }

    /// A page that lends is a node and a viewer, and gets one message. A node that is away gets it later, or never.
    @Test func onlyThoseThatGetItAreCounted() {
        var events = [
            peer(2, "ana", .connected), peer(3, "bob", .connected), peer(4, "phone", .connected, isPage: true),
            peer(5, "eve", .connecting(.ourUser)), peer(6, "far", .available),
        ]
        #expect(scene(events).hearers.words(.everyone, viewers: 5) == "sent to 2 nodes and 5 viewers")
        #expect(scene(events).hearers.words(.some([Self.node(3)]), viewers: 0) == "sent to bob")
        events.append(peer(3, "bob", .suspect))
        let hearers = scene(events).hearers
        #expect(
            hearers.words(.everyone, viewers: 1)
                == "sent to 1 node and 1 viewer; bob is not connected at the moment and gets it on reconnecting")
        #expect(
            hearers.words(.some([Self.node(3)]), viewers: 0)
                == "bob is not connected at the moment and gets it on reconnecting")
        #expect(hearers.now[Self.node(4)] == nil && hearers.later[Self.node(4)] == nil)
        events += [peer(2, "ana", .suspect), peer(4, "phone", .suspect, isPage: true)]
        #expect(
            scene(events).hearers.words(.everyone, viewers: 0)
                == "2 nodes are not connected at the moment and get it on reconnecting")
    }

    /// A guest's message reaches the others through the server.
    @Test func aGuestReachesTheOthersOfItsServer() {
        var scene = SessionScene(id: "Monty", mode: .client, own: Self.node(1), ownName: "ana", port: 7077)
        func entry(_ number: UInt8, _ name: String, isConnected: Bool = true, isBrowser: Bool = false) -> RosterEntry {
            RosterEntry(
                node: Self.node(number), mode: .client, name: name, cores: 2, isConnected: isConnected,
                isBrowser: isBrowser)
        }
        let server = Peer(
            node: Self.node(2), name: "lab", displayName: "lab", mode: .server, cores: 2, state: .connected)
        _ = scene.apply(.peer(server), at: .start)
        _ = scene.apply(
            .roster([
                entry(3, "bob"), entry(4, "phone", isBrowser: true), entry(5, "eve", isConnected: false),
            ]), at: .start)
        #expect(scene.hearers.words(.everyone, viewers: 0) == "sent to 2 nodes")
        #expect(scene.hearers.words(.some([Self.node(3)]), viewers: 0) == "sent to bob")
    }
}
