import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Tests of a coordinator's promises, each in the smallest room that could break it.
@Suite struct CoordinatorTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let guest = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))
    private static let id = JobID(7)

    private static func taken(_ goal: Goal) throws -> TakenJob {
        let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
        return TakenJob(
            order: VirtualNode.order(seed: 5, goal: goal), ticket: ticket, submitter: own, submitterName: "ana")
    }

    /// Returns a coordinator with a job that both nodes know and neither has prepared.
    private static func room(_ goal: Goal, keepsJournal: Bool = false) throws -> (Coordinator, Turn) {
        var turn = Turn(now: .start, keepsJournal: keepsJournal)
        var coordinator = Coordinator(own: own, seed: 1, mostBlocks: .max)
        for (node, name) in [(own, "ana"), (guest, "cy")] {
            coordinator.joined(Worker(node: node, name: name, cores: 1), &turn[at: .start])
        }
        let taken = try taken(goal)
        coordinator.pending.append(Coordinator.Pending(id: id, taken: taken, origin: .order(token: 1), since: .start))
        coordinator.prepared(id, .ready(VirtualNode.facts), &turn[at: .start])
        coordinator.change(id) { $0.keeping.mayBegin = true }
        return (coordinator, turn)
    }

    private static func tally(_ blocks: Range<UInt64>, trials: UInt64) -> [UInt64] {
        let (all, before) = (min(trials, blocks.upperBound * 16), min(trials, blocks.lowerBound * 16))
        return [
            VirtualNode.reference(seed: 5, trials: all)[0] - VirtualNode.reference(seed: 5, trials: before)[0]
        ]
    }

    /// Removes the mail and returns the chunks that it lends.
    private static func lent(_ turn: inout Turn) -> [(node: NodeID, chunk: LentChunk)] {
        defer { turn.mail = [] }
        return turn.mail.flatMap { node, message in
            guard case .lend(_, let chunks) = message else { return [(node: NodeID, chunk: LentChunk)]() }
            return chunks.map { (node, $0) }
        }
    }

    /// The node completes every chunk that it is lent until no more come. Chunks that go to other nodes are ignored.
    private static func work(_ node: NodeID, _ coordinator: inout Coordinator, _ turn: inout Turn, trials: UInt64) {
        while true {
            coordinator.finishTurn(&turn[at: .start])
            let chunks = lent(&turn)
            if chunks.isEmpty { return }
            for (to, chunk) in chunks where to == node {
                bring(chunk, from: node, &coordinator, &turn, trials: trials)
            }
        }
    }

    private static func bring(
        _ chunk: LentChunk, from node: NodeID, _ coordinator: inout Coordinator, _ turn: inout Turn,
        trials: UInt64 = .max
    ) {
        let result = WorkResult(
            attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: tally(chunk.blocks, trials: trials),
            busy: .milliseconds(1))
        coordinator.took([result], of: id, from: node, &turn[at: .start])
    }

    private static func readsResult(_ turn: Turn) -> Bool {
        turn.effects.contains { effect in
            if case .job(.read(let request)) = effect, case .result = request.purpose { true } else { false }
        }
    }

    // MARK: Audits

    /// A quick guest does a short job alone before the coordinator is ready. The result waits for the coordinator's
    /// audit.
    @Test func aShortJobWaitsUntilItsCoordinatorCanLook() throws {
        let trials: UInt64 = 200
        var (coordinator, turn) = try Self.room(Goal(trials: trials))
        coordinator.change(Self.id) { $0.ready(Self.guest, now: .start) }
        Self.work(Self.guest, &coordinator, &turn, trials: trials)
        #expect(coordinator.runs[0].ledger.isComplete)
        #expect(!Self.readsResult(turn))
        // The wait is bounded by `JobLimits.silence`.
        var (other, later) = (coordinator, turn)
        other.finishTurn(&later[at: .start + JobLimits.silence])
        #expect(Self.readsResult(later))
        coordinator.change(Self.id) { $0.ready(Self.own, now: .start) }
        coordinator.finishTurn(&turn[at: .start])
        let audits = Self.lent(&turn)
        #expect(!audits.isEmpty && audits.allSatisfy { $0.node == Self.own })
    }

    @Test func aJobDoesNotWaitForACoordinatorThatCannotLook() throws {
        for obstacle in 0..<2 {
            let trials: UInt64 = 200
            var (coordinator, turn) = try Self.room(Goal(trials: trials))
            if obstacle == 0 {
                coordinator.took(cores: 0, of: Self.own, &turn)
            } else {
                coordinator.change(Self.id) { $0.unable(Self.own, "it is not built in", &turn) }
            }
            coordinator.change(Self.id) { $0.ready(Self.guest, now: .start) }
            Self.work(Self.guest, &coordinator, &turn, trials: trials)
            #expect(Self.readsResult(turn))
        }
    }

    // MARK: Pausing

    /// A paused job may still hand out chunks: when its last chunk comes back, or when a checkpoint is precise enough.
    /// It is then no longer shown as paused.
    @Test(arguments: [Goal(trials: 16), Goal(precision: .absolute(0.01))])
    func aPausedJobThatHandsOutIsNotShownAsPaused(goal: Goal) throws {
        var (coordinator, turn) = try Self.room(goal)
        coordinator.change(Self.id) { $0.ready(Self.guest, now: .start) }
        coordinator.finishTurn(&turn[at: .start])
        let first = try #require(Self.lent(&turn).first?.chunk)
        func want(_ command: JobCommand) {
            coordinator.command(
                command, Self.id, ticket: nil, by: Self.own, role: .hosts, token: 2, &turn[at: .start])
        }
        want(.pause)
        #expect(coordinator.runs[0].display.isShownPaused)
        (turn.effects, turn.mail) = ([], [])
        Self.bring(first, from: Self.guest, &coordinator, &turn, trials: goal.trials ?? .max)
        if goal.precision != nil {
            let reading = Reading(
                name: "p", kind: .proportion, value: 0.3, interval: 0.299...0.301, exact: 0.3, varies: true)
            let request = ReadRequest(job: Self.id, tally: [77], trials: 256, purpose: .checkpoint(0))
            coordinator.change(Self.id) { $0.ask(request, &turn[at: .start]) }
            coordinator.read(request, [reading], &turn[at: .start])
        }
        coordinator.change(Self.id) { $0.ready(Self.own, now: .start) }
        coordinator.finishTurn(&turn[at: .start])
        let shown = turn.effects.compactMap {
            if case .tell(.snapshot(let snapshot)) = $0 { snapshot.state } else { nil }
        }
        let told = turn.mail.compactMap { if case .picture(let picture) = $0.message { picture.state } else { nil } }
        #expect(!shown.isEmpty && shown.last != .paused && shown.last == told.last)
        #expect(Self.lent(&turn).map(\.node) == [Self.own])
    }

    /// The host hides and shows exact answers on every node, also after the end. A guest cannot.
    @Test func exactAnswersAreHiddenOnEveryNode() throws {
        var (coordinator, turn) = try Self.room(Goal(trials: 64))
        coordinator.change(Self.id) { $0.ready(Self.own, now: .start) }
        func want(_ command: JobCommand, as role: Role = .hosts) {
            let node = role == .hosts ? Self.own : Self.guest
            coordinator.command(command, Self.id, ticket: nil, by: node, role: role, token: 2, &turn[at: .start])
        }
        func told() -> JobPicture? {
            turn.mail.compactMap { node, message in
                if case .picture(let picture) = message, node == Self.guest { picture } else { nil }
            }.last
        }
        want(.hide)
        #expect(told()?.hidesExact == true)
        want(.reveal, as: .watches)
        #expect(told()?.hidesExact == true)
        Self.work(Self.own, &coordinator, &turn, trials: 64)
        for effect in turn.effects {
            if case .job(.read(let request)) = effect { coordinator.read(request, [], &turn[at: .start]) }
        }
        coordinator.finishTurn(&turn[at: .start])
        #expect(coordinator.runs.isEmpty && told()?.hidesExact == true)
        want(.reveal, as: .watches)
        #expect(told()?.hidesExact == true)
        want(.reveal)
        #expect(told()?.hidesExact == false && told()?.state == .done(.trials))
        // A node that reconnects is told of the result as it is shown now.
        guard case .result(_, let result)? = coordinator.endings.last?.message else {
            Issue.record("no result")
            return
        }
        #expect(!result.hidesExact)
    }

    /// After a job's end a node takes only that its exact answers are hidden or shown.
    @Test func onlyHidingChangesAfterTheEnd() throws {
        var jobs = RemoteJobs()
        var turn = Turn(now: .start, keepsJournal: false)
        let spec = JobSpec(JobRecipe(experiment: VirtualNode.order(seed: 5, goal: Goal()).experiment, goal: Goal()))
        var picture = JobPicture(id: Self.id, submitter: "", state: .done(.trials), trials: 1, hidesExact: true)
        let result = JobResult(
            spec: spec, trials: 1, tally: [], readings: [], completion: .trials, elapsed: .zero, nodes: [],
            hidesExact: true)
        func shown() -> [Bool] {
            defer { turn.effects = [] }
            return turn.effects.compactMap {
                if case .tell(.snapshot(let snapshot)) = $0 { snapshot.hidesExact } else { nil }
            }
        }
        jobs.job(Self.id, spec, epoch: 0, from: Self.guest, name: "cy", &turn)
        jobs.result(Self.id, result, from: Self.guest, &turn)
        jobs.picture(picture, from: Self.guest, &turn)
        #expect(shown().isEmpty)
        picture.hidesExact = false
        jobs.picture(picture, from: Self.own, &turn)
        #expect(shown().isEmpty)
        jobs.picture(picture, from: Self.guest, &turn)
        #expect(shown() == [false])
        picture.state = .running
        picture.hidesExact = true
        jobs.picture(picture, from: Self.guest, &turn)
        #expect(shown().isEmpty)
    }

    /// A job that rests because its coordinator's disk is full is recorded as running: the next coordinator's disk may
    /// be fine.
    @Test func aJobThatOnlyRestsIsNotKeptAsPaused() throws {
        var (coordinator, turn) = try Self.room(Goal(), keepsJournal: true)
        coordinator.change(Self.id) { $0.ready(Self.guest, now: .start) }
        coordinator.finishTurn(&turn[at: .start])
        coordinator.took(journalTrouble: "the disk is full", &turn[at: .start])
        #expect(coordinator.runs[0].state == .paused)
        #expect(coordinator.runs[0].kept(.start).standing == .running)
        #expect(!turn.takeChanges().contains(.stands(Self.id, .paused)))
        coordinator.took(journalTrouble: nil, &turn[at: .start])
        #expect(coordinator.runs[0].state == .running)
    }

    @Test func aHaltedJobCanBePaused() throws {
        var (coordinator, turn) = try Self.room(Goal(), keepsJournal: true)
        coordinator.change(Self.id) { $0.ready(Self.guest, now: .start) }
        coordinator.finishTurn(&turn[at: .start])
        func want(_ command: JobCommand) {
            coordinator.command(
                command, Self.id, ticket: nil, by: Self.own, role: .hosts, token: 2, &turn[at: .start])
        }
        coordinator.took(journalTrouble: "the disk is full", &turn[at: .start])
        want(.pause)
        #expect(coordinator.runs[0].kept(.start).standing == .paused)
        #expect(turn.takeChanges().contains(.stands(Self.id, .paused)))
        // Resuming does not help while the journal cannot be written.
        want(.resume)
        #expect(coordinator.runs[0].state == .paused)
        coordinator.took(journalTrouble: nil, &turn[at: .start])
        #expect(coordinator.runs[0].state == .paused)
        want(.resume)
        #expect(coordinator.runs[0].state == .running)
    }

    // MARK: Journal and replicas

    /// A node alone, whose journal confirms nothing for a while. The job is forgotten only after its result was told.
    @Test func aJobIsForgottenOnlyAfterItsResultWasTold() throws {
        var engine = Engine(
            EngineSetup(node: Self.own, name: "ana", cores: 1, seed: 1, keepsJournal: true), now: .start)
        var (now, said, isForgotten, isTold) = (Instant.start, UInt64(0), false, false)
        var events: [Event] = [
            .wanted(.order(try Self.taken(Goal(trials: 100)).order, try Self.taken(Goal()).ticket), token: 1)
        ]
        func live(_ event: Event? = nil) {
            if let event { events.append(event) }
            while !events.isEmpty {
                for effect in engine.handle(events.removeFirst(), at: now) {
                    switch effect {
                    case .job(.prepare(let id, _)): events.append(.prepared(id, .ready(VirtualNode.facts)))
                    case .job(.compute(let chunk, _, let trials, _)):
                        let result = ChunkResult(
                            attempt: chunk.attempt, end: chunk.blocks.upperBound,
                            tally: Self.tally(chunk.blocks, trials: trials ?? .max), busy: .milliseconds(1))
                        events.append(.computed([.done(result)]))
                    case .job(.read(let request)): events.append(.read(request, []))
                    case .job(.record(let changes)):
                        said += UInt64(changes.count)
                        for case .forgotten in changes {
                            #expect(isTold)
                            isForgotten = true
                        }
                    case .tell(.finished): isTold = true
                    default: break
                    }
                }
            }
        }
        live()
        let order = said
        live(.durable(order))
        #expect(said > order && !isTold)
        for _ in 0..<5 {
            now = now + .seconds(1)
            live(.woke)
        }
        live(.durable(said))
        #expect(isTold && !isForgotten)
        now = now + JobLimits.retelling
        live(.woke)
        #expect(isForgotten)
    }

    /// A former coordinator may announce the job because it does not know yet that another one has taken over. Only a
    /// higher epoch makes a node discard its replica.
    @Test func aReplicaIsKeptWhateverACoordinatorBeforeSays() throws {
        let (before, after) = (Self.guest, NodeID(firstOctetsOf: [UInt8](repeating: 4, count: 16)))
        let run = JobRun(
            id: Self.id, try Self.taken(Goal()), facts: VirtualNode.facts, kept: nil, epoch: 1 << 16, own: after,
            seed: 1,
            now: .start)
        var replicas = Replicas(own: Self.own)
        replicas.apply(Self.id, run.kept(.start).changes, from: after, isAutomatic: true, now: .start)
        replicas.coordinated(Self.id, by: before, epoch: 1, known: 0, now: .start)
        replicas.lost(after, now: .start)
        let later = Instant.start + JobLimits.takeoverDelay * 2
        var newer = replicas
        newer.coordinated(Self.id, by: before, epoch: 2 << 16, known: 0, now: .start)
        #expect(newer.due(later).isEmpty)
        #expect(replicas.due(later) == [Self.id])
    }
}
