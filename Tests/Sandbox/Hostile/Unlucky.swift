import PotluckKit

/// Sometimes accesses an element beyond the end of an array.
struct Unlucky: Simulation {
    static let name: StaticString = "unlucky"
    static let summary: StaticString = "Fails once in twenty thousand trials."

    var blockSize: Int { 1024 }

    struct Tally: SimulationTally {
        var small = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("small", &small) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let drawn = random.below(20_000)
        note("drew \(drawn)")
        let numbers = [1, 2, 3]
        tally.small.add(numbers[drawn == 77 ? 3 : drawn % 3] == 1)
    }

    static var readings: [ReadingRule<Unlucky>] { proportion("small", { $0.small }) }
}
