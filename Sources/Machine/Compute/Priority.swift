import Glibc

/// How far computing threads give way to everything else on the machine.
public enum Priority: String, Sendable, CaseIterable {
    /// The same priority as any other program.
    case interactive
    /// Gives way a little to interactive programs.
    case normal
    /// Gives way to ordinary programs.
    case utility
    /// Uses only time that no other program needs. The owner of a lent laptop does not notice it.
    case background

    /// The thread's nice value; Linux has one for each thread. A thread that shares a core with one ordinary program
    /// gets a quarter of it with 5, a tenth with 10, and 1½ % with 19, which is unnoticeable but still finishes chunks.
    /// The system's idle class would leave 0.3 %, so that a chunk takes minutes and its loan expires. The system
    /// weighs it against the other programs of the same group, such as those of a login or a service.
    var nice: Int32 {
        switch self {
        case .interactive: 0
        case .normal: 5
        case .utility: 10
        case .background: 19
        }
    }

    /// Applies the priority to the calling thread only. It never raises the priority that the process was started with,
    /// so `nice` keeps its effect. If the system refuses, the thread's priority does not change.
    package func apply() {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // 0 is the calling thread.
        if nice > getpriority(thread, 0) { setpriority(thread, 0, nice) }
    }
}
