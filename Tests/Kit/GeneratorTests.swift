import PotluckKit
import Testing

/// The streams look random: along each lane, across lanes, blocks and seeds, and in the order of a run.
@Suite struct GeneratorTests {
    /// A result beyond this comes by chance once in 150 000 times. The seeds are fixed, so it comes always or never.
    private let limit = 4.5

    /// Returns a source that passes its index to `word`.
    private func source(_ word: @escaping (Int) -> UInt32) -> Battery.Source {
        var index = 0
        return {
            defer { index += 1 }
            return word(index)
        }
    }

    private func expectChance(_ name: String, _ source: Battery.Source) {
        for (test, surprise) in Battery.results(source) {
            #expect(surprise.magnitude < limit, "\(name), \(test): \(surprise)")
        }
    }

    @Test func alongALane() {
        for (seed, block, lane) in [(0, 0, 0), (1, 0, 15), (.max, 7, 3), (12345, .max, 8)] as [(UInt64, UInt64, Int)] {
            var random = stream(seed, block, lane: lane)
            expectChance("seed \(seed), block \(block), lane \(lane)") { random.next() }
        }
    }

    @Test func lanesSideBySide() {
        for seed in 0..<2 as Range<UInt64> {
            var lanes = (0..<16).map { stream(seed, lane: $0) }
            expectChance("interleaved", source { lanes[$0 % 16].next() })
        }
    }

    @Test func oneShortBlockAfterTheOther() {
        // The order of words in a run with blocks of 64 trials of one word each.
        var lanes: [RandomStream] = []
        expectChance(
            "blocks",
            source { index in
                if index % 64 == 0 { lanes = (0..<16).map { stream(1, UInt64(index / 64), lane: $0) } }
                return lanes[index % 64 / 4].next()
            })
    }

    @Test func firstWordsOfNeighbours() {
        func first(_ seed: UInt64, _ block: UInt64, _ lane: Int) -> UInt32 {
            var random = stream(seed, block, lane: lane)
            return random.next()
        }
        expectChance("lanes and blocks", source { first(1, UInt64($0 / 16), $0 % 16) })
        expectChance("blocks", source { first(1, UInt64($0), 0) })
        expectChance("seeds", source { first(UInt64($0), 0, 0) })
        expectChance("high seeds", source { first(UInt64($0) << 32, 0, 0) })
        expectChance("high blocks", source { first(0, UInt64($0) << 32, 0) })
    }

    /// Several tests fail for each source that is not random. Otherwise the tests above would prove nothing.
    @Test func generatorsThatAreNotRandomFail() {
        func fails(_ source: Battery.Source) -> Int { Battery.results(source).count { $0.surprise.magnitude > 10 } }
        #expect(fails(source { UInt32($0) }) > 10, "a counter")
        #expect(fails(source { UInt32($0) &* 0x9E37_79B9 }) > 5, "a counter in strides")
        var state: UInt32 = 1
        let congruential: Battery.Source = {
            state = state &* 1_664_525 &+ 1_013_904_223
            return state
        }
        #expect(fails(congruential) > 2, "a linear congruential generator, whose low bits have short periods")
        #expect(
            fails(
                source { index in
                    var random = RandomStream(SIMD4(1, 2, UInt32(index), 3))
                    return random.next()
                }) > 5, "streams started from plain counters instead of by Philox")
        var random = stream(1)
        #expect(fails({ random.next() | 1 << 31 }) > 1, "a bit that is always set")
        #expect(
            fails({ random.chance(0.55) ? random.next() | 1 : random.next() & ~1 }) > 1, "a bit that is set too often")
    }
}
