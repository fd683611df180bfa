import PotluckKit
import PotluckModel
import PotluckWire
import Testing

@testable import PotluckEngine

/// The values that a job run is made of keep their own laws.
@Suite struct JobValuesTests {
    private static let nodes = (UInt8(1)...4).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
    private static let id = JobID(1)

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

    @Test func aWithdrawalVoidsReadingsOfMoreTrials() {
        var evaluation = Evaluation()
        for trials in [UInt64(10), 20, 30] { evaluation.note(CoursePoint(trials: trials, readings: [])) }
        let old = [UInt64(20), 30].map {
            ReadRequest(job: Self.id, tally: [], trials: $0, purpose: .picture, edition: evaluation.edition)
        }
        evaluation.end(with: (old[1], []))
        evaluation.isResultAsked = true
        evaluation.withdraw(settled: 20)
        #expect(evaluation.course.map(\.trials) == [10, 20] && evaluation.precise == nil && !evaluation.isResultAsked)
        #expect(evaluation.isValid(old[0]) && !evaluation.isValid(old[1]))
        let new = ReadRequest(
            job: Self.id, tally: [], trials: 30, purpose: .picture, edition: evaluation.edition)
        #expect(evaluation.isValid(new))
    }

    @Test func theFirstTallyIsShownToOthersAtOnce() {
        var display = Display(now: .start)
        display.begin(trials: 0, now: .start)
        #expect(!display.showsOthers(2, trials: 0, now: .start))
        #expect(!display.showsOthers(0, trials: 5, now: .start))
        #expect(display.showsOthers(2, trials: 5, now: .start))
        #expect(!display.showsOthers(2, trials: 6, now: .start))
        display.showOthersSoon(.start)
        #expect(display.showsOthers(2, trials: 6, now: .start))
    }

    @Test func holdersAreToldWhatIsNewAndNothingTwice() throws {
        var keeping = Keeping(now: .start)
        keeping.add(.ran(Self.id, .seconds(1)))
        #expect(keeping.takeDue(.start) == nil)
        #expect(keeping.takeNewHolders(Self.nodes) == Array(Self.nodes.prefix(JobLimits.replicas)))
        #expect(keeping.takeNewHolders(Self.nodes).isEmpty)
        let blocks = [UInt64(0)..<2, 2..<4].map { BlockTally(blocks: $0, node: Self.nodes[0], tally: [1]) }
        for piece in blocks { keeping.add(.done(Self.id, piece)) }
        let settled = JournalChange.settled(Self.id, SettledTally(blocks: 2, tally: [1]))
        keeping.add(settled)
        // The first piece is part of what is settled.
        #expect(keeping.takeDue(.start) == [.done(Self.id, blocks[1]), settled])
        #expect(keeping.takeDue(.start + JobLimits.replica) == nil)
        keeping.forget(Self.nodes[0])
        #expect(keeping.takeNewHolders(Self.nodes).count == 1)
    }

    @Test func aLoanEndsForAllWhoHaveIt() throws {
        var loans = Loans()
        let first = loans.add(0..<4, to: Self.nodes[0], failedOn: [], now: .start)
        let second = try #require(loans.addAgain(to: Self.nodes[1], now: .start) { _, _ in true })
        #expect(second.blocks == first.blocks && second.attempt > first.attempt)
        #expect(loans.addAgain(to: Self.nodes[2], now: .start) { _, _ in true } == nil)
        #expect(loans.find(first.attempt, of: Self.nodes[1]) == nil)
        let kept = try #require(loans.end(first.attempt, of: Self.nodes[0], failed: true))
        #expect(kept.holders.map(\.node) == [Self.nodes[1]] && kept.failedOn == [Self.nodes[0]])
        #expect(loans.addAgain(to: Self.nodes[0], now: .start) { _, _ in true } == nil && loans.isSound)
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
        #expect(turn.effects == [.failed(Self.id, "it traps")] && turn.ending == [Self.id])
        var next = Turn(now: .start, keepsJournal: false, toldEnds: turn.toldEnds)
        next.end(Self.id, .failed(Self.id, "it traps"))
        next.silence(JobID(2))
        next.end(JobID(2), .failed(JobID(2), "it traps"))
        #expect(next.effects.isEmpty && next.ending.isEmpty && next.isSilent(JobID(2)) && next.isDelivered)
    }

    @Test func aWakeUpIsAskedForOnce() {
        var wakeUp = WakeUp(now: .start)
        let due = Instant.start + .seconds(2)
        #expect(wakeUp.next(due) == due && wakeUp.next(due) == nil && wakeUp.next(nil) == nil)
        #expect(wakeUp.next(due) == due)
        wakeUp.isSettled = true
        #expect(!wakeUp.begin(.start + .seconds(1)) && wakeUp.isSettled)
        #expect(!wakeUp.begin(due) && !wakeUp.isSettled)
        #expect(wakeUp.begin(due + SessionLimits.sleep + .seconds(1)))
    }
}
