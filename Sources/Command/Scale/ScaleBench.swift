import Potluck
import PotluckConsole
import PotluckKit
import PotluckModel

/// Runs the jobs of `potluck scale`.
struct ScaleBench {
    let subject: Subject
    let tables: [Table]
    let seed: UInt64
    let goal: Goal
    let priority: Computing.Priority
    let repetitions: Int
    let isQuiet: Bool

    /// A round of runs that takes longer is announced, so that nobody waits in silence.
    private static let longRound = 2.0

    /// Measures every point on each number of cores. Stops early at Ctrl-C.
    func measure(_ points: [Scaling.Point], cores: [Int], varied: [String]) async throws -> Scaling {
        var scaling = Scaling(points, cores: cores)
        for point in points {
            let indices = scaling.rows.indices.filter { scaling.rows[$0].point == point }
            // The first run also pays for what later ones find ready.
            guard try await result(of: point, cores: cores.max() ?? 1) != nil else { return scaling }
            for round in 1...repetitions {
                var seconds: [Double] = []
                for index in indices {
                    guard let result = try await result(of: point, cores: scaling.rows[index].cores) else {
                        return scaling
                    }
                    seconds.append(result.elapsed.seconds)
                    guard scaling.rows[index].add(seconds: result.elapsed.seconds, digest: result.digest) else {
                        throw Failure(
                            message: "two runs on \(scaling.rows[index].cores) cores gave different results; "
                                + "'potluck check' finds out why")
                    }
                }
                if !isQuiet, seconds.reduce(0, +) > Self.longRound {
                    let name = zip(varied, point.varied).map { "\($0)=\($1), " }.joined()
                    Output.complain("\(name)\(round) of \(repetitions): \(Self.times(cores, seconds))")
                }
            }
        }
        return scaling
    }

    private static func times(_ cores: [Int], _ seconds: [Double]) -> String {
        zip(cores, seconds).map { "\($0) \($0 == 1 ? "core" : "cores") \(ScaleView.time($1))" }.joined(separator: ", ")
    }

    /// Computes the job once. Returns nil if the user stopped it.
    private func result(of point: Scaling.Point, cores: Int) async throws -> JobResult? {
        guard Interrupts.asked == nil else { return nil }
        let run: LocalRun
        do throws(ParameterError) {
            run = try LocalRun(
                subject.simulation, parameters: point.parameters, tables: tables, seed: seed, goal: goal, cores: cores,
                priority: priority,
                module: subject.reference)
        } catch {
            throw Failure(message: "\(subject.simulation.name) cannot run with these parameters")
        }
        Interrupts.stop { run.stop() }
        // Without a reader, snapshots would pile up.
        async let ended: Void = { for await _ in run.snapshots {} }()
        let result = try await result(of: run)
        await ended
        return result.completion == .stopped ? nil : result
    }

    private func result(of run: LocalRun) async throws -> JobResult {
        do throws(JobFailed) {
            return try await run.result
        } catch {
            throw Failure(message: "\(subject.simulation.name): \(error)")
        }
    }
}
