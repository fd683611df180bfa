import PotluckKit

/// An epidemic in a town (SIR): on each day every ill person infects others and may recover, which makes immune.
struct Epidemic: Simulation {
    static let name: StaticString = "epidemic"
    static let summary: StaticString = "How many people are ill on each day of an epidemic? (SIR)"

    @Parameter("people", "people in the town", in: 10...100_000) var people = 1000
    @Parameter("first", "people who are ill at first", in: 1...10) var first = 5
    @Parameter("contagion", "people whom one ill person infects on a day at first", in: 0...5) var contagion = 0.3
    @Parameter("recovery", "probability to recover on a day", in: 0.01...1) var recovery = 0.1

    struct Tally: SimulationTally {
        var ill = Series<100>(), immune = Series<100>()
        var spared = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("ill", &ill)
            visitor.field("immune", &immune)
            visitor.field("spared", &spared)
        }
    }

    var blockSize: Int { Block.size(forTrialsOf: 3200) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var (ill, healthy) = (first, people - first)
        for day in 0..<100 {
            tally.ill.add(day, ill)
            tally.immune.add(day, people - healthy - ill)
            let infected = random.binomial(healthy, 1 - exp(-contagion * Double(ill) / Double(people)))
            ill += infected - random.binomial(ill, recovery)
            healthy -= infected
        }
        tally.spared.add(Double(healthy) / Double(people))
    }

    static var readings: [ReadingRule<Epidemic>] {
        series("ill") { $0.ill }
        series("immune") { $0.immune }
        mean("never ill", { $0.spared })
    }
}
