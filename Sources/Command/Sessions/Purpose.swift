import Potluck
import PotluckArguments
import PotluckModel

/// What a node is in a session for, beside taking part.
struct Purpose: Sendable {
    /// What it orders as soon as it can.
    var order: JobOrder?
    /// What it orders a job of: the only one who need know a file.
    var subject: Subject?
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

    /// To have something computed.
    init(_ subject: Subject, _ plan: RunPlan, _ arguments: Arguments) throws {
        self.init()
        order = try JobArguments.order(plan, arguments)
        self.subject = subject
        explain = { subject.explain(JobFailed($0), plan) }
    }
}
