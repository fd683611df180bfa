/// The delay before the next retry of something that failed. It doubles with each failure up to a limit. Jitter keeps
/// the nodes that lost a server at the same moment from reconnecting at the same moment.
public struct BackOff: Hashable, Sendable {
    /// The longest delay after the first failure. A restarted server is back in a second or two, and its clients must
    /// not wait much longer than that.
    public static let first: Duration = .milliseconds(200)
    /// The longest delay. A waiting user sees the server soon after its start, and thirty waiting nodes cost nothing.
    public static let last: Duration = .seconds(2)

    /// Failures in a row; reset by a success.
    private var failures = 0

    public init() {}

    /// Counts a failure and returns the delay before the next attempt: a random duration
    /// between half and all of 200 ms, 400 ms, 800 ms, … 2 s.
    public mutating func next(_ generator: inout SeededGenerator) -> Duration {
        let full = min(Self.first * (1 << min(failures, 16)), Self.last)
        failures += 1
        return generator.duration(from: full / 2, to: full)
    }

    /// Call it after a success.
    public mutating func reset() { failures = 0 }
}
