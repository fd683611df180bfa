import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// Runs the jobs of `potluck scale`.
struct ScaleBench {
    let chosen: ChosenSimulation
    let tables: [Table]
    let seed: UInt64
    let goal: Goal
    let priority: Computing.Priority
    let repetitions: Int
    let isQuiet: Bool
    /// The session whose nodes compute the jobs; nil for the cores of this machine.
    let session: SessionTrial?

    /// The unit of the counts.
    var unit: Scaling.Unit { session == nil ? .core : .node }

    /// A round of runs that takes longer is announced, so that nobody waits in silence.
    private static let longRound = 2.0

    /// Measures every point on each number of cores or nodes. Stops early at Ctrl-C.
    func measure(_ points: [Scaling.Point], on counts: [Int], varied: [String]) async throws -> Scaling {
        var scaling = Scaling(points, counts, of: unit)
        for point in points {
            let indices = scaling.rows.indices.filter { scaling.rows[$0].point == point }
            // The first run also pays for preparations that later runs find done.
            guard try await result(of: point, on: counts.max() ?? 1) != nil else { return scaling }
            for round in 1...repetitions {
                var seconds: [Double] = []
                for index in indices {
                    guard let result = try await result(of: point, on: scaling.rows[index].count) else {
                        return scaling
                    }
                    seconds.append(result.elapsed.seconds)
                    guard
                        scaling.rows[index].add(
                            seconds: result.elapsed.seconds, digest: result.digest, session == nil ? [] : result.nodes)
                    else {
                        throw Failure(
                            message: "two runs on \(unit.words(scaling.rows[index].count)) gave different results; "
                                + "'potluck check' finds out why")
                    }
                }
                if !isQuiet, seconds.reduce(0, +) > Self.longRound {
                    let name = zip(varied, point.varied).map { "\($0)=\($1), " }.joined()
                    Output.complain("\(name)\(round) of \(repetitions): \(times(counts, seconds))")
                }
            }
        }
        return scaling
    }

    private func times(_ counts: [Int], _ seconds: [Double]) -> String {
        zip(counts, seconds).map { "\(unit.words($0)) \(ScaleView.time($1))" }.joined(separator: ", ")
    }

    /// Computes the job once. Returns nil if the user stopped it.
    private func result(of point: Scaling.Point, on count: Int) async throws -> JobResult? {
        guard Interrupts.asked == nil else { return nil }
        let simulation = chosen.simulation
        do {
            if let session {
                let order = try simulation.order(
                    parameters: point.parameters, tables: tables, seed: seed, goal: goal)
                return try await session.result(of: order.experiment, order.goal, on: count)
            }
            let run = try LocalRun(
                simulation, parameters: point.parameters, tables: tables, seed: seed, goal: goal, cores: count,
                priority: priority, keepsOutput: false, module: chosen.reference)
            Interrupts.stop { run.stop() }
            // Without a reader, snapshots would pile up.
            async let ended: Void = { for await _ in run.snapshots {} }()
            let result = try await run.result
            await ended
            return result.completion == .stopped ? nil : result
        } catch let error as ParameterError {
            throw Failure(cannotRun: simulation.name, error)
        } catch let error as JobError {
            throw Failure(message: "\(simulation.name): \(error)")
        }
    }
}
