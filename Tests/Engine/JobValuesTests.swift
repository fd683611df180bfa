import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// The values that a job run is made of keep their own laws.
@Suite struct JobValuesTests {
    private static let nodes = (UInt8(1)...4).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
    private static let id = JobID(1)
    private static let layout = VirtualNode.facts.layout

    @Test func aClockCountsOnlyWhileItRuns() {
        var clock = RunClock(before: .seconds(5))
        let start = Instant.start
        #expect(clock.elapsed(start + .seconds(9)) == .seconds(5))
        clock.start(start)
        clock.start(start + .seconds(1))
        #expect(clock.elapsed(start + .seconds(2)) == .seconds(7))
        clock.stop(start + .seconds(3))
        clock.stop(start + .seconds(4))
        #expect(clock.elapsed(start + .seconds(9)) == .seconds(8) && clock.before == .seconds(8))
    }

    /// A coordinator that was away tells an old end again, also after a sweep of hundreds of points.
    @Test func anEndIsNotToldAgainAfterASweep() {
        var ends = ReportedEnds()
        for number in 1...UInt64(300) {
            let isNew = ends.add(JobID(number))
            #expect(isNew)
        }
        let isToldAgain = ends.add(JobID(1))
        #expect(!isToldAgain)
    }

    @Test func aWithdrawalVoidsReadingsOfMoreTrials() {
        var evaluation = Evaluation()
        for trials in [UInt64(10), 20, 30] { evaluation.note(CoursePoint(trials: trials, readings: [])) }
        let old = [UInt64(20), 30].map {
            ReadRequest(job: Self.id, tally: [], trials: $0, purpose: .picture, edition: evaluation.edition)
        }
        evaluation.end(with: (old[1], []))
        evaluation.withdraw(settled: 20)
        #expect(evaluation.course.map(\.trials) == [10, 20] && evaluation.precise == nil)
        #expect(evaluation.isValid(old[0]) && !evaluation.isValid(old[1]))
        let new = ReadRequest(
            job: Self.id, tally: [], trials: 30, purpose: .picture, edition: evaluation.edition)
        #expect(evaluation.isValid(new))
    }

    @Test func theFirstTallyIsShownToOthersAtOnce() {
        var display = Display(now: .start)
        display.begin(trials: 0, now: .start)
        var isShown = [(2, UInt64(0)), (0, 5), (2, 5), (2, 6)].map {
            display.showsOthers($0.0, trials: $0.1, now: .start)
        }
        display.showOthersSoon(.start)
        isShown.append(display.showsOthers(2, trials: 6, now: .start))
        #expect(isShown == [false, false, true, false, true])
    }

    @Test func holdersGetEachChangeOnce() {
        var keeping = Keeping(now: .start, credits: [])
        keeping.add(.ran(Self.id, .seconds(1)))
        let before = keeping.takeDue(.start, Self.layout)
        #expect(before == nil)
        let holders = [keeping.takeNewHolders(Self.nodes), keeping.takeNewHolders(Self.nodes)]
        #expect(holders == [Array(Self.nodes.prefix(JobLimits.replicas)), []])
        let pieces = [UInt64(0)..<2, 2..<4].map { BlockTally(blocks: $0, node: Self.nodes[0], tally: [1]) }
        for piece in pieces { keeping.add(.done(Self.id, piece)) }
        let settled = JournalChange.settled(Self.id, SettledTally(blocks: 2, tally: [1]))
        keeping.add(settled)
        let told = [keeping.takeDue(.start, Self.layout), keeping.takeDue(.start + JobLimits.replica, Self.layout)]
        // The first piece is part of what is settled.
        #expect(told == [[.done(Self.id, pieces[1]), settled], nil])
        keeping.forget(Self.nodes[0])
        let next = keeping.takeNewHolders(Self.nodes)
        #expect(next.count == 1)
    }

    /// Neighbouring pieces of one node are told as one, in whatever order they came.
    @Test func holdersAreToldOfPiecesTogether() {
        var keeping = Keeping(now: .start, credits: [])
        _ = keeping.takeNewHolders(Self.nodes)
        func piece(_ blocks: Range<UInt64>, _ node: Int, _ count: UInt64) -> BlockTally {
            BlockTally(blocks: blocks, node: Self.nodes[node], tally: [count])
        }
        let pieces = [piece(4..<5, 0, 1), piece(2..<4, 0, 20), piece(5..<6, 1, 300), piece(7..<8, 1, 4000)]
        for piece in pieces { keeping.add(.done(Self.id, piece)) }
        let rewritten = JournalChange.rewritten(Self.id, SettledTally(blocks: 0, tally: [0]))
        keeping.add(rewritten)
        keeping.add(.done(Self.id, piece(6..<7, 1, 50_000)))
        // The first checkpoint is after 16 blocks.
        for blocks in [15..<16, 16..<17] as [Range<UInt64>] { keeping.add(.done(Self.id, piece(blocks, 1, 6))) }
        let told = keeping.takeDue(.start, Self.layout)
        #expect(
            told == [
                .done(Self.id, piece(2..<5, 0, 21)), .done(Self.id, pieces[2]), .done(Self.id, pieces[3]), rewritten,
                .done(Self.id, piece(6..<7, 1, 50_000)), .done(Self.id, piece(15..<16, 1, 6)),
                .done(Self.id, piece(16..<17, 1, 6)),
            ])
    }

    /// A replica may be forged. A solution at no point is none, and what rests on it is computed again.
    @Test func aSolutionIsAtAPoint() throws {
        let layout = TallyLayout(of: SearchTally.self)
        let (right, wrong) = (SearchTally(Best(key: 5, point: 7)).slots(2), SearchTally(Best(key: 5)).slots(2))
        #expect(layout.misfit(right) == nil && layout.misfit(SearchTally().slots(2)) == nil)
        #expect(layout.misfit(wrong) != nil && layout.misfit([1]) != nil)
        let experiment = VirtualNode.order(seed: 5, goal: Goal(trials: 1 << 20)).experiment
        for (tally, isKept) in [(right, true), (wrong, false)] {
            var jobs = KeptJobs()
            let record = JobRecord(id: Self.id, spec: [], simulation: "", submitter: "", acceptedAt: 0, epoch: 1)
            jobs.apply(.accepted(record))
            jobs.apply(.settled(Self.id, SettledTally(blocks: 4, tally: tally)))
            jobs.apply(.done(Self.id, BlockTally(blocks: 8..<9, node: Self.nodes[0], tally: tally)))
            let kept = try #require(jobs.jobs[Self.id])
            let ledger = Ledger(experiment, layout: layout, goal: Goal(trials: 1 << 20), kept: kept)
            #expect(ledger.totalTrials == (isKept ? 5 * VirtualNode.blockSize : 0))
        }
    }

    @Test func aLoanEndsForAllItsHolders() throws {
        var loans = Loans()
        let first = loans.add(0..<4, to: Self.nodes[0], failedOn: [], now: .start)
        let second = try #require(loans.addAgain(to: Self.nodes[1], now: .start) { _, _ in true })
        #expect(second.blocks == first.blocks && second.attempt > first.attempt)
        // While one of two holders is not late, no other node repeats it; and nobody has it twice.
        #expect(loans.addAgain(to: Self.nodes[2], now: .start) { $1.node == Self.nodes[0] } == nil)
        #expect(loans.addAgain(to: Self.nodes[1], now: .start) { _, _ in true } == nil)
        #expect(loans.find(first.attempt, of: Self.nodes[1]) == nil)
        let ended = loans.end(first.attempt, of: Self.nodes[0], failed: true)
        let kept = try #require(ended)
        #expect(kept.holders.map(\.node) == [Self.nodes[1]] && kept.failedOn == [Self.nodes[0]])
        let failedBefore = loans.addAgain(to: Self.nodes[0], now: .start) { _, _ in true }
        #expect(failedBefore == nil && loans.isSound)
        loans.end(kept)
        #expect(loans.isEmpty && loans.isSound && loans.attempts(heldBy: Self.nodes[1]).isEmpty)
    }

    @Test func extentsKnowHowManyBlocksTheyHave() {
        var extents = Extents()
        extents[Self.nodes[0]] = 0..<10
        extents[Self.nodes[1]] = 10..<15
        extents[Self.nodes[0]] = 4..<10
        #expect(extents.blocks == 11 && extents.isSound)
        extents[Self.nodes[1]] = nil
        #expect(extents.blocks == 6 && extents.nodes == [Self.nodes[0]])
    }

    /// An end is told once, also if it was told before this node started.
    @Test func anEndIsToldOnce() {
        var turn = Turn(now: .start, keepsJournal: false)
        turn.end(Self.id, .failed(Self.id, "it traps"))
        turn.end(Self.id, .failed(Self.id, "it traps"))
        #expect(turn.effects == [.tell(.failed(Self.id, "it traps"))] && turn.ending == [Self.id])
        var next = Turn(now: .start, keepsJournal: false, reportedEnds: turn.reportedEnds)
        next.end(Self.id, .failed(Self.id, "it traps"))
        next.silence(JobID(2))
        next.end(JobID(2), .failed(JobID(2), "it traps"))
        #expect(next.effects.isEmpty && next.ending.isEmpty && next.isSilent(JobID(2)) && next.isDelivered)
    }

    @Test func aWakeUpIsAskedForOnce() {
        var wakeUp = WakeUp(now: .start)
        let due = Instant.start + .seconds(2)
        let asked = [due, due, nil, due].map { wakeUp.next($0) }
        #expect(asked == [due, nil, nil, due])
        wakeUp.isSettled = true
        let sleptEarly = wakeUp.begin(.start + .seconds(1))
        #expect(!sleptEarly && wakeUp.isSettled)
        let sleptWhenDue = wakeUp.begin(due)
        #expect(!sleptWhenDue && !wakeUp.isSettled)
        let sleptLate = wakeUp.begin(due + SessionLimits.sleep + .seconds(1))
        #expect(sleptLate)
    }
}
