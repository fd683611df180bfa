import PotluckCore
import PotluckEngine
import PotluckKit

/// The simulations that virtual nodes compute. A block's tally is a hash of its seed and number. So a missing or
/// repeated block shows, and the tally of any range of blocks is known without computing it.
enum VirtualSimulation: String, CaseIterable {
    /// Works as a simulation should.
    case even
    /// Fails at one of its blocks, on every node.
    case trap
    /// Is not repeatable: its tallies depend on how many blocks the laptop has computed before.
    case moody
    /// Is missing on some nodes.
    case rare
    /// Is built in nowhere, so its module travels.
    case plugin
    /// Is a search; see `VirtualSearch`.
    case search

    /// Whether every node can compute it, even one whose character `lacks` simulations.
    var isEverywhere: Bool { self != .rare && self != .plugin }

    struct Tally: SimulationTally {
        var trials = Count(), hits = Count(), mark = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("trials", &trials)
            visitor.field("hits", &hits)
            visitor.field("mark", &mark)
        }
    }

    static let layout = TallyLayout(of: Tally.self)
    static let title = JobTitle(
        summary: "hits of a hash", counts: [JobTitle.Count(name: "hits", slot: 1)])

    static func facts(_ experiment: Experiment) -> JobFacts {
        guard experiment.kind != .search else { return VirtualSearch.facts }
        return JobFacts(layout: layout, blockSize: experiment.blockSize, title: title, writes: true)
    }

    private static let source = String(repeating: "0", count: 64)

    static func experiment(
        _ simulation: VirtualSimulation, seed: UInt64, blockSize: UInt64, cost: Duration, trap: UInt64 = .max
    ) -> Experiment {
        Experiment(
            simulation: SimulationIdentity(
                name: simulation.rawValue, source: source, streams: RandomStream.version),
            parameters: [UInt64(clamping: cost.nanoseconds), trap], seed: seed, blockSize: blockSize)
    }

    /// Returns the readings of a tally: the share of trials that hit, which converges to a quarter, and that of the others,
    /// whose interval is as wide but is a smaller part of its value.
    static func readings(_ tally: [UInt64], trials: UInt64) -> [Reading] {
        guard trials > 0, tally.count == layout.slots else { return [] }
        let n = Double(trials)
        let p = Double(tally[1]) / n
        // A liar may report more hits than trials.
        let half = 1.96 * max(0, p * (1 - p) / n).squareRoot()
        return [
            Reading(
                name: "hits", kind: .proportion, value: p, interval: (p - half)...(p + half), exact: 0.25,
                varies: p > 0 && p < 1),
            Reading(
                name: "misses", kind: .proportion, value: 1 - p, interval: (1 - p - half)...(1 - p + half), exact: 0.75,
                varies: p > 0 && p < 1),
        ]
    }
}

extension Experiment {
    var kind: VirtualSimulation? { VirtualSimulation(rawValue: simulation.name) }

    /// The time that a core of normal speed takes for a block.
    var cost: Duration { .nanoseconds(Int64(clamping: parameters.first ?? 1)) }

    /// Whether all blocks write the same bytes.
    var writesAlike: Bool { seed >> 3 & 3 == 0 }

    /// The number of bytes that a block writes: almost none, few, or so many that chunks end early.
    var octets: Int {
        switch seed >> 5 & 15 {
        case 0: 1
        case 1: 700_000
        case 2: 5_000
        default: 40
        }
    }

    /// Returns a seed of an experiment whose output is wanted and so large that chunks end early.
    static func collecting(_ seed: UInt64) -> UInt64 { seed & ~0x1ff | 0x2c }

    static func writesMuch(_ seed: UInt64) -> Bool { seed >> 5 & 15 == 1 }

    /// The most blocks of a chunk: it ends once it has written as much as the kit allows.
    var mostInChunk: UInt64 { UInt64((Block.mostWritten + octets - 1) / octets) }

    /// The time that a reading takes; nil if readings are fast.
    var slowReading: Duration? { seed >> 9 & 15 == 0 ? .milliseconds(300) : nil }

    /// The block that fails; `.max` if none does.
    var trap: UInt64 { kind == .trap ? parameters.last ?? .max : .max }
}

/// The correct tallies of one seed, computed as far as needed.
struct Truth {
    /// More blocks than any virtual job has. A request for more is an error.
    static let most: UInt64 = 1 << 21

    let seed: UInt64
    let blockSize: UInt64
    /// Running totals: element n is the sum over the first n blocks.
    private var hits: [UInt64] = [0]
    private var marks: [UInt64] = [0]

    init(_ experiment: Experiment) {
        seed = experiment.seed
        blockSize = experiment.blockSize
    }

    private static func word(_ seed: UInt64, _ block: UInt64) -> UInt64 {
        var generator = SeededGenerator(seed: seed ^ (block &* 0xd1b5_4a32_d192_ed03))
        return generator.next()
    }

    private static func block(_ seed: UInt64, _ block: UInt64, trials: UInt64) -> (hits: UInt64, mark: UInt64) {
        let word = word(seed, block)
        let mask: UInt64 = trials >= 64 ? .max : (1 << trials) - 1
        let bits = word & (word >> 32 | word << 32) & mask
        var generator = SeededGenerator(seed: word ^ trials)
        return (UInt64(bits.nonzeroBitCount), generator.next() >> 33)
    }

    private mutating func extend(to blocks: UInt64) {
        while hits.count <= Int(blocks) {
            let next = Self.block(seed, UInt64(hits.count - 1), trials: blockSize)
            hits.append(hits[hits.count - 1] + next.hits)
            marks.append(marks[marks.count - 1] + next.mark)
        }
    }

    /// Returns the tally of a range of blocks of a job with this many trials; nil `trials` means that every block is
    /// full. Returns nil if the range exceeds `most`.
    mutating func tally(of blocks: Range<UInt64>, trials: UInt64?) -> [UInt64]? {
        guard blocks.upperBound <= Self.most else { return nil }
        guard !blocks.isEmpty else { return VirtualSimulation.layout.empty }
        let last = blocks.upperBound - 1
        let left = trials.map { $0 > last * blockSize ? $0 - last * blockSize : 0 } ?? blockSize
        guard left < blockSize else {
            extend(to: blocks.upperBound)
            let (low, high) = (Int(blocks.lowerBound), Int(blocks.upperBound))
            return [UInt64(blocks.count) * blockSize, hits[high] - hits[low], marks[high] - marks[low]]
        }
        extend(to: last)
        let short = Self.block(seed, last, trials: left)
        let (low, high) = (Int(blocks.lowerBound), Int(last))
        return [
            UInt64(blocks.count - 1) * blockSize + left, hits[high] - hits[low] + short.hits,
            marks[high] - marks[low] + short.mark,
        ]
    }

    /// Returns the tally of the first `trials` trials.
    mutating func tally(of trials: UInt64) -> [UInt64]? {
        let blocks = trials / blockSize + (trials % blockSize == 0 ? 0 : 1)
        return tally(of: 0..<blocks, trials: trials)
    }

    /// Returns the number of trials at which a run on one machine would reach the goal's precision. Returns nil if it
    /// has no such goal, or if it first reaches its number of trials or `most`.
    mutating func precise(_ goal: Goal) -> UInt64? {
        guard let precision = goal.precision else { return nil }
        for k in 0..<224 {
            let blocks = Checkpoint.blocks(k)
            guard blocks <= Self.most, goal.trials.map({ blocks * blockSize < $0 }) ?? true,
                let tally = tally(of: 0..<blocks, trials: nil)
            else { return nil }
            let trials = blocks * blockSize
            if precision.isReached(by: VirtualSimulation.readings(tally, trials: trials)) { return trials }
        }
        return nil
    }
}

extension ChunkOutcome {
    /// The number of trials: the first slot of a virtual tally, unless it is that of a search.
    var trials: UInt64 {
        guard case .done(let result) = self, result.tally.count == VirtualSimulation.layout.slots else { return 0 }
        return result.tally[0]
    }
}
