import PotluckCore
import PotluckKit

/// A job that is cut into tasks of equal size, as with a queue of work items: each has one core, and some run at once.
package struct TaskJob: Sendable {
    private let simulation: AnySimulation
    private let order: JobOrder
    private let prepared: PreparedSimulation
    private let tables: [Table]
    private let slices: [Range<UInt64>]
    private let priority: Priority

    /// Tasks for which there are no blocks do nothing.
    package init(
        _ simulation: AnySimulation, parameters: [UInt64], tables: [Table], seed: UInt64, goal: Goal, tasks: Int,
        priority: Priority, module: BlobReference?
    ) throws(ParameterError) {
        (self.simulation, self.tables, self.priority) = (simulation, tables, priority)
        order = try simulation.order(parameters: parameters, tables: tables, seed: seed, goal: goal, module: module)
        prepared = try simulation.prepared(parameters, tables: tables)
        let blocks = order.experiment.range(of: order.goal)
        slices = (1...tasks).compactMap { ShardNumber($0, of: tasks)?.part(of: blocks) }.filter { !$0.isEmpty }
    }

    /// Computes all tasks, `width` at once, and puts their tallies together.
    func result(width: Int) async throws -> JobResult {
        let start = ContinuousClock.now
        let parts = try await withThrowingTaskGroup(of: JobResult.self) { group in
            var (left, parts) = (slices[...], [JobResult]())
            for slice in left.prefix(width) { group.addTask { try await part(slice) } }
            left = left.dropFirst(width)
            while let part = try await group.next() {
                parts.append(part)
                if let slice = left.popFirst() { group.addTask { try await self.part(slice) } }
            }
            return parts
        }
        let elapsed = start.duration(to: .now)
        guard var whole = parts.first else { throw JobError("\(simulation.name): there are no blocks") }
        var tally = prepared.layout.empty
        for part in parts { prepared.layout.merge(part.tally, into: &tally) }
        whole.spec.recipe.goal = order.goal
        (whole.tally, whole.elapsed) = (tally, elapsed)
        whole.trials = parts.reduce(0) { $0 + $1.trials }
        whole.readings = prepared.read(tally, whole.trials)
        whole.nodes = parts.flatMap(\.nodes)
        if parts.contains(where: { $0.completion == .stopped }) { whole.completion = .stopped }
        return whole
    }

    private func part(_ slice: Range<UInt64>) async throws -> JobResult {
        let run = try LocalRun(
            simulation, parameters: Array(order.experiment.parameters.prefix(simulation.parameters.count)),
            tables: tables, seed: order.experiment.seed, goal: Goal(trials: order.goal.trials, slice: slice), cores: 1,
            priority: priority, keepsOutput: false, module: order.module)
        return try await withTaskCancellationHandler {
            try await run.result
        } onCancel: {
            run.stop()
        }
    }
}

extension SweepWork {
    /// Jobs of this machine, one after another, each cut into tasks, of which `width` run at once.
    package init(
        tasks count: Int, width: Int, _ job: @escaping @Sendable (Int) throws(ParameterError) -> TaskJob
    ) {
        self.init(results: count) { try await job($0).result(width: width) }
    }
}
