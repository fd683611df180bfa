import PotluckKit

/// How much is the right to buy a share at a fixed price on a fixed day worth today, if the share's price varies as Black
/// and Scholes assume?
///
/// The draws of one future: a standard normal number.
struct OptionPrice: LaneSimulation {
    static let name: StaticString = "option-price"
    static let summary: StaticString = "How much is the right to buy a share later at a fixed price worth?"

    @Parameter("spot", "the share's price today", in: 0.01...10_000) var spot = 100.0
    @Parameter("strike", "the price agreed for the purchase", in: 0.01...10_000) var strike = 105.0
    @Parameter("rate", "interest rate per year, compounded continuously", in: -0.1...0.5) var rate = 0.03
    @Parameter("volatility", "how much the price varies per year", in: 0.01...1) var volatility = 0.2
    @Parameter("years", "years until the purchase", in: 0.01...30) var years = 1.0

    var problem: StaticString? {
        // Every future's price then fits into the sums, and the mean does not depend on a few rare futures.
        spread > 1 ? "volatility times the square root of years is at most 1" : nil
    }

    struct Tally: SimulationTally {
        var worth = Moments(), used = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("worth", &worth)
            visitor.field("used", &used)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { lane(&random, &tally, trials: 1) }

    func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int) {
        // All amounts are in today's money, in which the share's mean price does not change.
        let spread = spread
        let drift = -spread * spread / 2
        let cost = cost
        for _ in 0..<trials {
            let price = spot * Maths.exp(drift + spread * random.normal())
            tally.worth.add(max(0, price - cost))
            tally.used.add(price > cost)
        }
    }

    func lanes(_ random: inout LaneStreams, _ tally: inout Tally) { lanes(&random, &tally, trials: 1) }

    func lanes(_ random: inout LaneStreams, _ tally: inout Tally, trials: Int) {
        let spread = spread
        let drift = -spread * spread / 2
        let cost = cost
        for _ in 0..<trials {
            let price = spot * exp(drift + spread * random.normal())
            tally.worth.add(max(0, price - cost))
            tally.used.add(price > cost)
        }
    }

    static var readings: [ReadingRule<OptionPrice>] {
        mean(
            "price", { $0.worth },
            exact: {
                let d = $0.distance
                return $0.spot * Maths.normal(below: d + $0.spread) - $0.cost * Maths.normal(below: d)
            })
        proportion("used", { $0.used }, exact: { Maths.normal(below: $0.distance) })
    }

    private var spread: Double { volatility * years.squareRoot() }
    /// The strike in today's money.
    private var cost: Double { strike * Maths.exp(-rate * years) }
    /// How many spreads the middle future lies above the strike: d₂ in the formula of Black and Scholes.
    private var distance: Double { Maths.log(spot / cost) / spread - spread / 2 }
}
