import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// Computes the groups of `potluck difference` in rounds, and prints the differences. Each group of each setting is a
/// job: a point of a sweep, on this machine or in a session.
struct DifferenceController {
    private struct Job: Sendable {
        let setting: Int
        let group: Int
        let seed: UInt64
    }

    private let plan: DifferencePlan
    private let arguments: Arguments

    init(_ plan: DifferencePlan, _ arguments: Arguments) { (self.plan, self.arguments) = (plan, arguments) }

    func run() async throws -> ExitCode {
        Interrupts.stop {}
        var tallies = plan.settings.map { SettingTallies($0.prepared) }
        /// The trials of each group.
        var trials: UInt64 = 0
        var round = 0
        var found: [DifferenceView.Setting] = []
        while Interrupts.asked == nil, let next = plan.trials(after: trials) {
            // A round that is stopped counts for nothing, so all groups have equally many trials.
            guard let done = try await compute(round, next, isFirst: round == 0) else { break }
            for (job, tally) in done { tallies[job.setting].add(tally, to: job.group) }
            trials += next
            round += 1
            found = try settings(tallies, trials)
            if plan.goal.precision?.isReached(by: judged(found)) == true { break }
        }
        guard !found.isEmpty else {
            Output.complain("stopped before each setting had its first trials")
            return Interrupts.asked ?? .failure
        }
        let all = trials * UInt64(SettingTallies.groups)
        let isReached = plan.goal.precision.map { $0.isReached(by: judged(found)) }
        let text = DifferenceText(
            plan: plan, settings: found, trials: all, digest: try digest(tallies, trials),
            isReached: isReached,
            isStopped: Interrupts.asked != nil && isReached != true && plan.trials(after: trials) != nil,
            command: try UnrecordedPoints.command(
                "difference", plan.chosen, try arguments.all(DifferenceCommand.parameter), plan.files,
                ["--trials \(Figures.typed(all))", "--seed \(plan.seed)"], arguments))
        if arguments[RunPlan.json] {
            try Output.write(text.json.text + "\n")
        } else if arguments[UnrecordedPoints.csv] {
            try Output.write(text.csv)
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(text.lines(on: canvas)))
        }
        return Interrupts.asked ?? .success
    }

    private func settings(_ tallies: [SettingTallies], _ trials: UInt64) throws(Failure) -> [DifferenceView.Setting] {
        var first: GroupedReadings?
        var found: [DifferenceView.Setting] = []
        for (setting, tally) in zip(plan.settings, tallies) {
            let readings = try tally.readings(trials: trials)
            found.append(
                .init(
                    name: setting.name, readings: readings.all,
                    differences: first.map { PairedDifference.all($0, readings) } ?? []))
            first = first ?? readings
        }
        return found
    }

    /// The differences that the user sees, and that the precision is about.
    private func judged(_ settings: [DifferenceView.Setting]) -> [Reading] {
        settings.flatMap { setting in
            setting.differences.filter { plan.places.contains($0.place) }.map(\.1.reading)
        }
    }

    private func digest(_ tallies: [SettingTallies], _ trials: UInt64) throws -> String {
        let settings = try zip(plan.settings, tallies).map { setting, tally in
            do throws(ParameterError) {
                let experiment = try plan.simulation.experiment(
                    parameters: setting.parameters, tables: plan.files.tables, seed: plan.seed)
                return ComparedTallies.Setting(experiment: experiment, groups: tally.groups)
            } catch {
                throw Failure(cannotRun: plan.simulation.name, error)
            }
        }
        return ComparedTallies(settings: settings, trials: trials).digest
    }

    /// Computes this many trials of each group of each setting. Returns nil if Ctrl-C stopped it.
    private func compute(_ round: Int, _ trials: UInt64, isFirst: Bool) async throws -> [(Job, [UInt64])]? {
        let jobs = (0..<SettingTallies.groups).flatMap { group in
            plan.settings.indices.map {
                Job(setting: $0, group: group, seed: plan.seed(ofGroup: group, inRound: round))
            }
        }
        let points = UnrecordedPoints(
            chosen: plan.chosen, tables: plan.files.tables,
            points: jobs.map {
                .init(
                    parameters: plan.settings[$0.setting].parameters, seed: $0.seed, goal: Goal(trials: trials))
            }, name: { [plan] in plan.settings[jobs[$0].setting].name }, warned: isFirst ? plan.settings.count : 0,
            arguments: arguments)
        var done: [(Job, [UInt64])] = []
        let isComplete = try await points.compute { index, result in done.append((jobs[index], result.tally)) }
        return isComplete ? done : nil
    }
}
