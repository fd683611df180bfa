import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A claim counts as checked once a second node has computed all of it, even if that node ends early, leaves or pauses.
@Suite struct AuditTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let (liar, witness) = (
        NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16)), NodeID(firstOctetsOf: [UInt8](repeating: 3, count: 16))
    )
    private static let id = JobID(7)

    /// A coordinator without cores and two guests. The first guest has done the whole job, with one wrong block.
    private struct Party {
        var coordinator: Coordinator
        var turn: Turn
        var now = Instant.start
        let goal: Goal
        /// The blocks of the claim that has a wrong tally; empty if there is none.
        private(set) var lied: Range<UInt64> = 0..<0

        init(
            _ goal: Goal = Goal(trials: 800), lies: Bool = true, mostBlocks: UInt64 = 8, keepsJournal: Bool = false
        ) throws {
            self.goal = goal
            turn = Turn(now: .start, keepsJournal: keepsJournal)
            coordinator = Coordinator(own: AuditTests.own, seed: 1, mostBlocks: mostBlocks)
            let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
            let taken = TakenJob(
                order: VirtualNode.order(seed: 5, goal: goal), ticket: ticket, submitter: AuditTests.own,
                submitterName: "ana")
            for (node, name) in [(AuditTests.own, "ana"), (AuditTests.liar, "bo"), (AuditTests.witness, "cy")] {
                let cores = node == AuditTests.own ? 0 : 1
                coordinator.joined(
                    Worker(node: node, name: name, address: [node.octets[0]], cores: cores), &turn[at: now])
            }
            coordinator.pending.append(
                Coordinator.Pending(id: AuditTests.id, taken: taken, origin: .order(token: 1), since: .start))
            coordinator.prepared(AuditTests.id, .ready(VirtualNode.facts), &turn[at: now])
            coordinator.change(AuditTests.id) { $0.keeping.mayBegin = true }
            ready(AuditTests.liar)
            // No time passes, so no speed is measured; the chunks have several blocks all the same.
            var brought: UInt64 = 0
            while brought < 50, let chunk = next(AuditTests.liar) {
                var tally = AuditTests.tally(chunk.blocks)
                if lies, lied.isEmpty, chunk.blocks.count >= 4 {
                    lied = chunk.blocks
                    tally[0] += 1
                }
                bring(chunk.attempt, chunk.blocks.upperBound, tally, AuditTests.liar)
                brought += UInt64(chunk.blocks.count)
            }
        }

        mutating func ready(_ node: NodeID) { coordinator.change(AuditTests.id) { $0.ready(node, now: now) } }

        /// Returns the next chunk that the node is lent, or nil if there is none.
        mutating func next(_ node: NodeID) -> LentChunk? {
            coordinator.finishTurn(&turn[at: now])
            lent += turn.mail.flatMap { node, message in
                guard case .lend(_, let chunks) = message else { return [(node: NodeID, chunk: LentChunk)]() }
                return chunks.map { (node, $0) }
            }
            turn.mail = []
            guard let index = lent.firstIndex(where: { $0.node == node }) else { return nil }
            return lent.remove(at: index).chunk
        }

        private var lent: [(node: NodeID, chunk: LentChunk)] = []

        mutating func bring(_ attempt: UInt64, _ end: UInt64, _ tally: [UInt64], _ node: NodeID) {
            let result = WorkResult(attempt: attempt, end: end, tally: tally, busy: .microseconds(100))
            coordinator.took([result], of: AuditTests.id, from: node, &turn[at: now])
            answerReadings()
        }

        /// Answers all readings but the result's, which comes last.
        private mutating func answerReadings() {
            func isDue(_ effect: Effect) -> Bool {
                guard case .job(.read(let request)) = effect else { return false }
                return if case .result = request.purpose { false } else { true }
            }
            while let index = turn.effects.firstIndex(where: isDue), case .job(.read(let request)) = turn.effects[index]
            {
                turn.effects.remove(at: index)
                coordinator.read(request, [], &turn[at: now])
            }
        }

        /// A node computes all chunks that it is lent.
        mutating func computeAll(_ node: NodeID) {
            while let chunk = next(node) {
                bring(chunk.attempt, chunk.blocks.upperBound, AuditTests.tally(chunk.blocks), node)
            }
        }

        /// The witness computes at most `most` blocks of each chunk that it is lent. Returns the number of chunks.
        @discardableResult
        mutating func look(atMost most: UInt64 = .max, times: Int = .max) -> Int {
            var count = 0
            while count < times, let chunk = next(AuditTests.witness) {
                let done = chunk.blocks.prefix(most)
                bring(chunk.attempt, done.upperBound, AuditTests.tally(done), AuditTests.witness)
                judge(atMost: most)
                count += 1
            }
            answerReadings()
            return count
        }

        /// Whether the simulation counts the blocks that an instance has computed, and adds that to each result.
        var keepsState = false

        /// Computes what the coordinator must compute itself as the judge, at most `most` blocks at a time.
        private mutating func judge(atMost most: UInt64) {
            while let index = turn.effects.firstIndex(where: { if case .job(.compute) = $0 { true } else { false } }),
                case .job(.compute(let chunk, _, _, let duty)) = turn.effects[index]
            {
                turn.effects.remove(at: index)
                let done = chunk.blocks.prefix(most)
                var tally = AuditTests.tally(done)
                if keepsState {
                    let before: UInt64 = duty.isFresh ? 0 : 100
                    for block in 0..<UInt64(done.count) { tally[0] += before + block }
                }
                let result = ChunkResult(attempt: chunk.attempt, end: done.upperBound, tally: tally, busy: .zero)
                coordinator.judged(.done(result), &turn[at: now])
            }
        }

        mutating func want(_ command: JobCommand) {
            coordinator.command(
                command, AuditTests.id, ticket: nil, by: AuditTests.own, role: .hosts, token: 2, &turn[at: now])
        }

        var caught: [NodeID] {
            turn.effects.compactMap { if case .tell(.news(.liar(_, let node, _))) = $0 { node } else { nil } }
        }

        /// Whether the job waits for nothing but the reading of its result.
        var isRead: Bool { coordinator.runs.allSatisfy(\.phase.isResultAsked) }
    }

    private static func tally(_ blocks: Range<UInt64>) -> [UInt64] {
        [
            VirtualNode.reference(seed: 5, trials: blocks.upperBound * 16)[0]
                - VirtualNode.reference(seed: 5, trials: blocks.lowerBound * 16)[0]
        ]
    }

    /// After the first chunks one in 200 is audited, however many blocks a chunk has.
    @Test(arguments: [1, 2, 7, 8] as [UInt64]) func oneChunkInManyIsAudited(size: UInt64) throws {
        var party = try Party(lies: false)
        var audited = 0
        party.coordinator.change(Self.id) { run in
            run.workerProgress.change(Self.liar) { $0.chunks = JobLimits.auditedChunks + 1 }
            for chunk in 0..<UInt64(40_000) where run.wantsAudit(Self.liar, chunk * size..<(chunk + 1) * size) {
                audited += 1
            }
        }
        #expect((150...250).contains(audited))
    }

    @Test func aWholeAuditFindsTheLie() throws {
        var party = try Party()
        party.ready(Self.witness)
        party.look()
        #expect(!party.lied.isEmpty && party.caught == [Self.liar])
    }

    /// A chunk may end before its last block, for instance when blocks write much. The witness and the judge then need
    /// several steps.
    @Test(arguments: [1, 2, 3] as [UInt64]) func aWitnessThatEndsEarlyContinues(most: UInt64) throws {
        var party = try Party()
        party.ready(Self.witness)
        party.look(atMost: most)
        #expect(party.caught == [Self.liar])
        var honest = try Party(lies: false)
        honest.ready(Self.witness)
        honest.look(atMost: most)
        #expect(honest.caught.isEmpty && honest.isRead)
    }

    /// The judge's own results show that the simulation keeps state, wherever its chunks end, so nobody is called a liar.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func aSimulationWithStateMakesNobodyALiar(most: UInt64) throws {
        var party = try Party()
        party.keepsState = true
        party.ready(Self.witness)
        party.look(atMost: most)
        let isOver = party.coordinator.runs.allSatisfy(\.isOver)
        #expect(party.caught.isEmpty && isOver)
    }

    /// Only the node that began an audit continues it. When that node leaves, another node audits the whole claim
    /// again.
    @Test func anAuditStartsOverWhenItsNodeLeaves() throws {
        var party = try Party()
        party.ready(Self.witness)
        party.look(atMost: 2, times: 3)
        party.coordinator.left(Self.witness)
        #expect(!party.isRead && party.caught.isEmpty)
        let worker = Worker(node: Self.witness, name: "cy", address: [3], cores: 1)
        party.coordinator.joined(worker, &party.turn[at: party.now])
        party.ready(Self.witness)
        party.look(atMost: 2)
        #expect(party.caught == [Self.liar])
    }

    /// A pause ends chunks at the next block, and audits as well. This must not make an unchecked claim count as
    /// checked.
    @Test(arguments: [0, 1] as [UInt64]) func aPauseMakesNobodyBelieved(most: UInt64) throws {
        var party = try Party(Goal())
        party.ready(Self.witness)
        let first = party.next(Self.witness)
        let chunk = try #require(first)
        party.want(.pause)
        let done = chunk.blocks.prefix(most)
        party.bring(chunk.attempt, done.upperBound, Self.tally(done), Self.witness)
        party.want(.resume)
        party.look(times: 200)
        #expect(party.caught == [Self.liar])
    }

    /// A cancelled job waits for audits that have begun.
    @Test func aCancelledJobWaitsForBegunAudits() throws {
        var party = try Party(Goal())
        party.ready(Self.witness)
        // The witness holds several chunks, perhaps an audit of the wrong claim among them.
        var begun: [LentChunk] = []
        while let chunk = party.next(Self.witness), begun.count < 4 { begun.append(chunk) }
        let isUnderWay = begun.contains { $0.blocks == party.lied }
        party.want(.cancel)
        for chunk in begun { party.bring(chunk.attempt, chunk.blocks.lowerBound, [0], Self.witness) }
        party.now = party.now + .seconds(1)
        party.coordinator.woke(&party.turn[at: party.now])
        party.look()
        #expect(isUnderWay == (party.caught == [Self.liar]))
        #expect(party.isRead)
    }

    /// If every block is computed, a cancelled job ends at once and waits for no audit. After a crash it resumes
    /// without computing.
    @Test func aCancelledJobOfWhichAllIsComputedEndsAtOnce() throws {
        var party = try Party(keepsJournal: true)
        party.ready(Self.witness)
        let look = party.next(Self.witness)
        #expect(look != nil && !party.isRead)
        party.want(.cancel)
        #expect(party.isRead)
        let said = party.turn.takeChanges()
        #expect(said.contains(.judged(Self.id, end: 50)))
        var journal = KeptJobs()
        for change in said { journal.apply(change) }
        var next = Host(keepsJournal: true, seed: 2)
        next.handle(.found([try #require(journal.unfinished.first)]))
        next.handle(.durable(UInt64(next.said.count)))
        #expect(next.chunks.isEmpty)
        let ends = next.effects.compactMap {
            if case .tell(.finished(_, let result, _)) = $0 { result.completion } else { nil }
        }
        #expect(ends == [.trials])
    }

    /// At the end of a job an idle node takes over an audit whose node is late, and a job never waits for one slow laptop.
    @Test func anIdleNodeTakesOverALateAudit() throws {
        var party = try Party(lies: false)
        party.ready(Self.witness)
        var held: [LentChunk] = []
        while let chunk = party.next(Self.witness) { held.append(chunk) }
        #expect(!held.isEmpty)
        let idle = NodeID(firstOctetsOf: [UInt8](repeating: 4, count: 16))
        party.coordinator.joined(Worker(node: idle, name: "dee", address: [4], cores: 1), &party.turn[at: party.now])
        party.ready(idle)
        party.computeAll(idle)
        party.now = party.now + JobLimits.longestAudit
        party.computeAll(idle)
        #expect(!party.isRead, "the first node still has time")
        party.now = party.now + .milliseconds(1)
        party.coordinator.woke(&party.turn[at: party.now])
        party.computeAll(idle)
        #expect(party.isRead)
        // What the late node brings now says nothing.
        for chunk in held { party.bring(chunk.attempt, chunk.blocks.upperBound, [0], Self.witness) }
        #expect(party.caught.isEmpty)
    }

    /// A node whose cores are all taken away computes no audit. A job must not wait for it if nobody else may audit.
    @Test func aJobDoesNotWaitForAnAuditOfAnIdleNode() throws {
        var party = try Party(lies: false)
        party.ready(Self.witness)
        while party.next(Self.witness) != nil {}
        #expect(!party.isRead)
        party.coordinator.took(cores: 0, of: Self.witness, &party.turn[at: party.now])
        #expect(party.next(Self.witness) == nil && party.isRead)
    }

    /// Nodes whose cores are taken away return their audits without a block. That is no failure of the simulation.
    @Test func aNodeWithoutCoresDoesNotFail() throws {
        var party = try Party(Goal())
        let other = NodeID(firstOctetsOf: [UInt8](repeating: 4, count: 16))
        for node in [Self.witness, other] {
            party.coordinator.joined(
                Worker(node: node, name: node.short, address: [node.octets[0]], cores: 16), &party.turn[at: party.now])
            party.ready(node)
            var held: [LentChunk] = []
            while let chunk = party.next(node) { held.append(chunk) }
            #expect(held.contains { $0.blocks == 0..<1 }, "the first chunk is audited")
            // What fails on two nodes fails the job if one of them has brought results.
            let done = held.removeLast()
            party.bring(done.attempt, done.blocks.upperBound, Self.tally(done.blocks), node)
            party.coordinator.took(cores: 0, of: node, &party.turn[at: party.now])
            for chunk in held { party.bring(chunk.attempt, chunk.blocks.lowerBound, [0], node) }
        }
        let run = try #require(party.coordinator.runs.first)
        #expect(!run.isOver && run.failures.count == 0)
        #expect(run.workerProgress.elements.allSatisfy { $0.value.asideUntil == nil })
    }

    /// A job with a time limit is audited like any other.
    @Test func aJobPastItsTimeLimitIsStillAudited() throws {
        var party = try Party(Goal(duration: .seconds(1)))
        party.ready(Self.witness)
        // The second wake-up comes after the coordinator has stopped waiting for chunks.
        for _ in 0..<2 {
            party.now = party.now + .seconds(2)
            party.coordinator.woke(&party.turn[at: party.now])
        }
        #expect(!party.isRead)
        party.look()
        #expect(party.caught == [Self.liar])
    }

    /// A reply about other blocks or with a wrong tally layout says nothing about the claim, so the audit is still to
    /// be done.
    @Test func aReplyAboutOtherBlocksIsNoAudit() throws {
        for (end, tally) in [(UInt64.max, [1]), (0, [1]), (nil, []), (nil, [1, 2])] as [(UInt64?, [UInt64])] {
            var party = try Party()
            party.ready(Self.witness)
            while let chunk = party.next(Self.witness) {
                if chunk.blocks == party.lied {
                    party.bring(chunk.attempt, end ?? chunk.blocks.upperBound, tally, Self.witness)
                    break
                }
                party.bring(chunk.attempt, chunk.blocks.upperBound, Self.tally(chunk.blocks), Self.witness)
            }
            #expect(!party.isRead && party.caught.isEmpty)
            party.look()
            #expect(party.caught == [Self.liar])
        }
    }

    /// A node that reports no computing time must not get chunks that another node could not audit within a minute.
    @Test func nobodyIsLentMoreThanAnotherCanLookAt() throws {
        var party = try Party(Goal(), lies: false, mostBlocks: .max)
        party.ready(Self.witness)
        var widest: UInt64 = 0
        for round in 0..<400 {
            party.now = party.now + .milliseconds(20)
            // The witness takes 10 ms for a block; the other node claims to take no time.
            if let chunk = party.next(Self.witness) {
                let result = WorkResult(
                    attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: [0],
                    busy: .milliseconds(10) * Int(chunk.blocks.count))
                party.coordinator.took([result], of: Self.id, from: Self.witness, &party.turn[at: party.now])
            }
            if let chunk = party.next(Self.liar) {
                if round > 20 { widest = max(widest, UInt64(chunk.blocks.count)) }
                let result = WorkResult(
                    attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: [0], busy: .zero)
                party.coordinator.took([result], of: Self.id, from: Self.liar, &party.turn[at: party.now])
            }
            party.turn.effects = []
        }
        #expect(widest > 1 && widest <= 1000)
    }
}
