import PotluckKit

/// How far is a walker from home after each step? Replace this with your own question.
struct ExampleName: Simulation {
    // The name for `potluck run`, and a line that says what the simulation computes.
    static let name: StaticString = "example-name"
    static let summary: StaticString = "How far is a walker from home after each step?"

    // Parameters, set with: `potluck run example-name.swift -p right=0.6`.
    @Parameter("right", "probability of a step to the right", in: 0...1) var right = 0.5

    // What the trials count. A series has moments for each of its times, and is shown as a curve with a band.
    struct Tally: SimulationTally {
        var distance = Series<60>()
        var end = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("distance", &distance)
            visitor.field("end", &end)
        }
    }

    // A trial draws about so many numbers. The size of a block follows from it.
    var blockSize: Int { Block.size(forTrialsOf: 60) }

    // One trial. It adds to each time at most once.
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var place = 0
        for step in 0..<60 {
            place += random.chance(right) ? 1 : -1
            tally.distance.add(step, abs(place))
        }
        tally.end.add(Double(place))
    }

    // What to show. `--until` judges numbers, not curves.
    static var readings: [ReadingRule<ExampleName>] {
        series("distance") { $0.distance }
        mean("end", { $0.end }, exact: { 60 * (2 * $0.right - 1) })
    }
}
