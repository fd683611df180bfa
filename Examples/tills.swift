import PotluckKit

/// One line before several tills.
struct Tills: Simulation {
    static let name: StaticString = "tills"
    static let summary: StaticString = "One line before several tills: how long do customers wait?"

    /// How often in a day the curve is measured.
    private static let times = 50

    @Parameter("tills", "open tills", in: 1...20) var tills = 2
    @Parameter("customers", "customers in a day; about one comes each minute", in: 1...10_000) var customers = 200
    @Parameter("minutes", "minutes that a customer takes at a till", in: 0.1...20) var minutes = 1.7

    struct Tally: SimulationTally {
        var wait = Moments(), waits = Quantiles(), day = Series<50>()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("wait", &wait)
            visitor.field("waits", &waits)
            visitor.field("day", &day)
        }
    }

    // The same for any number of tills, so that the days of 'potluck difference' have the same customers.
    var blockSize: Int { Block.size(forTrialsOf: 8 * customers) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var free = [Double](repeating: 0, count: tills)  // when each till is free
        var (now, waited) = (0.0, 0.0)
        let every = (customers + Self.times - 1) / Self.times
        for customer in 0..<customers {
            now += random.exponential()
            var next = 0
            for till in 1..<tills where free[till] < free[next] { next = till }
            let wait = max(0, free[next] - now)
            waited += wait
            tally.waits.add(wait)
            if customer % every == 0 { tally.day.add(customer / every, wait) }
            free[next] = now + wait + random.exponential(mean: minutes)
        }
        tally.wait.add(waited / Double(customers))
    }

    static var readings: [ReadingRule<Tills>] {
        mean("wait", { $0.wait })
        quantile("p95", { $0.waits }, 0.95)
        series("wait in the course of a day") { $0.day }
    }
}
