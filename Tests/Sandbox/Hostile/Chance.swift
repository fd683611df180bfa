import PotluckKit

/// Draws from the system's random numbers, under their full name. The kit forbids the plain one.
struct Chance: Simulation {
    static let name: StaticString = "chance"
    static let summary: StaticString = "Draws from the system."

    struct Tally: SimulationTally {
        var even = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("even", &even) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var system = Swift.SystemRandomNumberGenerator()
        tally.even.add(system.next() % 2 == 0)
    }

    static var readings: [ReadingRule<Chance>] { proportion("even", { $0.even }) }
}
