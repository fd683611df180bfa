import PotluckKit
import Testing

@testable import PotluckCore
@testable import PotluckEngine

/// Of two nodes that could coordinate a job, the one that knows more of it does. No screen shows less than is known.
@Suite struct KnowledgeTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let other = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))
    private static let third = NodeID(firstOctetsOf: [UInt8](repeating: 3, count: 16))
    private static let id = JobID(7)
    private static let ticket = JobTicket([UInt8](repeating: 3, count: JobTicket.length))!
    private static let order = VirtualNode.order(seed: 5, goal: Goal(trials: 16_000))
    private static let taken = TakenJob(order: order, ticket: ticket, submitter: other, submitterName: "bo")
    private static let claimed: UInt64 = 1 << 16

    /// Returns a job as left by a coordinator that had computed it for a minute.
    private static func kept(_ blocks: UInt64, end: UInt64? = nil, epoch: UInt64 = 0) throws -> KeptJob {
        let record = JobRecord(
            id: id, spec: taken.encoded, simulation: "hits", submitter: "bo", acceptedAt: 0, epoch: epoch)
        let tally = VirtualNode.reference(seed: 5, trials: blocks * VirtualNode.blockSize)
        return try #require(
            KeptJob(
                record, standing: .running, settled: SettledTally(blocks: blocks, tally: tally), pieces: [],
                checkpoints: [], end: end, ran: .seconds(60)))
    }

    /// Returns a coordinator that continues the job and has announced it to all nodes.
    private static func room(_ kept: KeptJob) -> (Coordinator, Turn) {
        var turn = Turn(now: .start, keepsJournal: false)
        var coordinator = Coordinator(own: own, seed: 1, mostBlocks: .max)
        coordinator.joined(Worker(node: own, name: "ana", cores: 1), &turn[at: .start])
        coordinator.joined(Worker(node: other, name: "bo", cores: 1, canCoordinate: true), &turn[at: .start])
        coordinator.found([kept], &turn)
        coordinator.prepared(id, .ready(VirtualNode.facts), &turn[at: .start])
        coordinator.finishTurn(&turn[at: .start])
        turn.mail = []
        return (coordinator, turn)
    }

    // MARK: Jobs without work left

    /// All blocks are kept, but as pieces, because a checkpoint was lost. The job ends without any worker.
    @Test func aJobThatIsKeptInPiecesEnds() throws {
        func tally(_ blocks: UInt64) -> UInt64 {
            VirtualNode.reference(seed: 5, trials: blocks * VirtualNode.blockSize)[0]
        }
        let whole = try Self.kept(0)
        let (middle, end) = (Checkpoint.blocks(0), Checkpoint.blocks(1))
        let pieces = [0..<middle, middle..<end].map { blocks in
            BlockTally(
                blocks: blocks, node: Self.other, tally: [tally(blocks.upperBound) - tally(blocks.lowerBound)])
        }
        let kept = try #require(
            KeptJob(
                whole.record, standing: .running, settled: whole.settled, pieces: pieces, checkpoints: [], end: end,
                ran: .seconds(60)))
        var (coordinator, turn) = Self.room(kept)
        coordinator.change(Self.id) { $0.keeping.mayBegin = true }
        coordinator.finishTurn(&turn[at: .start])
        let run = try #require(coordinator.runs.first)
        #expect(run.ledger.isComplete && run.ledger.settledTally == [tally(end)])
        guard case .concluding(.stopped, isResultAsked: true) = run.phase else {
            Issue.record("\(run.phase)")
            return
        }
    }

    // MARK: Coordinators that meet

    @Test func theNodeThatKnowsMoreContinuesTheJob() throws {
        var (coordinator, turn) = Self.room(try Self.kept(400))
        let answer = coordinator.stepDown(
            from: Self.id, for: Self.other, epoch: Self.claimed, known: 100, &turn[at: .start])
        #expect(!answer.mayLead)
        let run = try #require(coordinator.runs.first)
        #expect(run.epoch == 2 * Self.claimed && run.ledger.isSound)
        // The job is announced to all nodes again, and the holder of a replica gets the whole replica again.
        let claim = JobMessage.job(Self.id, run.spec, epoch: 2 * Self.claimed, known: 400)
        #expect(
            [Self.own, Self.other].allSatisfy { node in turn.mail.contains { $0.to == node && $0.message == claim } })
        turn.mail = []
        coordinator.finishTurn(&turn[at: .start])
        let isWhole = turn.mail.contains { _, message in
            guard case .replica(_, let changes) = message, case .accepted(let record)? = changes.first else {
                return false
            }
            return record.epoch == 2 * Self.claimed
        }
        #expect(isWhole)
    }

    @Test func equalKnowledgeFollowsTheHigherEpoch() throws {
        for known: UInt64 in [395, 400, 1000] {
            var (coordinator, turn) = Self.room(try Self.kept(400))
            let answer = coordinator.stepDown(
                from: Self.id, for: Self.other, epoch: Self.claimed, known: known, &turn[at: .start])
            #expect(answer.mayLead && answer.ledger?.settled.blocks == 400 && coordinator.runs.isEmpty)
        }
    }

    /// A node that knows that the job was cancelled continues it, however many blocks the other node knows.
    @Test func theNodeThatKnowsTheEndContinuesTheJob() throws {
        var (coordinator, turn) = Self.room(try Self.kept(400, end: 500))
        let answer = coordinator.stepDown(
            from: Self.id, for: Self.other, epoch: Self.claimed, known: 999, &turn[at: .start])
        #expect(!answer.mayLead && coordinator.runs.count == 1)
    }

    /// A coordinator answers repeated claims to its job only so often, and then follows.
    @Test func aClaimIsNotContestedForEver() throws {
        var (coordinator, turn) = Self.room(try Self.kept(400))
        var answers = 0
        var epoch = Self.claimed
        while answers < 10 {
            let answer = coordinator.stepDown(
                from: Self.id, for: Self.other, epoch: epoch, known: 0, &turn[at: .start])
            if answer.mayLead { break }
            answers += 1
            epoch = (coordinator.runs.first?.epoch ?? 0) + 1
        }
        #expect(answers == JobLimits.claims)
        (coordinator, turn) = Self.room(try Self.kept(400))
        let last = coordinator.stepDown(
            from: Self.id, for: Self.other, epoch: JobRecord.lastEpoch, known: 0, &turn[at: .start])
        #expect(last.mayLead)
    }

    /// A restarted coordinator knows what its journal has, even before the job's simulation is ready.
    @Test func aJournalCountsBeforeItsSimulationIsReady() throws {
        for known: UInt64 in [100, 400] {
            var turn = Turn(now: .start, keepsJournal: true)
            var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
            coordinator.found([try Self.kept(400)], &turn)
            let answer = coordinator.stepDown(
                from: Self.id, for: Self.other, epoch: Self.claimed, known: known, &turn[at: .start])
            #expect(answer.mayLead == (known == 400))
            coordinator.prepared(Self.id, .ready(VirtualNode.facts), &turn[at: .start])
            #expect(coordinator.runs.first?.epoch == (known == 400 ? nil : 2 * Self.claimed))
        }
    }

    /// A node tells nobody of a take-over before its simulation is ready. Until then, it gives way to the lost coordinator
    /// if that returns in its old epoch. It refuses claims of earlier epochs.
    @Test func aTakeOverThatIsNotReadyGivesWay() throws {
        for (epoch, mayLead) in [(2, true), (1, true), (0, false)] as [(UInt64, Bool)] {
            var turn = Turn(now: .start, keepsJournal: true)
            var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
            coordinator.takeOver(try Self.kept(400, epoch: 1), &turn)
            let answer = coordinator.stepDown(
                from: Self.id, for: Self.other, epoch: epoch, known: 400, &turn[at: .start])
            #expect(answer.mayLead == mayLead && (answer.ledger != nil) == mayLead)
            #expect(coordinator.pending.isEmpty == mayLead)
        }
    }

    /// A node that refused another's claim, and then cannot continue the job, asks for the claim again.
    @Test func aJobThatCannotBeContinuedIsFollowed() throws {
        var turn = Turn(now: .start, keepsJournal: true)
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
        coordinator.joined(
            Worker(node: Self.other, name: "bo", cores: 1, canCoordinate: true), &turn[at: .start])
        coordinator.takeOver(try Self.kept(400), &turn)
        let claim = coordinator.stepDown(from: Self.id, for: Self.other, epoch: 0, known: 100, &turn[at: .start])
        #expect(!claim.mayLead)
        coordinator.prepared(Self.id, .impossible("it is gone"), &turn[at: .start])
        #expect(coordinator.pending.isEmpty)
        #expect(turn.mail.contains { $0.to == Self.other && $0.message == .unresolved([Self.id]) })
    }

    // MARK: Replicas

    private static func replicas(_ blocks: UInt64) throws -> Replicas {
        var replicas = Replicas(own: own)
        replicas.apply(id, try kept(blocks).changes, from: other, isAutomatic: true, now: .start)
        return replicas
    }

    private static let later = Instant.start + JobLimits.takeoverDelay * 2

    @Test func aNewerReplicaResumesAboveAClaim() throws {
        for known: UInt64 in [100, 400] {
            var replicas = try Self.replicas(400)
            replicas.lost(Self.other, now: .start)
            replicas.coordinated(Self.id, by: Self.third, epoch: Self.claimed, known: known, now: .start)
            #expect(replicas.due(Self.later) == (known == 100 ? [Self.id] : []))
            let taken = replicas.take(Self.id, now: Self.later)
            #expect(taken?.record.epoch == (known == 100 ? Self.claimed : nil))
        }
    }

    /// A holder does not answer a claim if the job's coordinator is connected and answers it in time.
    @Test func aCoordinatorAnswersAClaimItself() throws {
        for epoch in [0, 2 * Self.claimed] {
            var replicas = try Self.replicas(400)
            replicas.coordinated(Self.id, by: Self.third, epoch: Self.claimed, known: 100, now: .start)
            replicas.coordinated(Self.id, by: Self.other, epoch: epoch, known: 410, now: .start)
            #expect(replicas.due(Self.later) == (epoch == 0 ? [Self.id] : []))
        }
    }

    /// A holder that was cut off, and has heard nothing of the job since, waits longer than the others.
    @Test func aHolderThatWasCutOffWaitsLonger() throws {
        for isToldAgain in [true, false] {
            var replicas = try Self.replicas(400)
            replicas.lost(Self.other, now: .start)
            replicas.back(Self.other)
            if isToldAgain {
                replicas.apply(
                    Self.id, try Self.kept(500).changes, from: Self.other, isAutomatic: true, now: .start)
            }
            replicas.lost(Self.other, now: .start)
            #expect(replicas.due(Self.later) == (isToldAgain ? [Self.id] : []))
            #expect(replicas.due(Self.later + JobLimits.staleness) == [Self.id])
        }
    }

    // MARK: What is shown

    /// The first picture of a resumed job shows all trials that the journal has.
    @Test func aResumedJobShowsItsKnownTrials() throws {
        var host = Host()
        host.handle(.found([try Self.kept(400)]))
        host.hears(.ready(Self.id))
        host.work(atMost: 2)
        var shown: [UInt64] = []
        for effect in host.effects {
            switch effect {
            case .tell(.snapshot(let snapshot)): shown.append(snapshot.trials)
            case .session(.send(_, .job(.picture(let picture)), _)): shown.append(picture.trials)
            default: break
            }
        }
        #expect(shown.count > 2 && shown.allSatisfy { $0 >= 400 * VirtualNode.blockSize }, "\(shown)")
    }
}
