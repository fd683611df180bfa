import PotluckKit

/// Sometimes divides zero by zero.
struct Undefined: Simulation {
    static let name: StaticString = "undefined"
    static let summary: StaticString = "Adds what is not a number."

    struct Tally: SimulationTally {
        var sum = ExactSum()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("sum", &sum) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let drawn = random.below(1000)
        note("drew \(drawn)")
        tally.sum.add(Double(drawn) / Double(drawn))
    }

    static var readings: [ReadingRule<Undefined>] {
        derived("sum", { _, tally, _ in tally.sum.value })
    }
}
