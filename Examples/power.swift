import PotluckKit

/// Two groups of patients, and Welch's test of their means.
struct Power: Simulation {
    static let name: StaticString = "power"
    static let summary: StaticString = "How often does a trial of a medicine find that it works?"

    @Parameter("patients", "patients in each group", in: 2...10_000) var patients = 64
    @Parameter("effect", "by how much the medicine raises the mean", in: -5...5) var effect = 0.5
    @Parameter("spread", "the standard deviation of those who take it", in: 0.1...10) var spread = 1.0
    @Parameter("level", "how often a medicine without effect is found to have one", in: 1e-6...0.5) var level = 0.05

    /// The difference in standard errors that counts as found, with Welch's degrees of freedom for the true variances.
    private var limit = 0.0
    mutating func prepare(_ tables: [Table]) -> StaticString? {
        let medicine = spread * spread
        let freedom = Double(patients - 1) * (1 + medicine) * (1 + medicine) / (1 + medicine * medicine)
        limit = Maths.studentQuantile(1 - level / 2, freedom: freedom)
        return nil
    }

    struct Tally: SimulationTally {
        var found = Count(), wrongWay = Count(), difference = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("found", &found)
            visitor.field("wrong_way", &wrongWay)
            visitor.field("difference", &difference)
        }
    }
    var blockSize: Int { Block.size(forTrialsOf: 8 * patients) }
    private func group(_ random: inout RandomStream, _ deviation: Double) -> (mean: Double, variance: Double) {
        var (total, squares) = (0.0, 0.0)
        for _ in 0..<patients {
            let x = random.normal(deviation: deviation)
            (total, squares) = (total + x, squares + x * x)
        }
        let found = total / Double(patients)
        return (found, (squares - total * found) / Double(patients - 1))
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        // Streams of their own: with the same seed, other effects meet the same patients.
        var medicine = random.stream("medicine")
        var placebo = random.stream("placebo")
        let (treated, control) = (group(&medicine, spread), group(&placebo, 1))
        let difference = effect + treated.mean - control.mean
        let error = ((treated.variance + control.variance) / Double(patients)).squareRoot()
        tally.found.add(difference > limit * error)
        tally.wrongWay.add(difference < -limit * error)
        tally.difference.add(difference)
    }

    static var readings: [ReadingRule<Power>] {
        let power = proportion("power", { $0.found })
        power
        derived("missed", from: power, { 1 - $1 })
        proportion("wrong way", { $0.wrongWay })
        mean("difference", { $0.difference }, exact: { $0.effect })
    }
}
