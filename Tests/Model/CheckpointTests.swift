import PotluckCore
import PotluckKit
import Testing

@Suite struct CheckpointTests {
    /// ⌈16·2^(k/4)⌉ is the smallest n with n⁴ ≥ 2^(16+k).
    @Test func checkpointsAreTheCeilingOfThePowers() {
        for k in 0..<96 {
            let n = Checkpoint.blocks(k)
            #expect(Wide.fourthPower(n) >= Wide.powerOfTwo(16 + k))
            #expect(Wide.fourthPower(n - 1) < Wide.powerOfTwo(16 + k))
        }
    }

    @Test func theyRiseToTheEnd() {
        for k in 1...Checkpoint.last { #expect(Checkpoint.blocks(k - 1) < Checkpoint.blocks(k)) }
        // A job of 10¹⁸ trials in blocks of one trial ends before the last checkpoint.
        #expect(Checkpoint.after(Goal.mostTrials) <= Checkpoint.last)
        #expect(Checkpoint.blocks(Checkpoint.last) == 1 << 60)
    }

    @Test func everyBlockLiesInTheIntervalAfterIt() {
        var random = RandomStream(seed: 1, block: 0, lane: 0)
        for block in (0..<200).map({ UInt64($0) })
            + (0..<500).map({ _ in random.next64() >> UInt64(random.integer(in: 8...63)) })
        {
            let k = Checkpoint.after(block)
            #expect(block < Checkpoint.blocks(k))
            #expect(k == 0 || block >= Checkpoint.blocks(k - 1))
        }
    }
}

/// Numbers up to 2¹²⁸, used only in this test.
private enum Wide {
    static func powerOfTwo(_ n: Int) -> UInt128 { 1 << UInt128(n) }
    static func fourthPower(_ n: UInt64) -> UInt128 { UInt128(n) * UInt128(n) * UInt128(n) * UInt128(n) }
}
