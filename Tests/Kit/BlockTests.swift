import PotluckKit
import Testing

/// Which trial gets which random words: blocks, lanes and short blocks.
@Suite struct BlockTests {
    /// Sums its words, so that the tally shows which words it drew, and so how many trials each lane ran.
    struct Witness: Simulation {
        static let name: StaticString = "witness"
        static let summary: StaticString = "Sums the words it sees."
        @Parameter("size", "trials in a block", in: 16...64) var size = 32
        var blockSize: Int { size }

        struct Tally: SimulationTally {
            var trials = Count(), words = ExactSum()
            mutating func visit(_ visitor: inout some TallyVisitor) {
                visitor.field("trials", &trials)
                visitor.field("words", &words)
            }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            tally.trials.add()
            tally.words.add(Int(random.next()))
        }

        static var readings: [ReadingRule<Witness>] { derived("words") { _, tally, _ in tally.words.value } }
    }

    /// Trial t of a block draws from lane t mod 16, after the earlier trials of this
    /// lane. This is an independent implementation.
    private func expected(_ trials: Int, size: Int, seed: UInt64, blocks: Range<UInt64>) -> [UInt64] {
        var tally = Witness.Tally()
        for block in blocks {
            var lanes = (0..<16).map { stream(seed, block, lane: $0) }
            for trial in 0..<min(size, max(0, trials - Int(block) * size)) {
                tally.trials.add()
                tally.words.add(Int(lanes[trial % 16].next()))
            }
        }
        return tally.slots(6)
    }

    private let witness = AnySimulation(Witness.self, source: "")

    @Test(arguments: [16, 32, 64]) func everyNumberOfTrialsRunsThatMany(size: Int) throws {
        let witness = try witness.prepared([UInt64(size)])
        for trials in 0...(2 * size + 18) {
            let blocks = 0..<UInt64((trials + size - 1) / size)
            let request = ChunkRequest(seed: 7, blocks: blocks, trials: UInt64(trials))
            let reply = witness.run(request) { false }
            #expect(reply.end == blocks.upperBound && reply.slots[0] == UInt64(trials))
            #expect(reply.slots == expected(trials, size: size, seed: 7, blocks: blocks), "\(trials) trials")
        }
    }

    /// Adds every kind of number to every accumulator.
    struct Mixture: Simulation {
        static let name: StaticString = "mixture"
        static let summary: StaticString = "Adds all kinds of numbers."
        var blockSize: Int { Block.smallest }
        typealias Tally = Everything
        func trial(_ random: inout RandomStream, _ tally: inout Everything) {
            for number in numbers(1, &random, wild: false) { tally.add(number) }
        }
        static var readings: [ReadingRule<Mixture>] { mean("mean") { $0.moments } }
    }

    @Test func everyWayToCutGivesTheSameBytes() throws {
        let mixture = try AnySimulation(Mixture.self, source: "").prepared([])
        for seed in 0..<100 as Range<UInt64> {
            var random = stream(seed, 70)
            let trials = UInt64(1 + random.below(400))
            let blocks = (trials + 15) / 16
            func run(_ blocks: Range<UInt64>) -> [UInt64] {
                mixture.run(ChunkRequest(seed: seed, blocks: blocks, trials: trials)) { false }.slots
            }
            let whole = run(0..<blocks)
            for pieces in [2, 3, 7, 1 + random.below(Int(blocks)), Int(blocks)] where pieces <= blocks {
                let cuts = random.sample(pieces - 1, of: 1..<blocks).sorted()
                var chunks = zip([0] + cuts, cuts + [blocks]).map { run($0..<$1) }
                random.shuffle(&chunks)
                var total = Everything().slots
                for chunk in chunks { mixture.layout.merge(chunk, into: &total) }
                #expect(total == whole, "seed \(seed), \(trials) trials, cut at \(cuts)")
            }
        }
    }

    @Test func blocksBeyondTheEndAreEmpty() throws {
        let witness = try witness.prepared([32])
        for blocks in [2..<4, 3..<7, (1 << 60)..<(1 << 60) + 2, .max - 1 ..< .max] as [Range<UInt64>] {
            let reply = witness.run(ChunkRequest(seed: 7, blocks: blocks, trials: 64)) { false }
            #expect(reply.end == blocks.upperBound && reply.slots == TallyLayout(of: Witness.Tally.self).emptySlots)
        }
    }

    @Test func withoutAnEndEveryBlockIsFull() throws {
        let witness = try witness.prepared([32])
        let far = witness.run(ChunkRequest(seed: 3, blocks: (1 << 40)..<(1 << 40) + 3, trials: nil)) { false }
        #expect(far.slots[0] == 96)
        #expect(far.slots != witness.run(ChunkRequest(seed: 3, blocks: 0..<3, trials: nil)) { false }.slots)
    }

    @Test func itStopsBetweenBlocks() throws {
        let witness = try witness.prepared([32])
        for stop in 0...5 {
            var asked = 0
            let reply = witness.run(ChunkRequest(seed: 3, blocks: 10..<14, trials: nil)) {
                asked += 1
                return asked > stop
            }
            #expect(reply.end == 10 + UInt64(min(stop, 4)))
            #expect(reply.slots == expected(.max, size: 32, seed: 3, blocks: 10..<reply.end))
        }
    }

    @Test func blocksFitTheWorkOfATrial() {
        #expect(Block.size(forTrialsOf: 0) == Block.largest && Block.size(forTrialsOf: 1) == Block.largest)
        #expect(Block.size(forTrialsOf: .max) == Block.smallest)
        for steps in 1...3000 {
            let size = Block.size(forTrialsOf: steps * steps)
            #expect(size.nonzeroBitCount == 1 && (Block.smallest...Block.largest).contains(size))
            #expect(size * steps * steps <= Block.steps || size == Block.smallest)
            #expect(2 * size * steps * steps > Block.steps || size == Block.largest)
        }
    }
}

extension TallyLayout {
    fileprivate var emptySlots: [UInt64] { [UInt64](repeating: 0, count: slots) }
}
