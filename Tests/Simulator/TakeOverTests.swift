import PotluckSimulator
import Testing

/// A job whose coordinator changes is hardly computed twice.
@Suite struct TakeOverTests {
    /// Of a job of ten seconds. Every coordinator looks at the first chunks of everybody again, what was in hand is lost, and of what was
    /// done in the last second nobody was told.
    private static let most = 0.25
    private static let usual = 0.15
    private static let each: UInt64 = 25

    @Test(arguments: 0..<4) func littleIsComputedAgain(part: UInt64) {
        var sum = 0.0
        var leads = 0
        for seed in part * Self.each + 1...(part + 1) * Self.each {
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
