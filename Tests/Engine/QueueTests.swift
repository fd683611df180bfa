import PotluckCore
import Testing

@testable import PotluckEngine

/// What a job waits for, and what holds up the next ones.
@Suite struct QueueTests {
    private static func order(
        _ goal: Goal = Goal(), seed: UInt64 = 5, workers: Int = 1, delay: Duration = .zero, nodes: [String] = []
    ) -> JobOrder {
        var order = VirtualNode.order(seed: seed, goal: goal)
        (order.workers, order.delay, order.nodes) = (workers, delay, nodes)
        return order
    }

    // MARK: Ahead

    @Test func aJobWaitsUntilTheOneBeforeIsHandedOut() throws {
        var room = QueueRoom()
        let first = try room.ordered(Self.order(Goal(trials: 16 * 400)))
        let second = try room.ordered(Self.order())
        room.passes(.milliseconds(500))
        #expect(room.state(first) == .running)
        #expect(room.state(second) == .waiting(.line(1, behind: JobAhead(id: first, name: "hits"))))
        room.passes(.seconds(3))
        #expect(room.run(first) == nil && room.state(second) == .running)
    }

    /// Nodes are idle, so the next job of the same submitter begins.
    @Test(arguments: [
        order(delay: .seconds(3600)), order(workers: 5), order(nodes: ["zoe"]), order(seed: QueueRoom.browsersOnly),
        order(workers: 2, nodes: ["bo"]),
    ])
    func aJobThatCannotComputeHoldsNobodyUp(first: JobOrder) throws {
        var room = QueueRoom()
        let held = try room.ordered(first)
        let next = try room.ordered(Self.order())
        room.passes(.seconds(1))
        #expect(room.state(next) == .running)
        guard case .waiting = room.state(held) else {
            Issue.record("\(String(describing: room.state(held)))")
            return
        }
    }

    @Test func aPausedJobHoldsNobodyUp() throws {
        var room = QueueRoom()
        let first = try room.ordered(Self.order())
        room.passes(.milliseconds(500))
        let second = try room.ordered(Self.order())
        room.passes(.milliseconds(500))
        #expect(room.commands(.pause, first) == .taken(first))
        room.passes(.milliseconds(100))
        #expect(room.state(first) == .paused && room.state(second) == .running)
        // Nothing that runs goes back into the queue: both compute.
        room.commands(.resume, first)
        let before = [first, second].map { room.run($0)?.ledger.totalTrials ?? 0 }
        room.passes(.seconds(2))
        for (id, trials) in zip([first, second], before) {
            #expect(room.state(id) == .running && room.run(id)?.ledger.totalTrials ?? 0 > trials)
        }
    }

    @Test func aJobForSomeNodesLeavesTheOthersToTheNext() throws {
        var room = QueueRoom()
        let first = try room.ordered(Self.order(nodes: ["bo"]))
        let second = try room.ordered(Self.order(nodes: ["bo"]))
        let third = try room.ordered(Self.order())
        room.passes(.seconds(1))
        #expect(room.state(first) == .running && room.state(third) == .running)
        #expect(room.state(second) == .waiting(.line(1, behind: JobAhead(id: first, name: "hits"))))
    }

    @Test func aRunningJobThatLostItsNodesHoldsNobodyUp() throws {
        var room = QueueRoom()
        let first = try room.ordered(Self.order(nodes: ["bo"]))
        room.setCores(0, of: 1)
        let second = try room.ordered(Self.order(nodes: ["bo", "cy"]))
        room.passes(.seconds(1))
        #expect(room.state(second) == .waiting(.line(1, behind: JobAhead(id: first, name: "hits"))))
        room.setCores(0, of: 0)
        room.setCores(1, of: 1)
        room.passes(.seconds(1))
        #expect(room.state(first) == .running && room.state(second) == .running)
    }

    // MARK: Pausing what waits

    @Test func aWaitingJobIsPausedResumedAndCancelled() throws {
        var room = QueueRoom()
        let jobs = try (0..<4).map { _ in try room.ordered(Self.order()) }
        room.passes(.seconds(1))
        #expect(room.commands(.pause, jobs[1]) == .taken(jobs[1]))
        #expect(room.state(jobs[1]) == .paused)
        // One that is paused twice, or resumed while it runs, is not.
        #expect(room.commands(.pause, jobs[1]) != .taken(jobs[1]))
        #expect(room.commands(.cancel, jobs[3]) == .taken(jobs[3]))
        room.passes(.seconds(1))
        #expect(room.run(jobs[3]) == nil && room.published[jobs[3]] == .done(.stopped))
        // It is not ahead of the others while it is paused, and has its old place when it is resumed.
        let behindFirst = JobState.waiting(.line(1, behind: JobAhead(id: jobs[0], name: "hits")))
        #expect(room.state(jobs[2]) == behindFirst)
        room.commands(.resume, jobs[1])
        #expect(room.state(jobs[1]) == behindFirst)
        room.passes(.milliseconds(500))
        #expect(room.nodes[0].pictures[jobs[1]] == behindFirst)
        room.commands(.cancel, jobs[0])
        room.passes(.seconds(2))
        #expect(room.state(jobs[1]) == .running)
        #expect(room.state(jobs[2]) == .waiting(.line(1, behind: JobAhead(id: jobs[1], name: "hits"))))
    }

    /// A coordinator that restarts continues with the job as it was: paused, and not begun.
    @Test func aJobPausedBeforeItBeganIsKeptLikeThat() throws {
        var room = QueueRoom()
        let id = try room.ordered(Self.order(workers: 5))
        room.passes(.milliseconds(500))
        room.commands(.pause, id)
        let kept = try #require(room.run(id)).kept(room.now)
        #expect(kept.standing == .paused && kept.ran == .zero)
        let run = JobRun(
            id: id, try #require(room.run(id)).taken, facts: VirtualNode.facts, kept: kept, epoch: 1,
            own: QueueRoom.own, seed: 1, now: .start)
        #expect(run.state == .paused && !run.hasBegun)
    }

    // MARK: Telling

    /// The wait changes once, while it is too early to say that workers are preparing.
    @Test func aWaitThatChangesSoonIsTold() throws {
        var room = QueueRoom()
        let first = try room.ordered(Self.order())
        let second = try room.ordered(Self.order(workers: 3))
        #expect(room.published[second] == .waiting(.line(1, behind: JobAhead(id: first, name: "hits"))))
        room.passes(.milliseconds(100))
        room.commands(.cancel, first)
        room.passes(JobLimits.preparing - .milliseconds(101))
        #expect(room.state(second) == .waiting(.workers(2, of: 3)))
        // It is told then, and not at the next event by chance.
        room.passes(.milliseconds(2))
        #expect(room.published[second] == .waiting(.workers(2, of: 3)))
        #expect(room.nodes.allSatisfy { $0.pictures[second] == .waiting(.workers(2, of: 3)) })
    }

    @Test func aJobForNodesThatAreNotHereNamesThem() throws {
        var room = QueueRoom()
        let id = try room.ordered(Self.order(nodes: ["zoe"]))
        room.passes(.seconds(1))
        #expect(room.nodes[1].pictures[id] == .waiting(.workers(0, of: 1, among: ["zoe"])))
    }

    // MARK: Preparing

    @Test func anOrderThatIsBeingPreparedIsShownAndCancelled() throws {
        var room = QueueRoom()
        room.preparesForEver = true
        let token = room.orders(Self.order(), at: 0)
        let id = try #require(room.engine.coordinator.pending.first?.id)
        room.passes(.seconds(1))
        #expect(room.published[id] == .waiting(.simulation) && room.answers[token] == nil)
        #expect(room.commands(.pause, id) != .taken(id))
        #expect(room.commands(.cancel, id) == .taken(id))
        #expect(room.engine.coordinator.pending.isEmpty && room.failed[id] != nil)
        guard case .refused = room.answers[token] else {
            Issue.record("the submitter hears nothing")
            return
        }
        // A preparation that ends after that changes nothing.
        room.preparesForEver = false
        _ = try room.ordered(Self.order())
    }

    /// The host's screen hides the answers of a new job when it first shows it, and then it may still be prepared.
    @Test func answersAreHiddenWhileAnOrderIsBeingPrepared() throws {
        var room = QueueRoom()
        room.preparesForEver = true
        room.orders(Self.order(), at: 0)
        let id = try #require(room.engine.coordinator.pending.first?.id)
        room.passes(.seconds(1))
        for (command, hides) in [(JobCommand.hide, true), (.reveal, false), (.hide, true)] {
            #expect(room.commands(command, id) == .taken(id))
            #expect(room.hidden.contains(id) == hides)
        }
        room.prepare(id)
        let run = try #require(room.engine.coordinator.runs.first { $0.id == id })
        #expect(run.hidesExact && !run.taken.order.hidesExact)
        #expect(room.hidden.contains(id))
    }

    /// The submitter does not know the number of its job yet.
    @Test(arguments: [false, true]) func aSubmitterWithdrawsItsLatestOrder(isTaken: Bool) throws {
        var room = QueueRoom()
        let earlier = try room.ordered(Self.order(), at: 0)
        room.preparesForEver = !isTaken
        let token = room.orders(Self.order(), at: 0)
        guard case .refused? = room.withdraws(QueueRoom.ticket(99), at: 1) else {
            Issue.record("an order that was never given is withdrawn")
            return
        }
        #expect(room.engine.coordinator.pending.count == (isTaken ? 0 : 1))
        guard case .taken? = room.withdraws(QueueRoom.ticket(token), at: 0) else {
            Issue.record("not withdrawn")
            return
        }
        room.passes(.seconds(2))
        #expect(room.engine.coordinator.pending.isEmpty)
        #expect(room.engine.coordinator.runs.map(\.id) == [earlier])
    }

    @Test func anOrderIsDroppedWithItsSubmitter() throws {
        var room = QueueRoom()
        room.preparesForEver = true
        room.orders(Self.order(), at: 0)
        room.orders(Self.order(), at: 1)
        room.orders(Self.order())
        room.loses(0)
        #expect(room.engine.coordinator.pending.map(\.taken.submitterName) == ["cy", "ana"])
    }
}
