import Glibc

/// One implementation of a computation.
struct Contestant {
    let name: String
    /// Computes these blocks. Returns the result.
    let run: (Range<UInt64>) -> [UInt64]
}

/// The times of one contestant: the thread's CPU time for each round, in seconds. CPU time does not depend on other
/// users of the machine.
struct Times {
    let name: String
    var rounds: [Double] = []
}

/// Runs the same work with each contestant in short alternating rounds, so that a disturbance affects all of them.
/// Fails if their results differ. `clock` is the thread's own time, unless another process computes.
func contest(
    _ contestants: [Contestant], blocks: UInt64, rounds: Int, clock: clockid_t = CLOCK_THREAD_CPUTIME_ID
) -> [Times] {
    var times = contestants.map { Times(name: $0.name) }
    for round in 0..<rounds {
        let range = UInt64(round) * blocks..<UInt64(round + 1) * blocks
        var first: [UInt64]?
        for index in contestants.indices {
            let start = seconds(clock)
            let result = contestants[index].run(range)
            times[index].rounds.append(seconds(clock) - start)
            if let first, result != first {
                fail("\(contestants[index].name) counts \(result), \(contestants[0].name) \(first), in blocks \(range)")
            }
            first = result
        }
    }
    return times
}

extension [Double] {
    var median: Double { sorted()[count / 2] }
}
