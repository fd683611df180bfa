import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// Checks the result of a run at small cost, with a part of the checks of `potluck check`. It compares the readings with their
/// exact answers, and their intervals with the differences between parts of the trials.
public struct ResultCheck {
    /// Sentences about what is wrong or doubtful.
    public private(set) var warnings: [String] = []

    private let simulation: PreparedSimulation
    private let seed: UInt64

    /// The trials of a part: the first ones of a block, or several small blocks. With fewer, intervals are Student's.
    private static let size = Reading.fewTrials
    /// So many parts show an interval that is a third too narrow, nearly always.
    private static let mostParts: UInt64 = 256
    /// Nanoseconds that may be spent on parts. Nobody notices them at the end of a run.
    private static let allowance: Int64 = 100_000_000
    /// The part of a longer run's time that may be spent on them.
    private static let share: Int64 = 50

    /// `simulation` gave this tally of so many trials, in a run that took so long.
    public init(
        _ simulation: PreparedSimulation, seed: UInt64, trials: UInt64, tally: [UInt64], elapsed: Duration
    ) {
        (self.simulation, self.seed) = (simulation, seed)
        let readings = simulation.read(tally, trials)
        guard trials > 0, !readings.contains(where: \.isSpoilt) else { return }
        let most = max(Self.allowance, elapsed.nanoseconds / Self.share)
        let isSampled = simulation.units == nil
        let parts = isSampled ? parts(min(Self.mostParts, trials / Self.size), seed, within: most) : []
        let check = ReadingCheck(simulation, blocks: parts, size: Self.size, whole: tally, trials: trials) {
            ignoresSeed
        }
        warnings = check.findings.filter { $0.grade != .kept }.map(\.text)
        if isSampled, ignoresSeed(readings, parts, within: most) { warnings.append(CheckText.ignoresSeed) }
    }

    /// The tallies of so many parts. Returns fewer if they take longer than so many nanoseconds.
    private func parts(_ count: UInt64, _ seed: UInt64, within most: Int64) -> [[UInt64]] {
        let end = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) + most
        let blockSize = UInt64(simulation.blockSize)
        let each = max(1, Self.size / blockSize)
        var parts: [[UInt64]] = []
        for first in stride(from: 0, to: count * each, by: Int(each)) {
            guard nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) < end else { break }
            let request = ChunkRequest(
                seed: seed, blocks: first..<first + each, trials: first * blockSize + Self.size)
            let reply = simulation.run(request) { false }
            guard reply.failure == nil else { return [] }
            parts.append(reply.slots)
        }
        return parts
    }

    /// Whether the parts are the same with another seed, although something happened in them, and nothing in the result
    /// varied. What happens seldom is in no part, with any seed.
    private func ignoresSeed(_ readings: [Reading], _ parts: [[UInt64]], within most: Int64) -> Bool {
        guard let first = parts.first, first != simulation.layout.empty, parts.allSatisfy({ $0 == first }),
            readings.allSatisfy({ !$0.varies || $0.interval == nil })
        else { return false }
        let others = self.parts(UInt64(parts.count), seed &+ 1, within: most)
        return others.allSatisfy { $0 == first }
    }

    /// Whether the first block of work that is computed once in a run is the same with another seed.
    private var ignoresSeed: Bool {
        if simulation.search != nil { return true }
        let replies = [seed, seed &+ 1].map { seed in
            simulation.run(ChunkRequest(seed: seed, blocks: 0..<1, trials: simulation.units)) { false }
        }
        return replies[0] == replies[1]
    }
}
