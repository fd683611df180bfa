import PotluckCore
import PotluckEngine
import Testing

/// Tests of messages between the nodes of a session, and of the limits of their queues.
@Suite struct SessionMessageTests {
    @Test func wordsGoThroughTheServer() {
        for seed: UInt64 in 0..<10 {
            let room = VirtualRoom(seed: seed)
            let server = room.arrive(.server)
            let clients = (0..<3).map { _ in room.arrive(.client) }
            room.run(.seconds(2))
            room.want(clients[0], .say("to all", to: .everyone))
            room.want(clients[1], .say("to one", to: .some([room.node(clients[2])])))
            room.want(server, .say("from the host", to: .everyone))
            room.run(.seconds(1))
            #expect(Set(room.said(clients[2])) == ["to all", "to one", "from the host"])
            #expect(room.said(clients[1]).sorted() == ["from the host", "to all"])
            #expect(room.said(clients[0]) == ["from the host"])
            #expect(room.said(server) == ["to all"])
            #expect(room.effects(clients[2]).contains(.said("to one", from: room.node(clients[1]))))
        }
    }

    /// Messages to a peer that is away are kept up to a limit. Beyond it the sender is told.
    @Test func messagesToAnAbsentPeerAreBounded() {
        let room = VirtualRoom(seed: 1)
        let server = room.arrive(.server)
        let client = room.arrive(.client)
        room.run(.seconds(2))
        room.islands([0, 1])
        room.run(.seconds(4))
        #expect(room.state(server, client) == .suspect)
        let octets = [UInt8](repeating: 7, count: 1 << 20)
        for _ in 0..<6 { room.want(server, .send(octets, to: .everyone, reliably: true)) }
        #expect(room.troubles(server) == [UInt8](repeating: 0, count: 3).map { _ in .backlog(room.node(client)) })
        room.want(server, .send(octets + [1], to: .everyone, reliably: true))
        #expect(room.troubles(server).last == .tooLong(octets.count + 1, limit: octets.count))
        room.islands([0, 0])
        room.run(.seconds(10))
        #expect(room.delivered(client, from: room.node(server)).count == 3)
    }

    /// A message at the wrong time ends the link and nothing else.
    @Test func messagesOutOfTurn() throws {
        let other = try #require(NodeID([UInt8](repeating: 200, count: 16)))
        let hello = Introduction(session: VirtualRoom.session(1), mode: .client, name: "odd", cores: 1, dial: 1)
        let link = LinkName.accepted(99)
        for message: Message in [
            .welcome(Welcome(version: 1, role: .hosts, row: 1)), .parcel(Parcel(.data([1]), number: 1)), .received(4),
            .roster([]), .role(.hosts), .hold(.consent), .ranks(RankFrame(launch: 1, content: .opened)),
            .goodbye(.leaving),
        ] {
            for isGreeted in [false, true] {
                let room = VirtualRoom(seed: 7)
                let server = room.arrive(.server)
                let client = room.arrive(.client)
                room.run(.seconds(2))
                room.handle(server, .opened(link, address: [10, 9, 9, 9]))
                if isGreeted { room.handle(server, .greeted(link, hello, by: other)) }
                room.handle(server, .received(link, message))
                room.handle(server, .received(link, message))
                room.run(.seconds(8))
                #expect(room.effects(server).contains(.close(link)), "\(message) \(isGreeted)")
                #expect(room.areConnected(server, client))
                #expect(!room.effects(client).contains { if case .deliver = $0 { true } else { false } })
            }
        }
    }

    /// Each link keeps a descriptor. A peer that waits for its user's consent has no timeout, and so could keep them all.
    @Test func aNodeKeepsFewLinksWaiting() throws {
        let room = VirtualRoom(seed: 7)
        let own = room.arrive(.peer)
        let friend = room.arrive(.peer)
        room.run(.seconds(2))
        let other = try #require(NodeID([UInt8](repeating: 200, count: 16)))
        let hello = Introduction(session: VirtualRoom.session(1), mode: .peer, name: "odd", cores: 1, dial: 1)
        let links = (0..<40).map { LinkName.accepted(100 + $0) }
        for link in links {
            room.handle(own, .opened(link, address: [10, 9, 9, 9]))
            room.handle(own, .greeted(link, hello, by: other))
            room.handle(own, .received(link, .hold(.consent)))
        }
        room.run(.seconds(8))
        let effects = room.effects(own)
        #expect(links.filter { !effects.contains(.close($0)) } == Array(links.prefix(8)))
        #expect(room.areConnected(own, friend))
    }

    /// A program that knows the code can make any number of node IDs.
    @Test func aReconnectingPeerHasRoomInAFullQueue() throws {
        let room = VirtualRoom(seed: 7)
        let own = room.arrive(.peer)
        let friend = room.arrive(.peer)
        room.run(.seconds(2))
        var number: UInt64 = 100
        func greet(_ node: NodeID) -> LinkName {
            number += 1
            let link = LinkName.accepted(number)
            let hello = Introduction(session: VirtualRoom.session(1), mode: .peer, name: "odd", cores: 1, dial: number)
            room.handle(own, .opened(link, address: [10, 9, 9, 9]))
            room.handle(own, .greeted(link, hello, by: node))
            return link
        }
        for count: UInt8 in 0..<200 {
            let other = try #require(NodeID([200, count] + [UInt8](repeating: 7, count: 14)))
            for _ in 0..<3 { room.handle(own, .received(greet(other), .hold(.consent))) }
        }
        let news = try #require(NodeID([UInt8](repeating: 199, count: 16)))
        let (late, again) = (greet(news), greet(room.node(friend)))
        let effects = room.effects(own)
        #expect(effects.contains(.close(late)) && !effects.contains(.close(again)))
        #expect(room.areConnected(own, friend))
    }

    /// After ten wrong codes the other computer refuses connections, also with the right code.
    @Test func aWrongCodeIsSeldomTriedAgain() {
        let room = VirtualRoom(seed: 7)
        room.losePort(room.arrive(.server))
        let client = room.arrive(.client)
        room.want(client, .connect(host: "laptop0", port: 7077))
        room.run(.seconds(300))
        let dials = room.effects(client).count { if case .dial(_, .address) = $0 { true } else { false } }
        // At 0, 10, 30, 70, 135, 200 and 265 seconds.
        #expect(dials == 7)
    }

    /// The session's shell takes the messages about programs with ranks. If one reaches the engine, it changes nothing.
    @Test func programsWithRanksAreNotTheEngines() {
        var host = Host()
        let before = host.effects.count
        let contents: [RankFrame.Content] = [
            .part([1], isLast: true), .received(1), .open([Host.own]), .opened, .closed("no"), .show([1]),
        ]
        for content in contents {
            host.handle(.session(.received(Host.link, .ranks(RankFrame(launch: 1, content: content)))))
        }
        #expect(host.effects.count == before)
        // The link is still there.
        host.handle(.session(.received(Host.link, .parcel(Parcel(.data([1]), number: 1)))))
        #expect(host.effects.count > before)
    }
}
