import Glibc

/// One way to do a piece of work.
struct Contestant {
    let name: String
    /// Does the blocks and gives what came of them.
    let run: (Range<UInt64>) -> [UInt64]
}

/// What one contestant took for the same blocks in every round, in seconds of its thread's own time: others who use the
/// machine then only disturb, and do not count.
struct Times {
    let name: String
    var rounds: [Double] = []
    var median: Double { rounds.sorted()[rounds.count / 2] }
}

/// Lets contestants do the same work in turns, short round after short round, so that whatever disturbs one disturbs all.
/// They must agree on the result.
func contest(_ contestants: [Contestant], blocks: UInt64, rounds: Int) -> [Times] {
    var times = contestants.map { Times(name: $0.name) }
    for round in 0..<rounds {
        let range = UInt64(round) * blocks..<UInt64(round + 1) * blocks
        var expected: [UInt64]?
        for index in contestants.indices {
            let start = threadTime()
            let result = contestants[index].run(range)
            times[index].rounds.append(threadTime() - start)
            guard let wanted = expected else {
                expected = result
                continue
            }
            if result != wanted {
                fail("\(contestants[index].name) has \(result), \(contestants[0].name) \(wanted), for blocks \(range)")
            }
        }
    }
    return times
}

func threadTime() -> Double { time(CLOCK_THREAD_CPUTIME_ID) }
func wallTime() -> Double { time(CLOCK_MONOTONIC) }

private func time(_ clock: clockid_t) -> Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

func fail(_ why: String) -> Never {
    let line = "bench: \(why)\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}
