/// A moment on this node's own clock: nanoseconds of CLOCK_BOOTTIME since the node started. This clock keeps running
/// while the laptop sleeps. Instants are never sent to other nodes.
public struct Instant: Hashable, Comparable, Sendable {
    public let nanoseconds: UInt64

    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public static let start = Instant(nanoseconds: 0)
    /// Later than any moment that a node sees.
    public static let distantFuture = Instant(nanoseconds: UInt64(Int64.max))

    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Never goes below `start`, even for a large negative duration.
    public static func + (a: Instant, b: Duration) -> Instant {
        Instant(nanoseconds: UInt64(clamping: Int64(clamping: a.nanoseconds) &+ b.nanoseconds))
    }

    public static func - (a: Instant, b: Instant) -> Duration {
        .nanoseconds(Int64(clamping: a.nanoseconds) - Int64(clamping: b.nanoseconds))
    }
}

extension Duration {
    /// Whole nanoseconds, truncated towards zero. The range is 292 years.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    public var seconds: Double { Double(nanoseconds) / 1e9 }
}
