import Glibc

/// The memory of this machine.
public enum SystemMemory {
    /// Bytes of physical memory; the most that fits if the system does not say.
    public static let physical: Int = {
        let (pages, bytes) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        guard pages > 0, bytes > 0 else { return .max }
        let (octets, overflow) = pages.multipliedReportingOverflow(by: bytes)
        return overflow ? .max : octets
    }()
}
