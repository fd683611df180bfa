import PotluckKit
import PotluckModel

/// The truth of one job: which blocks nobody has had, who holds which, and the exact tally of those done.
///
/// Blocks are handed out in order. What is done in one piece from block 0 on is *settled* and lives in one tally; what
/// is done beyond a gap waits as loose pieces, few because the gaps are only ever as old as the chunks under way. So a
/// job can end at any time with the settled tally, which is that of exactly its first blocks.
struct Ledger {
    struct Lease {
        let blocks: Range<UInt64>
        let node: NodeID
        let since: Instant
    }

    private struct Piece {
        let blocks: Range<UInt64>
        let tally: [UInt64]
    }

    /// A checkpoint just reached.
    struct Passed {
        let checkpoint: Int
        let trials: UInt64
        let tally: [UInt64]
    }

    let experiment: Experiment
    let layout: TallyLayout
    let trials: UInt64?
    /// All of the job's blocks, for one that has an end.
    private let end: UInt64

    /// The first block that was never handed out.
    private var fresh: UInt64 = 0
    /// What was handed out and came back undone, in order.
    private var returned: [Range<UInt64>] = []
    private(set) var leases: [AttemptID: Lease] = [:]
    private var attempts: UInt64 = 0

    /// The blocks 0 ..< settled are done, and this is their tally.
    private(set) var settled: UInt64 = 0
    private(set) var settledTally: [UInt64]
    private var loose: [Piece] = []
    private var checkpoint = 0

    init(_ spec: JobSpec) {
        experiment = spec.experiment
        layout = spec.layout
        trials = spec.goal.trials
        end = trials.map(spec.experiment.blocks) ?? .max
        settledTally = spec.layout.empty
    }

    // MARK: Handing out

    /// How many blocks are still to be handed out; practically endless for a job without an end.
    var left: UInt64 { returned.reduce(end - fresh) { $0 + UInt64($1.count) } }

    /// Lends the next blocks, at most `most` of them, never across a checkpoint.
    mutating func lend(to node: NodeID, atMost most: UInt64, job: JobID, now: Instant) -> Chunk? {
        guard let available = returned.first ?? (fresh < end ? fresh..<end : nil) else { return nil }
        let first = available.lowerBound
        let border = Checkpoint.blocks(Checkpoint.after(first))
        let blocks = first..<min(available.upperBound, border, first.addingClamped(max(1, most)))
        if returned.isEmpty {
            fresh = blocks.upperBound
        } else if blocks.upperBound == available.upperBound {
            returned.removeFirst()
        } else {
            returned[0] = blocks.upperBound..<available.upperBound
        }
        attempts += 1
        let attempt = AttemptID(job: job, number: attempts)
        leases[attempt] = Lease(blocks: blocks, node: node, since: now)
        return Chunk(attempt: attempt, blocks: blocks)
    }

    // MARK: Taking back

    /// Takes a result in, and tells how many trials it was, or nil where nobody was lent such a chunk: it came twice, or from
    /// a lease that has ended.
    mutating func settle(_ result: ChunkResult) -> (lease: Lease, trials: UInt64)? {
        guard let lease = leases[result.attempt], lease.blocks.lowerBound <= result.end,
            result.end <= lease.blocks.upperBound, result.tally.count == layout.slots
        else { return nil }
        leases[result.attempt] = nil
        let done = lease.blocks.lowerBound..<result.end
        giveBack(result.end..<lease.blocks.upperBound)
        if !done.isEmpty {
            let place = loose.firstIndex { $0.blocks.lowerBound > done.lowerBound } ?? loose.endIndex
            loose.insert(Piece(blocks: done, tally: result.tally), at: place)
        }
        return (lease, trials(in: done))
    }

    private mutating func giveBack(_ blocks: Range<UInt64>) {
        guard !blocks.isEmpty else { return }
        let place = returned.firstIndex { $0.lowerBound > blocks.lowerBound } ?? returned.endIndex
        returned.insert(blocks, at: place)
    }

    /// Settles the loose pieces that have no gap before them, one after the other, and stops where a checkpoint is reached,
    /// so that its tally can be judged. Nil when nothing more can be settled.
    mutating func advance() -> Passed? {
        while let piece = loose.first, piece.blocks.lowerBound == settled {
            loose.removeFirst()
            layout.merge(piece.tally, into: &settledTally)
            settled = piece.blocks.upperBound
            if settled == Checkpoint.blocks(checkpoint) {
                checkpoint += 1
                return Passed(checkpoint: checkpoint - 1, trials: trials(in: 0..<settled), tally: settledTally)
            }
        }
        return nil
    }

    // MARK: Looking

    var isComplete: Bool { settled == end }

    var settledTrials: UInt64 { trials(in: 0..<settled) }

    /// The tally of everything done, gaps or not, for views.
    var picture: (tally: [UInt64], trials: UInt64) {
        var tally = settledTally
        var count = settledTrials
        for piece in loose {
            layout.merge(piece.tally, into: &tally)
            count += trials(in: piece.blocks)
        }
        return (tally, count)
    }

    /// The last block of a job may be short.
    private func trials(in blocks: Range<UInt64>) -> UInt64 {
        guard let trials else { return UInt64(blocks.count) * experiment.blockSize }
        return min(blocks.upperBound * experiment.blockSize, trials) - blocks.lowerBound * experiment.blockSize
    }
}

extension UInt64 {
    func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
