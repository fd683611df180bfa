import PotluckKit
import Testing

@testable import PotluckMachine

/// The check finds where lanes differ from trials.
@Suite struct LanesCheckTests {
    private struct Sums: SimulationTally {
        var small = Count()
        var sum = ExactSum()

        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("small", &small)
            visitor.field("sum", &sum)
        }
    }

    /// A simulation whose lanes make a mistake from some trial on.
    private enum Mistake { case none, condition, sum, draw, block }

    /// Draws two numbers a trial. Its lanes make the mistake from trial `first` of each lane on.
    private func prepared(_ mistake: Mistake, byLanes: Bool, from first: Int = 0) -> PreparedSimulation {
        let layout = TallyLayout(of: Sums.self)
        return PreparedSimulation(
            parameters: [], blockSize: 256, layout: layout,
            run: { request, _ in
                var tally = Sums()
                for block in request.blocks {
                    let trials = Int(min(256, (request.trials ?? .max) - block * 256))
                    for lane in 0..<16 {
                        var random = RandomStream(seed: request.seed, block: block, lane: lane)
                        let own = (trials - lane + 15) / 16
                        for trial in 0..<own {
                            let isLane = byLanes && trial < trials / 16 && trial >= first
                            let x = random.unit()
                            if isLane && mistake == .draw && lane == 3 { _ = random.next() }
                            let isSmall = x < (isLane && mistake == .condition ? 0.6 : 0.5)
                            let isWrong = isLane && mistake == .sum || isLane && mistake == .block && block > 2
                            tally.small.add(isSmall)
                            tally.sum.add(random.unit() + (isWrong ? 0x1p-20 : 0))
                        }
                    }
                }
                return ChunkReply(end: request.blocks.upperBound, slots: tally.slots(layout.slots))
            }, read: { _, _ in .success([]) })
    }

    private func difference(_ mistake: Mistake, from first: Int = 0) -> String? {
        LanesCheck(
            prepared(mistake, byLanes: true, from: first), plain: prepared(.none, byLanes: false), seed: 7
        ).difference
    }

    @Test func equalLanesAgree() { #expect(difference(.none) == nil) }

    @Test func theFieldThatDiffersIsNamed() {
        #expect(
            difference(.sum)
                == "sum differs in trials 0 to 15, number 0 of each lane, of block 0 with seed 7")
        #expect(
            difference(.sum, from: 4)
                == "sum differs in trials 64 to 79, number 4 of each lane, of block 0 with seed 7")
        #expect(
            difference(.sum, from: 15)
                == "sum differs in trials 240 to 255, number 15 of each lane, of block 0 with seed 7")
    }

    @Test func aConditionMayDifferLater() throws {
        let text = try #require(difference(.condition))
        #expect(text.hasPrefix("small differs in trials ") && text.hasSuffix(" of block 0 with seed 7"))
    }

    /// A lane that draws too much changes both fields.
    @Test func aDrawTooManyIsFound() throws {
        let text = try #require(difference(.draw))
        #expect(text.contains("sum differ"))
    }

    @Test func blocksFarAwayAreCompared() {
        #expect(
            difference(.block)
                == "sum differs in trials 0 to 15, number 0 of each lane, of block 8589934592 with seed 7")
    }

    @Test func lawCheckSaysIt() {
        let check = LawCheck(
            prepared(.sum, byLanes: true), plain: prepared(.none, byLanes: false), depth: .quick)
        #expect(!check.isKept)
        #expect(
            check.findings.contains {
                $0.grade == .broken
                    && $0.text.hasPrefix("the lanes give another tally than the trials: sum differs in ")
            })
        let kept = LawCheck(prepared(.none, byLanes: true), plain: prepared(.none, byLanes: false), depth: .quick)
        #expect(
            kept.isKept && kept.findings.contains { $0.text.hasPrefix("the lanes give the tally of the trials, in ") })
    }
}
