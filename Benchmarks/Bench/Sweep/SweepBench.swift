import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore

/// `PotluckBench sweep [short]`: what a sweep costs besides its trials. A thousand points of a million trials of Monty
/// Hall are compared with the same trials in one run; both use all cores, and take turns.
enum SweepBench {
    private static let wanted = 1.2

    static func run(_ words: [String]) async throws {
        let isShort = words.contains("short")
        let (points, rounds) = isShort ? (100, 1) : (1000, 9)
        let trials: UInt64 = 1_000_000
        // As fast as in the program: slower trials would hide what a sweep costs.
        let monty = builtIn("monty-hall", .chosen)
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var pairs: [(sweep: Double, run: Double)] = []
        for round in 0..<rounds {
            let all = (0..<points).map {
                LocalSweep.Point(
                    parameters: monty.standardParameters, seed: UInt64(round * points + $0), goal: Goal(trials: trials))
            }
            let sweep = try await time {
                var ended = 0
                for await news in try LocalSweep(monty, all, cores: cores).news {
                    if case .ended = news { ended += 1 }
                }
                guard ended == points else { fail("\(points - ended) points have no result") }
            }
            let run = try await time {
                let run = try LocalRun(
                    monty, parameters: monty.standardParameters, seed: UInt64(round),
                    goal: Goal(trials: trials * UInt64(points)), cores: cores)
                _ = try await run.result
            }
            pairs.append((sweep, run))
        }
        pairs.sort { $0.sweep / $0.run < $1.sweep / $1.run }
        let median = pairs[pairs.count / 2]
        Figure(
            what: "a sweep of \(points) points of 10^6 trials", value: median.sweep / median.run,
            unit: "times one run", bound: .atMost(wanted),
            remark: "\(Int(median.sweep * 1000)) and \(Int(median.run * 1000)) ms"
        ).report()
    }

    private static func time(_ body: () async throws -> Void) async throws -> Double {
        let start = seconds(CLOCK_MONOTONIC)
        try await body()
        return seconds(CLOCK_MONOTONIC) - start
    }
}
