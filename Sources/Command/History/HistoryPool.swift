import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck history pool`: merges independent runs into one result. It prints the result and records nothing, because a
/// record stands for a run that one command repeats.
enum HistoryPool {
    static func pool(_ numbers: [String], _ arguments: Arguments) throws -> ExitCode {
        let runs = try RunChoice.runs(numbers, StoreArguments.read(arguments))
        for (id, run) in runs {
            if let wrong = run.wrongDigest { throw Failure(message: "run \(id) \(wrong)") }
        }
        let simulation = try simulation(of: runs, arguments)
        let pool: PooledRuns
        do throws(PooledRuns.PoolError) {
            pool = try PooledRuns(runs, simulation.layout)
        } catch { throw Failure(message: error.reason) }
        let prepared = try RunPlan.prepared(simulation, runs[0].run.slots)
        let readings: [Reading]
        do throws(SimulationFailure) {
            readings = try prepared.readings(of: pool.tally, trials: pool.trials)
        } catch { throw Failure(message: error.reason) }
        if arguments[HistoryCommand.json] {
            try Output.write(json(pool, readings, simulation).text + "\n")
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            let view = PoolView(pool, readings, digest: pool.digest)
            try Output.write(canvas.text(view.lines(on: canvas)))
        }
        return .success
    }

    /// The simulation that reads the merged tally: the built-in one, or the file that the run came from.
    private static func simulation(
        of runs: [(id: Int64, run: RunRecord)], _ arguments: Arguments
    ) throws -> AnySimulation {
        let run = runs[0].run
        let found = try ChosenSimulation(run.file ?? run.simulation.name, arguments).simulation
        guard found.identity == run.simulation else {
            throw Failure(
                message: "run \(runs[0].id) is of another version of \(run.simulation.name) than this program has")
        }
        guard found.shape != .space else {
            throw Failure(message: "runs of \(run.simulation.name) cannot be pooled: a search has only one result")
        }
        guard found.shape == .tally else {
            throw Failure(message: "runs of \(run.simulation.name) cannot be pooled: their trials are not random")
        }
        return found
    }

    private static func json(_ pool: PooledRuns, _ readings: [Reading], _ simulation: AnySimulation) -> JSON {
        .object([
            ("simulation", .string(simulation.name)),
            (
                "parameters",
                .object(zip(simulation.parameters, pool.runs[0].run.slots).map { ($0.label, $0.json($1)) })
            ),
            (
                "runs",
                JSON(
                    pool.runs.map { id, run -> JSON in
                        ["id": JSON(Int(id)), "seed": JSON(run.seed), "trials": JSON(run.trials)]
                    })
            ),
            ("trials", JSON(pool.trials)), ("tally", TallyJSON.value(pool.tally, simulation.layout)),
            ("readings", JSON(readings.map(RunJSON.reading))), ("digest", .string(pool.digest)),
        ])
    }
}
