import PotluckSimulator
import Testing

/// Evenings in a room in which anything happens at any time, and laws that hold all the same.
@Suite struct ScheduleTests {
    /// Of each of eight parts; `make sim` lives more.
    static let each: UInt64 = 12

    @Test(arguments: 0..<8) func whateverHappensTheLawsHold(part: UInt64) {
        var jobs = 0
        for seed in part * Self.each + 1...(part + 1) * Self.each {
            let outcome = Schedule.run(seed: seed)
            jobs += outcome.finished
            #expect(outcome.failure == nil, "make sim VERBOSE=1 SEED=\(seed)")
        }
        // There was something to be wrong about.
        #expect(jobs > Int(Self.each) / 3)
    }

    /// A kind that the codec learns is sent by Byzantine members, or this says so.
    @Test func everyKindOfMessageIsForged() {
        var missing = Schedule.kinds
        for seed: UInt64 in 1...60 where !missing.isEmpty { missing.subtract(Schedule.run(seed: seed).forged) }
        #expect(missing == [])
    }

    @Test(arguments: Schedule.Sabotage.allCases) func whatIsWrongIsFound(sabotage: Schedule.Sabotage) {
        let laws: Set<Failure.Law> =
            switch sabotage {
            case .wrongBlock: [.exact]
            case .deafTimers: [.progress, .ends, .told, .answered]
            case .nothingIsReady: [.answered, .ends]
            case .forgetfulDisks: [.kept]
            case .swappedShelves: [.exact]
            }
        var found = 0
        // Disks have to be looked at just when a coordinator crashes, which is rare.
        for seed: UInt64 in sabotage == .forgetfulDisks ? 61...130 : 1...30 {
            guard let failure = Schedule.run(seed: seed, sabotage: sabotage).failure else { continue }
            #expect(laws.contains(failure.law), "seed \(seed): \(failure)")
            found += 1
        }
        #expect(found > 1)
    }
}
