import PotluckKit
import PotluckModel

/// The truth of one job: which blocks nobody has had, who holds which, and the exact tally of those done.
///
/// Blocks are done in *intervals*, from checkpoint to checkpoint. What is done in one piece from block 0 on is *settled*:
/// per interval and node it is one tally and a few ranges, so that the ledger stays small, stop rules see the tally of exactly
/// their blocks, and the share of a node that lied can be taken out again. What is done beyond a gap waits as loose pieces.
/// `+Lending` has what is handed out, `+Done` what comes back, `+Kept` how it outlives its coordinator.
struct Ledger: Sendable {
    /// Blocks that came back undone.
    struct Returned: Sendable {
        var blocks: Range<UInt64>
        /// Who failed at them, and is not asked again as long as there is somebody else.
        var failedOn: [NodeID] = []
    }

    /// Blocks that are handed out, to one node or, at the end, to several: the first result wins.
    struct Loan: Sendable {
        struct Holder: Sendable {
            let attempt: UInt64
            let node: NodeID
            let since: Instant
        }

        let blocks: Range<UInt64>
        var holders: [Holder]
        var failedOn: [NodeID] = []
    }

    /// What one node has done of an interval.
    struct Share: Sendable {
        let node: NodeID
        var tally: [UInt64]
        var ranges: [Range<UInt64>] = []
    }

    /// A checkpoint just reached.
    struct Passed: Sendable {
        let checkpoint: Int
        let trials: UInt64
        let tally: [UInt64]
    }

    let experiment: Experiment
    let layout: TallyLayout
    let trials: UInt64?
    /// All of the job's blocks: those of its trials, or fewer once it is cut. No sum of blocks or trials below it overflows, so
    /// what others say is compared with it before anything else is done.
    var end: UInt64

    /// The first block that was never handed out nor set apart for a node.
    var fresh: UInt64 = 0
    /// In order.
    var returned: [Returned] = []
    /// What is set apart for each node, so that what it does lies together.
    private(set) var extents = OrderedTable<NodeID, Range<UInt64>>()
    private var apart: UInt64 = 0
    /// By their first block.
    var loans: [UInt64: Loan] = [:]
    /// The first block of each attempt's loan.
    var attempts: [UInt64: UInt64] = [:]
    /// Each node's attempts, the oldest first.
    var held: [NodeID: [UInt64]] = [:]
    var lastAttempt: UInt64 = 0

    /// What an earlier coordinator settled. Whose it was is not known any more.
    var base: SettledTally
    /// The blocks 0 ..< settled are done.
    var settled: UInt64 = 0
    /// Their tally, as long as nothing is patched.
    var settledTally: [UInt64]
    /// By the number of the checkpoint at their end.
    var intervals: [[Share]] = []
    /// In order, all beyond a gap.
    var loose: ArraySlice<BlockTally> = []
    /// The tally of all that is done, gaps or not, and how many trials that is.
    var total: [UInt64]
    var totalTrials: UInt64 = 0
    /// The next checkpoint to be reached.
    var checkpoint = 0
    /// A share was taken out: there may be shares beyond a gap, up to this block.
    var patchEnd: UInt64 = 0
    /// Loose pieces of one node that touch are joined up to this many blocks.
    var grain: UInt64 = 1

    /// `base` is what an earlier coordinator settled.
    init(_ experiment: Experiment, layout: TallyLayout, goal: Goal, base: SettledTally? = nil) {
        self.experiment = experiment
        self.layout = layout
        trials = goal.trials
        let base = base ?? SettledTally(blocks: 0, tally: layout.empty)
        self.base = base
        end = experiment.mostBlocks(of: goal)
        settled = base.blocks
        fresh = base.blocks
        checkpoint = Checkpoint.after(base.blocks)
        settledTally = base.tally
        total = base.tally
        totalTrials = trials(in: 0..<base.blocks)
    }

    // MARK: Looking

    /// Whether its lists agree with each other: every law about results rests on that.
    var isSound: Bool {
        let lent = Set(loans.values.flatMap { $0.holders.map(\.attempt) })
        return settled <= end && fresh <= end && base.blocks <= settled
            && lent == Set(attempts.keys) && lent == Set(held.values.joined())
            && apart == extents.elements.reduce(0) { $0 + UInt64($1.value.count) }
    }

    var isComplete: Bool { settled == end }

    var isPatched: Bool { settled < patchEnd }

    var settledTrials: UInt64 { trials(in: 0..<settled) }

    /// How many blocks are still to be handed out; practically endless for a job without an end.
    var left: UInt64 {
        var left = end - fresh + apart
        for range in returned { left += UInt64(range.blocks.count) }
        return left
    }

    mutating func setApart(_ blocks: Range<UInt64>?, for node: NodeID) {
        apart -= UInt64(extents[node]?.count ?? 0)
        apart += UInt64(blocks?.count ?? 0)
        extents[node] = blocks
    }

    var hasLoans: Bool { !loans.isEmpty }

    /// How many of its chunks a node has in hand.
    func count(heldBy node: NodeID) -> Int { held[node]?.count ?? 0 }

    /// The last block of a job may be short.
    func trials(in blocks: Range<UInt64>) -> UInt64 {
        let size = experiment.blockSize
        guard let trials else { return UInt64(blocks.count) * size }
        let first = min(blocks.lowerBound * size, trials)
        return min(blocks.upperBound * size, trials) - first
    }
}

extension UInt64 {
    func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
