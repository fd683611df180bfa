import PotluckRanks
import PotluckSystem

extension RankOrder {
    /// The most memory of a rank on this node, in bytes. All its ranks together get no more than the machine has.
    package var memoryOfRank: Int { min(program.memory, SystemMemory.physical / map.ranks(of: own).count) }
}
