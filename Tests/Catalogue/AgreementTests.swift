import PotluckChecks
import PotluckKit
import Testing

/// The readings of the simulations agree with the exact answers.
@Suite struct AgreementTests {
    /// In standard errors. A right simulation exceeds this once in 150 000 times. The seeds are fixed, so it always
    /// passes or always fails.
    private let limit = 4.5
    private let seeds: Range<UInt64> = 0..<200
    private let trials: UInt64 = 300

    @Test(arguments: Cases.drawn) func everyReadingAgreesWithItsExactAnswer(each: Case) {
        let tallies = seeds.map { each.tally(trials, seed: $0) }
        let runs = tallies.map { each.prepared.read($0, trials) }
        let all = trials * UInt64(seeds.count)
        for (index, reading) in each.prepared.read(each.merged(tallies), all).enumerated() {
            guard let exact = reading.exact else { continue }
            guard let value = reading.value else {
                Issue.record("\(reading.name) has no value")
                continue
            }
            let values = runs.compactMap { $0[index].value }
            // Uses all trials together. If a reading has no interval, uses the mean of the runs and its error instead.
            let (found, error) = reading.halfWidth.map { (value, $0 / 1.96) } ?? Self.meanAndError(values)
            #expect(
                (found - exact).magnitude <= limit * error + 1e-12 * exact.magnitude,
                "\(reading.name): \(found), exactly \(exact)")
        }
    }

    private static func meanAndError(_ values: [Double]) -> (mean: Double, error: Double) {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (mean, (squares / (count - 1) / count).squareRoot())
    }

    /// Of many runs, as many intervals contain the truth as they claim: 95 %, give or take four standard errors.
    @Test(arguments: [
        "birthday", "buffon", "coupon-collector kinds=6", "gamblers-ruin stake=3 goal=7 p=0.4", "monty-hall",
        "option-price", "percolation n=4 p=0.55", "pi",
    ])
    func intervalsCoverAsOftenAsTheyClaim(name: String) throws {
        let each = try Case(name)
        let runs = 1000
        var covered: [String: Int] = [:]
        for seed in 0..<UInt64(runs) {
            for reading in each.prepared.read(each.tally(trials, seed: 1000 + seed), trials) {
                guard let exact = reading.exact, let interval = reading.interval else { continue }
                covered[reading.name, default: 0] += interval.contains(exact) ? 1 : 0
            }
        }
        #expect(!covered.isEmpty)
        let error = (0.95 * 0.05 / Double(runs)).squareRoot()
        for (reading, count) in covered {
            #expect((Double(count) / Double(runs) - 0.95).magnitude < 4 * error, "\(reading): \(count) of \(runs)")
        }
    }
}
