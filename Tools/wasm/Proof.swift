import PotluckKit

/// A hash of the tally of one block with standard parameters. Two builds of a simulation must agree on it.
func proof<S: Simulation>(of _: S.Type, seed: UInt64, block: UInt64, trials: Int) -> UInt64 {
    let simulation = S()
    var tally = S.Tally()
    simulation.run(block: block, trials: min(trials, simulation.blockSize), seed: seed, into: &tally)
    return hash(of: S.self, tally, [])
}

/// The same for a gathering, over its tally and its output. A gathering has only so many blocks, so `block` is taken
/// modulo their number.
func proof<G: Gathering>(of _: G.Type, seed: UInt64, block: UInt64, trials: Int) -> UInt64 {
    var gathering = G()
    precondition(gathering.prepare([Table](repeating: .empty, count: G.inputs.count)) == nil)
    let blocks = (gathering.units - 1) / UInt64(gathering.blockSize) + 1
    var tally = G.Tally()
    var output = Output()
    gathering.run(block: block % blocks, most: UInt64(trials), seed: seed, output: &output, into: &tally)
    return hash(of: G.self, tally, output.octets)
}

/// The same for a search, over the best solution after so many nodes and the place where the walk ended. A search has no
/// seed and no blocks.
func proof<S: Search>(of _: S.Type, seed: UInt64, block: UInt64, trials: Int) -> UInt64 {
    var search = S()
    precondition(search.prepare([Table](repeating: .empty, count: S.inputs.count)) == nil)
    let reply = search.run(SearchRequest(points: 0..<SearchSpace.points, budget: UInt64(trials)))
    let found = [reply.end, reply.expanded, UInt64(bitPattern: reply.best.key), reply.best.point]
    return hash(found + reply.path.map { UInt64($0) })
}

private func hash<W: Work>(of _: W.Type, _ tally: W.Tally, _ octets: [UInt8]) -> UInt64 {
    return hash(tally.slots(W.Tally.slotCount) + [UInt64(W.readings.count)] + octets.map { UInt64($0) })
}

/// FNV-1a, one 64-bit word at a time.
private func hash(_ words: [UInt64]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for word in words {
        hash = (hash ^ word) &* 0x0000_0100_0000_01b3
        hash ^= hash &>> 32
    }
    return hash
}
