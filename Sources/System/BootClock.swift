import Glibc
import PotluckModel

/// What a clock of the system shows, in nanoseconds.
public func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The time since this was made, by CLOCK_BOOTTIME, which goes on while the laptop sleeps.
public struct BootClock: Sendable {
    private let start = nanoseconds(of: CLOCK_BOOTTIME)

    public init() {}

    public var now: Instant { Instant(nanoseconds: UInt64(nanoseconds(of: CLOCK_BOOTTIME) - start)) }
}
