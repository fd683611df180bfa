import Glibc
import PotluckCore

extension Priority {
    /// The thread's nice value; Linux has one for each thread. A thread that shares a core with one ordinary program
    /// gets a quarter of it with 5, a tenth with 10, and 1½ % with 19, which is unnoticeable but still finishes chunks.
    /// The system's idle class would leave 0.3 %, so that a chunk takes minutes and its loan expires. The system
    /// weighs it against the other programs of the same group, such as those of a login or a service.
    package var nice: Int32 {
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
