import PotluckCore

/// What the ranks of a program do at a moment, and what they have done so far.
public struct RankPicture: Sendable {
    public struct Rank: Sendable {
        public let activity: RankActivity
        public let traffic: RankTraffic
        public let waits: RankWaits

        public init(activity: RankActivity, traffic: RankTraffic, waits: RankWaits) {
            (self.activity, self.traffic, self.waits) = (activity, traffic, waits)
        }
    }

    /// Since the launch.
    public let elapsed: Duration
    public let ranks: [Rank]
    /// How many checkpoints are complete.
    public let checkpoints: Int
    /// The moment, by the clock of `RankActivity`.
    public let now: Instant
    /// The name of each rank's node; empty if all are on this machine.
    public let laptops: [String]

    public init(elapsed: Duration, ranks: [Rank], checkpoints: Int, now: Instant, laptops: [String] = []) {
        (self.elapsed, self.ranks, self.checkpoints, self.now) = (elapsed, ranks, checkpoints, now)
        self.laptops = laptops
    }

    public var messages: Int { ranks.reduce(0) { $0 + $1.traffic.messagesSent } }
    public var octets: Int { ranks.reduce(0) { $0 + $1.traffic.octetsSent } }
}

/// How long a rank has waited, and for whom.
public struct RankWaits: Hashable, Sendable {
    public internal(set) var whole = Duration.zero
    /// The time for each rank that it waited for. The key -1 stands for any of several.
    var ranks: [Int: Duration] = [:]

    public init() {}

    package init(whole: Duration, ranks: [Int: Duration]) { (self.whole, self.ranks) = (whole, ranks) }

    public mutating func add(_ time: Duration, for rank: Int?) {
        whole += time
        ranks[rank ?? -1, default: .zero] += time
    }

    /// The rank that it waited for longest; nil if that is any of several, or it never waited.
    public var longest: (rank: Int, time: Duration)? {
        ranks.filter { $0.key >= 0 }.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }
}
