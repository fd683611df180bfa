import PotluckModel

/// What a rank did and when, for a timeline.
public struct RankTrace: Sendable {
    public enum Event: Hashable, Sendable {
        case sent(message: Int, to: Int, octets: Int, at: Instant)
        case received(message: Int, from: Int, at: Instant)
        case waited(RankActivity.Cause, since: Instant, for: Duration)
    }

    public private(set) var events: [Event] = []
    /// How many events came after the most that are kept.
    public private(set) var dropped = 0
    private let limit: Int

    /// The most events of all ranks. A browser shows no more without delay.
    public static let most = 1_000_000

    public init(most: Int) { limit = most }

    public mutating func add(_ event: Event) {
        if events.count < limit { events.append(event) } else { dropped += 1 }
    }

    /// The events in lists that are short enough to be sent.
    public var parts: [ArraySlice<Event>] {
        stride(from: 0, to: events.count, by: Self.part).map { events[$0..<min(events.count, $0 + Self.part)] }
    }

    /// Adds events of another node, and how many are missing there.
    public mutating func add(_ part: [Event], dropped: Int) {
        for event in part { add(event) }
        self.dropped = max(self.dropped, dropped)
    }

    /// The most events that are sent together.
    private static let part = 4096
}
