import PotluckKit
import Testing

@testable import PotluckRanks

@Suite struct RankPlacementTests {
    private static func shares(_ size: Int?, _ cores: [Int]) throws -> [Int] {
        let nodes = cores.enumerated().map { RankPlacement.Node(name: "node \($0)", cores: $1) }
        let (chosen, places) = try RankPlacement.byCores.place(size, on: nodes)
        var shares = cores.map { _ in 0 }
        for place in places { shares[chosen[place]] += 1 }
        return shares
    }

    /// Each rank has a place, and no node gets more than it takes.
    @Test(arguments: 0..<200 as Range<UInt64>) func eachRankHasAPlace(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let cores = (0..<1 + random.below(6)).map { _ in 1 + random.below(random.chance(0.2) ? 4096 : 16) }
        let total = cores.reduce(0, +)
        let size = 1 + random.below(min(RankLimits.ranks, total * RankLimits.ranksPerCore))
        let shares = try Self.shares(size, cores)
        #expect(shares.reduce(0, +) == size)
        for (share, cores) in zip(shares, cores) {
            #expect(share <= cores * RankLimits.ranksPerCore)
            #expect(size > total || share <= cores)
        }
    }

    /// Nobody checks how many cores a node claims. Beyond what is plausible in its room, and beyond its fair share, a claim
    /// draws only ranks for which no other node has a core.
    @Test(arguments: 0..<200 as Range<UInt64>) func anImplausibleClaimDrawsOnlySurplusRanks(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let others = (0..<1 + random.below(6)).map { _ in 1 + random.below(16) }
        let size = 1 + random.below(RankLimits.ranks)
        let shares = try Self.shares(size, others + [4096])
        let median = (others + [4096]).sorted(by: >)[(others.count + 1) / 2]
        let fair = (size + others.count) / (others.count + 1)
        let drawn = try #require(shares.last)
        #expect(drawn <= max(fair, 4 * median) || drawn == size - others.reduce(0, +))
    }

    @Test func ordinaryRoomsAreFilledFromTheLargest() throws {
        #expect(try Self.shares(7, [1, 2, 4]) == [1, 2, 4])
        #expect(try Self.shares(8, [8, 8, 8]) == [8, 0, 0])
        #expect(try Self.shares(16, [4, 16, 8]) == [0, 16, 0])
        #expect(try Self.shares(nil, [4, 16, 8]) == [4, 16, 8])
        #expect(try Self.shares(20, [4, 4]) == [12, 8])
        // A server of 64 cores beside laptops.
        #expect(try Self.shares(32, [64, 8, 8, 8, 8]) == [32, 0, 0, 0, 0])
        #expect(try Self.shares(64, [64, 8, 8, 8, 8]) == [32, 8, 8, 8, 8])
        #expect(try Self.shares(96, [64, 8, 8, 8, 8]) == [64, 8, 8, 8, 8])
        // And one that says it had 4,096.
        #expect(try Self.shares(32, [4096, 8, 8, 8, 8]) == [32, 0, 0, 0, 0])
        #expect(try Self.shares(64, [4096, 8, 8, 8, 8]) == [32, 8, 8, 8, 8])
        #expect(try Self.shares(nil, [4096, 8]) == [504, 8])
    }
}
