import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// Computes the jobs of `potluck scale` one after another: a sweep over numbers of cores, tasks or nodes.
struct ScaleBench {
    enum Place {
        /// On cores of this machine.
        case here(Priority)
        /// On so many cores of this machine, cut into numbers of tasks.
        case tasks(cores: Int, Priority)
        /// On the first few of these nodes of a session.
        case session(SessionID, nodes: [String])
    }

    private struct Run {
        /// The place of its row in the table.
        let row: Int
        /// From 1; 0 for the run before the others, which is not counted.
        let round: Int
    }

    let chosen: ChosenSimulation
    let tables: [Table]
    let seed: UInt64
    let goal: Goal
    let repetitions: Int
    let isQuiet: Bool
    let place: Place

    /// A round of runs that takes longer is announced, so that nobody waits in silence.
    private static let longRound = 2.0

    /// The unit of the counts.
    private var unit: Scaling.Unit {
        switch place {
        case .here: .core
        case .tasks: .task
        case .session: .node
        }
    }

    /// Measures every point on each number of cores or nodes. Stops early at Ctrl-C.
    func measure(
        _ points: [Scaling.Point], on counts: [Int], varied: [String], _ arguments: Arguments
    ) async throws -> Scaling {
        var scaling = Scaling(points, counts, of: unit)
        let widest = counts.indices.max { counts[$0] < counts[$1] } ?? 0
        let runs = points.indices.flatMap { point in
            // The first run also pays for preparations that later runs find done.
            [Run(row: point * counts.count + widest, round: 0)]
                + (1...repetitions).flatMap { round in
                    counts.indices.map { Run(row: point * counts.count + $0, round: round) }
                }
        }
        let jobs = runs.map { (scaling.rows[$0.row].point.parameters, scaling.rows[$0.row].count) }
        let work = try await start(jobs, arguments)
        Interrupts.stop(with: work.stop)
        if Interrupts.asked != nil { work.stop() }
        var (seconds, told): ([Double], String?) = ([], nil)
        do {
            for await news in work.news {
                switch news {
                case .progress(_, let snapshot): say(snapshot, &told)
                case .stopped: break
                case .ended(let index, let result):
                    let run = runs[index]
                    told = nil
                    if run.row % counts.count == 0 { seconds = [] }
                    guard run.round > 0 else { continue }
                    try add(result, to: &scaling.rows[run.row])
                    seconds.append(result.elapsed.seconds)
                    guard !isQuiet, seconds.count == counts.count, seconds.reduce(0, +) > Self.longRound else {
                        continue
                    }
                    let name = zip(varied, scaling.rows[run.row].point.varied).map { "\($0)=\($1), " }.joined()
                    let times = zip(counts, seconds).map { "\(unit.words($0)) \(ScaleView.time($1))" }
                    Output.complain("\(name)\(run.round) of \(repetitions): \(times.joined(separator: ", "))")
                case .failed(_, let error), .broken(let error):
                    throw Failure(message: "\(chosen.simulation.name): \(error)")
                }
            }
        } catch {
            work.stop()
            // A job in a session is cancelled meanwhile.
            for await _ in work.news {}
            throw error
        }
        return scaling
    }

    /// Starts a job with each of these parameters on that number of cores or nodes.
    private func start(
        _ jobs: [(parameters: [UInt64], count: Int)], _ arguments: Arguments
    ) async throws -> SweepWork {
        let (simulation, module) = (chosen.simulation, chosen.reference)
        switch place {
        case .here(let priority):
            return SweepWork(runs: jobs.count) { [tables, seed, goal] index throws(ParameterError) in
                try LocalRun(
                    simulation, parameters: jobs[index].parameters, tables: tables, seed: seed, goal: goal,
                    cores: jobs[index].count, priority: priority, keepsOutput: false, module: module)
            }
        case .tasks(let cores, let priority):
            return SweepWork(tasks: jobs.count, width: cores) { [tables, seed, goal] index throws(ParameterError) in
                try TaskJob(
                    simulation, parameters: jobs[index].parameters, tables: tables, seed: seed, goal: goal,
                    tasks: jobs[index].count, priority: priority, module: module)
            }
        case .session(let session, let nodes):
            let points = SessionSweep.Jobs(
                todo: Array(jobs.indices), isAlone: true,
                name: { [unit] in "\(simulation.name) on \(unit.words(jobs[$0].count))" },
                order: { [tables, seed, goal] index in
                    let (parameters, count) = jobs[index]
                    let recipe = try simulation.order(parameters: parameters, tables: tables, seed: seed, goal: goal)
                        .recipe
                    var order = JobOrder(recipe, workers: count)
                    (order.nodes, order.takesBrowsers) = (Array(nodes.prefix(count)), false)
                    return order
                })
            return try await SessionSweep.start(
                points, in: session, JobCargo(module: chosen.octets, tables: tables), arguments)
        }
    }

    private func add(_ result: JobResult, to row: inout Scaling.Row) throws(Failure) {
        let nodes = unit == .node ? result.nodes : []
        guard
            row.add(
                seconds: result.elapsed.seconds, digest: result.digest, nodes, effort: result.nodes.effort)
        else {
            throw Failure(
                message: "two runs on \(unit.words(row.count)) gave different results; 'potluck check' finds out why")
        }
    }

    /// Says what a job of a session waits for.
    private func say(_ snapshot: JobSnapshot, _ told: inout String?) {
        guard snapshot.state != .waiting(.simulation), let wait = snapshot.state.waitWords, wait != told else { return }
        Output.complain("\(chosen.simulation.name): \(wait)")
        told = wait
    }
}
