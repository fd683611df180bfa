import PotluckCore
import PotluckKit
import Testing

@testable import Potluck

@Suite struct PartialMergeTests {
    private static let layout = TallyLayout([TallyLayout.DeclaredField(name: "hits", kind: .count)])!

    private static func job(seed: UInt64 = 1, trials: UInt64? = 1600, parameters: [UInt64] = [3]) -> PartialRun.Job {
        PartialRun.Job(
            experiment: Experiment(
                simulation: SimulationIdentity(name: "pi", source: "", streams: 1), parameters: parameters, seed: seed,
                blockSize: 16), goal: Goal(trials: trials), typed: "pi")
    }

    private static func run(
        _ slice: Range<UInt64>, _ job: PartialRun.Job = job(), tally: [UInt64]? = nil
    ) -> PartialRun {
        PartialRun(
            job: job, number: ShardNumber(1, of: 9)!, slice: slice, tally: tally ?? [UInt64(slice.count)],
            checkpoints: Checkpoint.inside(slice).map { SettledTally(blocks: $0, tally: tally ?? [0]) },
            origin: PartialRun.Origin(host: "ana", cores: 1, startedAt: 0, elapsed: .zero))!
    }

    private func misfit(_ merge: inout PartialMerge, _ run: PartialRun) -> PartialMerge.MergeError? {
        do throws(PartialMerge.MergeError) {
            try merge.add(run)
            return nil
        } catch {
            return error
        }
    }

    /// However slices are drawn and added, what is missing is what none of them has, and none counts twice.
    @Test func everyBlockCountsOnce() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var merge = PartialMerge(Self.job(), layout: Self.layout)
            var there: [Bool] = .init(repeating: false, count: 100)
            for _ in 0..<random.next(below: 12) {
                let first = random.next(below: 100)
                let slice = first..<first + random.next(below: 101 - first)
                let isFree = slice.allSatisfy { !there[Int($0)] }
                #expect((misfit(&merge, Self.run(slice)) == nil) == isFree)
                if isFree { for block in slice { there[Int(block)] = true } }
            }
            let missing = Set(merge.missing(below: 100).flatMap { $0 })
            #expect(missing == Set((0..<100).filter { !there[Int($0)] }))
            #expect(merge.total.tally == [UInt64(there.count { $0 })])
            let settled = there.firstIndex(of: false).map(UInt64.init) ?? 100
            #expect(merge.passed.last?.blocks ?? 0 == settled)
        }
    }

    /// Without a checkpoint, `--until` would be judged elsewhere.
    @Test func aRunWithoutACheckpointIsNone() {
        let whole = Self.run(0..<100)
        for missing in whole.checkpoints.indices {
            var checkpoints = whole.checkpoints
            checkpoints.remove(at: missing)
            let run = PartialRun(
                job: whole.job, number: whole.number, slice: whole.slice, tally: whole.tally, checkpoints: checkpoints,
                origin: whole.origin)
            #expect(run == nil)
        }
        #expect(whole.checkpoints.count == 11)
    }

    /// Nothing that has no block counts.
    @Test func anEmptySliceHasNoTally() {
        var merge = PartialMerge(Self.job(), layout: Self.layout)
        #expect(misfit(&merge, Self.run(5..<5)) == nil)
        #expect(misfit(&merge, Self.run(5..<5, tally: [1])) == .wrongTally)
    }

    @Test func aPartOfAnotherJobIsNamed() throws {
        var merge = PartialMerge(Self.job(), layout: Self.layout)
        try merge.add(Self.run(0..<10))
        let others: [(PartialRun.Job, String)] = [
            (Self.job(seed: 2), "its seed is 2, not 1"), (Self.job(trials: 3200), "3200 trials, not of 1600"),
            (Self.job(parameters: [4]), "its parameters differ"),
        ]
        for (job, words) in others {
            guard case .foreign(let difference) = misfit(&merge, Self.run(10..<20, job)) else {
                Issue.record("it counts")
                continue
            }
            #expect(difference.contains(words))
        }
        #expect(misfit(&merge, Self.run(5..<15)) == .doubled(with: 0))
        #expect(misfit(&merge, Self.run(10..<20, tally: [1, 2])) == .wrongTally)
        #expect(merge.runs.count == 1)
    }
}
