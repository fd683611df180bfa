import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// A job that a command submits to a session.
struct SubmittedJob: Sendable {
    /// How the session gets the job.
    enum Origin: Sendable {
        /// As soon as possible, with this order.
        case order(JobOrder)
        /// The same command submitted it before a crash.
        case unfinished(JobID)
    }

    private(set) var origin: Origin
    /// Only the submitter knows the simulation's file.
    let chosen: ChosenSimulation
    /// The job's input tables.
    let tables: [Table]
    /// The files that the tables were read from.
    let inputs: [RecordedInput]
    /// Where the job's output goes; nil if it is not wanted.
    let output: RunOutput?
    /// Where the solution of a search goes; nil if it is not wanted.
    let solutionFile: SolutionFile?
    /// Adds advice for the submitter to the reason why the job failed.
    let explain: @Sendable (JobFailure) -> String
    let ticket = JobTicket.random()

    init(_ chosen: ChosenSimulation, _ plan: RunPlan, _ arguments: Arguments) throws {
        if let obstacle = plan.tables.obstacle { throw Failure(message: obstacle) }
        (self.chosen, tables, inputs) = (chosen, plan.tables, plan.inputs)
        output = try RunOutput(plan.simulation, plan.prepared, arguments)
        solutionFile = try SolutionFile(plan.prepared, arguments)
        origin = .order(try JobArguments.order(plan, collects: output != nil, arguments))
        explain = { chosen.explain(JobError($0), plan) }
    }

    /// The order to submit; nil if the job was submitted before.
    var order: JobOrder? { if case .order(let order) = origin { order } else { nil } }

    /// The simulation if it is a file, and not built in.
    var file: ChosenSimulation? { chosen.plugin == nil ? nil : chosen }

    /// The simulation with its tables.
    var ordered: Solutions.Ordered { .init(simulation: chosen.simulation, tables: tables) }

    /// Where the job's results go: to stderr if stdout is used for its output.
    var stdout: Int32 {
        output?.isStdout == true || solutionFile?.isStdout == true ? STDERR_FILENO : STDOUT_FILENO
    }

    /// The files that a result was computed from; empty for a job of somebody else.
    func inputs(of result: JobResult) -> [RecordedInput] { order?.experiment == result.experiment ? inputs : [] }

    /// Drops the order if the ledger has the same job unfinished, so that the same command after a crash resumes it.
    mutating func dropOrder(thatIsIn ledger: NodeLedger, _ arguments: Arguments) {
        guard let order, let job = ledger.job(like: order, anySeed: !arguments.has(RunPlan.seed.declaration)) else {
            return
        }
        guard tables.isEmpty else {
            // The journal does not contain the tables. Forget the old job, so that the new order starts over with them.
            ledger.store?.forget(job)
            return
        }
        origin = .unfinished(job)
        Output.complain("resuming unfinished job \(job); no new job is started")
    }
}
