import PotluckCore
import PotluckKit
import PotluckNet
import PotluckRanks
import PotluckSystem
import Testing

@testable import Potluck

/// The streams between the nodes of a program, without links.
@Suite struct RankStreamTests {
    private static let nodes = (0..<3).map { number in
        NodeID(firstOctetsOf: [UInt8](repeating: UInt8(number), count: 16))
    }

    /// Two ends of a stream. What an end sends directly, or through a relay, arrives later.
    private final class Ends {
        /// A frame that is on its way from one end to the other.
        struct Sent {
            let from: Int
            let isRelayed: Bool
            let frame: RankFrame
        }

        let onWay = Guarded<[Sent]>([])
        private(set) var streams: [RankStream] = []
        var relay: RankRelay
        var received: [[RankItem]] = [[], []]

        /// - Parameter isRelayed: whether each end sends through the relay.
        init(isRelayed: [Bool], nodes: Int) {
            let others = (2..<max(2, nodes)).map { number in
                let octets = [7, UInt8(number % 256), UInt8(number / 256)]
                return NodeID(firstOctetsOf: octets + [UInt8](repeating: 0, count: 13))
            }
            relay = RankRelay(lead: RankStreamTests.nodes[0], nodes: Array(RankStreamTests.nodes.prefix(2)) + others)
            for end in 0..<2 {
                let route = Self.route(from: end, isRelayed: isRelayed[end])
                let stream = RankStream(1, route, nodes: nodes) { [onWay] frame, link in
                    onWay.with { $0.append(Sent(from: end, isRelayed: link == LinkID(2), frame: frame)) }
                }
                streams.append(stream)
            }
        }

        static func route(from end: Int, isRelayed: Bool) -> RankStream.Route {
            RankStream.Route(link: LinkID(isRelayed ? 2 : 1), target: isRelayed ? RankStreamTests.nodes[1 - end] : nil)
        }

        /// Bytes of parts on the way to an end.
        func octets(to end: Int) -> Int {
            onWay.with { sent in
                sent.reduce(0) { sum, sent in
                    guard sent.from != end, case .part(let part, _) = sent.frame.content else { return sum }
                    return sum + part.count
                }
            }
        }

        /// Brings the oldest frame of a random end to the other one. Returns false if there is none.
        func step(_ random: inout RandomStream) throws -> Bool {
            let first = random.below(2)
            let next = onWay.with { sent -> Sent? in
                guard let index = sent.firstIndex(where: { $0.from == first }) ?? sent.indices.first else { return nil }
                return sent.remove(at: index)
            }
            guard let next else { return false }
            let (from, to) = (next.from, 1 - next.from)
            if next.isRelayed {
                let passes = relay.passes(
                    next.frame.content, from: RankStreamTests.nodes[from], to: RankStreamTests.nodes[to])
                #expect(passes, "the relay drops a frame")
            }
            switch next.frame.content {
            case .part(let part, let isLast):
                let back = Self.route(from: to, isRelayed: next.isRelayed)
                if let item = try streams[to].took(part, isLast: isLast, back) { received[to].append(item) }
            case .received(let octets): try streams[to].arrived(octets)
            default: Issue.record("\(next.frame)")
            }
            return true
        }
    }

    @Test func aRelayKnowsTheNodeOfALink() {
        var relay = RankRelay(lead: Self.nodes[0], nodes: Array(Self.nodes.dropFirst()))
        relay.uses(LinkID(1), of: Self.nodes[1])
        relay.uses(LinkID(3), of: Self.nodes[1])
        #expect(relay.member(at: LinkID(1)) == Self.nodes[1] && relay.member(at: LinkID(3)) == nil)
    }

    /// What a node says twice, or in a thousand pieces, goes no further. So nobody fills another one's link with it.
    @Test func aRelayPassesEachPartOnce() {
        let (ana, bob) = (Self.nodes[0], Self.nodes[1])
        var relay = RankRelay(lead: ana, nodes: [bob])
        let part = ArraySlice([UInt8](repeating: 0, count: RankFrame.longestPart))
        var passed = (received: 0, closed: 0)
        for _ in 0..<8 {
            let passes = relay.passes(.part(part, isLast: false), from: bob, to: ana)
            #expect(passes)
        }
        for octets in 0...UInt64(8 * part.count) where relay.passes(.received(octets), from: ana, to: bob) {
            passed.received += 1
        }
        for _ in 0..<1000 where relay.passes(.received(UInt64(8 * part.count)), from: ana, to: bob) {
            passed.received += 1
        }
        for _ in 0..<1000 where relay.passes(.closed("no"), from: ana, to: bob) { passed.closed += 1 }
        let least = Int(RankStream.window(nodes: RankFrame.mostNodes)) / 4
        #expect(passed.received > 0 && passed.received <= 8 * part.count / least)
        #expect(passed.closed == 1)
    }

    /// Streams that share a room keep no more of unfinished items than it has, and give it back.
    @Test func unfinishedItemsShareTheirRoom() throws {
        let room = SharedRoom(1 << 20)
        let route = Ends.route(from: 0, isRelayed: false)
        let streams = (0..<3).map { _ in RankStream(1, route, room: room) { _, _ in } }
        let line = RankItem.line(rank: 0, [UInt8](repeating: 1, count: 500_000)).encoded()
        for _ in 0..<9 {
            #expect(try streams[0].took(line[..<1000], isLast: false, route) == nil)
            #expect(try streams[0].took(line[1000...], isLast: true, route) != nil)
        }
        for stream in streams.prefix(2) { #expect(try stream.took(line[1...], isLast: false, route) == nil) }
        #expect(throws: RankError.misfit) { try streams[2].took(line[1...], isLast: false, route) }
    }

    /// Everything arrives, in order, over any two ways, and never more than the window is on its way.
    @Test(arguments: UInt64(0)..<60) func everythingArrives(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let nodes = [2, 3, 17, 64, 500][random.below(5)]
        let ends = Ends(isRelayed: [random.chance(0.5), random.chance(0.5)], nodes: nodes)
        let window = Int(RankStream.window(nodes: nodes)) + RankFrame.longestPart
        var sent: [[RankItem]] = [[], []]
        for _ in 0..<30 {
            let end = random.below(2)
            let item = RankItem.line(
                rank: random.below(9), [UInt8](repeating: UInt8(random.below(256)), count: random.below(900_000)))
            sent[end].append(item)
            ends.streams[end].send(item)
            for _ in 0..<random.below(20) {
                _ = try ends.step(&random)
                for end in 0..<2 { #expect(ends.octets(to: end) <= window) }
            }
        }
        while try ends.step(&random) { for end in 0..<2 { #expect(ends.octets(to: end) <= window) } }
        #expect(ends.received[0] == sent[1] && ends.received[1] == sent[0])
    }

    /// All nodes of the largest program can send to one at once, and its link keeps what they send.
    @Test func manyWindowsFitIntoOneLink() {
        for nodes in 1...RankFrame.mostNodes {
            let window = Int(RankStream.window(nodes: nodes)) + RankFrame.longestPart
            #expect(nodes * window < LinkLimits.bulkBacklog)
            // A node that does not know the number of nodes tells often enough for any.
            #expect(RankStream.window(nodes: RankFrame.mostNodes) <= RankStream.window(nodes: nodes))
        }
    }

    /// An end that does not know how many nodes there are may be sent to by one that does.
    @Test func anEndWithoutTheNumberOfNodesAcknowledgesOftenEnough() throws {
        for nodes in [1, 2, 64, 512] {
            let sent = Guarded<[RankFrame]>([])
            let told = Guarded<[RankFrame]>([])
            let route = Ends.route(from: 0, isRelayed: false)
            let lead = RankStream(1, route, nodes: nodes) { frame, _ in sent.with { $0.append(frame) } }
            let member = RankStream(1, route) { frame, _ in told.with { $0.append(frame) } }
            let item = RankItem.line(rank: 0, [UInt8](repeating: 3, count: 1 << 20))
            var came: [RankItem] = []
            for _ in 0..<5 { lead.send(item) }
            while true {
                let frames = sent.with { frames in
                    defer { frames = [] }
                    return frames
                }
                if frames.isEmpty { break }
                for frame in frames {
                    guard case .part(let part, let isLast) = frame.content else { continue }
                    if let item = try member.took(part, isLast: isLast, route) { came.append(item) }
                }
                let answers = told.with { frames in
                    defer { frames = [] }
                    return frames
                }
                for answer in answers {
                    guard case .received(let octets) = answer.content else { continue }
                    try lead.arrived(octets)
                }
            }
            #expect(came == Array(repeating: item, count: 5))
        }
    }
}
