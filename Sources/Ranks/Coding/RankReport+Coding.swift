import PotluckCore

extension RankReport {
    static let blank = RankReport(standings: [], sent: [], received: [], open: nil)

    mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.packed(1, &standings, blank: .ended, atMost: RankLimits.ranks) {
            (b: inout V.Bytes, standing: inout Standing) throws(WireError) in
            var cause: RankActivity.Cause? = if case .waits(let cause) = standing { cause } else { nil }
            _ = try b.standing(&cause, else: RankStanding.ended)
            standing = cause.map { .waits($0) } ?? .ended
        }
        try v.numbers(2, &sent, most: RankLimits.ranks, each: RankLimits.count)
        try v.numbers(3, &received, most: RankLimits.ranks, each: RankLimits.count)
        try v.packed(4, &open, blank: Open(rank: 0, messages: 0, requests: 0)) {
            (b: inout V.Bytes, open: inout Open) throws(WireError) in
            try b.rank(&open.rank)
            try b.count(&open.messages)
            try b.number(&open.requests, atMost: RankLimits.requests)
        }
    }
}

/// The numbers for what a rank does, or waits for. Append-only: never reuse a number.
enum RankStanding {
    static let ended = 0
    static let computes = 1
    static let waitsForMessage = 2
    static let waitsForReceiver = 3
    static let waitsAtCheckpoint = 4
    static let waitsForRequests = 5
    static let last = 5
}

extension ByteVisitor {
    /// Visits the number of what a rank waits for and the rest of that. Where it waits for nothing, visits `other`, and
    /// returns it as it was read.
    mutating func standing(
        _ cause: inout RankActivity.Cause?, else other: Int, within isWithin: Bool = false
    ) throws(WireError) -> Int {
        var number = cause?.number ?? other
        try self.number(&number, atMost: RankStanding.last)
        guard var wait = cause ?? RankActivity.Cause.blank(number) else {
            try check(number <= other, "an unknown wait")
            return number
        }
        // The first of a list of requests is none.
        try check(!(isWithin && number == RankStanding.waitsForRequests), "an impossible wait")
        try wait.visit(&self)
        cause = wait
        return number
    }
}

extension RankActivity.Cause {
    fileprivate var number: Int {
        switch self {
        case .message: RankStanding.waitsForMessage
        case .receiver: RankStanding.waitsForReceiver
        case .checkpoint: RankStanding.waitsAtCheckpoint
        case .requests: RankStanding.waitsForRequests
        }
    }

    fileprivate static func blank(_ number: Int) -> Self? {
        switch number {
        case RankStanding.waitsForMessage: .message(RankPattern(source: nil, tag: nil, context: 0))
        case RankStanding.waitsForReceiver: .receiver(0)
        case RankStanding.waitsAtCheckpoint: .checkpoint
        case RankStanding.waitsForRequests: .requests(0, first: .checkpoint)
        default: nil
        }
    }

    /// Visits what follows the number.
    fileprivate mutating func visit<B: ByteVisitor>(_ b: inout B) throws(WireError) {
        switch self {
        case .message(var pattern):
            try b.optional(&pattern.source, atMost: RankLimits.ranks - 1)
            try b.optional(&pattern.tag, atMost: RankLimits.tag)
            try b.number(&pattern.context, atMost: RankLimits.tag)
            self = .message(pattern)
        case .receiver(var rank):
            try b.rank(&rank)
            self = .receiver(rank)
        case .checkpoint: break
        case .requests(var count, let first):
            try b.number(&count, atMost: RankLimits.requests)
            // One request is no list.
            try b.check(count > 1, "an impossible wait")
            var cause: RankActivity.Cause? = b.isReading ? nil : first
            _ = try b.standing(&cause, else: -1, within: true)
            self = .requests(count, first: cause ?? first)
        }
    }
}
