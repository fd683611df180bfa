import PotluckKit

/// Three dice: is a sum of 10 more likely than a sum of 9? Galileo was asked this by people who had played a lot.
struct Galileo: Simulation {
    static let name: StaticString = "galileo"
    static let summary: StaticString = "Three dice: is a sum of 10 more likely than a sum of 9?"

    @Parameter("dice", "dice in a throw", in: 1...10) var dice = 3

    struct Tally: SimulationTally {
        var nine = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("nine", &nine)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var sum = 0
        for _ in 0..<dice { sum += random.integer(in: 1...6) }
        tally.nine.add(sum == 9)
    }

    static var readings: [ReadingRule<Galileo>] {
        proportion("nine", { $0.nine })
    }
}
