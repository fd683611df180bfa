import PotluckSimulation

/// The system that the schedules simulate.
enum Sweep: Sendable, CaseIterable {
    case clusters
    /// Clusters with many jobs and viewers.
    case busy
    /// Programs with ranks.
    case ranks

    /// The environment variable that chooses it; nil if nothing does.
    var mark: String? {
        switch self {
        case .clusters: nil
        case .busy: "BUSY"
        case .ranks: "RANKS"
        }
    }

    /// The command that repeats a schedule, without its seed.
    var command: StaticString {
        switch self {
        case .clusters: "make sim VERBOSE=1 SEED="
        case .busy: "make sim BUSY=1 VERBOSE=1 SEED="
        case .ranks: "make sim RANKS=1 VERBOSE=1 SEED="
        }
    }

    /// Plays a schedule. Returns the law that it breaks, and how; nil if it breaks none.
    func live(_ seed: UInt64, listener: ((String) -> Void)?) -> (Tallied, broken: String?) {
        switch self {
        case .clusters: return tallied(Schedule.run(seed: seed, listener: listener))
        case .busy: return tallied(Schedule.busy(seed: seed, listener: listener))
        case .ranks:
            let outcome = RankSchedule.run(seed: seed, listener: listener)
            return (Tallied(outcome), outcome.failure.map { "“\($0.law.rawValue)”: \($0.what)" })
        }
    }

    private func tallied(_ outcome: Schedule.Outcome) -> (Tallied, broken: String?) {
        (Tallied(outcome), outcome.failure.map { "“\($0.law.rawValue)”: \($0.what)" })
    }

    /// A sentence about the sums of the figures.
    func report(_ figures: [Int]) -> String {
        switch self {
        case .clusters, .busy:
            """
            \(figures[0]) jobs, \(figures[1]) finished and \(figures[2]) failed as they should; \(figures[3]) chunks, \
            \(figures[4]) files, \(figures[6]) lies, \(figures[7]) liars found; \(figures[5]) events in \
            \(figures[8] / 3600) virtual hours
            """
        case .ranks:
            """
            \(figures[0]) programs finished, \(figures[1]) deadlocks, \(figures[2]) open at a checkpoint; \(figures[3]) \
            messages, \(figures[4]) letters, \(figures[5]) checkpoints, \(figures[6]) restarts, \(figures[7]) forgeries; \
            \(figures[8]) events
            """
        }
    }
}
