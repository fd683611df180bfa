import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// No reported solution counts before its point has been searched here.
@Suite struct ProofTests {
    private let ana = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private let bo = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))

    private func result(_ attempt: UInt64, _ best: Best) -> WorkResult {
        WorkResult(attempt: attempt, end: 10, tally: SearchTally(best).slots(2), busy: .milliseconds(1))
    }

    @Test func aProvenSolutionFreesTheResultsThatNeedIt() {
        var proofs = Proofs()
        let best = Best(key: 5, point: 70)
        proofs.hold(result(1, best), from: ana, claiming: best)
        proofs.hold(result(2, Best(key: 9, point: 3)), from: bo, claiming: Best(key: 9, point: 3))
        #expect(proofs.isHeld(1) && proofs.isHeld(2) && proofs.takeFree().isEmpty)
        // The best is proven first, and nothing else at the same time.
        let search = proofs.next(as: 8)
        #expect(search?.best == best && search?.attempt == 8 && proofs.isOurs(8))
        #expect(proofs.next(as: 9) == nil)
        guard case .proven(best) = proofs.searched(upTo: 71, best: best) else {
            Issue.record("it is not proven")
            return
        }
        // A result that rests on a worse solution needs no proof any more.
        #expect(Set(proofs.takeFree().map(\.result.attempt)) == [1, 2])
        #expect(proofs.next(as: 9) == nil && proofs.proven == best)
    }

    /// The node was not done with the point when it reported the solution.
    @Test func thePointMayHoldABetterOne() {
        var proofs = Proofs()
        proofs.report(Best(key: 5, point: 70), by: ana)
        _ = proofs.next(as: 1)
        guard case .proven(Best(key: 4, point: 70)) = proofs.searched(upTo: 71, best: Best(key: 4, point: 70)) else {
            Issue.record("it is not proven")
            return
        }
    }

    /// A search that finds nothing returns its bound, which lies beyond the point.
    @Test func anInventedSolutionNamesItsNode() {
        var proofs = Proofs()
        let lie = Best(key: 5, point: 70)
        proofs.hold(result(1, lie), from: ana, claiming: lie)
        proofs.report(Best(key: 6, point: 2), by: bo)
        _ = proofs.next(as: 1)
        guard case .lies([ana]) = proofs.searched(upTo: 71, best: Best(key: 5, point: 71)) else {
            Issue.record("it is not found")
            return
        }
        proofs.forget(ana)
        #expect(!proofs.isHeld(1) && proofs.proven.isEmpty)
        #expect(proofs.next(as: 2)?.best == Best(key: 6, point: 2))
    }

    @Test func aSearchThatWasInterruptedBeginsAgain() {
        var proofs = Proofs()
        let best = Best(key: 5, point: 70)
        proofs.report(best, by: ana)
        _ = proofs.next(as: 1)
        guard case .open = proofs.searched(upTo: 70, best: Best()) else {
            Issue.record("it was not searched")
            return
        }
        #expect(proofs.next(as: 2)?.best == best)
    }

    /// Only the best report of a node is kept, so a node that sends many costs one search at a time.
    @Test func manyReportsOfANodeAreOne() {
        var proofs = Proofs()
        for key in (0..<1000).reversed() { proofs.report(Best(key: Int64(key), point: 1), by: ana) }
        #expect(proofs.next(as: 1)?.best == Best(key: 0, point: 1))
        _ = proofs.searched(upTo: 2, best: Best(key: 0, point: 1))
        #expect(proofs.next(as: 2) == nil)
    }
}
