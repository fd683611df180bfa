import Glibc

extension posix_spawnattr_t {
    /// Makes a program that is started have the usual signals. This program blocks some, which one of its threads waits
    /// for, and ignores SIGPIPE; a child would inherit both. With `ownGroup`, the child and its children are a process
    /// group of their own.
    public mutating func resetSignals(ownGroup: Bool = false) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&self, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&self, &all)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (ownGroup ? POSIX_SPAWN_SETPGROUP : 0)
        if ownGroup { posix_spawnattr_setpgroup(&self, 0) }
        posix_spawnattr_setflags(&self, Int16(flags))
    }
}
