import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Tests of jobs that collect output: a chunk counts only once its output is at the coordinator.
@Suite struct OutputTests {
    private static let own = node(0)
    private static let layout = TallyLayout(of: Tally.self)
    private struct Tally: SimulationTally {
        var count = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("count", &count) }
    }

    static func node(_ number: UInt8) -> NodeID { NodeID([UInt8](repeating: number, count: NodeID.length))! }

    private static func blob(_ number: UInt64) -> BlobReference {
        BlobReference(hash: BlobHash([UInt8](repeating: UInt8(number), count: BlobHash.length))!, size: 1000)!
    }

    /// A coordinator's job and two workers with one core each.
    private struct Party {
        var run: JobRun
        var turn = Turn(now: .start, keepsJournal: true)
        var workers = OrderedTable<NodeID, Worker>()
        let now = Instant.start

        init(collects: Bool = true) {
            let experiment = Experiment(
                simulation: SimulationIdentity(name: "a", source: "", streams: 1), parameters: [], seed: 1,
                blockSize: 16)
            let order = JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: 1600), collects: collects))
            let taken = TakenJob(
                order: order, ticket: JobTicket([UInt8](repeating: 0, count: 16))!, submitter: OutputTests.node(9),
                submitterName: "eve")
            let facts = JobFacts(layout: OutputTests.layout, blockSize: 16, title: JobTitle(), writes: true)
            run = JobRun(
                id: JobID(1), taken, facts: facts, kept: nil, epoch: 0, own: OutputTests.own, seed: 1, now: now)
            for number: UInt8 in [1, 2] {
                let node = OutputTests.node(number)
                workers[node] = Worker(node: node, name: "\(number)", cores: 1)
                run.joined(node, now: now)
                run.ready(node, now: now)
            }
            run.begin(&turn[at: now])
        }

        mutating func next(_ node: NodeID) -> LentChunk? {
            let offer = run.next(for: workers[node]!, workers, mostBlocks: 4, &turn[at: now])
            if case .chunk(let chunk) = offer { return chunk }
            return nil
        }

        mutating func lend(_ node: NodeID) throws -> LentChunk {
            let chunk = next(node)
            return try #require(chunk)
        }

        mutating func bring(_ chunk: LentChunk, _ node: NodeID, octets: Bool = true) {
            let result = WorkResult(
                attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: [UInt64(chunk.blocks.count)],
                busy: .milliseconds(1), output: octets ? OutputTests.blob(chunk.attempt) : nil)
            run.took(result, from: node, name: node.short, &turn[at: now])
        }

        var dropped: [UInt64] {
            turn.mail.flatMap { mail -> [UInt64] in
                if case .drop(_, let attempts) = mail.message { return attempts }
                return []
            }
        }
    }

    @Test func nothingCountsBeforeItsOctetsAreHere() throws {
        var party = Party()
        let node = Self.node(1)
        let chunk = try party.lend(node)
        party.bring(chunk, node)
        #expect(party.run.ledger.totalTrials == 0 && party.run.ledger.hasLoans)
        #expect(party.turn.outputs.map(\.attempt.number) == [chunk.attempt])
        // While the output is in flight, the core can get another chunk.
        #expect(party.run.inHand(of: node) == 0)
        party.run.came(chunk.attempt, &party.turn)
        #expect(
            party.turn.effects.contains(
                .job(
                    .collect(
                        AttemptID(job: JobID(1), number: chunk.attempt), chunk.blocks,
                        tally: [UInt64(chunk.blocks.count)], Self.blob(chunk.attempt)))))
        #expect(party.run.ledger.totalTrials == 0 && party.dropped.isEmpty)
        let nobody = party.run.collected(chunk.attempt, .right, &party.turn[at: party.now])
        #expect(nobody.isEmpty)
        #expect(party.run.ledger.totalTrials == 16 * UInt64(chunk.blocks.count) && party.dropped == [chunk.attempt])
        // A second confirmation changes nothing.
        _ = party.run.collected(chunk.attempt, .right, &party.turn[at: party.now])
        #expect(party.run.ledger.totalTrials == 16 * UInt64(chunk.blocks.count))
        // The journal and replicas don't record this progress, because a job that collects output cannot resume from
        // it.
        let kept = party.run.kept(party.now)
        #expect(kept.settled.blocks == 0 && kept.pieces.isEmpty && kept.checkpoints.isEmpty)
        let offer = OfferedWork(blocks: 50..<51, tally: [1], busy: .zero)
        party.run.took(offer, from: node, &party.turn[at: party.now])
        #expect(party.run.ledger.totalTrials == 16 * UInt64(chunk.blocks.count))
    }

    /// If an output is lost, another worker does its blocks again. A worker that sent wrong bytes is named as a liar.
    @Test func blocksOfALostOutputAreDoneAgain() throws {
        let losses: [Blobs.Loss] = [.gone, .lacking("no"), .late, .wrong, .notKept("the disk is full")]
        for loss in losses {
            var party = Party()
            let node = Self.node(1)
            let chunk = try party.lend(node)
            party.bring(chunk, node)
            let liars = party.run.lost(chunk.attempt, loss, &party.turn[at: party.now])
            #expect(liars == (loss == .wrong ? [node] : []))
            for liar in liars { party.run.shutOut(liar, &party.turn[at: party.now]) }
            if case .notKept = loss {
                guard case .over(let why?) = party.run.phase else {
                    Issue.record("it goes on")
                    continue
                }
                #expect(why == "its output cannot be kept here: the disk is full")
                continue
            }
            let again = try party.lend(Self.node(2))
            #expect(again.blocks == chunk.blocks && again.attempt != chunk.attempt)
        }
        var party = Party()
        let chunk = try party.lend(Self.node(1))
        party.bring(chunk, Self.node(1))
        party.run.came(chunk.attempt, &party.turn)
        let liars = party.run.collected(chunk.attempt, .wrong, &party.turn[at: party.now])
        #expect(liars == [Self.node(1)])
        // A worker that brings no output for a job that collects it is not used any more.
        let other = try party.lend(Self.node(2))
        party.bring(other, Self.node(2), octets: false)
        #expect(party.run.workerProgress[Self.node(2)]?.stage == .unable("it sends no output"))
    }

    /// The output of a loan that has ended is not collected, because other workers do the same blocks.
    @Test func anOutputOfAnEndedLoanIsNotCollected() throws {
        let (one, two) = (Self.node(1), Self.node(2))
        for isSetAside in [true, false] {
            var party = Party()
            let chunk = try party.lend(one)
            party.bring(chunk, one)
            // The worker fails at this very chunk, or at so many others that it is set aside.
            for _ in 0..<(isSetAside ? JobLimits.failures : 1) {
                let failed = isSetAside ? try party.lend(one) : chunk
                party.run.failed(
                    failed.attempt, block: failed.blocks.lowerBound, "no", at: one, name: "1",
                    &party.turn[at: party.now])
            }
            #expect(party.run.inHand(of: one) == 0 && party.dropped == (isSetAside ? [chunk.attempt] : []))
            let again = try party.lend(two)
            #expect(again.blocks.lowerBound == chunk.blocks.lowerBound)
            party.run.came(chunk.attempt, &party.turn)
            #expect(!party.turn.effects.contains { if case .job(.collect) = $0 { true } else { false } })
        }
    }

    /// A tally counts with the output that was checked. A second result for the same chunk is ignored.
    @Test func aResultThatIsToldTwiceIsTheFirst() throws {
        var party = Party()
        let node = Self.node(1)
        let chunk = try party.lend(node)
        party.bring(chunk, node)
        party.run.came(chunk.attempt, &party.turn)
        for end in [chunk.blocks.upperBound, chunk.blocks.lowerBound] {
            let other = WorkResult(
                attempt: chunk.attempt, end: end, tally: [99], busy: .zero, output: Self.blob(99))
            party.run.took(other, from: node, name: "1", &party.turn[at: party.now])
        }
        #expect(party.turn.outputs.count == 1)
        _ = party.run.collected(chunk.attempt, .right, &party.turn[at: party.now])
        #expect(party.run.ledger.total == [UInt64(chunk.blocks.count)])
    }

    /// If two workers bring results for the same blocks, only one output is collected.
    @Test func onlyOneOfTwoOutputsIsCollected() throws {
        var party = Party()
        let chunk = try party.lend(Self.node(1))
        let second = party.run.ledger.lendAgain(to: Self.node(2), now: party.now) { _, _ in true }
        let again = try #require(second)
        #expect(again.blocks == chunk.blocks)
        party.bring(chunk, Self.node(1))
        party.bring(again, Self.node(2))
        party.run.came(again.attempt, &party.turn)
        party.run.came(chunk.attempt, &party.turn)
        let collected = party.turn.effects.filter { if case .job(.collect) = $0 { true } else { false } }
        #expect(collected.count == 1 && party.dropped == [chunk.attempt])
        _ = party.run.collected(again.attempt, .right, &party.turn[at: party.now])
        #expect(party.run.ledger.totalTrials == 16 * UInt64(chunk.blocks.count))
    }

    /// A node is shut out while the result is read, so the result is read again. The first reading arrives as well. The
    /// output is still joined once, and the course has each point once.
    @Test func aResultThatIsReadTwiceIsJoinedOnce() throws {
        var party = Party()
        while let chunk = party.next(Self.node(1)) {
            party.bring(chunk, Self.node(1))
            party.run.came(chunk.attempt, &party.turn)
            _ = party.run.collected(chunk.attempt, .right, &party.turn[at: party.now])
            party.run.audits.dropAll()
        }
        party.run.conclude(&party.turn[at: party.now])
        var (read, isShutOut) = (0, false)
        while read < party.turn.effects.count {
            if case .job(.read(let request)) = party.turn.effects[read] {
                if request.trials == 1600, !isShutOut {
                    party.run.shutOut(Self.node(2), &party.turn[at: party.now])
                    isShutOut = true
                }
                let result = party.run.read(request, [], party.workers, &party.turn[at: party.now])
                #expect(result == nil)
            }
            read += 1
        }
        let (reads, seals) = (
            party.turn.effects.count {
                if case .job(.read(let request)) = $0 { request.trials == 1600 } else { false }
            },
            party.turn.effects.count { if case .job(.seal) = $0 { true } else { false } }
        )
        #expect(reads > 1 && seals == 1)
        let result = party.run.sealed(.whole(Self.blob(1)), party.workers, &party.turn[at: party.now])
        let course = try #require(result).course.map(\.trials)
        #expect(course.last == 1600 && course == Set(course).sorted())
    }

    /// A slow link slows its node down, and the number of outputs in flight is bounded.
    @Test func theOutputsInFlightAreBounded() throws {
        var party = Party()
        let node = Self.node(1)
        var brought = 0
        while let chunk = party.next(node), brought < 10 * JobLimits.arriving {
            party.bring(chunk, node)
            brought += 1
        }
        #expect(brought >= JobLimits.arriving)
        #expect(brought <= JobLimits.arriving + JobLimits.mostPerCore)
        let most = try #require(party.run.workerProgress[node]?.mostBlocks)
        #expect(
            most > 1
                && Double(most) * (party.run.workerProgress[node]?.octetsOfBlock ?? 0) <= Double(JobLimits.chunkOutput))
    }

    /// Only the submitter and hosts may fetch a job's output, and only for a limited time. A restarted host is a new
    /// node, and its job may have ended at another host.
    @Test func anOutputIsForItsSubmitterAndHosts() {
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
        coordinator.written = [
            Coordinator.Written(
                job: JobID(1), blob: Self.blob(1), submitter: Self.node(9), until: .start + JobLimits.outputKept)
        ]
        let hash = Self.blob(1).hash
        let (stranger, host, submitter) = (
            coordinator.gives(hash, to: Self.node(1), role: .submits, now: .start),
            coordinator.gives(hash, to: Self.node(2), role: .hosts, now: .start + .seconds(10)),
            coordinator.gives(hash, to: Self.node(9), role: .submits, now: .start + .seconds(50))
        )
        #expect(!stranger && host && submitter)
        var turn = Turn(now: .start, keepsJournal: false)
        coordinator.forgetWritten(&turn[at: .start + JobLimits.outputKept])
        #expect(turn.effects.isEmpty)
        #expect(coordinator.wakeTime(.start) == .start + .seconds(50) + JobLimits.outputKept)
        coordinator.forgetWritten(&turn[at: .start + .seconds(50) + JobLimits.outputKept])
        #expect(turn.effects == [.job(.unseal(JobID(1), hash))] && coordinator.written.isEmpty)
    }

    /// Two jobs wrote the same output. A request keeps both entries, and each one expires by itself.
    @Test func jobsMayHaveWrittenTheSame() {
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
        let (hash, submitter) = (Self.blob(1).hash, Self.node(9))
        coordinator.written = (1...2 as ClosedRange<UInt64>).map { number in
            Coordinator.Written(
                job: JobID(number), blob: Self.blob(1), submitter: submitter, until: .start + .seconds(Int64(number)))
        }
        let later = Instant.start + .milliseconds(500)
        let isGiven = coordinator.gives(hash, to: submitter, role: .submits, now: later)
        #expect(isGiven)
        var turn = Turn(now: .start, keepsJournal: false)
        coordinator.forgetWritten(&turn[at: .start + .seconds(2)])
        #expect(turn.effects.isEmpty)
        coordinator.forgetWritten(&turn[at: later + JobLimits.outputKept])
        #expect(turn.effects == [.job(.unseal(JobID(1), hash)), .job(.unseal(JobID(2), hash))])
    }
}
