import Glibc
import PotluckModel

/// This node's clock: CLOCK_BOOTTIME since it was made, so that a laptop's sleep is time that went by.
struct NodeClock: Sendable {
    private let start: UInt64

    init() { start = Self.boottime }

    var now: Instant { Instant(nanoseconds: Self.boottime - start) }

    private static var boottime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
