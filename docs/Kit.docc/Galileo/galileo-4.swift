import PotluckKit

/// Three dice: is a sum of 10 more likely than a sum of 9? Galileo was asked this by people who had played a lot.
struct Galileo: Simulation {
    static let name: StaticString = "galileo"
    static let summary: StaticString = "Three dice: is a sum of 10 more likely than a sum of 9?"

    @Parameter("dice", "dice in a throw", in: 1...10) var dice = 3

    struct Tally: SimulationTally {
        var nine = Count(), ten = Count()
        var sums = Histogram<61>(from: -0.5, to: 60.5)
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("nine", &nine)
            visitor.field("ten", &ten)
            visitor.field("sums", &sums)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var sum = 0
        for _ in 0..<dice { sum += random.integer(in: 1...6) }
        note("the dice add up to \(sum)")
        tally.nine.add(sum == 9)
        tally.ten.add(sum == 10)
        tally.sums.add(Double(sum))
    }

    static var readings: [ReadingRule<Galileo>] {
        proportion("nine", { $0.nine }, exact: { $0.dice == 3 ? 25.0 / 216 : nil })
        proportion("ten", { $0.ten }, exact: { $0.dice == 3 ? 27.0 / 216 : nil })
        histogram("sums") { $0.sums }
    }
}
