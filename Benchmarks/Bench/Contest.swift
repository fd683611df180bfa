import Glibc

/// One way to do a piece of work.
struct Contestant {
    let name: String
    /// Does so many blocks and gives what came of them.
    let run: (Range<UInt64>) -> [UInt64]
}

/// What one contestant took for each round, in seconds of its thread's own time: others who use the machine slow down the
/// bench, and not what it measures.
struct Times {
    let name: String
    var rounds: [Double] = []
}

/// Lets contestants do the same work in turns, short round after short round, so that whatever disturbs one disturbs all.
/// They must agree on the result.
func contest(_ contestants: [Contestant], blocks: UInt64, rounds: Int) -> [Times] {
    var times = contestants.map { Times(name: $0.name) }
    for round in 0..<rounds {
        let range = UInt64(round) * blocks..<UInt64(round + 1) * blocks
        var first: [UInt64]?
        for index in contestants.indices {
            let start = threadTime()
            let result = contestants[index].run(range)
            times[index].rounds.append(threadTime() - start)
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

private func threadTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

func fail(_ why: String) -> Never {
    let line = "bench: \(why)\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}
