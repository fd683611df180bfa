import PotluckRanks

/// A program with ranks as data: the steps of each rank, one after the other.
struct RankScript {
    var ranks: [[RankStep]]

    var size: Int { ranks.count }
}

/// One step of a rank.
enum RankStep: Hashable {
    case send(RankSending)
    case beginSending(RankSending)
    case receive(RankPattern)
    case beginReceiving(RankPattern)
    /// Waits for a request that is open: the oldest, or `any`. If `all`, it waits again until none is open.
    case wait(any: Bool, all: Bool)
    /// Looks once whether the oldest open request is complete.
    case test
    /// Waits for a message that matches.
    case probe(RankPattern)
    /// Looks once for a message that matches.
    case look(RankPattern)
    case checkpoint
}

struct RankSending: Hashable {
    var receiver: Int
    var tag: Int
    var context: Int
    var octets: Int
    var mode: RankSendMode
}

extension RankStep {
    /// The pattern of a step that asks for messages or looks at them.
    var pattern: RankPattern? {
        switch self {
        case .receive(let pattern), .beginReceiving(let pattern), .probe(let pattern), .look(let pattern): pattern
        case .send, .beginSending, .wait, .test, .checkpoint: nil
        }
    }

    var sending: RankSending? {
        switch self {
        case .send(let sending), .beginSending(let sending): sending
        case .receive, .beginReceiving, .probe, .look, .wait, .test, .checkpoint: nil
        }
    }

    var isWait: Bool { if case .wait = self { true } else { false } }

    /// The same step with another pattern.
    func with(_ pattern: RankPattern) -> RankStep {
        switch self {
        case .receive: .receive(pattern)
        case .beginReceiving: .beginReceiving(pattern)
        case .probe: .probe(pattern)
        case .look: .look(pattern)
        case .send, .beginSending, .wait, .test, .checkpoint: self
        }
    }

    /// The same step with another sending.
    func with(_ sending: RankSending) -> RankStep {
        switch self {
        case .send: .send(sending)
        case .beginSending: .beginSending(sending)
        case .receive, .beginReceiving, .probe, .look, .wait, .test, .checkpoint: self
        }
    }
}
