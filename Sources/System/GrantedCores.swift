/// How many cores this process may use: the least of what the machine has and what the kernel and a batch system grant.
public struct GrantedCores: Hashable, Sendable {
    /// Where a limit comes from.
    public enum Source: Hashable, Sendable {
        /// The cores that the machine has.
        case machine
        /// The cores that the process may run on. Under taskset and in many containers they are fewer than the machine's.
        case affinity
        /// The CPU quota of a control group; the path is that of its file.
        case quota(String)
        /// The environment variable of a batch system.
        case variable(String)
    }

    public let count: Int
    public let source: Source

    /// Reads the limits. `online` is the number of the machine's cores. `file` returns a file's text, and `variable` the
    /// value of an environment variable, or nil if there is none.
    public init(online: Int, file: (String) -> String?, variable: (String) -> String?) {
        var limits = [(max(1, online), Source.machine)]
        if let count = file("/proc/self/status").flatMap(Self.allowed) { limits.append((count, .affinity)) }
        limits += CPUQuotas(file).all.map { ($0.cores, .quota($0.path)) }
        limits += Self.variables(variable)
        // Of several that are the least, the first one, so that a batch system is not blamed for the kernel's limit.
        let least = limits.dropFirst().reduce(limits[0]) { $1.0 < $0.0 ? $1 : $0 }
        (count, source) = least
    }

    /// The number of cores in the line `Cpus_allowed: ff,ffffffff` of `/proc/self/status`; nil if it has none.
    static func allowed(_ status: String) -> Int? {
        let label = "Cpus_allowed:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else { return nil }
        let count = line.dropFirst(label.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        return count > 0 ? count : nil
    }

    /// The variables in which batch systems say how many cores they granted on this host. `OMP_NUM_THREADS` is not
    /// among them: it says how many threads a program should start, whatever was granted.
    private static func variables(_ variable: (String) -> String?) -> [(Int, Source)] {
        // Each line is of one system: the first of its names that is set counts, the later ones only inside a job,
        // because people use such names for other purposes, too.
        let names: [(plain: String, inJob: String?, job: String)] = [
            ("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE", "SLURM_JOB_ID"), ("PBS_NCPUS", "NCPUS", "PBS_JOBID"),
            ("LSB_DJOB_NUMPROC", nil, "LSB_JOBID"),
        ]
        return names.compactMap { plain, inJob, job in
            if let value = variable(plain) { return number(value).map { ($0, .variable(plain)) } }
            guard let inJob, variable(job) != nil else { return nil }
            return variable(inJob).flatMap(number).map { ($0, .variable(inJob)) }
        }
    }

    private static func number(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }
}
