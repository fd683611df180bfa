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
}
