import PotluckCore
import PotluckKit
import PotluckSystem

/// The beginning of a run in slow motion, so that a class sees how its value settles from the first trial on: 1 trial, 2, 5, 10 and
/// so on, each shown for a while. They are the first trials of the run itself. The run then computes all of its trials as ever, so
/// only the pace differs.
public struct SlowStart: Sendable {
    /// How long each picture is shown: time to read it aloud.
    public static let step = Duration.milliseconds(1500)

    private let simulation: PreparedSimulation
    private let spec: JobSpec
    /// Waits for a step.
    private let rest: @Sendable () async -> Void
    private let wish = Guarded(Wish.goes)
    /// The readings after each of the first trials, as far as they were shown.
    private let course = Guarded<[CoursePoint]>([])

    private enum Wish { case goes, pauses, ends }

    /// - Parameter rest: waits for the time of a step.
    public init(
        _ simulation: AnySimulation, _ prepared: PreparedSimulation, _ experiment: Experiment, goal: Goal,
        rest: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: Self.step) }
    ) {
        self.simulation = prepared
        let title = JobTitle(simulation: simulation, parameters: experiment.parameters)
        spec = JobSpec(JobRecipe(experiment: experiment, goal: goal), title: title)
        self.rest = rest
    }

    /// The numbers of trials that are shown: fewer than a block has and the run wants. A block takes some milliseconds, so these
    /// few take no time.
    static func steps(before most: UInt64) -> [UInt64] {
        var steps: [UInt64] = []
        var power: UInt64 = 1
        while power < most {
            steps += [1, 2, 5].map { $0 * power }.filter { $0 < most }
            power *= 10
        }
        return steps
    }

    /// Passes a picture of each step to `show`. Returns early if the user ends it, or if a trial fails: the run will say why.
    func play(_ show: (JobSnapshot) -> Void) async {
        let experiment = spec.experiment
        for trials in Self.steps(before: min(experiment.blockSize, spec.goal.trials ?? .max)) {
            let request = ChunkRequest(seed: experiment.seed, blocks: 0..<1, trials: trials)
            let reply = simulation.run(request) { false }
            guard reply.failure == nil, let readings = try? simulation.readings(of: reply.slots, trials: trials) else {
                return
            }
            course.with { $0.append(CoursePoint(trials: trials, readings: readings)) }
            repeat {
                let wish = wish.with { $0 }
                guard wish != .ends else { return }
                show(snapshot(trials, reply.slots, readings, wish == .pauses ? .paused : .running))
                await rest()
            } while wish.with { $0 } == .pauses
        }
    }

    private func snapshot(
        _ trials: UInt64, _ slots: [UInt64], _ readings: [Reading], _ state: JobState
    ) -> JobSnapshot {
        JobSnapshot(
            spec, course: course.with { $0 },
            JobPicture(
                // No job has this number yet.
                id: JobID(1), submitter: "", state: state, trials: trials, counts: spec.title.counts(of: slots),
                readings: readings, remaining: spec.goal.trials == nil ? .endless : .unknown))
    }

    /// The picture of the run, whose chart begins with the first trials.
    func joined(_ snapshot: JobSnapshot) -> JobSnapshot {
        var snapshot = snapshot
        snapshot.course = course.with { $0 } + snapshot.course
        return snapshot
    }

    /// Holds the present picture, or goes on.
    func pause(_ isPaused: Bool) { wish.with { if $0 != .ends { $0 = isPaused ? .pauses : .goes } } }

    /// Ends with the present picture.
    func end() { wish.with { $0 = .ends } }
}
