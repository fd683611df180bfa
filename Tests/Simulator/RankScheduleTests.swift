import Testing

@testable import PotluckSimulation

/// Programs with ranks on several nodes, and the laws that hold whatever the delays.
@Suite struct RankScheduleTests {
    /// Schedules in each of the four parts; `make sim RANKS=1` runs more.
    static let each: UInt64 = 400

    @Test(arguments: 0..<4) func whateverTheDelaysTheLawsHold(part: UInt64) {
        var (ends, checkpoints, restarts, forged) = ([RankSchedule.Outcome.End: Int](), 0, 0, 0)
        for seed in part * Self.each + 1...(part + 1) * Self.each {
            let outcome = RankSchedule.run(seed: seed)
            #expect(outcome.failure == nil, "make sim RANKS=1 VERBOSE=1 SEED=\(seed)")
            ends[outcome.end, default: 0] += 1
            checkpoints += outcome.checkpoints
            restarts += outcome.restarts
            forged += outcome.forged
        }
        // Enough happened for the checks to mean something.
        for end in RankSchedule.Outcome.End.allCases { #expect(ends[end, default: 0] > 2, "\(end)") }
        #expect(checkpoints > 200 && restarts > 50 && forged > 5000)
    }

    @Test func aSeedIsOneSchedule() {
        for seed: UInt64 in 1...40 {
            let first = RankSchedule.run(seed: seed)
            #expect(RankSchedule.run(seed: seed).hash == first.hash)
            #expect(RankSchedule.run(seed: seed + 1).hash != first.hash)
        }
    }

    /// The laws that notice a sabotage.
    private static func laws(_ sabotage: RankSchedule.Sabotage) -> Set<RankLawError.Law> {
        switch sabotage {
        case .otherBytes: [.whole]
        case .otherTags: [.matching, .whole, .deadlock, .synchronous, .bounded]
        case .lostMessages: [.kept]
        case .lostAnswers: [.ends]
        case .doubledLetters: [.reason, .kept]
        case .hastyOffers: [.synchronous]
        case .untoldSenders: [.deadlock]
        case .wideRooms, .wideEagerRooms, .wideStates: [.bounded]
        case .otherNodes: [.same]
        case .lostReports: [.ends]
        case .blindReports: [.deadlock, .checkpoint]
        case .closedReports: [.checkpoint]
        case .otherWaits: [.deadlock]
        case .otherStates: [.checkpoint]
        case .idleWakes: [.woken]
        case .mildMisfits: [.refused]
        }
    }

    private static func failures(_ sabotage: RankSchedule.Sabotage) -> some Sequence<RankLawError> {
        (1...400 as ClosedRange<UInt64>).lazy.compactMap { RankSchedule.run(seed: $0, sabotage: sabotage).failure }
    }

    @Test(arguments: RankSchedule.Sabotage.allCases) func everySabotageIsFound(sabotage: RankSchedule.Sabotage) {
        let found = Array(Self.failures(sabotage).prefix(4))
        #expect(found.count == 4)
        for failure in found { #expect(Self.laws(sabotage).contains(failure.law), "\(failure)") }
    }

    /// A law that nothing breaks proves nothing. `RankLedgerTests` break the missing one.
    @Test(arguments: RankLawError.Law.allCases.filter { $0 != .order }) func eachLawCanBeBroken(law: RankLawError.Law) {
        let sabotages = RankSchedule.Sabotage.allCases.filter { Self.laws($0).contains(law) }
        #expect(sabotages.contains { sabotage in Self.failures(sabotage).contains { $0.law == law } })
    }
}
