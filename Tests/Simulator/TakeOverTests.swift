import Testing

@testable import PotluckSimulation

/// A job whose coordinator changes is hardly computed twice.
@Suite struct TakeOverTests {
    /// The most of a job of ten seconds that may be computed again, in one run and on average. The new coordinator
    /// audits the first chunks of each worker again, the loans are lost, and the results of the last second have not
    /// been replicated.
    private static let most = 0.25
    private static let usual = 0.15
    private static let each: UInt64 = 25

    @Test func littleIsComputedAgain() {
        var sum = 0.0
        var leads = 0
        for seed in 1...Self.each {
            let outcome = TakeOver.run(seed: seed)
            #expect(outcome.failure == nil && outcome.isFinished, "seed \(seed)")
            #expect(outcome.again < Self.most, "seed \(seed): \(outcome.again) of it again")
            sum += outcome.again
            leads += outcome.leads
        }
        #expect(sum / Double(Self.each) < Self.usual, "\(sum / Double(Self.each)) of it again")
        #expect(leads > Int(Self.each) / 2)
    }
}
