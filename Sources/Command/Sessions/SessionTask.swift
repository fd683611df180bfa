import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The tasks of a node in a session besides taking part: the job to submit, and settings of the screen and of
/// computing.
package struct SessionTask: Sendable {
    /// The job to submit as soon as possible; nil if there is none.
    var order: JobOrder?
    /// The simulation of that job. Only the submitter knows its file.
    var chosen: ChosenSimulation?
    /// The job's input tables.
    var tables: [Table] = []
    /// The files that the tables were read from.
    var inputs: [RecordedInput] = []
    /// Where the job's output goes; nil if it is not wanted.
    var output: RunOutput?
    /// The unfinished job that the same command submitted before a crash; nil if there is none.
    var unfinished: JobID?
    /// Adds advice for the submitter to the reason why the job failed.
    var explain: @Sendable (JobFailure) -> String = { $0.description }
    let ticket = JobTicket.random()
    /// Whether the node is there only for that job: it computes nothing and leaves when the job ends.
    var isErrand = false
    /// Whether the result is printed as comma-separated values.
    var printsCSV = false
    /// Whether each tally of the job is printed as JSON while it is computed.
    var printsProgress = false
    /// Whether exact answers are hidden until a key shows them.
    var hidesExact = false
    /// Whether to compute while on battery.
    var runsOnBattery = false
    /// How many cores compute.
    var cores = 0
    /// The file of metrics to keep; nil if the user did not ask for it.
    var metrics: MetricsFile?
}

extension SessionTask {
    /// The simulation of the job to submit, with its tables.
    var ordered: Solutions.Ordered? { chosen.map { .init(simulation: $0.simulation, tables: tables) } }

    /// The files that a result was computed from; empty for a job of somebody else.
    func inputs(of result: JobResult) -> [RecordedInput] { order?.experiment == result.experiment ? inputs : [] }

    /// The module for nodes that lack the simulation; nil if there is none.
    var module: [UInt8]? { chosen?.octets }

    /// Where results and lines go: to stderr if stdout is used for the job's output.
    var stdout: Int32 { output?.isStdout == true ? STDERR_FILENO : STDOUT_FILENO }

    /// The task of submitting a job.
    init(_ chosen: ChosenSimulation, _ plan: RunPlan, _ arguments: Arguments) throws {
        self.init()
        if let obstacle = plan.tables.obstacle { throw Failure(message: obstacle) }
        (tables, inputs) = (plan.tables, plan.inputs)
        output = try RunOutput(plan.simulation, plan.prepared, arguments)
        order = try JobArguments.order(plan, collects: output != nil, arguments)
        self.chosen = chosen
        explain = { chosen.explain(JobError($0), plan) }
    }
}
