import PotluckKit
import Testing

@testable import PotluckRanks

@Suite struct RankMapTests {
    /// Each rank is on one node, and each node has a rank; or there is no map.
    @Test(arguments: 0..<300 as Range<UInt64>) func eachRankIsOnOneNode(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let nodes = 1 + random.below(5)
        let places = (0..<random.below(12)).map { _ in random.below(nodes) - (random.chance(0.02) ? 1 : 0) }
        let used = Set(places)
        guard let map = RankMap(places) else {
            #expect(places.isEmpty || used.sorted() != Array(0..<used.count))
            return
        }
        #expect(used.sorted() == Array(0..<map.nodes))
        #expect((0..<map.nodes).flatMap(map.ranks).sorted() == Array(places.indices))
        for node in 0..<map.nodes {
            #expect(map.ranks(of: node) == map.ranks(of: node).sorted() && !map.ranks(of: node).isEmpty)
            for rank in places.indices { #expect(map.isOn(node, rank) == map.ranks(of: node).contains(rank)) }
            for rank in [-1, places.count, .max, .min] { #expect(!map.isOn(node, rank)) }
        }
        for node in [-1, map.nodes, .max, .min] { #expect(!map.has(node: node)) }
    }

    @Test func ranksAreBounded() {
        #expect(RankMap(Array(repeating: 0, count: RankLimits.ranks)) != nil)
        #expect(RankMap(Array(repeating: 0, count: RankLimits.ranks + 1)) == nil)
        #expect(RankMap([0, .max]) == nil && RankMap([]) == nil)
        #expect(RankMap(size: 3) == RankMap([0, 0, 0]))
    }
}
