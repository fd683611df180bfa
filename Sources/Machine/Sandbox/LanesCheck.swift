import Glibc
import PotluckKit
import PotluckSystem

/// Compares the lanes of a simulation with its plain trials, and finds where they differ.
struct LanesCheck {
    /// Whether every tally was the same.
    var agrees: Bool { difference == nil }
    /// Where the tallies differ, for people; nil if they do not.
    private(set) var difference: String?

    private let lanes: PreparedSimulation
    private let plain: PreparedSimulation
    private let seed: UInt64

    /// Blocks of which each is computed in several lengths. The last one has a number of more than 32 bits.
    private static let blocks: [UInt64] = [0, 1, 2, 1 << 33]
    /// Lengths with whole rounds of sixteen trials and with each kind of rest.
    private static let lengths: [UInt64] = [16, 17, 31, 48, 160, 175]

    /// How many trials were compared.
    private(set) var trials: UInt64 = 0

    /// `lanes` and `plain` are the same simulation with the same parameters. After the lengths, whole blocks are compared until
    /// the thread has computed for `time` nanoseconds.
    init(_ lanes: PreparedSimulation, plain: PreparedSimulation, seed: UInt64, time: Int64 = 0) {
        self.lanes = lanes
        self.plain = plain
        self.seed = seed
        let size = UInt64(plain.blockSize)
        guard lanes.blockSize == plain.blockSize else {
            difference = CheckText.lanesSize
            return
        }
        for block in Self.blocks {
            // The shortest first, so that the first difference is in few trials.
            for length in Self.lengths.filter({ $0 < size }) + [size] where difference == nil {
                difference = compare(block, length)
                trials += length
            }
        }
        if difference == nil { many(until: nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) + time) }
    }

    /// Compares more and more blocks at once: an instance for each would take longer than its trials.
    private mutating func many(until end: Int64) {
        var next = Self.blocks[2] + 1
        var count: UInt64 = 1
        while difference == nil, nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) < end {
            let blocks = next..<next + count
            let (ours, theirs) = (run(lanes, blocks), run(plain, blocks))
            if let failure = ours.failure ?? theirs.failure {
                difference = failure.reason
            } else if ours.slots != theirs.slots {
                for block in blocks where difference == nil { difference = compare(block, UInt64(plain.blockSize)) }
                difference =
                    difference
                    ?? CheckText.lanesBlocks(
                        blocks: CheckText.together(first: next, last: next + count - 1), seed: seed)
            }
            trials += count * UInt64(plain.blockSize)
            (next, count) = (next + count, count * 2)
        }
    }

    private func run(_ simulation: PreparedSimulation, _ blocks: Range<UInt64>) -> ChunkReply {
        simulation.run(ChunkRequest(seed: seed, blocks: blocks, trials: nil)) { false }
    }

    private func compare(_ block: UInt64, _ length: UInt64) -> String? {
        let (ours, theirs) = (run(lanes, block, length), run(plain, block, length))
        if let failure = ours.failure ?? theirs.failure { return failure.reason }
        guard ours.slots != theirs.slots else { return nil }
        // Rounds of sixteen trials. Between 0, where nothing differs, and all, where something does, there is a first
        // one after which something differs.
        var (same, different) = (0 as UInt64, length / 16)
        while different - same > 1 {
            let middle = (same + different) / 2
            if differs(block, middle * 16) { different = middle } else { same = middle }
        }
        let rounds = differs(block, different * 16) ? different : 0
        let fields = fields(block, rounds == 0 ? length : rounds * 16)
        let place =
            rounds == 0
            ? CheckText.lanesRest(length: length)
            : CheckText.lanesRound(first: (rounds - 1) * 16, last: rounds * 16 - 1, number: rounds - 1)
        return CheckText.lanesPlace(fields: fields, place: place, block: block, seed: seed)
    }

    private func differs(_ block: UInt64, _ length: UInt64) -> Bool {
        run(lanes, block, length).slots != run(plain, block, length).slots
    }

    /// Returns the names of the fields that differ after this many trials.
    private func fields(_ block: UInt64, _ length: UInt64) -> String {
        let (ours, theirs) = (run(lanes, block, length).slots, run(plain, block, length).slots)
        let names = plain.layout.fields.filter { ours[$0.slots] != theirs[$0.slots] }.map(\.name)
        return names.count == 1 ? "\(names[0]) differs" : "\(names.joined(separator: ", ")) differ"
    }

    /// Runs the first `length` trials of a block.
    private func run(_ simulation: PreparedSimulation, _ block: UInt64, _ length: UInt64) -> ChunkReply {
        let trials = block * UInt64(simulation.blockSize) + length
        return simulation.run(ChunkRequest(seed: seed, blocks: block..<block + 1, trials: trials)) { false }
    }
}
