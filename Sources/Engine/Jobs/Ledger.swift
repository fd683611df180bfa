import PotluckCore
import PotluckKit

/// A coordinator's knowledge of a job's blocks: which are free, which are lent to which node, and the exact tally of
/// those done.
///
/// Blocks are done in *intervals*, from checkpoint to checkpoint. The blocks up to the first gap are *settled*:
/// for each interval and node they are one tally and a few ranges. So the ledger stays small, a stop rule sees the
/// tally of exactly its blocks, and the share of a node that brought wrong results can be taken out. Pieces that are
/// done beyond a gap are *loose*.
///
/// `+Lending` lends blocks, `+Done` counts results, `+Cut` ends a job early, `+Kept` handles journals and replicas.
struct Ledger: Sendable {
    /// Blocks that were handed out or set apart, and are free again.
    struct Returned: Sendable {
        var blocks: Range<UInt64>
        /// The nodes that failed at these blocks. They get them again only if there is no other node.
        var failedOn: [NodeID] = []
    }

    /// The part of an interval, settled or shared, that one node has done.
    struct Share: Sendable {
        let node: NodeID
        var tally: [UInt64]
        var ranges: [Range<UInt64>] = []
    }

    /// A checkpoint that was just reached.
    struct Passed: Sendable {
        let checkpoint: Int
        let trials: UInt64
        let tally: [UInt64]
    }

    let experiment: Experiment
    let layout: TallyLayout
    /// The number of trials of the whole job; nil if it is not fixed.
    let trials: UInt64?
    /// The first block that is computed here: 0, or where the job's slice begins.
    let first: UInt64
    /// The end of the job's blocks: of all its trials or of its slice, or earlier once it is cut. No sum of blocks or
    /// trials below it overflows, so blocks that other nodes name are compared with it first.
    var end: UInt64

    /// Whether a search was stopped: its open blocks are given up, and all done blocks count.
    var isGivenUp = false

    /// The first block that was never handed out nor set apart for a node.
    var fresh: UInt64 = 0
    /// Free blocks below `fresh`, in order.
    var returned: [Returned] = []
    var extents = Extents()
    var loans = Loans()

    /// The blocks that an earlier coordinator settled, and their tally. It is not known which nodes computed them.
    var base: SettledTally
    /// The blocks first ..< settled are done.
    var settled: UInt64 = 0
    /// The tally of the settled blocks; out of date while the ledger is patched.
    var settledTally: [UInt64]
    /// The shares of each interval, by the number of the checkpoint at its end.
    var intervals: [[Share]] = []
    /// Pieces that are done beyond a gap, in order.
    var loose: ArraySlice<BlockTally> = []
    /// The tally of all that is done, gaps or not, and how many trials that is.
    var total: [UInt64]
    var totalTrials: UInt64 = 0
    /// The next checkpoint to be reached.
    var checkpoint = 0
    /// The end of the blocks that may be shared beyond a gap because a share was taken out; at most `settled` if there
    /// are none.
    var patchEnd: UInt64 = 0
    /// Loose pieces of one node that touch are joined up to this many blocks.
    var grain: UInt64 = 1

    /// Makes a ledger. `base` is what an earlier coordinator settled.
    init(_ experiment: Experiment, layout: TallyLayout, goal: Goal, base: SettledTally? = nil) {
        self.experiment = experiment
        self.layout = layout
        trials = goal.trials
        let range = experiment.range(of: goal)
        first = range.lowerBound
        let base = base ?? SettledTally(blocks: first, tally: layout.empty)
        self.base = base
        end = range.upperBound
        settled = base.blocks
        fresh = base.blocks
        checkpoint = Checkpoint.after(base.blocks)
        settledTally = base.tally
        total = base.tally
        totalTrials = trials(in: first..<base.blocks)
    }

    // MARK: State

    /// Whether the tables agree with each other. All guarantees about results depend on that.
    var isSound: Bool {
        return settled <= end && fresh <= end && first <= base.blocks && base.blocks <= settled
            && loans.isSound && extents.isSound
    }

    var isComplete: Bool { isGivenUp ? loans.isEmpty : settled == end }

    var isPatched: Bool { settled < patchEnd }

    var settledTrials: UInt64 { trials(in: first..<settled) }

    /// The trials of the result, once the job is complete.
    var resultTrials: UInt64 { isGivenUp ? totalTrials : settledTrials }

    /// The number of blocks still to be handed out; practically endless for a job without an end.
    var left: UInt64 {
        var left = end - fresh + extents.blocks
        for range in returned { left += UInt64(range.blocks.count) }
        return left
    }

    var hasLoans: Bool { !loans.isEmpty }

    /// Returns the number of chunks that a node has in hand.
    func count(heldBy node: NodeID) -> Int { loans.attempts(heldBy: node).count }

    /// Returns the number of trials in these blocks. The last block of a job may be short.
    func trials(in blocks: Range<UInt64>) -> UInt64 { experiment.trials(in: blocks, of: trials) }
}

extension BlockTally {
    /// Adds the next piece and returns true if both are neighbours, in this order, of one node and between the same
    /// checkpoints.
    mutating func join(_ next: BlockTally, _ layout: TallyLayout) -> Bool {
        guard node == next.node, blocks.upperBound == next.blocks.lowerBound else { return false }
        let both = blocks.lowerBound..<next.blocks.upperBound
        guard Ledger.liesInOneInterval(both) else { return false }
        blocks = both
        layout.merge(next.tally, into: &tally)
        return true
    }
}
