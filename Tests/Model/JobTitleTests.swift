import PotluckCore
import PotluckKit
import Testing

@Suite struct JobTitleTests {
    private struct Coin: Simulation {
        static let name: StaticString = "coin"
        static let summary: StaticString = "Heads or tails."
        @Parameter("sides", "sides of the coin", in: 2...9) var sides = 2
        @Parameter("fair", "whether it is fair") var fair = true

        struct Tally: SimulationTally {
            var heads = Count(), heights = Moments(), tails = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) {
                visitor.field("heads", &heads)
                visitor.field("heights", &heights)
                visitor.field("tails", &tails)
            }
        }
        func trial(_ random: inout RandomStream, _ tally: inout Tally) {}
        static var readings: [ReadingRule<Coin>] { proportion("heads", { $0.heads }) }
    }

    @Test func aTitleNamesTheNumbersOfItsSimulation() {
        let coin = AnySimulation(Coin.self, source: "")
        let title = JobTitle(simulation: coin, parameters: [3, 1])
        #expect(title.summary == "Heads or tails.")
        #expect(
            title.parameters == [
                .init(label: "sides", value: "3", isStandard: false),
                .init(label: "fair", value: "yes", isStandard: true),
            ])
        #expect(title.counts.map(\.name) == ["heads", "tails"])
        var tally = coin.layout.empty
        tally[title.counts[0].slot] = 5
        tally[title.counts[1].slot] = 7
        #expect(title.counts(of: tally) == [5, 7])
        #expect(title.counts(of: []) == [])
    }
}
