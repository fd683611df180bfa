import PotluckCore

/// What a rank does.
public enum RankActivity: Hashable, Sendable {
    case computing
    case waiting(Cause, since: Instant)
    case ended

    /// What a rank waits for.
    public enum Cause: Hashable, Sendable {
        /// A message that it wants to receive, or to look at.
        case message(RankPattern)
        /// A receive for the message that it sent to this rank.
        case receiver(Int)
        /// One of several requests: the first is named.
        indirect case requests(Int, first: Cause)
        /// The other ranks' checkpoint.
        case checkpoint
    }

    var isAtCheckpoint: Bool { if case .waiting(.checkpoint, _) = self { true } else { false } }
}

extension RankActivity.Cause: CustomStringConvertible {
    /// The end of a sentence that begins with the rank.
    public var description: String {
        switch self {
        case .message(let pattern):
            "waits for a message of \(pattern.source.map { "rank \($0)" } ?? "any rank")"
                + (pattern.isOfCollective ? " in a collective call" : pattern.tag.map { " with tag \($0)" } ?? "")
        case .receiver(let rank): "waits until rank \(rank) receives its message"
        case .requests(2, let first): "\(first), or for another request"
        case .requests(let count, let first): "\(first), or for one of \(count - 1) other requests"
        case .checkpoint: "waits for the others at a checkpoint"
        }
    }

    /// The rank that it waits for; nil if any or several would do.
    public var rank: Int? {
        switch self {
        case .message(let pattern): pattern.source
        case .receiver(let rank): rank
        case .requests, .checkpoint: nil
        }
    }
}

extension RankPattern {
    /// Each communicator has an even context for messages and an odd one for its collective calls.
    var isOfCollective: Bool { context % 2 == 1 }
}
