import PotluckKit

// Simulations of single draws, as an author would write them.

struct Words: Simulation {
    static let name: StaticString = "words"
    static let summary: StaticString = "Adds up plain words."

    struct Tally: SimulationTally {
        var sum = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("sum", &sum) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { tally.sum.add(random.next()) }

    static var readings: [ReadingRule<Words>] {}
}

struct Dice: Simulation {
    static let name: StaticString = "dice"
    static let summary: StaticString = "Adds up what a die shows."
    @Parameter("sides", "sides of the die", in: 2...1_000_000) var sides = 6

    struct Tally: SimulationTally {
        var sum = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("sum", &sum) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        tally.sum.add(UInt32(truncatingIfNeeded: random.below(sides)))
    }

    static var readings: [ReadingRule<Dice>] {}
}

struct Chances: Simulation {
    static let name: StaticString = "chances"
    static let summary: StaticString = "Counts what happens three times in ten."

    struct Tally: SimulationTally {
        var happened = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("happened", &happened) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { tally.happened.add(random.chance(0.3)) }

    static var readings: [ReadingRule<Chances>] {}
}
