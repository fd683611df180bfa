import Testing

@testable import PotluckKit

/// Which trial gets which named stream, and what a mirror draws.
@Suite struct NamedStreamTests {
    /// Sums the words of a named stream, and wastes some of the trial's own first.
    struct Witness: Simulation {
        static let name: StaticString = "witness"
        static let summary: StaticString = "Sums the words of a named stream."
        @Parameter("size", "trials in a block", in: 16...64) var size = 32
        @Parameter("wasted", "words that the trial draws first", in: 0...9) var wasted = 0
        var blockSize: Int { size }

        struct Tally: SimulationTally {
            var words = ExactSum()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("words", &words) }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            for _ in 0..<wasted { _ = random.next() }
            var arrivals = random.stream("arrivals")
            tally.words.add(Int(arrivals.next()))
        }

        static var readings: [ReadingRule<Witness>] { derived("words") { _, tally, _ in tally.words.value } }
    }

    /// A named stream of a trial.
    private func named(_ name: StaticString, seed: UInt64, trial: UInt64) -> RandomStream {
        var random = stream(seed)
        random.origin = StreamOrigin(seed: seed, trial: trial)
        return random.stream(name)
    }

    /// Blocks of all sizes, whatever the trials draw from their own streams.
    @Test(arguments: [16, 32, 64], [0, 5])
    func aNamedStreamFollowsFromTheTrialsNumber(size: UInt64, wasted: UInt64) throws {
        let witness = try AnySimulation(Witness.self, source: "").prepared([size, wasted])
        for trials in [1, 15, 16, 17, 100, 333] as [UInt64] {
            let blocks = 0..<(trials + size - 1) / size
            let reply = witness.run(ChunkRequest(seed: 7, blocks: blocks, trials: trials)) { false }
            var tally = Witness.Tally()
            for trial in 0..<trials {
                var arrivals = named("arrivals", seed: 7, trial: trial)
                tally.words.add(Int(arrivals.next()))
            }
            #expect(reply.slots == tally.slots(5), "\(trials) trials")
        }
    }

    /// Computed by the recomputation in Python.
    @Test func theNamedStreamsAreTheseWords() {
        var random = named("arrivals", seed: 1, trial: 0)
        #expect([random.next(), random.next(), random.next()] == [0x27af_818b, 0x4334_ef9d, 0x7e54_7a7b])
        var far = named("an ünusual name", seed: .max, trial: 9)
        #expect([far.next(), far.next()] == [0xebf5_857b, 0x58e9_5c4f])
    }

    @Test func aMirrorDrawsTheRestToOne() {
        var random = stream(3)
        var mirror = random.mirrored()
        for _ in 0..<1000 {
            #expect(random.unit() + mirror.unit() == 1 - 0x1p-53)
            #expect((random.normal() + mirror.normal()).magnitude < 1e-13)
            #expect(random.coin() != mirror.coin())
            #expect(random.below(1000) + mirror.below(1000) == 999)
        }
        var back = mirror.mirrored()
        #expect(back.next() == random.next())
    }

    /// A draw that is drawn again, in a stream and in its mirror, is that of the words.
    @Test func aMirrorDrawsAgainFromItsOwnWords() {
        var again = 0
        for seed in 0..<50 as Range<UInt64> {
            var (mirror, words) = (stream(seed).mirrored(), stream(seed))
            for _ in 0..<20 {
                var product: UInt64
                repeat {
                    product = UInt64(~words.next()) * 3_000_000_000
                    again += 1
                } while product & 0xffff_ffff < (1 << 32) % 3_000_000_000
                #expect(mirror.below(3_000_000_000 as UInt32) == UInt32(product >> 32))
            }
        }
        #expect(again > 1200)
    }
}
