import PotluckKit

/// Fills an array until there is no memory.
struct Hungry: Simulation {
    static let name: StaticString = "hungry"
    static let summary: StaticString = "Fills an array."

    struct Tally: SimulationTally {
        var full = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("full", &full) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let numbers = [Double](repeating: random.unit(), count: 100_000 + random.below(1000) * 1000)
        tally.full.add(numbers[numbers.count / 2] > 0.5)
    }

    static var readings: [ReadingRule<Hungry>] { proportion("full", { $0.full }) }
}
