import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import Potluck

@Suite struct ShortJobsTests {
    /// A short job has the result of a run, whatever was computed before it.
    @Test func aShortJobIsARun() async throws {
        var random = SeededGenerator(seed: 5)
        for simulation in catalogue where simulation.shape == .tally && simulation.inputs.isEmpty {
            var jobs = ShortJobs(of: simulation)
            var last: JobResult?
            for round in 0..<4 {
                let hasPrecision = round == 3 && simulation.readings.contains { $0.kind == .proportion }
                let point = LocalSweep.Point(
                    parameters: simulation.standardParameters, seed: random.next(),
                    goal: hasPrecision ? Goal(precision: .absolute(0.2)) : Goal(trials: 1 + random.next(below: 200)))
                guard case .done(let result) = jobs.compute(point, { false }) else { continue }
                let single = try await LocalRun(
                    simulation, parameters: point.parameters, seed: point.seed, goal: point.goal, cores: 1
                ).result
                #expect(result.digest == single.digest && result.completion == single.completion)
                #expect(result.readings == single.readings && result.course.count == single.course.count)
                last = result
            }
            #expect(last != nil || simulation.name != "monty-hall")
        }
    }

    /// A job that is stopped, or that a shell must compute, is unfit, and the next one is none the worse for it.
    @Test func anUnfitJobLeavesNothingBehind() throws {
        let monty = try #require(catalogue.first { $0.name == "monty-hall" })
        var jobs = ShortJobs(of: monty)
        func point(_ goal: Goal, doors: UInt64 = 3) -> LocalSweep.Point {
            LocalSweep.Point(parameters: [doors, 1], seed: 1, goal: goal)
        }
        let short = Goal(trials: 100)
        guard case .done(let before) = jobs.compute(point(short), { false }) else {
            Issue.record("a hundred trials are short")
            return
        }
        for (unfit, isStopped) in [
            (point(Goal(trials: Goal.mostTrials)), false), (point(short), true), (point(short, doors: 2), false),
            (point(Goal(trials: 100, duration: .seconds(1))), false),
        ] {
            guard case .unfit = jobs.compute(unfit, { isStopped }) else {
                Issue.record("\(unfit) is unfit")
                return
            }
            guard case .done(let after) = jobs.compute(point(short), { false }) else {
                Issue.record("a hundred trials are still short")
                return
            }
            #expect(after.digest == before.digest)
        }
    }
}
