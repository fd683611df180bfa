import PotluckKit

/// How tall is the tallest of some people, who are drawn from measured ones? Replace this with your own question.
struct ExampleName: Simulation {
    // The name for `potluck run`, and a line that says what the simulation computes.
    static let name: StaticString = "example-name"
    static let summary: StaticString = "How tall is the tallest of some people, drawn from measured ones?"

    // A file of numbers, given with `--input people=heights.csv`: its columns with these names.
    static var inputs: [Input] { [Input("people", "a line for each person", columns: "height")] }

    // Parameters, set with: `potluck run example-name.swift --input people=heights.csv -p group=20`.
    @Parameter("group", "how many people are drawn", in: 1...100) var group = 10

    // What all trials need. `prepare` computes it once, and returns a sentence if the file does not fit.
    private var heights = Empirical([0])

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        if tables[0].isEmpty { return "it needs numbers: --input people=heights.csv" }
        heights = Empirical(tables[0].column("height"))
        return nil
    }

    // What the trials count. The quantiles of `Quantiles` are chosen when they are read.
    struct Tally: SimulationTally {
        var tallest = Moments()
        var gap = Quantiles()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("tallest", &tallest)
            visitor.field("gap", &gap)
        }
    }

    // One trial. `pick` draws a measured number, and `interpolate` one between two of them.
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var tallest = heights.pick(&random)
        var smallest = tallest
        for _ in 1..<group {
            let height = heights.pick(&random)
            tallest = max(tallest, height)
            smallest = min(smallest, height)
        }
        tally.tallest.add(tallest)
        tally.gap.add(tallest - smallest)
    }

    // The numbers to show, with their intervals.
    static var readings: [ReadingRule<ExampleName>] {
        mean("tallest", { $0.tallest })
        median("gap, median", { $0.gap })
        quantile("gap, 95 %", { $0.gap }, 0.95)
    }
}
