import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckSystem

/// The result of a job whose shards were computed elsewhere.
package struct MergedRun {
    let merge: PartialMerge
    private let prepared: PreparedSimulation
    private let title: JobTitle

    package init(_ merge: PartialMerge, _ simulation: AnySimulation, _ prepared: PreparedSimulation) {
        (self.merge, self.prepared) = (merge, prepared)
        title = JobTitle(simulation: simulation, parameters: merge.job.experiment.parameters)
    }

    private var spec: JobSpec {
        JobSpec(JobRecipe(experiment: merge.job.experiment, goal: merge.job.goal), title: title)
    }

    /// Returns the result; nil while shards are missing that it needs. The stop rule is judged at the same checkpoints,
    /// in the same order, as in a run on one machine.
    package func result() -> JobResult? {
        let (experiment, goal) = (merge.job.experiment, merge.job.goal)
        let end = merge.blocks
        var course: [CoursePoint] = []
        var last: SettledTally?
        for passed in merge.passed {
            last = passed
            let isCheckpoint = Checkpoint.blocks(Checkpoint.after(passed.blocks - 1)) == passed.blocks
            guard isCheckpoint, passed.blocks != end, !spec.isSearch else { continue }
            let trials = experiment.trials(in: 0..<passed.blocks, of: goal.trials)
            let readings = prepared.read(passed.tally, trials)
            course.append(CoursePoint(trials: trials, readings: readings))
            if goal.precision?.isReached(by: readings) == true {
                return result(trials, passed.tally, readings, course, .precision)
            }
        }
        guard let last, last.blocks == end, let trials = goal.trials else { return nil }
        let readings = prepared.read(last.tally, trials)
        // A search's course has the time of each solution, and no shard knows the times of the others.
        course.append(CoursePoint(trials: trials, readings: readings, elapsed: spec.isSearch ? elapsed : nil))
        return result(trials, last.tally, readings, course, .trials)
    }

    private func result(
        _ trials: UInt64, _ tally: [UInt64], _ readings: [Reading], _ course: [CoursePoint], _ completion: Completion
    ) -> JobResult {
        JobResult(
            spec: spec, trials: trials, tally: tally, readings: readings, course: course, completion: completion,
            elapsed: elapsed, nodes: rows(before: spec.blocks(for: trials).upperBound))
    }

    /// The readings of all that is there, gaps or not.
    package var snapshot: JobSnapshot {
        let (trials, tally) = merge.total
        let best = merge.runs.isEmpty || !spec.isSearch ? nil : Best().read(from: tally)
        return JobSnapshot(
            spec,
            JobPicture(
                id: id, submitter: "", state: .running, trials: trials, counts: title.counts(of: tally),
                readings: trials > 0 ? prepared.read(tally, trials) : [], elapsed: elapsed, nodes: rows(before: .max),
                best: best.flatMap { $0.isEmpty ? nil : $0 }))
    }

    /// When the first shard began, in milliseconds since 1970.
    package var startedAt: Int64 { merge.runs.map(\.origin.startedAt).min() ?? WallClock.now }

    /// From the beginning of the first shard to the end of the last one.
    private var elapsed: Duration {
        let start = startedAt
        let ends = merge.runs.map { run in
            Duration.milliseconds(run.origin.startedAt - start) + run.origin.elapsed
        }
        return ends.max() ?? .zero
    }

    /// The same for the same shards, so that merging them again adds no second run to the history.
    package var id: JobID {
        let hash = SHA256.hash(merge.inOrder.flatMap(\.encoded))
        return JobID(hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// A row for each machine, with its trials before that block.
    private func rows(before end: UInt64) -> [NodeRow] {
        var rows: [String: (cores: Int, trials: UInt64, effort: SearchEffort)] = [:]
        for run in merge.runs {
            var row = rows[run.origin.host] ?? (0, 0, .none)
            let trials = merge.job.experiment.trials(in: run.slice.clamped(to: 0..<end), of: merge.job.goal.trials)
            row = (max(row.cores, run.origin.cores), row.trials + trials, row.effort + run.origin.effort)
            rows[run.origin.host] = row
        }
        return rows.sorted { $0.key < $1.key }.map { name, row in
            NodeRow(
                node: .nobody, name: name, cores: row.cores, trials: row.trials, rate: nil, work: .gone,
                effort: row.effort)
        }
    }
}
