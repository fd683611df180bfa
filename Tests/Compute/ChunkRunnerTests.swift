import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Who decides a dispute compares the faster way with the plain trials.
@Suite struct ChunkRunnerTests {
    private struct Hits: SimulationTally {
        var hits = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("hits", &hits) }
    }

    private static let layout = TallyLayout(of: Hits.self)

    /// Counts `each` hits in every block.
    private func counting(_ each: UInt64) -> PreparedSimulation.Runner {
        { request, shouldStop in
            var reply = ChunkReply(end: request.blocks.lowerBound, slots: Self.layout.empty)
            while reply.end < request.blocks.upperBound, !shouldStop() {
                var tally = Hits()
                for _ in 0..<each { tally.hits.add(true) }
                Self.layout.merge(tally.slots(Self.layout.slots), into: &reply.slots)
                reply.end += 1
            }
            return reply
        }
    }

    private func prepared(_ fast: UInt64, plain: UInt64? = nil) -> PreparedSimulation {
        let simulation = PreparedSimulation(
            parameters: [], blockSize: 16, layout: Self.layout, run: counting(plain ?? fast),
            read: { _, _ in .success([]) })
        return plain == nil ? simulation : simulation.computed(by: counting(fast))
    }

    private let request = ChunkRequest(seed: 1, blocks: 3..<9, trials: nil)

    @Test func twoWaysThatDifferAreNobodysLie() {
        let runner = ChunkRunner(prepared(5, plain: 4))
        guard case .failed(3, let text) = runner.run(request, true, { false }) else {
            Issue.record("it did not fail")
            return
        }
        #expect(text.contains("another result than its trials"))
        // Nobody compares as long as nobody disagrees.
        #expect(runner.run(request, false, { false }) == .done(counting(5)(request) { false }))
    }

    @Test func twoWaysThatAgreeAreOne() {
        for simulation in [prepared(5), prepared(5, plain: 5)] {
            let wanted = RunOutcome.done(counting(5)(request) { false })
            #expect(ChunkRunner(simulation).run(request, true) { false } == wanted)
        }
    }

    /// What the plain trials could not reach is not believed yet.
    @Test func anInterruptedComparisonIsMadeLater() {
        for calls in 0..<20 {
            var left = calls
            let outcome = ChunkRunner(prepared(5, plain: 4)).run(request, true) {
                left -= 1
                return left < 0
            }
            switch outcome {
            case .failed: #expect(calls > 1)
            case .done(let reply, _): #expect(reply.end == 3 && reply.slots == Self.layout.empty, "\(calls)")
            }
        }
    }
}
