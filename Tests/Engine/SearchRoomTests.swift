import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A search that two nodes compute: what the coordinator tells of solutions, and whom it believes.
@Suite struct SearchRoomTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let guests = [2, 3].map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
    private static let id = JobID(7)
    private static let solution = Best(key: 5, point: 70)

    /// Returns a room in which every node has chunks.
    private static func room() throws -> (Coordinator, Turn) {
        var turn = Turn(now: .start, keepsJournal: false)
        var coordinator = Coordinator(own: own, seed: 1, mostBlocks: .max)
        for (index, node) in ([own] + guests).enumerated() {
            coordinator.joined(Worker(node: node, name: "node \(index)", cores: 1), &turn[at: .start])
        }
        let order = VirtualNode.order(seed: 5, goal: Goal(trials: 16 << 20))
        let taken = TakenJob(order: order, ticket: Host.ticket, submitter: own, submitterName: "ana")
        coordinator.pending.append(Coordinator.Pending(id: id, taken: taken, origin: .order(token: 1), since: .start))
        let facts = JobFacts(
            layout: TallyLayout(of: SearchTally.self), blockSize: VirtualNode.facts.blockSize, title: JobTitle())
        coordinator.prepared(id, .ready(facts), &turn[at: .start])
        coordinator.change(id) { run in
            run.keeping.mayBegin = true
            for node in [own] + guests { run.ready(node, now: .start) }
        }
        coordinator.finishTurn(&turn[at: .start])
        for node in [own] + guests { #expect(coordinator.runs[0].inHand(of: node) > 0) }
        turn.mail = []
        turn.effects = []
        return (coordinator, turn)
    }

    /// Returns the number of the attempt that searches the solution's point; nil if there is none.
    private static func search(_ turn: Turn) -> AttemptID? {
        for case .job(.compute(let chunk, _, _, .referee(isFresh: true))) in turn.effects where chunk.blocks == 70..<71
        {
            #expect(chunk.bound == SearchBound(proving: solution))
            return chunk.attempt
        }
        return nil
    }

    private static func told(_ turn: Turn) -> [NodeID] {
        turn.mail.compactMap { node, message in message == .bound(id, solution) ? node : nil }
    }

    private static func searched(_ attempt: AttemptID, _ best: Best) -> ChunkOutcome {
        .done(ChunkResult(attempt: attempt, end: 71, tally: SearchTally(best).slots(2), busy: .milliseconds(1)))
    }

    @Test func aSolutionIsToldToAllOnceItIsProven() throws {
        var (coordinator, turn) = try Self.room()
        coordinator.change(Self.id) { $0.improved(Self.solution, by: Self.guests[0], &turn) }
        #expect(Self.told(turn).isEmpty)
        let attempt = try #require(Self.search(turn))
        coordinator.judged(Self.searched(attempt, Self.solution), &turn)
        #expect(Set(Self.told(turn)) == Set([Self.own] + Self.guests))
        #expect(coordinator.runs[0].known == Self.solution)
    }

    /// This node trusts itself.
    @Test func ownSolutionsAreToldAtOnce() throws {
        var (coordinator, turn) = try Self.room()
        coordinator.change(Self.id) { $0.improved(Self.solution, by: Self.own, &turn) }
        #expect(Set(Self.told(turn)) == Set([Self.own] + Self.guests))
        #expect(Self.search(turn) == nil)
    }

    @Test func anInventedSolutionShutsItsNodeOut() throws {
        var (coordinator, turn) = try Self.room()
        coordinator.change(Self.id) { $0.improved(Self.solution, by: Self.guests[0], &turn) }
        coordinator.change(Self.id) { $0.improved(Best(key: 6, point: 9), by: Self.guests[1], &turn) }
        let attempt = try #require(Self.search(turn))
        turn.effects = []
        coordinator.judged(Self.searched(attempt, Best(key: 5, point: 71)), &turn)
        #expect(turn.shutOut == [Self.guests[0]])
        #expect(Self.told(turn).isEmpty && coordinator.runs[0].known.isEmpty)
        #expect(Self.searchesNext(turn))
    }

    /// Whether the block of the second solution is searched.
    private static func searchesNext(_ turn: Turn) -> Bool {
        turn.effects.contains { effect in
            if case .job(.compute(let chunk, _, _, .referee(isFresh: true))) = effect {
                chunk.blocks == 9..<10
            } else {
                false
            }
        }
    }

    /// A result that comes too late was in vain.
    @Test func lateResultsCountAsInVain() throws {
        var (coordinator, turn) = try Self.room()
        let guest = Self.guests[0]
        func effort() -> SearchEffort? { coordinator.runs[0].workerProgress[guest]?.effort }
        func result(_ attempt: UInt64, end: UInt64) -> WorkResult {
            WorkResult(
                attempt: attempt, end: end, tally: SearchTally(Best()).slots(2), busy: .milliseconds(1),
                effort: SearchEffort(expanded: 100, inVain: 10))
        }
        let ledger = coordinator.runs[0].ledger
        let attempt = try #require((0..<100).first { ledger.lent($0, to: guest) != nil })
        let end = try #require(ledger.lent(attempt, to: guest)).loan.blocks.upperBound
        coordinator.took([result(attempt, end: end)], of: Self.id, from: guest, &turn)
        #expect(effort() == SearchEffort(expanded: 100, inVain: 10))
        coordinator.took([result(attempt, end: end)], of: Self.id, from: guest, &turn)
        #expect(effort() == SearchEffort(expanded: 200, inVain: 110))
    }

    /// The chunks of a search are far apart, so its first points may be searched last. All that was searched counts when a
    /// user cancels it, also for a coordinator that continues it.
    @Test func aCancelledSearchKeepsAllThatWasSearched() throws {
        var (coordinator, turn) = try Self.room()
        let guest = Self.guests[1]
        let ledger = coordinator.runs[0].ledger
        let attempt = try #require((0..<100).first { ledger.lent($0, to: guest) != nil })
        let blocks = try #require(ledger.lent(attempt, to: guest)).loan.blocks
        #expect(blocks.lowerBound > 0)
        let result = WorkResult(
            attempt: attempt, end: blocks.upperBound, tally: SearchTally(Best()).slots(2), busy: .milliseconds(1))
        coordinator.took([result], of: Self.id, from: guest, &turn)
        let shown = coordinator.runs[0].ledger.totalTrials
        #expect(shown > 0)
        coordinator.change(Self.id) { run in
            run.cancel(&turn)
            run.giveUpLoans(&turn)
        }
        let requests = turn.effects.compactMap { if case .job(.read(let request)) = $0 { request } else { nil } }
        #expect(requests.map(\.trials) == [shown])
        #expect(requests.map(\.purpose) == [.result(.stopped)])
        let run = coordinator.runs[0]
        let facts = JobFacts(
            layout: TallyLayout(of: SearchTally.self), blockSize: VirtualNode.facts.blockSize, title: JobTitle())
        let again = JobRun(
            id: Self.id, run.taken, facts: facts, kept: run.kept(.start), epoch: 1 << 16, own: Self.own, seed: 1,
            now: .start)
        #expect(again.ledger.isComplete && again.ledger.resultTrials == shown && again.ending == .stopped)
    }

    /// The course of a search has a point for each better solution.
    @Test func theCourseShowsWhenTheBestWasFound() throws {
        var (coordinator, turn) = try Self.room()
        for (second, value) in [(1, 9.0), (2, 9.0), (3, 5.0)] {
            var later = Turn(now: .start + .seconds(second), keepsJournal: false)
            let workers = coordinator.workers
            coordinator.change(Self.id) { $0.picture(workers, &later) }
            let requests = later.effects.compactMap { if case .job(.read(let request)) = $0 { request } else { nil } }
            let request = try #require(requests.first)
            coordinator.read(request, [Reading(name: "cost", kind: .derived, value: value)], &later)
            turn.mail += later.mail
        }
        let course = coordinator.runs[0].evaluation.course
        #expect(course.map { $0.readings[0].value } == [9, 5])
        #expect(course.map(\.elapsed) == [.seconds(1), .seconds(3)])
        let told = turn.mail.filter { if case (Self.guests[0], .course) = $0 { true } else { false } }
        #expect(told.count == 2)
    }

    /// The node that reported the solution is shut out for something else meanwhile. Others do not wait for ever.
    @Test func aLieThatNobodyTellsAnyMoreHoldsNobodyUp() throws {
        var (coordinator, turn) = try Self.room()
        coordinator.change(Self.id) { $0.improved(Self.solution, by: Self.guests[0], &turn) }
        coordinator.change(Self.id) { $0.improved(Best(key: 6, point: 9), by: Self.guests[1], &turn) }
        let attempt = try #require(Self.search(turn))
        coordinator.shutOut([Self.guests[0]], Self.id, &turn)
        turn.effects = []
        coordinator.judged(Self.searched(attempt, Best(key: 5, point: 71)), &turn)
        #expect(Self.searchesNext(turn))
    }
}
