import PotluckChecks
import PotluckKit
import Testing

/// The simulations do what mathematics says of them.
@Suite struct AgreementTests {
    /// Beyond this many standard errors a right simulation comes once in 150 000 times. The seeds are fixed, so it is
    /// always or never.
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
            // All trials together, and the mean of the runs where there is no interval to say how far off they may be.
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

    /// Of many runs, as many have the truth inside the interval as the interval claims: 95 %, give or take four standard
    /// errors.
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
