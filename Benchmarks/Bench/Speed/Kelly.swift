import PotluckKit

/// A game with real numbers as an author would write it: a gambler bets a fifth of the money on a biased coin, as Kelly
/// (1956) advises. The benchmarks also build this file as a module.
struct Kelly: Simulation {
    static let name: StaticString = "kelly"
    static let summary: StaticString = "How often do a hundred bets double the money?"

    struct Tally: SimulationTally {
        var doubled = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("doubled", &doubled) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var money = 1.0
        for _ in 0..<100 { money *= choose(random.chance(0.6), 1.2, 0.8) }
        tally.doubled.add(money >= 2)
    }

    static var readings: [ReadingRule<Kelly>] { proportion("doubled", { $0.doubled }) }
}
