import Glibc
import PotluckScreen

/// The command that takes part in a session, with what only that command has.
enum SessionTask: Sendable {
    /// `run --session` submits a job, computes nothing, and leaves when the job ends. It prints each tally as JSON if
    /// `printsProgress`.
    case submit(SubmittedJob, FinishedRun.Format, printsProgress: Bool)
    /// `watch` shows all jobs, and keeps a file of metrics if the user asked for one.
    case watch(hidesExact: Bool, MetricsFile?)
    case join(LentCores, hidesExact: Bool)
    /// `serve` or `peer`, with the job of `--run`.
    case host(LentCores, hidesExact: Bool, SubmittedJob?)

    /// The cores that compute for the session.
    struct LentCores: Sendable {
        let count: Int
        /// Whether they compute while on battery, too.
        let runsOnBattery: Bool
    }

    /// The job that this command submits; nil if there is none.
    var job: SubmittedJob? {
        switch self {
        case .submit(let job, _, _): job
        case .host(_, _, let job): job
        case .watch, .join: nil
        }
    }

    /// Whether the command is there only for its job.
    var isSubmitOnly: Bool { if case .submit = self { true } else { false } }

    /// Whether exact answers are hidden until a key shows them. The order of a submitted job says so itself.
    var hidesExact: Bool {
        switch self {
        case .submit: false
        case .watch(let hidesExact, _), .join(_, let hidesExact), .host(_, let hidesExact, _): hidesExact
        }
    }

    var printsProgress: Bool { if case .submit(_, _, printsProgress: true) = self { true } else { false } }

    var lent: LentCores {
        switch self {
        case .join(let lent, _), .host(let lent, _, _): lent
        case .submit, .watch: LentCores(count: 0, runsOnBattery: false)
        }
    }

    var metrics: MetricsFile? { if case .watch(_, let metrics) = self { metrics } else { nil } }

    /// Where results and lines go.
    var stdout: Int32 { job?.stdout ?? STDOUT_FILENO }
}
