import PotluckKit
import Testing

@testable import PotluckCore
@testable import PotluckEngine

/// What users were told stays true even if a node is killed a moment later. What a job keeps of nodes that left is
/// bounded.
@Suite struct PromiseTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let order = VirtualNode.order(seed: 5, goal: Goal(trials: 1_000_000))

    /// The answer to an order may be lost, so the order may come again: while its simulation is prepared, while it runs,
    /// and after its end. There is one job for it, and each order is answered.
    @Test func anOrderThatComesAgainIsTheSameJob() throws {
        let order = VirtualNode.order(seed: 5, goal: Goal(trials: 1600))
        let other = try #require(JobTicket([UInt8](repeating: 9, count: JobTicket.length)))
        var host = Host()
        let id = try host.orders(order)
        func answers(_ token: UInt64) -> [JobAnswer] {
            host.effects.compactMap { if case .answer(let answer, token) = $0 { answer } else { nil } }
        }
        host.handle(.wanted(.order(order, Host.ticket), token: 2))
        while !host.effects.contains(where: { if case .tell(.finished) = $0 { true } else { false } }) {
            host.work(atMost: 1)
            host.passes(.milliseconds(100))
        }
        host.handle(.wanted(.order(order, Host.ticket), token: 3))
        #expect(answers(2) == [.taken(id)] && answers(3) == [.taken(id)])
        host.handle(.wanted(.order(order, other), token: 4))
        guard case .taken(let new)? = answers(4).first else {
            Issue.record("the order of another user was not taken")
            return
        }
        #expect(new != id)
        // Orders on one machine have no ticket of their own.
        for token: UInt64 in 5...6 { host.handle(.wanted(.order(order, .none), token: token)) }
        #expect(answers(5) != answers(6) && answers(6).count == 1)
        // While the simulation is prepared, only the last order waits for the answer.
        var engine = Engine(EngineSetup(node: Self.own, name: "ana", cores: 1, seed: 1), now: .start)
        var effects = engine.handle(.wanted(.order(order, other), token: 1), at: .start)
        effects += engine.handle(.wanted(.order(order, other), token: 2), at: .start)
        let prepared = effects.compactMap { if case .job(.prepare(let id, _)) = $0 { id } else { nil } }
        #expect(prepared.count == 1)
        effects = engine.handle(.prepared(prepared[0], .ready(VirtualNode.facts)), at: .start)
        #expect(effects.contains(.answer(.taken(prepared[0]), token: 2)))
    }

    /// Between the end of a job's time and its result the coordinator may crash. The next one does not take the job for
    /// one that a user cancelled.
    @Test(arguments: [true, false]) func aJobForATimeStaysOneAfterACrash(isCancelled: Bool) throws {
        var host = Host(keepsJournal: true)
        let id = try host.orders(VirtualNode.order(seed: 3, goal: Goal(duration: .milliseconds(2900))))
        host.handle(.durable(UInt64(host.said.count)))
        while host.now < .start + .seconds(isCancelled ? 2 : 4) {
            host.work(atMost: 1)
            host.passes(.milliseconds(10))
        }
        if isCancelled { host.handle(.wanted(.command(.cancel, id, ticket: Host.ticket), token: 2)) }
        var journal = KeptJobs()
        var crashes = 0
        for change in host.said {
            journal.apply(change)
            guard let kept = journal.jobs[id], kept.end != nil, !kept.standing.isOver else { continue }
            crashes += 1
            let order = VirtualNode.order(seed: 3, goal: Goal(duration: .milliseconds(2900)))
            let taken = TakenJob(
                order: order, ticket: Host.ticket, submitter: Host.own, submitterName: "ana")
            let next = JobRun(
                id: id, taken, facts: VirtualNode.facts, kept: kept, epoch: 1 << 16, own: Host.other, seed: 1,
                now: .start)
            #expect(next.ending == (isCancelled ? .stopped : .duration))
        }
        #expect(crashes > 0)
    }

    /// A node that is killed right after it confirmed a cancellation does not compute any more of the job.
    @Test(arguments: [0, 3, 40]) func aCancelIsToldOnceItIsWrittenDown(chunks: Int) throws {
        var host = Host(keepsJournal: true)
        let id = try host.orders(Self.order)
        host.handle(.durable(UInt64(host.said.count)))
        host.work(atMost: chunks)
        host.handle(.durable(UInt64(host.said.count)))
        host.handle(.wanted(.command(.cancel, id, ticket: nil), token: 2))
        func isTold() -> Bool { host.effects.contains(.answer(.taken(id), token: 2)) }
        #expect(!isTold())
        let told = host.said.count
        host.handle(.durable(UInt64(told)))
        #expect(isTold())
        var journal = KeptJobs()
        for change in host.said.prefix(told) { journal.apply(change) }
        try expectStopped(id, after: journal)
    }

    /// While the disk is full, a user who cancels a job is told so, and that it is not on disk. Nobody waits for the
    /// disk.
    @Test(arguments: [false, true]) func aCancelIsAnsweredWhileTheDiskIsFull(wasKnown: Bool) throws {
        var host = Host(keepsJournal: true)
        let id = try host.orders(Self.order)
        host.handle(.durable(UInt64(host.said.count)))
        host.work(atMost: 3)
        if wasKnown { host.handle(.journal(trouble: "the disk is full")) }
        host.handle(.wanted(.command(.cancel, id, ticket: nil), token: 2))
        if !wasKnown { host.handle(.journal(trouble: "the disk is full")) }
        func answers() -> [JobAnswer] {
            host.effects.compactMap { if case .answer(let answer, token: 2) = $0 { answer } else { nil } }
        }
        guard answers().count == 1, case .refused(let why) = answers()[0] else {
            Issue.record("\(answers())")
            return
        }
        #expect(why.hasPrefix("done, but not on disk: the journal cannot be written: the disk is full"))
        host.handle(.journal(trouble: nil))
        host.handle(.durable(UInt64(host.said.count)))
        #expect(answers().count == 1)
        var journal = KeptJobs()
        for change in host.said { journal.apply(change) }
        try expectStopped(id, after: journal)
    }

    /// Starts a node again with that journal. Its only unfinished job must end as stopped, without computing anything.
    private func expectStopped(_ id: JobID, after journal: KeptJobs) throws {
        let left = try #require(journal.unfinished.first)
        var next = Host(keepsJournal: true, seed: 2)
        next.handle(.found([left]))
        next.handle(.durable(UInt64(next.said.count)))
        #expect(next.chunks.isEmpty)
        let ends = next.effects.compactMap {
            if case .tell(.finished(id, let result, _)) = $0 { result.completion } else { nil }
        }
        #expect(ends == [.stopped])
    }

    /// A cancelled job with an output ends at once after a restart. Its output is lost, and nobody wants it again.
    @Test func aCancelledJobThatWritesIsNotComputedAgain() throws {
        var order = Self.order
        order.collects = true
        var host = Host(keepsJournal: true)
        let id = try host.orders(order)
        host.handle(.durable(UInt64(host.said.count)))
        host.work(atMost: 3)
        host.handle(.wanted(.command(.cancel, id, ticket: nil), token: 2))
        for _ in 0..<5 { host.passes(.milliseconds(100)) }
        var journal = KeptJobs()
        for change in host.said { journal.apply(change) }
        try expectStopped(id, after: journal)
    }

    /// A node that is killed right after a job's end tells the others after its restart, but not its own user again.
    @Test func anEndIsToldHereOnce() throws {
        let order = VirtualNode.order(seed: 5, goal: Goal(trials: 1600))
        var host = Host(keepsJournal: true)
        let id = try host.orders(order)
        host.handle(.durable(UInt64(host.said.count)))
        host.work(atMost: 100)
        func isTold(_ host: Host) -> Bool {
            host.effects.contains { if case .tell(.finished(id, _, _)) = $0 { true } else { false } }
        }
        var journal = KeptJobs()
        for change in host.said { journal.apply(change) }
        #expect(!isTold(host) && journal.unfinished.first?.standing == .running)
        host.handle(.durable(UInt64(host.said.count)))
        host.passes(JobLimits.recording)
        journal = KeptJobs()
        for change in host.said { journal.apply(change) }
        let left = try #require(journal.unfinished.first)
        #expect(isTold(host) && left.standing == .told)
        var next = Host(keepsJournal: true, seed: 2)
        next.handle(.found([left]))
        for _ in 0..<4 { next.handle(.durable(UInt64(next.said.count))) }
        let shown = next.effects.filter { effect in
            switch effect {
            case .tell(.snapshot), .tell(.finished), .tell(.news): true
            default: false
            }
        }
        #expect(shown == [])
        let tellings = next.effects.count { effect in
            if case .session(.send(_, .job(.result(id, _)), _)) = effect { true } else { false }
        }
        #expect(tellings == 1)
        next.passes(JobLimits.retelling)
        #expect(next.said.contains(.forgotten(id)))
    }

    /// The cancellation reaches the replica at once, so a node that takes over in the same second knows it.
    @Test func aCancelIsInTheReplicaAtOnce() throws {
        var host = Host()
        let id = try host.orders(Self.order)
        host.hears(.ready(id))
        host.work(atMost: 3)
        host.passes(.milliseconds(100))
        let before = host.effects.count
        host.handle(.wanted(.command(.cancel, id, ticket: nil), token: 2))
        let told = host.effects[before...].contains { effect in
            guard case .session(.send(_, .job(.replica(id, let changes)), _)) = effect else { return false }
            return changes.contains { if case .judged = $0 { true } else { false } }
        }
        #expect(told)
    }

    /// A member cancels a job a thousand times while the disk is busy. The journal hears of the end once, and most of
    /// the commands are refused at once, so that the answers do not all come when the disk is done.
    @Test func cancellingAgainAndAgainPilesNothingUp() throws {
        var host = Host(keepsJournal: true)
        let id = try host.orders(Self.order)
        host.handle(.durable(UInt64(host.said.count)))
        for token in 0..<1000 as Range<UInt64> {
            host.hears(.command(.cancel, id, ticket: Host.ticket, token: token))
        }
        #expect(host.said.count { if case .judged = $0 { true } else { false } } == 1)
        func answers(_ isMeant: (JobMessage) -> Bool) -> Int {
            host.effects.count {
                if case .session(.send(_, .job(let message), _)) = $0 { isMeant(message) } else { false }
            }
        }
        let refused = answers { if case .refused(let why, _) = $0 { why.contains("wait for the disk") } else { false } }
        #expect(refused == 1000 - JobLimits.waitingAnswers)
        host.handle(.durable(UInt64(host.said.count)))
        #expect(answers { if case .taken = $0 { true } else { false } } == JobLimits.waitingAnswers)
    }

    // MARK: Delayed jobs

    /// A coordinator is lost before its job begins. The next coordinator waits only for the rest of the delay.
    @Test func aNewCoordinatorWaitsForTheRestOfTheDelay() throws {
        var order = Self.order
        order.delay = .seconds(60)
        var first = Host()
        let id = try first.orders(order)
        for _ in 0..<5 { first.passes(.seconds(2)) }
        let kept = try #require(first.engine.coordinator.runs.first).kept(first.now)
        var replicas = Replicas(own: Self.own)
        let since = Instant.start + .seconds(1000)
        replicas.apply(id, kept.changes, from: Host.other, isAutomatic: true, now: since)
        let taken = replicas.take(id, now: since + .seconds(20))
        let later = try #require(taken)
        #expect(try TakenJob(later.record.spec).order.delay == .seconds(30))
        var next = Host(seed: 2)
        next.handle(.found([later]))
        guard case .waiting(.start(let left))? = next.engine.coordinator.runs.first?.phase else {
            Issue.record("it does not wait")
            return
        }
        #expect(left == .seconds(30))
        #expect(
            next.engine.coordinator.runs.first.map { $0.kept(next.now + .seconds(40)).record.spec }
                == later.record.after(.seconds(40)).spec)
    }

    // MARK: Nodes that left

    /// Hundreds of nodes join, compute a little and leave. All trials are attributed, in few rows.
    @Test func departedNodesAreCountedInFewRows() throws {
        var turn = Turn(now: .start, keepsJournal: false)
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: 1)
        let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
        let id = JobID(7)
        coordinator.joined(Worker(node: Self.own, name: "ana", cores: 0), &turn[at: .start])
        let taken = TakenJob(order: Self.order, ticket: ticket, submitter: Self.own, submitterName: "ana")
        coordinator.pending.append(Coordinator.Pending(id: id, taken: taken, origin: .order(token: 1), since: .start))
        coordinator.prepared(id, .ready(VirtualNode.facts), &turn[at: .start])
        coordinator.change(id) { $0.keeping.mayBegin = true }
        for number in 0..<700 {
            let octets = (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) }
            let node = NodeID(firstOctetsOf: octets.map { $0 ^ 0x80 })
            coordinator.joined(Worker(node: node, name: "n\(number)", cores: 1), &turn[at: .start])
            coordinator.change(id) { $0.ready(node, now: .start) }
            coordinator.finishTurn(&turn[at: .start])
            for case (node, .lend(_, let chunks)) in turn.mail {
                let results = chunks.map {
                    WorkResult(attempt: $0.attempt, end: $0.blocks.upperBound, tally: [1], busy: .milliseconds(1))
                }
                coordinator.took(results, of: id, from: node, &turn[at: .start])
            }
            turn.mail = []
            turn.effects = []
            coordinator.left(node)
        }
        let run = try #require(coordinator.runs.first)
        #expect(run.workerProgress.count <= JobLimits.mostWorkers && coordinator.workers.count <= JobLimits.mostWorkers)
        #expect(run.ledger.totalTrials >= 700 * 16 && run.ledger.isSound)
        let rows = run.snapshot(.running, coordinator.workers, now: .start).nodes
        #expect(rows.reduce(0) { $0 + $1.trials } == run.ledger.totalTrials)
        #expect(run.ledger.intervals.allSatisfy { $0.count <= JobLimits.mostWorkers + 1 })
    }
}
