/// How long to wait before the next attempt at something that failed: twice as long each time, up to a limit, with jitter,
/// so that a room that lost its server at one moment does not come back to it at one moment.
public struct BackOff: Hashable, Sendable {
    /// A server that was killed and restarted is back in a second or two; its clients must not wait longer than that.
    public static let first: Duration = .milliseconds(200)
    /// Somebody who waits for a server sees it within a breath of its start, and thirty who wait cost nothing.
    public static let last: Duration = .seconds(2)

    private var failures = 0

    public init() {}

    /// After a failure: somewhere between half and all of 200 ms, 400 ms, 800 ms, … 2 s.
    public mutating func next(_ generator: inout SeededGenerator) -> Duration {
        let full = min(Self.first * (1 << min(failures, 16)), Self.last)
        failures += 1
        return generator.duration(from: full / 2, to: full)
    }

    /// After a success.
    public mutating func reset() { failures = 0 }
}
