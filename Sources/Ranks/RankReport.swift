/// The report of a node to the lead when none of its ranks computes.
public struct RankReport: Hashable, Sendable {
    /// The state of a rank that does not compute.
    public enum Standing: Hashable, Sendable {
        case waits(RankActivity.Cause)
        case ended

        var isAtCheckpoint: Bool { self == .waits(.checkpoint) }

        /// Whether there can be such a standing where there are this many ranks.
        func fits(_ size: Int) -> Bool { if case .waits(let cause) = self { cause.fits(size) } else { true } }
    }

    /// By the order of the node's ranks.
    public var standings: [Standing]
    /// How many letters the node has sent to each node.
    public var sent: [Int]
    /// How many letters have come to it from each node.
    public var received: [Int]
    /// What is open at its ranks, where nothing may be at a checkpoint; nil if nothing is.
    public var open: Open?

    public struct Open: Hashable, Sendable {
        public var rank: Int
        var messages: Int
        var requests: Int

        public init(rank: Int, messages: Int, requests: Int) {
            (self.rank, self.messages, self.requests) = (rank, messages, requests)
        }
    }

    public init(standings: [Standing], sent: [Int], received: [Int], open: Open?) {
        (self.standings, self.sent, self.received, self.open) = (standings, sent, received, open)
    }

    /// Whether this node can send it.
    func fits(_ map: RankMap, _ node: Int) -> Bool {
        standings.count == map.ranks(of: node).count && standings.allSatisfy { $0.fits(map.size) }
            && sent.count == map.nodes && received.count == map.nodes
            && open.map { map.isOn(node, $0.rank) && $0.messages >= 0 && $0.requests >= 0 } ?? true
    }
}

extension RankActivity.Cause {
    fileprivate func fits(_ size: Int) -> Bool {
        switch self {
        case .message(let pattern): pattern.source.map { (0..<size).contains($0) } ?? true
        case .receiver(let rank): (0..<size).contains(rank)
        case .requests(let count, .message(let pattern)):
            (2...RankLimits.requests).contains(count) && RankActivity.Cause.message(pattern).fits(size)
        case .requests(let count, .receiver(let rank)):
            (2...RankLimits.requests).contains(count) && (0..<size).contains(rank)
        case .requests: false
        case .checkpoint: true
        }
    }
}

extension RankWorld {
    /// Whether all ranks of this node have ended.
    public var isOver: Bool { own.allSatisfy { activities[$0] == .ended } }

    /// Whether no letter can let a rank of this node compute: all have ended, or are at a checkpoint.
    public var isFinal: Bool { isQuiet && own.allSatisfy { activities[$0] == .ended || activities[$0].isAtCheckpoint } }

    /// Returns the report for the lead. Nil if a rank computes, or if no letter has come and no checkpoint was passed
    /// since the last report.
    public mutating func takeReport() -> RankReport? {
        guard !isReported, let report else { return nil }
        isReported = true
        return report
    }

    /// The report for the lead; nil if a rank computes.
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
