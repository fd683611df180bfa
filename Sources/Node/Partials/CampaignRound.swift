import PotluckCore
import PotluckKit
import PotluckScreen

/// The blocks that the shards of a round compute. They depend only on the results of the blocks before them. So the
/// same rounds follow wherever and however often a campaign is continued.
package struct CampaignRound: Equatable {
    /// The blocks for each shard of the first round, which shows how many trials are needed.
    private static let firstBlocks: UInt64 = 16
    /// A round has at most this many times the blocks of all before it, because the first estimates are rough.
    private static let most: Double = 64
    /// How many times the blocks a round has while no interval is known.
    private static let blind: Double = 8
    /// More than the estimate, so that most campaigns need no further round for the last percent.
    private static let margin = 1.05

    /// From 1 on.
    package let number: Int
    package let blocks: Range<UInt64>

    /// The first round.
    package init(of job: PartialRun.Job, shards: Int) {
        number = 1
        let end = job.experiment.mostBlocks(of: job.goal)
        let wanted = job.goal.precision == nil ? end : Self.firstBlocks * UInt64(shards)
        blocks = 0..<min(end, job.goal.precision == nil ? end : Self.checkpoint(from: wanted, below: end))
    }

    private init(number: Int, blocks: Range<UInt64>) { (self.number, self.blocks) = (number, blocks) }

    /// The round after this one, whose readings are not precise enough.
    package func next(_ job: PartialRun.Job, _ readings: [Reading]) -> CampaignRound {
        let done = Double(blocks.upperBound)
        var factor = Self.blind
        if let excess = job.goal.precision?.widest(of: readings)?.excess, excess > 0 {
            // An interval's width is proportional to 1/√trials.
            factor = min(excess * excess * Self.margin, Self.most)
        }
        let end = job.experiment.mostBlocks(of: job.goal)
        let wanted = UInt64(min(max(done * factor, done + 1), Double(end)))
        return CampaignRound(
            number: number + 1, blocks: blocks.upperBound..<Self.checkpoint(from: wanted, below: end))
    }

    /// The first checkpoint with at least that many blocks, because the stop rule is judged there.
    private static func checkpoint(from blocks: UInt64, below end: UInt64) -> UInt64 {
        guard blocks < end else { return end }
        return min(end, Checkpoint.blocks(Checkpoint.after(max(1, blocks) - 1)))
    }

    /// The part of a shard of this round; nil if there are fewer blocks than shards.
    package func part(_ number: ShardNumber) -> Range<UInt64>? {
        let part = number.part(of: blocks)
        return part.isEmpty ? nil : part
    }

    /// The name of a shard's partial file.
    package func name(of shard: ShardNumber) -> String { "round-\(number)-" + shard.fileName }
}
