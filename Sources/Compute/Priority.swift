import Glibc

/// How much threads that compute give way to everything else on the machine.
public enum Priority: String, Sendable, CaseIterable {
    /// Not at all: as any other program.
    case interactive
    /// To what people are just using, a little.
    case normal
    /// To everything ordinary.
    case utility
    /// To everything: they get what nobody else wants. A lent laptop's owner does not notice them.
    case background

    /// On Linux each thread has its own. Of a core that it shares with one ordinary program, a thread gets a quarter with
    /// 5, a tenth with 10, and 1½ % with 19: nobody notices those, and chunks still end. The system's idle class would leave
    /// it 0.3 %, so that a chunk takes minutes and its lease runs out. It counts among what the system weighs together: a
    /// log-in's programs, or a service's.
    var nice: Int32 {
        switch self {
        case .interactive: 0
        case .normal: 5
        case .utility: 10
        case .background: 19
        }
    }

    /// For the calling thread alone. It never takes back what the process was started with, so that `nice` stays nice; and
    /// where the system allows nothing of this, the thread computes as it is.
    func apply() {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // Zero is the calling thread.
        if nice > getpriority(thread, 0) { setpriority(thread, 0, nice) }
    }
}
