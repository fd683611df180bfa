import PotluckKit

/// The worth of the call on the geometric mean is known. It is the control of the call on the plain mean.
struct AsianOption: Simulation {
    static let name: StaticString = "asian-option"
    static let summary: StaticString = "What is a call on the mean price of a year worth?"

    @Parameter("spot", "price today", in: 1...1000) var spot = 100.0
    @Parameter("strike", "price to buy at", in: 1...1000) var strike = 100.0
    @Parameter("rate", "interest in a year", in: -0.1...0.2) var rate = 0.05
    @Parameter("volatility", "how much prices vary in a year", in: 0.01...1) var volatility = 0.2
    @Parameter("months", "prices of which the mean is taken", in: 1...100) var months = 12

    var blockSize: Int { Block.size(forTrialsOf: 10 * months) }
    struct Tally: SimulationTally {
        var worth = Comoments<2>(), plain = Moments(), pair = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("worth", &worth)
            visitor.field("plain", &plain)
            visitor.field("pair", &pair)
        }
    }

    private var drift: Double { (rate - volatility * volatility / 2) / Double(months) }
    /// The logarithm of the geometric mean is normal.
    private var geometric: Double {
        let n = Double(months)
        let middle = log(spot) + drift * (n + 1) / 2
        let deviation = volatility * ((n + 1) * (2 * n + 1) / 6).squareRoot() / n
        let far = (middle - log(strike)) / deviation
        let reached = exp(middle + deviation * deviation / 2) * Maths.normal(below: far + deviation)
        return exp(-rate) * (reached - strike * Maths.normal(below: far))
    }

    private func path(_ random: inout RandomStream) -> (worth: Double, control: Double) {
        let spread = volatility * (1 / Double(months)).squareRoot()
        var (height, total, heights) = (log(spot), 0.0, 0.0)
        for _ in 0..<months {
            height += drift + spread * random.normal()
            total += exp(height)
            heights += height
        }
        let (arithmetic, geometric) = (total / Double(months), exp(heights / Double(months)))
        return (exp(-rate) * max(0, arithmetic - strike), exp(-rate) * max(0, geometric - strike))
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var mirror = random.mirrored()
        let ((worth, control), (other, _)) = (path(&random), path(&mirror))
        tally.worth.add([worth, control])
        tally.plain.add(worth)
        tally.pair.add((worth + other) / 2)
    }

    static var readings: [ReadingRule<AsianOption>] {
        controlled("controlled", { $0.worth }, mean: { $0.geometric })
        mean("antithetic", { $0.pair })
        mean("plain", { $0.plain })
    }
}
