import Testing

@testable import PotluckCore

@Suite struct BackOffTests {
    @Test func growsToItsLimitAndNeverBeyond() {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var backOff = BackOff()
            var full = BackOff.first
            for _ in 0..<100 {
                let wait = backOff.next(&generator)
                #expect(wait >= full / 2 && wait < full)
                full = min(full * 2, BackOff.last)
            }
            backOff.reset()
            #expect(backOff.next(&generator) < BackOff.first)
        }
    }

    @Test func twoNodesDoNotComeBackTogether() {
        let waits = Set(
            (0..<100 as Range<UInt64>).map { seed in
                var generator = SeededGenerator(seed: seed)
                var backOff = BackOff()
                return backOff.next(&generator)
            })
        #expect(waits.count > 90)
    }
}
