import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A ledger stays small, however long its job is.
@Suite struct LedgerSizeTests {
    /// A node with one core, which computes its two chunks in turn.
    private struct Laptop {
        let node: NodeID
        /// In blocks per second.
        let speed: Double
        var chunks: [(attempt: UInt64, blocks: Range<UInt64>)] = []
        /// When the first of its chunks will be done.
        var done = Instant.start
    }

    /// Thirty laptops that compute one job. Every ten seconds one of them leaves and rejoins at once.
    private struct Classroom {
        static let blockSize: UInt64 = 1 << 16
        var ledger: Ledger
        var laptops: [Laptop]
        var now = Instant.start
        private var random = RandomStream(seed: 1, block: 0, lane: 0)
        private var nextLoss = Instant.start + .seconds(10)

        init(_ trials: UInt64) {
            let simulation = VirtualNode.order(seed: 1, goal: Goal()).experiment.simulation
            let experiment = Experiment(
                simulation: simulation, parameters: [], seed: 1, blockSize: Self.blockSize)
            ledger = Ledger(experiment, layout: VirtualNode.facts.layout, goal: Goal(trials: trials))
            laptops = []
            for number in 0..<30 {
                let node = NodeID(firstOctetsOf: [UInt8](repeating: UInt8(number + 1), count: 16))
                let speed = random.real(in: 0.2..<1.8) * 4e12 / Double(Self.blockSize) / 30
                laptops.append(Laptop(node: node, speed: speed))
            }
            for index in laptops.indices { fill(index) }
        }

        /// The number of entries in all lists of the ledger.
        var size: Int {
            let ranges = ledger.intervals.joined().reduce(0) { $0 + 1 + $1.ranges.count }
            return ranges + ledger.loose.count + ledger.returned.count + ledger.loans.count
                + ledger.extents.nodes.count
        }

        /// Handles the next result. Returns false if no laptop computes.
        mutating func step() -> Bool {
            let busy = laptops.indices.filter { !laptops[$0].chunks.isEmpty }
            guard let next = busy.min(by: { laptops[$0].done < laptops[$1].done }) else { return false }
            now = laptops[next].done
            let chunk = laptops[next].chunks.removeFirst()
            let tally = UInt64(chunk.blocks.count)
            _ = ledger.count(chunk.attempt, by: laptops[next].node, end: chunk.blocks.upperBound, tally: [tally])
            if let following = laptops[next].chunks.first {
                laptops[next].done = now + time(following.blocks, laptops[next])
            }
            if now >= nextLoss {
                nextLoss = now + .seconds(10)
                let lost = Int(random.below(30))
                ledger.release(allOf: laptops[lost].node)
                laptops[lost].chunks = []
            }
            while ledger.advance() != nil {}
            for index in laptops.indices where laptops[index].chunks.count < 2 { fill(index) }
            return true
        }

        private mutating func fill(_ index: Int) {
            while laptops[index].chunks.count < JobLimits.chunksPerCore {
                let laptop = laptops[index]
                let size = max(1, UInt64(laptop.speed * Pace.target.seconds))
                let share = UInt64(laptop.speed * ((now - .start) / JobLimits.extentPart).seconds)
                ledger.grain = max(size, share / 4)
                guard
                    let lent = ledger.lend(
                        to: laptop.node, atMost: size, extent: max(size, share), capable: laptops.map(\.node), now: now)
                else { return }
                if laptop.chunks.isEmpty { laptops[index].done = now + time(lent.blocks, laptop) }
                laptops[index].chunks.append((lent.attempt, lent.blocks))
            }
        }

        private mutating func time(_ blocks: Range<UInt64>, _ laptop: Laptop) -> Duration {
            .seconds(Double(blocks.count) / laptop.speed * random.real(in: 0.8..<1.25))
        }
    }

    /// The laptops compute 10¹⁵ trials in five minutes.
    @Test func ofTenToTheFifteenthTrials() {
        let trials: UInt64 = 1_000_000_000_000_000
        var room = Classroom(trials)
        /// The ledger's size, sampled once a second.
        var sizes: [(at: Instant, size: Int)] = []
        while !room.ledger.isComplete, room.step() {
            if sizes.last.map({ room.now - $0.at >= .seconds(1) }) ?? true { sizes.append((room.now, room.size)) }
        }
        #expect(room.ledger.isComplete && room.ledger.total == [room.ledger.experiment.blocks(for: trials)])
        // The size grows with the logarithm of the time, a little faster because of chunks that change hands near
        // checkpoints. So the last nine tenths of the time add hardly more than the nine hundredths before.
        func largest(by part: Int) -> Int {
            sizes.prefix(max(1, sizes.count / part)).map(\.size).max() ?? 0
        }
        let (early, middle, late) = (largest(by: 100), largest(by: 10), largest(by: 1))
        #expect(late - middle < 3 * (middle - early))
        #expect(late < 400 * room.laptops.count)
        #expect(room.ledger.intervals.count < 150)
    }
}
