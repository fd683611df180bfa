import Glibc

/// The limit on open file descriptors of this process.
public enum Descriptors {
    /// Enough for two links to each of a hundred nodes, stores and pipes. It also bounds
    /// the work of child processes that close all descriptors.
    private static let wanted: rlim_t = 4096
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// The current limit; 0 if the system does not tell.
    public static var limit: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit to what a node needs, as far as this user may. The usual limit of 1,024 exists
    /// for programs that use `select`, which Potluck does not.
    public static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(resource, &limit)
    }
}
