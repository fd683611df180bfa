import PotluckKit
import PotluckModel
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

    /// Returns the number of entries in all lists of the ledger.
    private func size(_ ledger: Ledger) -> Int {
        let ranges = ledger.intervals.joined().reduce(0) { $0 + 1 + $1.ranges.count }
        return ranges + ledger.loose.count + ledger.returned.count + ledger.loans.count + ledger.extents.keys.count
    }

    /// Thirty laptops compute 10¹⁵ trials in five minutes. Every ten seconds one of them leaves and rejoins at once.
    @Test func ofTenToTheFifteenthTrials() {
        let blockSize: UInt64 = 1 << 16
        let plain = VirtualNode.order(seed: 1, goal: Goal())
        let experiment = Experiment(
            simulation: plain.experiment.simulation, parameters: [], seed: 1, blockSize: blockSize)
        let trials: UInt64 = 1_000_000_000_000_000
        var ledger = Ledger(experiment, layout: VirtualNode.facts.layout, goal: Goal(trials: trials))
        var random = RandomStream(seed: 1, block: 0, lane: 0)
        var laptops = (0..<30).map { number in
            Laptop(
                node: NodeID(firstOctetsOf: [UInt8](repeating: UInt8(number + 1), count: 16)),
                speed: random.real(in: 0.2..<1.8) * 4e12 / Double(blockSize) / 30)
        }
        let nodes = laptops.map(\.node)
        var now = Instant.start
        var nextLoss = Instant.start + .seconds(10)
        /// The ledger's size, sampled once a second.
        var sizes: [(at: Instant, size: Int)] = []
        func fill(_ laptop: inout Laptop) {
            while laptop.chunks.count < JobLimits.chunksPerCore {
                let size = max(1, UInt64(laptop.speed * Pace.target.seconds))
                let share = UInt64(laptop.speed * ((now - .start) / JobLimits.extentPart).seconds)
                ledger.grain = max(size, share / 4)
                guard
                    let lent = ledger.lend(
                        to: laptop.node, atMost: size, extent: max(size, share), able: nodes, now: now)
                else { return }
                if laptop.chunks.isEmpty { laptop.done = now + time(lent.blocks, laptop) }
                laptop.chunks.append((lent.attempt, lent.blocks))
            }
        }
        func time(_ blocks: Range<UInt64>, _ laptop: Laptop) -> Duration {
            .seconds(Double(blocks.count) / laptop.speed * random.real(in: 0.8..<1.25))
        }
        for index in laptops.indices { fill(&laptops[index]) }
        while !ledger.isComplete {
            guard
                let next = laptops.indices.filter({ !laptops[$0].chunks.isEmpty }).min(by: {
                    laptops[$0].done < laptops[$1].done
                })
            else { break }
            now = laptops[next].done
            let chunk = laptops[next].chunks.removeFirst()
            let tally = UInt64(chunk.blocks.count)
            _ = ledger.settle(chunk.attempt, by: laptops[next].node, end: chunk.blocks.upperBound, tally: [tally])
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
            for index in laptops.indices where laptops[index].chunks.count < 2 { fill(&laptops[index]) }
            if sizes.last.map({ now - $0.at >= .seconds(1) }) ?? true { sizes.append((now, size(ledger))) }
        }
        #expect(ledger.isComplete && ledger.total == [experiment.blocks(for: trials)])
        // The size grows with the logarithm of the time, a little faster because of chunks that change hands near
        // checkpoints. So the last nine tenths of the time add hardly more than the nine hundredths before.
        func largest(by part: Int) -> Int {
            sizes.prefix(max(1, sizes.count / part)).map(\.size).max() ?? 0
        }
        let (early, middle, late) = (largest(by: 100), largest(by: 10), largest(by: 1))
        #expect(late - middle < 3 * (middle - early))
        #expect(late < 400 * laptops.count)
        #expect(ledger.intervals.count < 150)
    }
}
