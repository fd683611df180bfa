import Potluck
import PotluckArguments
import PotluckModel

/// A job that `serve` and `peer` start themselves.
enum StartArguments {
    static let run = Option("run", "NAME", "compute this simulation as soon as the session is there") {
        (text) throws(ValueError) -> String in text
    }

    static let options =
        [run.declaration] + RunPlan.options + JobArguments.options + [JobArguments.hideExact.declaration]

    /// What the session is for.
    static func purpose(_ arguments: Arguments, cores: Int, runsOnBattery: Bool) throws -> Purpose {
        var order: JobOrder?
        if let name = try arguments[run] {
            let plan = try RunPlan(
                SimulationsCommand.find(name), arguments, cores: Machine.cores, seed: Machine.drawSeed())
            order = try JobArguments.order(plan, arguments)
        } else if let stray = (RunPlan.options + JobArguments.options).first(where: { arguments.has($0) }) {
            throw UsageError("--\(stray.name) is about a job: say which simulation with --run NAME")
        }
        return Purpose(
            order: order, hidesExact: arguments[JobArguments.hideExact], runsOnBattery: runsOnBattery, cores: cores)
    }
}

extension Purpose {
    /// The same command after a crash goes on with the job that it ordered, and orders no second one.
    mutating func dropOrder(thatIsIn ledger: NodeLedger, _ arguments: Arguments) {
        guard let wanted = order, let job = ledger.job(like: wanted, anySeed: !arguments.has(RunPlan.seed.declaration))
        else { return }
        order = nil
        Output.complain("job \(job) is unfinished and goes on: it is not ordered again")
    }
}
