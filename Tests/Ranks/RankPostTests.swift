import PotluckKit
import Testing

@testable import PotluckRanks

/// How much a node may send at once.
@Suite struct RankPostTests {
    private static func rooms(_ random: inout RandomStream) -> RankRooms {
        var rooms = RankRooms()
        rooms.eager = random.below(300)
        rooms.eagerRoom = random.below(4000)
        rooms.eagerReturn = 1 + random.below(1 + rooms.eagerRoom)
        return rooms
    }

    private static func envelope(_ number: Int, _ octets: Int, source: Int = 0) -> RankEnvelope {
        RankEnvelope(source: source, tag: 0, context: 0, number: number, octets: octets)
    }

    /// The receiver's node never has more than the room, takes all that its sender may send, and tells in time what was
    /// received, however late that comes.
    @Test(arguments: 0..<200 as Range<UInt64>) func bothNodesCountTheSame(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let rooms = Self.rooms(&random)
        let map = try #require(RankMap([0, 0, 1]))
        var (sender, receiver) = (RankPost(own: 0, map, rooms), RankPost(own: 1, map, rooms))
        var coming: [RankEnvelope] = []
        var there: [RankEnvelope] = []
        var told: [Int] = []
        var unsettled = 0
        for number in 0..<300 {
            switch random.below(4) {
            case 0, 1:
                let envelope = Self.envelope(number, random.below(rooms.eager + 100), source: random.below(2))
                let fits = envelope.octets <= rooms.eager && unsettled + envelope.cost <= rooms.eagerRoom
                #expect(sender.sendsAtOnce(envelope, to: 2) == fits)
                if fits { coming.append(envelope) }
                unsettled += fits ? envelope.cost : 0
            case 2:
                if !coming.isEmpty {
                    let envelope = coming.removeFirst()
                    try receiver.came(envelope, 2, from: 0)
                    try receiver.arrives(envelope, 2)
                    there.append(envelope)
                } else if !told.isEmpty {
                    let octets = told.removeFirst()
                    try sender.returned(octets, by: 2)
                    unsettled -= octets
                }
            default:
                guard !there.isEmpty else { continue }
                receiver.leaves(there.remove(at: random.below(there.count)), 2)
                for case (0, .received(2, let octets)) in receiver.take() {
                    #expect(octets >= rooms.eagerReturn)
                    told.append(octets)
                }
            }
            let waiting = (coming + there).reduce(told.reduce(0, +)) { $0 + $1.cost }
            #expect((0..<rooms.eagerReturn).contains(unsettled - waiting))
            #expect(there.reduce(0) { $0 + $1.cost } <= rooms.eagerRoom)
        }
    }

    @Test func impossibleItemsAreRefused() throws {
        let map = try #require(RankMap([0, 1, 2]))
        var rooms = RankRooms()
        (rooms.eager, rooms.eagerRoom) = (100, 1000)
        let post = RankPost(own: 1, map, rooms)
        func refuses(_ body: (inout RankPost) throws(RankError) -> Void) -> Bool {
            var copy = post
            do throws(RankError) { try body(&copy) } catch { return error == .misfit }
            return false
        }
        for node in [1, 3, -1, .max] { #expect(refuses { (post) throws(RankError) in try post.came(from: node) }) }
        for octets in [-1, 1, .max, .min] {
            #expect(refuses { (post) throws(RankError) in try post.returned(octets, by: 0) })
        }
        #expect(!refuses { (post) throws(RankError) in try post.arrives(Self.envelope(0, 100), 1) })
        #expect(refuses { (post) throws(RankError) in try post.arrives(Self.envelope(0, 101), 1) })
        #expect(
            refuses { (post) throws(RankError) in for _ in 0..<5 { try post.arrives(Self.envelope(0, 100), 1) } },
            "more than its room")
        // The rank is another node's, its source is, it comes a second time, and it is too long.
        for (source, receiver, node) in [(0, 0, 0), (0, 1, 2), (9, 1, 0), (0, -1, 0)] {
            #expect(
                refuses { (post) throws(RankError) in
                    try post.came(Self.envelope(0, 1, source: source), receiver, from: node)
                })
        }
        #expect(
            refuses { (post) throws(RankError) in
                for _ in 0..<2 { try post.came(Self.envelope(7, 1), 1, from: 0) }
            })
        for octets in [-1, RankLimits.message + 1, .max] {
            #expect(refuses { (post) throws(RankError) in try post.came(Self.envelope(0, octets), 1, from: 0) })
        }
    }
}
