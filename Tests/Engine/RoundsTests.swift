import PotluckCore
import PotluckEngine
import PotluckKit
import Testing

/// The points of a sweep go round by round, on any number of cores and in any schedule.
@Suite struct RoundsTests {
    private func point(_ seed: UInt64, _ goal: Goal, of sweep: UInt64 = 1) -> JobOrder {
        var order = VirtualNode.order(seed: seed, goal: goal)
        order.sweep = JobID(sweep)
        return order
    }

    /// The trials of each job that were handed out.
    private func handedOut(_ node: VirtualNode) -> [JobID: UInt64] {
        var trials: [JobID: UInt64] = [:]
        for chunk in node.chunks {
            trials[chunk.attempt.job, default: 0] += UInt64(chunk.blocks.count) * VirtualNode.blockSize
        }
        return trials
    }

    /// Whenever a sweep is stopped, no point is ahead of another by more than a round, in which each gets a chunk. What
    /// they keep differs by what was under way besides.
    @Test(arguments: JobTests.schedules.prefix(12)) func noPointIsMoreThanARoundAhead(chance: UInt64) throws {
        var random = RandomStream(seed: chance, block: 7, lane: 0)
        var node = JobTests.Schedule(chance).node
        let count = UInt64(random.integer(in: 2...16))
        for seed in 0..<count { node.submit(point(seed, Goal(trials: Goal.mostTrials))) }
        node.run(until: .start + .milliseconds(Int64(random.integer(in: 1...20_000))))
        let trials = handedOut(node)
        let largest = try #require(node.chunks.map(\.blocks.count).max())
        let round = UInt64(largest) * VirtualNode.blockSize
        let all = node.jobs.map { trials[$0] ?? 0 }
        #expect(all.max()! - all.min()! <= round, "\(all)")
        let inHand = UInt64(node.inHand)
        node.stop()
        node.run()
        let results = try node.jobs.map { try #require(node.results[$0]) }
        for result in results {
            let seed = result.experiment.seed
            #expect(result.completion == .stopped)
            #expect(result.tally == VirtualNode.reference(seed: seed, trials: result.trials), "\(seed)")
        }
        #expect(Set(results.map(\.experiment.seed)).count == results.count)
        let kept = results.map(\.trials)
        #expect(kept.max()! - kept.min()! <= round * (1 + inHand), "\(kept)")
    }

    /// The points share the node's chunks as one job would have them, so a stop does not wait for many.
    @Test(arguments: JobTests.schedules.prefix(12)) func togetherTheyHaveNoMoreInHandThanOneJob(chance: UInt64) {
        func most(_ count: UInt64) -> Int {
            var node = JobTests.Schedule(chance).node
            for seed in 0..<count { node.submit(point(seed, Goal(trials: Goal.mostTrials))) }
            var most = 0
            for step in 1..<100 {
                node.run(until: .start + .milliseconds(100 * Int64(step)))
                most = max(most, node.inHand)
            }
            return most
        }
        // The first chunks are short, and their number depends on how long they are.
        #expect(most(12) <= 2 * most(1) + 2)
    }

    /// With a goal the points are equally near to it: one that needs four times the trials has four times as many. Each ends
    /// where it would end alone.
    @Test(arguments: 0..<8 as Range<UInt64>) func theWidestIntervalIsNext(chance: UInt64) throws {
        let goals = [0.004, 0.002].map { Goal(precision: .absolute($0)) }
        let alone = goals.enumerated().map { seed, goal in
            var node = VirtualNode(cores: 2, blockCost: .milliseconds(1), chance: chance)
            node.submit(VirtualNode.order(seed: UInt64(seed), goal: goal))
            node.run()
            return node.result
        }
        let all = try alone.map { try #require($0).trials }
        var node = VirtualNode(cores: 2, blockCost: .milliseconds(1), chance: chance)
        for (seed, goal) in goals.enumerated() { node.submit(point(UInt64(seed), goal)) }
        // Half of what both need.
        node.run(until: .start + .milliseconds(Int64((all[0] + all[1]) / VirtualNode.blockSize / 4)))
        let half = handedOut(node)
        let trials = try node.jobs.map { Double(try #require(half[$0])) }
        #expect((2.5...6).contains(trials[1] / trials[0]), "\(trials)")
        node.run()
        for (id, alone) in zip(node.jobs, alone) {
            #expect(node.results[id]?.trials == alone?.trials && node.results[id]?.tally == alone?.tally)
        }
    }

    /// Jobs that are no points begin one after another, as before.
    @Test func otherJobsOfOneSubmitterWaitForEachOther() throws {
        var node = VirtualNode(cores: 2, blockCost: .milliseconds(1), chance: 3)
        for seed in 0..<2 as Range<UInt64> {
            node.submit(VirtualNode.order(seed: seed, goal: Goal(trials: Goal.mostTrials)))
        }
        for sweep in 1...2 as ClosedRange<UInt64> { node.submit(point(7, Goal(trials: Goal.mostTrials), of: sweep)) }
        node.run(until: .start + .seconds(5))
        #expect(Set(node.chunks.map(\.attempt.job)) == [try #require(node.jobs.first)])
    }
}
