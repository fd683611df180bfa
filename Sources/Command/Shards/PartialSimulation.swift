import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The simulation of partial files, prepared to read their tallies.
struct PartialSimulation {
    static let simulation = Option(
        "simulation", "FILE", "the simulation's file, if it has moved since the shards were computed", in: .compute,
        CommonOptions.file)

    let chosen: ChosenSimulation
    let job: PartialRun.Job
    let tables: [Table]
    let prepared: PreparedSimulation

    /// Finds the simulation and its input files, and checks that they are those of the job.
    init(_ job: PartialRun.Job, _ arguments: Arguments) throws {
        self.job = job
        let wanted = job.experiment.simulation
        chosen = try ChosenSimulation(try arguments[Self.simulation] ?? job.typed, arguments)
        guard chosen.simulation.identity == wanted else {
            throw Failure(
                message: "\(Spelling.path(chosen.typed)) is not what the shards were computed with; "
                    + "name that file with --simulation FILE, or compute them again")
        }
        let given = try arguments.all(RunPlan.input)
        tables = try RunPlan.tables(
            given.isEmpty ? job.inputs.map { ($0.name, $0.path) } : given, of: chosen.simulation)
        let own = Array(job.experiment.parameters.prefix(chosen.simulation.parameters.count))
        prepared = try RunPlan.prepared(chosen.simulation, own, tables)
        let experiment = try? chosen.simulation.experiment(
            parameters: own, tables: tables, seed: job.experiment.seed)
        guard experiment == job.experiment else {
            throw Failure(
                message: "the input files have changed since the shards were computed; "
                    + "name the old ones with --input NAME=FILE")
        }
    }

    var layout: TallyLayout { chosen.simulation.layout }
}
