import Glibc

/// How many files and sockets this process may have open.
public enum Descriptors {
    /// Links of a hundred nodes twice over, stores, pipes; and a bound for what children that close all descriptors have to do.
    private static let wanted: rlim_t = 4096
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// What the system allows now; 0 where it does not say.
    public static var limit: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Asks for as many as a node wants, as far as this user may have them. The usual 1,024 is kept low for programs that use
    /// `select`, and we are none of them.
    public static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(resource, &limit)
    }
}
