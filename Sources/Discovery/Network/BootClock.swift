import Glibc
import PotluckModel

/// The time since this was made, by CLOCK_BOOTTIME, which goes on while the laptop sleeps.
struct BootClock: Sendable {
    private let start: UInt64

    init() { start = Self.read() }

    var now: Instant { Instant(nanoseconds: Self.read() - start) }

    private static func read() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
