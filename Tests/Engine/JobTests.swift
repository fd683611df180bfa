import PotluckCore
import PotluckEngine
import PotluckKit
import Testing

/// Invariants of a job on one node, over many random schedules.
@Suite struct JobTests {
    static let schedules: Range<UInt64> = 0..<40

    /// A random number of cores, speed and number of trials.
    struct Schedule {
        let cores: Int
        let blockCost: Duration
        let trials: UInt64
        let chance: UInt64

        init(_ chance: UInt64) {
            var random = RandomStream(seed: chance, block: 99, lane: 0)
            self.chance = chance
            cores = [1, 2, 3, 7][random.below(4)]
            blockCost = .nanoseconds([50_000, 200_000, 3_000_000, 45_000_000][random.below(4)])
            trials = UInt64(random.integer(in: 1...[15, 300, 4_000, 20_000][random.below(4)]))
        }

        var node: VirtualNode { VirtualNode(cores: cores, blockCost: blockCost, chance: chance) }
    }

    @Test(arguments: schedules) func theTallyIsThatOfTheTrialsAndNothingElse(chance: UInt64) throws {
        let schedule = Schedule(chance)
        var node = schedule.node
        node.submit(VirtualNode.order(seed: 5, goal: Goal(trials: schedule.trials)))
        node.run()
        let result = try #require(node.result)
        #expect(result.trials == schedule.trials)
        #expect(result.tally == VirtualNode.reference(seed: 5, trials: schedule.trials))
        #expect(result.completion == .trials)
    }

    /// A user who stops a job keeps what the screen showed.
    @Test(arguments: schedules) func aStoppedJobKeepsItsShownTrials(chance: UInt64) throws {
        var node = VirtualNode(cores: 4, blockCost: .milliseconds(1), chance: chance)
        node.submit(VirtualNode.order(seed: 5, goal: Goal()))
        node.run(until: Instant.start + .milliseconds(Int64(5_000 + 700 * chance)))
        let (shown, at) = (try #require(node.snapshots.last).trials, node.now)
        node.stop()
        node.run()
        let result = try #require(node.result)
        #expect(result.trials >= shown && result.completion == .stopped)
        #expect(result.tally == VirtualNode.reference(seed: 5, trials: result.trials))
        // Users who cancel want the prompt.
        #expect(node.now - at < .seconds(2))
    }

    @Test(arguments: schedules) func aStoppedJobIsThatOfItsFirstTrials(chance: UInt64) throws {
        let schedule = Schedule(chance)
        var node = schedule.node
        node.submit(VirtualNode.order(seed: 6, goal: Goal()))
        node.run(until: .start + schedule.blockCost * Int(schedule.trials / 16))
        node.stop()
        node.run()
        let result = try #require(node.result)
        #expect(result.tally == VirtualNode.reference(seed: 6, trials: result.trials))
        #expect(result.trials % VirtualNode.blockSize == 0)
        #expect(result.completion == .stopped)
        #expect(result.nodes.map(\.trials) == (result.trials > 0 ? [result.trials] : [0]))
    }

    @Test(arguments: schedules) func aStoppedJobLosesNoMoreThanWasUnderWay(chance: UInt64) throws {
        let schedule = Schedule(chance)
        var node = schedule.node
        node.submit(VirtualNode.order(seed: 6, goal: Goal()))
        node.run(until: .start + .seconds(2))
        let shown = try #require(node.snapshots.last).trials
        node.stop()
        node.run()
        let kept = try #require(node.result).trials
        // Each core has two chunks of 300 ms, and a chunk may take twice the measured time.
        let underWay = Duration.seconds(2) * schedule.cores
        let blocks = UInt64(underWay.nanoseconds / (schedule.blockCost.nanoseconds / 2)) + UInt64(schedule.cores)
        #expect(kept + blocks * VirtualNode.blockSize >= shown)
    }

    @Test func aJobForATimeEndsThen() throws {
        for chance in Self.schedules {
            var node = Schedule(chance).node
            node.submit(VirtualNode.order(seed: 7, goal: Goal(duration: .seconds(3))))
            node.run()
            let result = try #require(node.result)
            #expect(result.completion == .duration)
            #expect(result.tally == VirtualNode.reference(seed: 7, trials: result.trials))
            #expect(result.elapsed >= .seconds(3) && result.elapsed < .milliseconds(3_200))
        }
    }

    /// A lid that is closed for a night computes nothing. So the night counts neither towards the job's time nor into
    /// its rate.
    @Test func aNightWithTheLidClosedIsNoComputingTime() throws {
        for chance in Self.schedules {
            let night = Duration.seconds(8 * 3600)
            var node = Schedule(chance).node
            node.submit(VirtualNode.order(seed: 7, goal: Goal(duration: .seconds(3))))
            node.run(until: .start + .seconds(2))
            let evening = node.now
            let rate = try #require(node.snapshots.last?.rate)
            node.sleep(night)
            node.run()
            let result = try #require(node.result)
            let morning = try #require(node.snapshots.first { $0.elapsed > evening - .start && $0.rate != nil })
            #expect(result.completion == .duration)
            #expect(result.elapsed >= .seconds(3) && result.elapsed < .milliseconds(3_500))
            #expect(node.now > evening + night + .milliseconds(500))
            #expect(result.tally == VirtualNode.reference(seed: 7, trials: result.trials))
            #expect(try #require(morning.rate) > rate / 2)
        }
    }

    /// The job ends at the first checkpoint that is precise enough, with the same trials for any number of cores and
    /// any schedule.
    @Test func aPreciseJobEndsAtTheSameCheckpointEverywhere() throws {
        for seed in UInt64(0)..<12 {
            let precision =
                [
                    Precision.absolute(0.012), .relative(0.06),
                    .named([ReadingLimit(reading: "p", limit: .absolute(0.012))]),
                ][Int(seed % 3)]
            var results: [JobResult] = []
            for chance in UInt64(0)..<12 {
                var node = Schedule(chance).node
                node.submit(VirtualNode.order(seed: seed, goal: Goal(precision: precision)))
                node.run()
                results.append(try #require(node.result))
            }
            let first = results[0]
            #expect(results.allSatisfy { $0.trials == first.trials && $0.tally == first.tally })
            #expect(first.completion == .precision && precision.isReached(by: first.readings))
            #expect(first.tally == VirtualNode.reference(seed: seed, trials: first.trials))
            let checkpoint = (0...40).first { Checkpoint.blocks($0) * VirtualNode.blockSize == first.trials }
            #expect(try #require(checkpoint) > 0)
        }
    }

    @Test func aJobThatIsNeverPreciseEnoughEndsWithItsTrials() throws {
        for chance in Self.schedules {
            var node = Schedule(chance).node
            node.submit(VirtualNode.order(seed: 1, goal: Goal(trials: 5_000, precision: .absolute(1e-9))))
            node.run()
            #expect(node.result?.trials == 5_000)
            #expect(node.result?.completion == .trials)
        }
    }

    @Test(arguments: schedules) func noBlockIsHandedOutTwiceAndNoneLeftOut(chance: UInt64) {
        let schedule = Schedule(chance)
        var node = schedule.node
        let spec = VirtualNode.order(seed: 5, goal: Goal(trials: schedule.trials))
        node.submit(spec)
        node.run()
        let chunks = node.chunks.map(\.blocks).sorted { $0.lowerBound < $1.lowerBound }
        #expect(chunks.first?.lowerBound == 0)
        #expect(chunks.last?.upperBound == spec.experiment.blocks(for: schedule.trials))
        for (before, after) in zip(chunks, chunks.dropFirst()) { #expect(before.upperBound == after.lowerBound) }
        for chunk in chunks {
            #expect(Checkpoint.after(chunk.lowerBound) == Checkpoint.after(chunk.upperBound - 1))
        }
    }

    @Test func aCoreHardlyEverWaits() throws {
        for chance in Self.schedules {
            let schedule = Schedule(chance)
            var node = VirtualNode(cores: schedule.cores, blockCost: .microseconds(500), chance: chance)
            node.submit(VirtualNode.order(seed: 5, goal: Goal(trials: 20_000 * VirtualNode.blockSize)))
            node.run()
            let elapsed = try #require(node.result).elapsed
            #expect(node.idle.seconds < 0.05 * elapsed.seconds * Double(schedule.cores))
        }
    }

    @Test func picturesComeTenTimesASecondAndOnlyEverGrow() throws {
        for chance in Self.schedules {
            var node = Schedule(chance).node
            node.submit(VirtualNode.order(seed: 7, goal: Goal(duration: .seconds(3))))
            node.run()
            #expect((25...40).contains(node.snapshots.count))
            let running = node.snapshots.filter { $0.state == .running }
            for (before, after) in zip(running, running.dropFirst()) { #expect(before.trials <= after.trials) }
            #expect(node.snapshots.last?.state == .done(.duration))
        }
    }

    @Test func theTimeLeftIsHonestOnceItIsGiven() throws {
        for chance in Self.schedules {
            var node = VirtualNode(cores: 2, blockCost: .milliseconds(1), chance: chance)
            node.submit(VirtualNode.order(seed: 5, goal: Goal(trials: 20_000 * VirtualNode.blockSize)))
            node.run()
            let result = try #require(node.result)
            #expect(node.snapshots.first?.remaining == .unknown)
            for snapshot in node.snapshots where snapshot.state == .running {
                guard case .about(let remaining) = snapshot.remaining, snapshot.elapsed > result.elapsed / 4 else {
                    continue
                }
                let truth = result.elapsed - snapshot.elapsed
                #expect(abs(remaining.seconds - truth.seconds) < 0.3 * truth.seconds + 2)
            }
        }
    }

    /// No other node can retry the chunk, so the failure is reported soon.
    @Test(arguments: schedules) func aLoneNodeSaysSoonThatASimulationFails(chance: UInt64) throws {
        for block in [0, 1, chance * 7] {
            var node = VirtualNode(cores: Schedule(chance).cores, blockCost: .milliseconds(1), chance: chance)
            node.faults.failsFrom = block
            node.submit(VirtualNode.order(seed: 5, goal: Goal(trials: 1 << 30)))
            node.run(until: .start + .seconds(5))
            #expect(try #require(node.failure).hasSuffix("with seed 5: no more"))
        }
    }

    /// The result cannot be used and no other node can compute it, so the failure is reported soon.
    @Test(arguments: schedules) func aLoneNodeSaysSoonThatResultsDoNotFit(chance: UInt64) throws {
        var node = VirtualNode(cores: Schedule(chance).cores, blockCost: .milliseconds(1), chance: chance)
        node.faults.misfitsFrom = chance * 7
        node.submit(VirtualNode.order(seed: 5, goal: Goal(trials: 1 << 30)))
        node.run(until: .start + .seconds(5))
        let failure = try #require(node.failure)
        #expect(
            failure.hasSuffix("its tally has 2 slots instead of 1")
                || failure.hasSuffix("it returned blocks that it was not given"))
    }

    @Test func anEndlessJobHasNoEndInSight() {
        var node = VirtualNode(cores: 2, blockCost: .milliseconds(1), chance: 1)
        node.submit(VirtualNode.order(seed: 5, goal: Goal()))
        node.run(until: .start + .seconds(5))
        #expect(!node.snapshots.isEmpty && node.snapshots.allSatisfy { $0.remaining == .endless })
    }

    @Test func resultsThatNobodyAskedForAreNothing() throws {
        let id = NodeID([UInt8](repeating: 7, count: 16))!
        var engine = Engine(EngineSetup(node: id, name: "ana", cores: 1, seed: 1), now: .start)
        let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
        let order = VirtualNode.order(seed: 5, goal: Goal(trials: 1_000))
        var effects = engine.handle(.wanted(.order(order, ticket), token: 1), at: .start)
        var chunk: Chunk?
        while chunk == nil, let effect = effects.first {
            effects.removeFirst()
            if case .job(.prepare(let job, _)) = effect {
                effects += engine.handle(.prepared(job, .ready(VirtualNode.facts)), at: .start)
            }
            if case .job(.compute(let lent, _, _, _)) = effect { chunk = lent }
        }
        let lent = try #require(chunk)
        func result(_ attempt: AttemptID) -> Event {
            .computed([.done(ChunkResult(attempt: attempt, end: 1, tally: [1], busy: .milliseconds(1)))])
        }
        let job = lent.attempt.job
        for stranger in [AttemptID(job: job, number: 4_711), AttemptID(job: JobID(2), number: lent.attempt.number)] {
            #expect(engine.handle(result(stranger), at: .start).isEmpty)
        }
        #expect(!engine.handle(result(lent.attempt), at: .start).isEmpty)
        #expect(engine.handle(result(lent.attempt), at: .start).isEmpty)
    }
}
