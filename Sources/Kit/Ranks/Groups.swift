extension Communicator {
    /// Divides the ranks into groups. The ranks that give the same color form a new communicator, in the order of their
    /// keys, and in their order here if keys are equal. All ranks of this communicator must call it.
    public func split(color: Int, key: Int = 0) -> Communicator {
        guard let group = split(color: Optional(color), key: key) else {
            world.fail("split", "there is no group of color ", color)
        }
        return group
    }

    /// Divides the ranks into groups as the other `split` does. A rank without a color is in no group and gets nil.
    public func split(color: Int?, key: Int = 0) -> Communicator? {
        let choices = allGather(Choice(color: color, key: key, highest: world.highest))
        let number = choices.reduce(0) { max($0, $1.highest) } + 1
        guard let color else { return nil }
        let ranks = choices.indices.filter { choices[$0].color == color }
            .sorted { (choices[$0].key, $0) < (choices[$1].key, $1) }
        guard let own = ranks.firstIndex(of: rank) else { return nil }
        return Communicator(world, number: number, members: ranks.map { members[$0] }, rank: own)
    }

    /// Returns a communicator of the same ranks, whose messages are separate: for example for the calls of a library. All
    /// ranks must call it.
    public func duplicate() -> Communicator {
        Communicator(world, number: allReduce(world.highest, max) + 1, members: members, rank: rank)
    }
}

/// The choice of a rank in `split`.
private struct Choice: BitwiseCopyable {
    let color: Int?
    let key: Int
    /// The highest number of its communicators.
    let highest: Int
}
