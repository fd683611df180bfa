import PotluckWire

extension RankReport {
    func encoded() -> [UInt8] {
        var writer = FieldWriter(.report)
        writer.packed(1, standings) { $1.write(to: &$0) }
        writer.packed(2, sent) { $0.number($1) }
        writer.packed(3, received) { $0.number($1) }
        writer.packed(4, open.map { [$0] } ?? []) {
            $0.number($1.rank)
            $0.number($1.messages)
            $0.number($1.requests)
        }
        return writer.bytes
    }

    init(_ fields: inout RankFieldReader) throws(WireError) {
        let standings = try fields.packed(1, limit: RankLimits.ranks) { (reader) throws(WireError) in
            try Standing(&reader)
        }
        let sent = try Self.letters(2, &fields)
        let received = try Self.letters(3, &fields)
        let open = try fields.packed(4, limit: 1) { (reader) throws(WireError) in
            Open(
                rank: try reader.rank(), messages: try reader.number(atMost: RankLimits.count),
                requests: try reader.number(atMost: RankLimits.requests))
        }
        self.init(standings: standings, sent: sent, received: received, open: open.first)
    }

    /// Reads how many letters went to each node, or came from it.
    private static func letters(_ tag: UInt64, _ fields: inout RankFieldReader) throws(WireError) -> [Int] {
        try fields.packed(tag, limit: RankLimits.ranks) { (reader) throws(WireError) in
            try reader.number(atMost: RankLimits.count)
        }
    }
}

extension RankReport.Standing {
    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .waits(let cause): cause.write(to: &writer)
        case .ended: writer.number(RankStanding.ended)
        }
    }

    fileprivate init(_ reader: inout ByteReader) throws(WireError) {
        let number = try reader.number(atMost: RankStanding.last)
        self = number == RankStanding.ended ? .ended : .waits(try RankActivity.Cause(number, &reader))
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

extension RankActivity.Cause {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .message(let pattern):
            writer.number(RankStanding.waitsForMessage)
            writer.optional(pattern.source)
            writer.optional(pattern.tag)
            writer.number(pattern.context)
        case .receiver(let rank):
            writer.number(RankStanding.waitsForReceiver)
            writer.number(rank)
        case .checkpoint: writer.number(RankStanding.waitsAtCheckpoint)
        case .requests(let count, let first):
            writer.number(RankStanding.waitsForRequests)
            writer.number(count)
            first.write(to: &writer)
        }
    }

    /// Reads what follows the number of a standing.
    init(_ number: Int, _ reader: inout ByteReader) throws(WireError) {
        switch number {
        case RankStanding.waitsForMessage:
            self = .message(
                RankPattern(
                    source: try reader.optional(atMost: RankLimits.ranks - 1),
                    tag: try reader.optional(atMost: RankLimits.tag),
                    context: try reader.number(atMost: RankLimits.tag)))
        case RankStanding.waitsForReceiver: self = .receiver(try reader.rank())
        case RankStanding.waitsAtCheckpoint: self = .checkpoint
        case RankStanding.waitsForRequests:
            let count = try reader.number(atMost: RankLimits.requests)
            let first = try reader.number(atMost: RankStanding.last)
            // One request is no list, and the first of a list is none.
            guard count > 1, first != RankStanding.waitsForRequests else { throw .malformed("an impossible wait") }
            self = .requests(count, first: try Self(first, &reader))
        default: throw .malformed("an unknown wait")
        }
    }
}
