import PotluckCore
import PotluckKit
import Testing

@testable import Potluck

@Suite struct SharedTimeTests {
    /// The parts of all jobs together are the time in which one was in hand.
    @Test(arguments: 0..<50 as Range<UInt64>) func thePartsAreTheWhole(chance: UInt64) {
        var random = SeededGenerator(seed: chance)
        var now = Instant.start
        var shared = SharedTime(now)
        var begun: [Int: Instant] = [:]
        var (busy, own) = (0.0, 0.0)
        for step in 0..<200 {
            let time = Duration.milliseconds(Int64(random.next(below: 1000)))
            if !begun.isEmpty { busy += time.seconds }
            now = now + time
            let jobs = begun.keys.sorted()
            if !jobs.isEmpty, jobs.count > 4 || random.next(below: 2) == 0 {
                let job = jobs[Int(random.next(below: UInt64(jobs.count)))]
                let start = begun[job]!
                own += (now - start).seconds * shared.end(job, now)
                begun[job] = nil
            } else {
                shared.begin(step, now)
                begun[step] = now
            }
        }
        for (job, start) in begun { own += (now - start).seconds * shared.end(job, now) }
        #expect(abs(own - busy) < 1e-6 * busy)
    }

    @Test func aJobAloneHasAllOfItsTime() {
        var shared = SharedTime(.start)
        shared.begin(3, .start + .seconds(1))
        #expect(shared.end(3, .start + .seconds(5)) == 1)
        #expect(shared.end(3, .start + .seconds(6)) == 1)
    }
}
