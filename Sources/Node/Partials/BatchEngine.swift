import PotluckCore

/// The program that started this process as one of many tasks, as its environment variables tell.
package struct BatchEngine: Equatable {
    /// Why no shard can be told. It completes the sentence "--shard auto: …".
    package struct BatchError: Error, Equatable, CustomStringConvertible {
        package let description: String
        init(_ description: String) { self.description = description }
    }

    /// A task: its place from 0 on, and how many there are. The number is nil if the engine does not tell.
    private struct Task {
        let place: Int
        let count: Int?
    }

    /// The names of the engines and variables, for the user.
    package let words: String
    package let number: ShardNumber

    /// Finds the task in these variables. `count` is the number of tasks, for engines that do not tell it.
    package init(_ variables: [String: String], count: Int?) throws(BatchError) {
        let arrays = try Self.arrays(variables)
        guard arrays.count < 2 else {
            throw BatchError("both \(arrays[0].name) and \(arrays[1].name) number this task; use --shard I/N")
        }
        let steps = try Self.steps(variables)
        switch (arrays.first, steps.first) {
        case (let array?, let step?):
            // Each task of the array starts a step of several tasks.
            guard let steps = step.task.count, steps > 0 else { throw Self.countless(step.name, step.task) }
            guard let arrays = array.task.count ?? count.map({ $0 / steps }) else {
                throw Self.countless(array.name, array.task)
            }
            let product = arrays.multipliedReportingOverflow(by: steps)
            guard !product.overflow, count.map({ $0 == product.partialValue }) ?? true else {
                throw BatchError("\(array.name) and \(step.name) do not make \(count ?? 0) tasks; use --shard I/N")
            }
            words = "\(array.name) and \(step.name)"
            number = try Self.number(array.task.place * steps + step.task.place, product.partialValue, words)
        case (let one?, nil), (nil, let one?):
            words = one.name
            number = try Self.number(one.task.place, Self.count(of: one, or: count), words)
        case (nil, nil):
            throw BatchError(
                "no batch engine numbers this task; use --shard I/N, for example --shard 1/8")
        }
    }

    private typealias Found = (name: String, task: Task)

    private static func count(of found: Found, or given: Int?) throws(BatchError) -> Int {
        if let own = found.task.count, let given, own != given {
            throw BatchError("\(found.name) has \(own) tasks, not \(given); leave out the number")
        }
        guard let count = found.task.count ?? given else { throw countless(found.name, found.task) }
        return count
    }

    private static func countless(_ name: String, _ task: Task) -> BatchError {
        BatchError("\(name) numbers this task \(task.place) and does not tell how many there are; use --shard auto/N")
    }

    private static func number(_ place: Int, _ count: Int, _ name: String) throws(BatchError) -> ShardNumber {
        guard let number = ShardNumber(place + 1, of: count) else {
            throw BatchError("\(name): task \(place + 1) of \(count) is impossible; use --shard I/N")
        }
        return number
    }

    // MARK: Variables

    /// Engines that start one task many times.
    private static func arrays(_ variables: [String: String]) throws(BatchError) -> [Found] {
        var found: [Found] = []
        let reader = Variables(all: variables)
        if let id = try reader["SLURM_ARRAY_TASK_ID"] {
            let first = try reader["SLURM_ARRAY_TASK_MIN"] ?? 0
            let last = try reader["SLURM_ARRAY_TASK_MAX"]
            let step = max(1, try reader["SLURM_ARRAY_TASK_STEP"] ?? 1)
            let count = try reader["SLURM_ARRAY_TASK_COUNT"] ?? last.map { ($0 - first) / step + 1 }
            if let last, let count, (last - first) / step + 1 != count || (id - first) % step != 0 {
                throw BatchError("the Slurm array's numbers have gaps; use --shard I/N, or a range such as --array=1-8")
            }
            found.append(("a Slurm array", Task(place: (id - first) / step, count: count)))
        }
        if let index = try reader["LSB_JOBINDEX"], index > 0 {
            let step = max(1, try reader["LSB_JOBINDEX_STEP"] ?? 1)
            let end = try reader["LSB_JOBINDEX_END"]
            // An LSF array begins at 1 unless it says otherwise, which no variable tells.
            found.append(("an LSF array", Task(place: (index - 1) / step, count: end.map { ($0 - 1) / step + 1 })))
        }
        // Grid Engine sets "undefined" outside an array.
        if variables["SGE_TASK_ID"] != "undefined", let id = try reader["SGE_TASK_ID"] {
            let first = try reader["SGE_TASK_FIRST"] ?? 1
            let step = max(1, try reader["SGE_TASK_STEPSIZE"] ?? 1)
            let last = try reader["SGE_TASK_LAST"]
            found.append(
                ("a Grid Engine array", Task(place: (id - first) / step, count: last.map { ($0 - first) / step + 1 })))
        }
        if let index = try reader["JOB_COMPLETION_INDEX"] {
            found.append(("a Kubernetes job", Task(place: index, count: nil)))
        }
        // The array may begin anywhere, and PBS tells neither where nor how many tasks it has. Users begin at 1.
        for name in ["PBS_ARRAY_INDEX", "PBS_ARRAYID"] {
            if let index = try reader[name] {
                found.append(("a PBS array", Task(place: index - 1, count: nil)))
                break
            }
        }
        return found
    }

    /// Engines that start many processes at once. Under Slurm, an MPI launcher is itself a step of one process for each
    /// machine, whose variables its processes inherit, so its own come first.
    private static func steps(_ variables: [String: String]) throws(BatchError) -> [Found] {
        let reader = Variables(all: variables)
        if let rank = try reader["OMPI_COMM_WORLD_RANK"] {
            return [("Open MPI", Task(place: rank, count: try reader["OMPI_COMM_WORLD_SIZE"]))]
        }
        if let rank = try reader["PMI_RANK"] {
            return [("an MPI launcher (PMI)", Task(place: rank, count: try reader["PMI_SIZE"]))]
        }
        // A batch script is not in a step, although Slurm sets SLURM_PROCID there, too.
        if variables["SLURM_STEP_ID"] != nil, let rank = try reader["SLURM_PROCID"] {
            var count = try reader["SLURM_STEP_NUM_TASKS"]
            if count == nil { count = try reader["SLURM_NTASKS"] }
            return [("a Slurm step", Task(place: rank, count: count))]
        }
        return []
    }

    private struct Variables {
        let all: [String: String]

        /// Returns a variable's number; nil if it is not set.
        subscript(_ name: String) -> Int? {
            get throws(BatchEngine.BatchError) {
                guard let text = all[name], !text.isEmpty else { return nil }
                guard let number = Int(text), (0...Int(Int32.max)).contains(number) else {
                    throw BatchError("\(name) is \(Spelling.quoted(text)), which is no number; use --shard I/N")
                }
                return number
            }
        }
    }
}
