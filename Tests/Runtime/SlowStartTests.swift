import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck

/// The beginning of a run in slow motion. Nothing here waits: the time of a step is a closure.
@Suite struct SlowStartTests {
    private func start(
        _ name: String, goal: Goal = Goal(), rest: @escaping @Sendable () async -> Void = {}
    ) throws -> (start: SlowStart, simulation: AnySimulation) {
        let simulation = try #require(catalogue.first { $0.name == name })
        let parameters = simulation.standardParameters
        let experiment = try simulation.experiment(parameters: parameters, seed: 5)
        return (
            SlowStart(simulation, try simulation.prepared(parameters), experiment, goal: goal, rest: rest), simulation
        )
    }

    private func played(_ start: SlowStart) async -> [JobSnapshot] {
        var shown: [JobSnapshot] = []
        await start.play { shown.append($0) }
        return shown
    }

    /// What is shown is the result of a run of so many trials, to the bit, and the chart begins with the first one.
    @Test(arguments: ["monty-hall", "pi", "birthday"]) func eachStepIsARunOfItsTrials(name: String) async throws {
        let (start, simulation) = try start(name)
        let shown = await played(start)
        #expect(shown.prefix(7).map(\.trials) == [1, 2, 5, 10, 20, 50, 100])
        for snapshot in shown {
            let run = try await LocalRun(
                simulation, parameters: simulation.standardParameters, seed: 5, goal: Goal(trials: snapshot.trials),
                cores: 1
            ).result
            #expect(snapshot.readings == run.readings, "\(snapshot.trials)")
            #expect(snapshot.course.map(\.trials) == SlowStart.steps(before: snapshot.trials + 1))
        }
    }

    @Test func stepsEndBeforeTheRunDoes() async throws {
        #expect(SlowStart.steps(before: 0).isEmpty && SlowStart.steps(before: 1).isEmpty)
        #expect(SlowStart.steps(before: 21) == [1, 2, 5, 10, 20])
        let short = await played(try start("monty-hall", goal: Goal(trials: 10)).start)
        #expect(short.map(\.trials) == [1, 2, 5])
    }

    @Test func onlyThePaceDiffers() async throws {
        let goal = Goal(trials: 3_000_001)
        let (start, simulation) = try start("monty-hall", goal: goal)
        func run(_ start: SlowStart?) throws -> LocalRun {
            try LocalRun(
                simulation, parameters: simulation.standardParameters, seed: 5, goal: goal, cores: 2, start: start)
        }
        let slow = try run(start)
        var last: JobSnapshot?
        for await snapshot in slow.snapshots { last = snapshot }
        let (a, b) = (try await slow.result, try await run(nil).result)
        #expect(a.digest == b.digest && a.trials == b.trials && a.course == b.course)
        #expect(last?.course.first?.trials == 1 && last?.course.last?.trials == b.course.last?.trials)
    }

    /// A paused step is shown until the user goes on, and one who has seen enough ends it.
    @Test func aStepCanBeHeldAndTheRestSkipped() async throws {
        let deeds = Guarded<[@Sendable (SlowStart) -> Void]>([
            { $0.pause(true) }, { _ in }, { $0.pause(false) }, { _ in }, { $0.end() },
        ])
        let box = Guarded<SlowStart?>(nil)
        let (start, _) = try start("pi") {
            let deed = deeds.with { $0.isEmpty ? nil : $0.removeFirst() }
            if let start = box.with({ $0 }) { deed?(start) }
        }
        box.with { $0 = start }
        let shown = await played(start)
        #expect(
            shown.map(\.trials) == [1, 1, 1, 2, 5]
                && shown.map { $0.state == .paused } == [false, true, true, false, false])
        start.pause(true)
        #expect(await played(start).isEmpty)
    }
}
