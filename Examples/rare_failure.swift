import PotluckKit

/// Heavier loads are drawn than there are, and each trial has as its weight how much more likely its loads are in truth.
struct RareFailure: Simulation {
    static let name: StaticString = "rare-failure"
    static let summary: StaticString = "How often do parts break under a load that is hardly ever so large?"

    @Parameter("parts", "parts that carry the load together", in: 1...100) var parts = 4
    @Parameter("strength", "the sum of the parts' loads that breaks them", in: 0...1000) var strength = 11.0

    /// Each load is normal with mean 0. It is drawn with the mean at which failures begin.
    private var shift: Double { strength / Double(parts) }

    var blockSize: Int { Block.size(forTrialsOf: 2 * parts) }

    struct Tally: SimulationTally {
        var failures = Moments(), seen = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("failures", &failures)
            visitor.field("seen", &seen)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var load = 0.0
        for _ in 0..<parts { load += random.normal(mean: shift) }
        let hasFailed = load > strength
        let weight = exp(Double(parts) * shift * shift / 2 - shift * load)
        tally.failures.add(hasFailed ? weight : 0)
        tally.seen.add(hasFailed)
    }

    static var readings: [ReadingRule<RareFailure>] {
        mean(
            "probability", { $0.failures },
            exact: { Maths.normal(below: -$0.strength / Double($0.parts).squareRoot()) })
        effective("effective failures", { $0.failures })
        proportion("drawn failures", { $0.seen }, exact: { _ in 0.5 })
    }
}
