import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Whatever happens to the workers, each chunk that is not dropped has exactly one outcome, and it is right.
@Suite(.timeLimit(.minutes(60))) struct ScheduleTests {
    @Test(arguments: 0..<40) func noOutcomeIsLost(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let bench = Bench(cores: Int(random.next(below: 4)))
        var wanted: [AttemptID: Range<UInt64>] = [:]
        var interrupted: Set<AttemptID> = []
        var taken: [ChunkOutcome] = []
        for number: UInt64 in 1...300 {
            let job = JobID(1 + UInt64(random.next(below: 3)))
            switch random.next(below: 20) {
            case 0: bench.workers.setCores(Int(random.next(below: 5)))
            case 1:
                bench.workers.interrupt(job)
                interrupted.formUnion(wanted.keys.filter { $0.job == job })
            case 2:
                let dropped = wanted.keys.sorted().filter { _ in random.next(below: 4) == 0 }
                bench.workers.drop(dropped)
                // A chunk whose outcome was taken earlier ended before it was dropped.
                let came = Set(taken.map(\.attempt))
                for attempt in dropped where !came.contains(attempt) { wanted[attempt] = nil }
            case 3: taken += bench.workers.takeOutcomes()
            default:
                let first = UInt64(random.next(below: 100))
                let blocks = first..<first + 1 + UInt64(random.next(below: 50))
                wanted[Bench.attempt(number, of: job)] = blocks
                bench.workers.compute(
                    Bench.task(number, of: job, blocks: blocks, isReferee: random.next(below: 10) == 0))
            }
        }
        bench.workers.setCores(2)
        taken += await bench.outcomes(wanted.count - taken.count)
        #expect(taken.count == wanted.count)
        #expect(Set(taken.map(\.attempt)) == Set(wanted.keys))
        for outcome in taken {
            guard let blocks = wanted[outcome.attempt], let end = outcome.end else { continue }
            let computed = blocks.lowerBound..<end
            #expect(outcome.tally == [UInt64(computed.count), computed.reduce(0, +)])
            #expect(end == blocks.upperBound || interrupted.contains(outcome.attempt))
        }
    }
}
