import PotluckKit

/// The squares of the first numbers: the example of docs/PLUGINS.md.
struct Squares: Gathering {
    static let name: StaticString = "squares"
    static let summary: StaticString = "The squares of the first whole numbers"
    @Parameter("count", "how many", in: 1...1_000_000) var count = 100

    struct Tally: SimulationTally {
        var even = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("even", &even) }
    }

    var units: UInt64 { UInt64(count) }
    var blockSize: Int { 4096 }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
        for number in units {
            output.line(number * number)
            tally.even.add(number % 2 == 0)
        }
    }

    static var readings: [ReadingRule<Squares>] { derived("even", { _, tally, _ in Double(tally.even.value) }) }
}
