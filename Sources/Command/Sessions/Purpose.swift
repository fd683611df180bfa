import Glibc
import Potluck
import PotluckArguments
import PotluckKit
import PotluckModel

/// What a node is in a session for, beside taking part.
struct Purpose: Sendable {
    /// What it orders as soon as it can.
    var order: JobOrder?
    /// What it orders a job of: the only one who need know a file.
    var subject: Subject?
    /// What the simulation takes from files.
    var tables: [Table] = []
    /// Those files.
    var inputs: [RecordedInput] = []
    /// Where what it writes goes; nil where nobody wants that.
    var output: RunOutput?
    /// The unfinished job that it ordered before a crash.
    var unfinished: JobID?
    /// Makes of why its job failed what the one who ordered it should know.
    var explain: @Sendable (String) -> String = { $0 }
    let ticket = JobTicket.random()
    /// Whether it is there for that job alone: it looks on and goes with its end.
    var isErrand = false
    /// Whether exact answers are shown only when a key asks for them.
    var hidesExact = false
    /// Whether it computes when on battery.
    var runsOnBattery = false
    /// How many cores it gives.
    var cores = 0
}

extension Purpose {
    /// What computes the job it orders, for nodes in which that is not built in.
    var module: [UInt8]? { subject?.octets }

    /// Stdout is for what the simulation writes; everything else goes to stderr then.
    var stdout: Int32 { output?.isStdout == true ? STDERR_FILENO : STDOUT_FILENO }

    /// To have something computed.
    init(_ subject: Subject, _ plan: RunPlan, _ arguments: Arguments) throws {
        self.init()
        if let obstacle = plan.tables.obstacle { throw Failure(message: obstacle) }
        (tables, inputs) = (plan.tables, plan.inputs)
        output = try RunOutput(plan.simulation, plan.prepared, arguments)
        order = try JobArguments.order(plan, collects: output != nil, arguments)
        self.subject = subject
        explain = { subject.explain(JobFailed($0), plan) }
    }
}
