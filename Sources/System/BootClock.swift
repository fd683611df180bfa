import Glibc
import PotluckCore

/// Returns the time of a system clock in nanoseconds.
public func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// A clock that starts when it is created. It uses CLOCK_BOOTTIME, which keeps running while the laptop sleeps.
public struct BootClock: Sendable {
    private let start = nanoseconds(of: CLOCK_BOOTTIME)

    public init() {}

    public var now: Instant { Instant(nanoseconds: UInt64(nanoseconds(of: CLOCK_BOOTTIME) - start)) }
}
