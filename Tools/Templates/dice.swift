import PotluckKit

/// How often do some dice all show the same number? Replace this with your own question.
struct ExampleName: Simulation {
    // The name for `potluck run`, and a line that says what the simulation computes.
    static let name: StaticString = "example-name"
    static let summary: StaticString = "How often do all dice show the same number?"

    // Parameters, set with: `potluck run example-name.swift -p sides=20`.
    @Parameter("dice", "how many dice", in: 2...10) var dice = 2
    @Parameter("sides", "sides of each die", in: 2...100) var sides = 6

    // What the trials count. There are also Moments, Quantiles, Histogram, Counts for categories, Series for a curve, and
    // more. All merge exactly, so the result is the same on one laptop and on twenty.
    struct Tally: SimulationTally {
        var same = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("same", &same)
        }
    }

    // One trial. Take random numbers only from `random`, and keep no state between trials except the tally.
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let first = random.below(sides)
        var isSame = true
        for _ in 1..<dice {
            let next = random.below(sides)
            note("\(first) and \(next)")  // shown by `potluck trial`; off in other runs
            if next != first { isSame = false }
        }
        tally.same.add(isSame)
    }

    // The numbers to show, with the exact answer if you know it.
    static var readings: [ReadingRule<ExampleName>] {
        proportion("same", { $0.same }, exact: { pow(1 / Double($0.sides), Double($0.dice - 1)) })
    }
}
