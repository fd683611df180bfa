import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Tests of broken links, sleeping laptops and restarted nodes: what a node that reconnects gets, and what the waiting
/// nodes do.
@Suite struct ReturnTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let other = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))
    private static let id = JobID(7)
    private static let ticket = JobTicket([UInt8](repeating: 3, count: JobTicket.length))!
    private static let order = VirtualNode.order(seed: 5, goal: Goal(trials: 1000))
    private static let spec = JobSpec(JobRecipe(experiment: order.experiment, goal: order.goal))

    private static func taken(by node: NodeID) -> TakenJob {
        TakenJob(order: order, ticket: ticket, submitter: node, submitterName: "ana")
    }

    /// Returns the job at a coordinator that took it over once.
    private static func run(of node: NodeID) -> JobRun {
        JobRun(
            id: id, taken(by: node), facts: VirtualNode.facts, kept: nil, epoch: 1 << 16, own: node, seed: 1,
            now: .start)
    }

    private static let result = JobResult(
        spec: spec, trials: 1000, tally: VirtualNode.reference(seed: 5, trials: 1000), readings: [],
        completion: .trials,
        elapsed: .seconds(1), nodes: [])

    /// Returns a coordinator whose job both nodes know. The other node can coordinate, too.
    private static func room() -> (Coordinator, Turn) {
        var turn = Turn(now: .start, keepsJournal: false)
        var coordinator = Coordinator(own: own, seed: 1, mostBlocks: .max)
        coordinator.joined(Worker(node: own, name: "ana", cores: 1), &turn[at: .start])
        coordinator.joined(Worker(node: other, name: "bo", cores: 1, canCoordinate: true), &turn[at: .start])
        coordinator.pending.append(
            Coordinator.Pending(id: id, taken: taken(by: own), origin: .order(token: 1), since: .start))
        coordinator.prepared(id, .ready(VirtualNode.facts), &turn[at: .start])
        coordinator.finishTurn(&turn[at: .start])
        return (coordinator, turn)
    }

    /// A peer that works for another peer's job and holds its replica.
    private struct Holder {
        var engine: Engine
        private static let session = SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length))
        private let link = LinkName.accepted(1)
        private var wake: Instant?

        init(isMet: Bool = true, keepsJournal: Bool = false) {
            let setup = SessionSetup(
                node: ReturnTests.own, name: "ana", cores: 1, session: Self.session, mode: .peer, seed: 1)
            engine = Engine(
                EngineSetup(
                    node: ReturnTests.own, name: "ana", cores: 1, session: setup, seed: 1, keepsJournal: keepsJournal),
                now: .start)
            if isMet { _ = meets(ReturnTests.other, over: link) }
        }

        mutating func meets(_ node: NodeID, over link: LinkName) -> [Effect] {
            let hello = Introduction(session: Self.session, mode: .peer, name: "bo", cores: 1)
            return handle(.session(.opened(link, address: [10, 0, 0, 2])))
                + handle(.session(.greeted(link, hello, by: node)))
                + handle(.session(.received(link, .welcome(Welcome(version: 1, role: .hosts, row: 1)))))
        }

        mutating func handle(_ event: Event, at now: Instant = .start) -> [Effect] {
            let effects = engine.handle(event, at: now)
            for case .wake(let at) in effects { wake = at }
            return effects
        }

        /// Lets time pass and handles only the engine's own wake-ups. Returns their effects.
        mutating func wait(_ time: Duration) -> [Effect] {
            var effects: [Effect] = []
            while let at = wake, at <= .start + time {
                wake = nil
                effects += handle(.woke, at: at)
            }
            return effects
        }

        mutating func loses() { _ = handle(.session(.closed(link, .lost))) }

        @discardableResult
        mutating func hears(_ message: JobMessage, over link: LinkName? = nil) -> [Effect] {
            handle(.session(.received(link ?? self.link, .job(message))))
        }

        /// Returns whether the peer takes over the job after it loses the coordinator.
        mutating func continues(_ id: JobID) -> Bool {
            loses()
            return wait(JobLimits.takeoverDelay * 2).contains {
                if case .job(.prepare(id, _)) = $0 { true } else { false }
            }
        }
    }

    // MARK: Coordinators

    /// After a reconnect a replica is sent from the start, because messages on the old link may have been lost.
    @Test func aNewLinkGetsTheWholeReplica() throws {
        var (coordinator, turn) = Self.room()
        func wholes() -> Int {
            turn.mail.count { node, message in
                if node == Self.other, case .replica(_, let changes) = message, case .accepted? = changes.first {
                    true
                } else {
                    false
                }
            }
        }
        #expect(wholes() == 1)
        let worker = try #require(coordinator.workers[Self.other])
        coordinator.left(Self.other)
        coordinator.joined(worker, &turn[at: .start])
        coordinator.finishTurn(&turn[at: .start])
        #expect(wholes() == 2)
    }

    /// A restarted coordinator learns that its job has ended, and computes nothing of it.
    @Test func anEndedJobIsNotResumed() {
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
        var turn = Turn(now: .start, keepsJournal: true)
        coordinator.found([Self.run(of: Self.own).kept(.start)], &turn)
        #expect(coordinator.isPending(Self.id))
        coordinator.heard(Self.id, Self.result, &turn[at: .start])
        #expect(!coordinator.isPending(Self.id))
        #expect(
            turn.effects.suffix(2) == [.job(.forget(Self.id)), .tell(.finished(Self.id, Self.result, isOurs: true))])
        #expect(turn.takeChanges() == [.forgotten(Self.id)])
        coordinator.prepared(Self.id, .ready(VirtualNode.facts), &turn[at: .start])
        #expect(coordinator.runs.isEmpty)
    }

    /// A job that waited for two workers continues with one after its coordinator was restarted, even if nothing of it
    /// is kept but that it had begun. The other worker may never come back.
    @Test(arguments: [false, true]) func aBegunJobWaitsForNoWorkers(collects: Bool) throws {
        var order = Self.order
        (order.workers, order.collects) = (2, collects)
        let taken = TakenJob(order: order, ticket: Self.ticket, submitter: Self.own, submitterName: "ana")
        let plain = VirtualNode.facts
        let facts = JobFacts(layout: plain.layout, blockSize: plain.blockSize, title: plain.title, writes: collects)
        func begin(_ coordinator: inout Coordinator, _ nodes: [NodeID], _ turn: inout Turn) throws -> Bool {
            for node in nodes { coordinator.joined(Worker(node: node, name: "ana", cores: 1), &turn) }
            coordinator.prepared(Self.id, .ready(facts), &turn)
            coordinator.change(Self.id) { run in
                run.keeping.mayBegin = true
                for node in nodes { run.ready(node, now: .start) }
            }
            coordinator.finishTurn(&turn)
            if case .running = try #require(coordinator.runs.first).phase { return true } else { return false }
        }
        var turn = Turn(now: .start, keepsJournal: true)
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
        coordinator.pending.append(
            Coordinator.Pending(id: Self.id, taken: taken, origin: .order(token: 1), since: .start))
        #expect(try begin(&coordinator, [Self.own, Self.other], &turn))
        let replica = coordinator.runs[0].kept(.start)
        var journal = KeptJobs()
        for change in turn.takeChanges() { journal.apply(change) }
        for kept in [replica, try #require(journal.jobs[Self.id])] {
            var next = Turn(now: .start, keepsJournal: true)
            var restarted = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
            restarted.found([kept], &next)
            #expect(try begin(&restarted, [Self.own], &next))
        }
    }

    /// Two nodes coordinated a job while they were disconnected from each other. The one that steps down says so,
    /// because its screen may show fewer trials from then on.
    @Test func aCoordinatorThatStepsDownNamesItsSuccessor() {
        for isOlder in [true, false] {
            var holder = Holder()
            let kept = Self.run(of: Self.own).kept(.start)
            _ = holder.handle(.found([kept]))
            let epoch: UInt64 = isOlder ? 1 : kept.record.epoch + 1 << 16
            let effects = holder.hears(.job(Self.id, Self.spec, epoch: epoch))
            let news = effects.filter { if case .tell(.news) = $0 { true } else { false } }
            #expect(news == (isOlder ? [] : [.tell(.news(.continues(Self.id, Self.other, name: "bo")))]))
        }
    }

    /// The node at which a job was started keeps it in its journal until it hears how the job ended: the same command would
    /// start a second one after a restart. A node that had only taken the job over forgets it.
    @Test(arguments: [0, 1 << 16] as [UInt64]) func aJobThatWasHandedOverIsKeptUntilItsEnd(epoch: UInt64) {
        func isForgotten(_ effects: [Effect]) -> Bool {
            effects.contains { effect in
                if case .job(.record(let changes)) = effect { changes.contains(.forgotten(Self.id)) } else { false }
            }
        }
        for didFail in [true, false] {
            var holder = Holder(keepsJournal: true)
            var kept = Self.run(of: Self.own).kept(.start)
            kept.record.epoch = epoch
            _ = holder.handle(.found([kept]))
            let isStarter = epoch == 0
            #expect(isForgotten(holder.hears(.job(Self.id, Self.spec, epoch: 1 << 17))) == !isStarter)
            let failed = Self.run(of: Self.other).snapshot(.failed("it traps"), OrderedTable(), now: .start)
            let end: JobMessage = didFail ? .picture(failed.picture) : .result(Self.id, Self.result)
            #expect(isForgotten(holder.hears(end)) == isStarter)
            #expect(!isForgotten(holder.hears(end)))
        }
    }

    /// A restarted coordinator that learns that its job failed computes nothing of it.
    @Test(arguments: [true, false]) func aFailedJobIsNotResumed(isReady: Bool) {
        let run = Self.run(of: Self.own)
        var holder = Holder()
        var effects = holder.handle(.found([run.kept(.start)]))
        if isReady { effects += holder.handle(.prepared(Self.id, .ready(VirtualNode.facts))) }
        let failed = run.snapshot(.failed("it traps"), OrderedTable(), now: .start)
        effects += holder.hears(.picture(failed.picture))
        #expect(effects.count { $0 == .tell(.failed(Self.id, "it traps")) } == 1)
        #expect(holder.engine.coordinator.runs.isEmpty && !holder.engine.coordinator.isPending(Self.id))
        #expect(effects.contains(.job(.forget(Self.id))))
    }

    /// If two nodes coordinate a job, a worker works for the one with the higher epoch. When that one is gone, the worker
    /// works for the other at once.
    @Test(arguments: [true, false]) func aWorkerTurnsToTheOtherCoordinator(isFirst: Bool) {
        let third = NodeID(firstOctetsOf: [UInt8](repeating: 3, count: 16))
        let link = LinkName.accepted(2)
        var holder = Holder()
        _ = holder.meets(third, over: link)
        if isFirst { holder.hears(.job(Self.id, Self.spec, epoch: 0)) }
        holder.hears(.job(Self.id, Self.spec, epoch: 1 << 16), over: link)
        if !isFirst { holder.hears(.job(Self.id, Self.spec, epoch: 0)) }
        _ = holder.handle(.prepared(Self.id, .ready(VirtualNode.facts)))
        var effects = holder.handle(.session(.closed(link, .lost)))
        #expect(effects.contains(.job(.prepare(Self.id, Self.spec.recipe))))
        effects += holder.handle(.prepared(Self.id, .ready(VirtualNode.facts)))
        #expect(effects.contains(.session(.send(.accepted(1), .job(.ready(Self.id)), reliably: true))))
        // The worker's screen also shows the pictures of that coordinator.
        let picture = Self.run(of: Self.other).snapshot(.running, OrderedTable(), now: .start).picture
        #expect(holder.hears(.picture(picture)).contains { if case .tell(.snapshot) = $0 { true } else { false } })
    }

    /// While a job runs, its coordinator remembers every node that left, and forgets them when the job ends.
    @Test func departedNodesAreForgottenWithTheirJob() {
        var (coordinator, turn) = Self.room()
        coordinator.left(Self.other)
        coordinator.finishTurn(&turn[at: .start])
        #expect(coordinator.workers.keys == [Self.own, Self.other])
        coordinator.change(Self.id) { $0.fail("it traps", &turn) }
        coordinator.finishTurn(&turn[at: .start])
        #expect(coordinator.workers.keys == [Self.own])
    }

    // MARK: Waiting nodes

    /// A coordinator that reconnects announces its jobs and the last results. A job that it does not mention ended
    /// earlier, so waiting nodes give it up.
    @Test func aJobOfWhichNothingIsSaidAnyMoreIsLost() {
        for isTold in [true, false] {
            for isBroken in [true, false] {
                var remoteJobs = RemoteJobs()
                var turn = Turn(now: .start, keepsJournal: false)
                remoteJobs.job(Self.id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn)
                // Either the link breaks first, or a new link replaces it at once.
                if isBroken { remoteJobs.awaits(Self.other, name: "bo", &turn) }
                remoteJobs.back(Self.other, now: .start)
                if isTold { remoteJobs.job(Self.id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn) }
                remoteJobs.woke(&turn[at: .start + JobLimits.lostJobTimeout])
                #expect(turn.effects.contains(.tell(.lost(Self.id))) == !isTold)
            }
        }
    }

    /// Another node may report the end of a job while its coordinator is away. The job is then not reported as lost.
    @Test(arguments: [true, false]) func aJobThatHasEndedIsNotLostAfterwards(failed: Bool) {
        var remoteJobs = RemoteJobs()
        var turn = Turn(now: .start, keepsJournal: false)
        remoteJobs.job(Self.id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn)
        remoteJobs.lost(Self.other, name: "bo", &turn[at: .start])
        if failed {
            let picture = Self.run(of: Self.own).snapshot(.failed("it traps"), OrderedTable(), now: .start)
            remoteJobs.picture(picture.picture, from: Self.own, &turn)
        } else {
            remoteJobs.result(Self.id, Self.result, from: Self.own, &turn)
        }
        remoteJobs.woke(&turn[at: .start + JobLimits.lostJobTimeout])
        let ends: [Effect] = [
            .tell(.failed(Self.id, "it traps")), .tell(.finished(Self.id, Self.result, isOurs: false)),
        ]
        #expect(turn.effects.contains(where: ends.contains))
        #expect(!turn.effects.contains(.tell(.lost(Self.id))) && remoteJobs.coordinator(of: Self.id) == nil)
    }

    /// A laptop that slept could hear nothing, so the time it slept does not count towards a timeout.
    @Test func nothingIsGivenUpForALidThatWasClosed() throws {
        var remoteJobs = RemoteJobs()
        var blobs = Blobs()
        var turn = Turn(now: .start, keepsJournal: false)
        remoteJobs.job(Self.id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn)
        remoteJobs.lost(Self.other, name: "bo", &turn[at: .start])
        let hash = try #require(BlobHash([UInt8](repeating: 9, count: BlobHash.length)))
        let blob = try #require(BlobReference(hash: hash, size: 1000))
        let purpose = Blobs.Purpose.whole(Self.id, token: 1)
        _ = blobs.get(blob, for: purpose, from: Self.other, isConnected: false, &turn[at: .start])
        let morning = Instant.start + .seconds(3600)
        remoteJobs.slept(morning)
        blobs.slept(morning)
        remoteJobs.woke(&turn[at: morning])
        let outcomes = blobs.woke(&turn[at: morning])
        #expect(!turn.effects.contains(.tell(.lost(Self.id))) && outcomes.isEmpty)
        remoteJobs.woke(&turn[at: morning + JobLimits.lostJobTimeout])
        let later = blobs.woke(&turn[at: morning + JobLimits.lostJobTimeout])
        #expect(turn.effects.contains(.tell(.lost(Self.id))) && later.map(\.loss) == [.gone])
    }

    /// A gap between two events looks like sleep. Timeouts must also work when no other events come.
    @Test func aWaitWithoutOtherEventsTimesOut() throws {
        let hash = try #require(BlobHash([UInt8](repeating: 9, count: BlobHash.length)))
        let module = try #require(BlobReference(hash: hash, size: 1000))
        let spec = JobSpec(JobRecipe(experiment: Self.order.experiment, goal: Self.order.goal, module: module))
        for isLost in [true, false] {
            var holder = Holder()
            holder.hears(.job(Self.id, spec, epoch: 0))
            _ = holder.handle(.prepared(Self.id, .lacks(module)))
            if isLost { holder.loses() }
            let isGivenUp = holder.wait(.seconds(40)).contains { effect in
                switch effect {
                case .tell(.lost(Self.id)): isLost
                case .session(.send(_, .job(.unable(Self.id, _)), _)): !isLost
                default: false
                }
            }
            #expect(isGivenUp)
        }
    }

    /// After a restart no other node is connected, and the first one that connects may not have the job's tables.
    @Test(arguments: 0..<3) func aJobsBlobsAreFetchedFromNodesThatConnect(comes: Int) throws {
        let hash = try #require(BlobHash([UInt8](repeating: 9, count: BlobHash.length)))
        let tables = try #require(BlobReference(hash: hash, size: 2))
        var order = Self.order
        order.payload = tables
        let taken = TakenJob(order: order, ticket: Self.ticket, submitter: Self.other, submitterName: "bo")
        let run = JobRun(
            id: Self.id, taken, facts: VirtualNode.facts, kept: nil, epoch: 0, own: Self.own, seed: 1, now: .start)
        var holder = Holder(isMet: false)
        _ = holder.handle(.found([run.kept(.start)]))
        var effects = holder.handle(.prepared(Self.id, .lacks(tables)))
        let nodes = (3..<3 + UInt8(comes)).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
        for (index, node) in nodes.enumerated() {
            let link = LinkName.accepted(UInt64(index) + 2)
            effects += holder.meets(node, over: link)
            let asked = effects.contains(.session(.send(link, .job(.fetch(hash, offset: 0)), reliably: true)))
            #expect(asked)
            guard index > 0 else {
                effects += holder.hears(.lacking(hash, "no job here needs it"), over: link)
                continue
            }
            effects += holder.hears(.part(hash, offset: 0, octets: [1, 2]), over: link)
            effects += holder.handle(.shelved(hash, .right))
        }
        effects += holder.wait(JobLimits.lostJobTimeout)
        let why = "its tables are missing"
        #expect(effects.contains(.tell(.news(.stranded(Self.id, why: why)))) == (comes < 2))
        #expect(effects.count { $0 == .job(.prepare(Self.id, order.recipe)) } == (comes < 2 ? 0 : 1))
    }

    // MARK: Replicas

    /// A result is announced only once it is durable. Until then a replica is kept, even if the job shows as done.
    @Test func aReplicaIsKeptUntilTheResultIsTold() {
        for isTold in [true, false] {
            var holder = Holder()
            let run = Self.run(of: Self.other)
            holder.hears(.job(Self.id, Self.spec, epoch: run.epoch))
            holder.hears(.replica(Self.id, run.kept(.start).changes))
            holder.hears(.picture(run.snapshot(.done(.trials), OrderedTable(), now: .start).picture))
            holder.hears(.over(Self.id))
            if isTold { holder.hears(.result(Self.id, Self.result)) }
            #expect(holder.continues(Self.id) == !isTold)
        }
    }
}
