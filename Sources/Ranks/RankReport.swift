/// What a node tells the lead when none of its ranks computes.
public struct RankReport: Hashable, Sendable {
    /// What a rank does that does not compute.
    public enum Standing: Hashable, Sendable {
        case waits(RankActivity.Cause)
        case ended

        /// Whether it names only ranks that exist.
        func fits(_ size: Int) -> Bool {
            if case .waits(let cause) = self, let rank = cause.rank { (0..<size).contains(rank) } else { true }
        }
    }

    /// By the order of the node's ranks.
    public let standings: [Standing]
    /// How many letters the node has sent to each node.
    public let sent: [Int]
    /// How many letters have come to it from each node.
    public let received: [Int]
    /// What is open at its ranks, where nothing may be at a checkpoint; nil if nothing is.
    public let open: Open?

    public struct Open: Hashable, Sendable {
        public let rank: Int
        public let messages: Int
        public let requests: Int

        public init(rank: Int, messages: Int, requests: Int) {
            (self.rank, self.messages, self.requests) = (rank, messages, requests)
        }
    }

    /// Whether no rank can compute again before all have ended, or are at a checkpoint.
    public var isFinal: Bool { standings.allSatisfy { $0 == .ended || $0 == .waits(.checkpoint) } }

    /// Whether all of the node's ranks have ended.
    public var isEnd: Bool { standings.allSatisfy { $0 == .ended } }

    public init(standings: [Standing], sent: [Int], received: [Int], open: Open?) {
        (self.standings, self.sent, self.received, self.open) = (standings, sent, received, open)
    }
}

extension RankWorld {
    /// How many letters have come from all nodes.
    public var lettersReceived: Int { post.received.reduce(0, +) }

    /// What the lead must know; nil if a rank computes.
    public var report: RankReport? {
        guard isQuiet else { return nil }
        var open: RankReport.Open?
        if case .openAtCheckpoint(let rank, let messages, let requests)? = openThings {
            open = RankReport.Open(rank: rank, messages: messages, requests: requests)
        }
        let standings = own.map { rank -> RankReport.Standing in
            if case .waiting(let cause, _) = activities[rank] { .waits(cause) } else { .ended }
        }
        return RankReport(standings: standings, sent: post.sent, received: post.received, open: open)
    }
}
