import PotluckCore

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
    /// How many of the events and of the missing ones were taken to be sent.
    private var taken = (events: 0, dropped: 0)

    /// The most events of all ranks. A browser shows no more without delay.
    public static let most = 1_000_000

    public init(most: Int) { limit = most }

    public mutating func add(_ event: Event) {
        if events.count < limit { events.append(event) } else { dropped += 1 }
    }

    /// The events since the last call in lists that are short enough to be sent, and how many are missing in all. Nil if
    /// there is nothing new. The lists are copies, so that the next event does not copy all.
    public mutating func takeNew() -> (parts: [[Event]], dropped: Int)? {
        guard taken != (events.count, dropped) else { return nil }
        var parts: [[Event]] = []
        for begin in stride(from: taken.events, to: events.count, by: Self.part) {
            parts.append(Array(events[begin..<min(events.count, begin + Self.part)]))
        }
        // The number of missing events comes with a list, if only an empty one.
        if parts.isEmpty { parts = [[]] }
        taken = (events.count, dropped)
        return (parts, dropped)
    }

    /// Adds events of another node, and how many are missing there.
    public mutating func add(_ part: [Event], dropped: Int) {
        for event in part { add(event) }
        self.dropped = max(self.dropped, dropped)
    }

    /// The most events that are sent together.
    private static let part = 4096
}
