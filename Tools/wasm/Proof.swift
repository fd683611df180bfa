import PotluckKit

/// What two builds of one simulation must agree on: a hash over the tally of one block with standard parameters.
func proof<S: Simulation>(of _: S.Type, seed: UInt64, block: UInt64, trials: Int) -> UInt64 {
    let simulation = S()
    var tally = S.Tally()
    simulation.run(block: block, trials: min(trials, simulation.blockSize), seed: seed, into: &tally)
    var counter = SlotCounter()
    tally.visit(&counter)
    // FNV-1a, eight octets at a time.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for slot in tally.slots(counter.slots) + [UInt64(S.readings.count)] {
        hash = (hash ^ slot) &* 0x0000_0100_0000_01b3
        hash ^= hash &>> 32
    }
    return hash
}

private struct SlotCounter: TallyVisitor {
    var slots = 0

    mutating func field<A: Accumulator>(_: StaticString, _: inout A) {
        A.rules { rule, count in slots += rule.slots * count }
    }
}
