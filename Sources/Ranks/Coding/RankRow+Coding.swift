import PotluckWire

extension RankRow {
    func write(to writer: inout ByteWriter) {
        switch standing {
        case .computes: writer.number(RankStanding.computes)
        case .waits(let cause, let time):
            cause.write(to: &writer)
            writer.duration(time)
        case .ended: writer.number(RankStanding.ended)
        }
        traffic.write(to: &writer)
        waits.write(to: &writer)
    }

    init(_ reader: inout ByteReader, mostWaits: Int) throws(WireError) {
        let standing: Standing =
            switch try reader.number(atMost: RankStanding.last) {
            case RankStanding.ended: .ended
            case RankStanding.computes: .computes
            case let number: .waits(try RankActivity.Cause(number, &reader), for: try reader.duration())
            }
        let traffic = try RankTraffic(&reader)
        self.init(standing: standing, traffic: traffic, waits: try RankWaits(&reader, most: mostWaits))
    }

    /// The row as all nodes of a session get it: of the waits for certain ranks only the longest.
    var brief: RankRow {
        let longest = waits.longest.map { [$0.rank: $0.time] } ?? [:]
        return RankRow(standing: standing, traffic: traffic, waits: RankWaits(whole: waits.whole, ranks: longest))
    }
}

extension RankTraffic {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.number(messagesSent)
        writer.number(octetsSent)
        writer.number(messagesReceived)
        writer.number(octetsReceived)
    }

    fileprivate init(_ reader: inout ByteReader) throws(WireError) {
        self.init(
            messagesSent: try reader.number(atMost: RankLimits.count),
            octetsSent: try reader.number(atMost: RankLimits.count),
            messagesReceived: try reader.number(atMost: RankLimits.count),
            octetsReceived: try reader.number(atMost: RankLimits.count))
    }
}

extension RankWaits {
    /// The most ranks for which one rank waits: all, and any of several.
    static let most = RankLimits.ranks + 1

    fileprivate func write(to writer: inout ByteWriter) {
        writer.duration(whole)
        writer.number(ranks.count)
        for (rank, time) in ranks.sorted(by: { $0.key < $1.key }) {
            writer.optional(rank < 0 ? nil : rank)
            writer.duration(time)
        }
    }

    fileprivate init(_ reader: inout ByteReader, most: Int) throws(WireError) {
        let whole = try reader.duration()
        var ranks: [Int: Duration] = [:]
        var last = -2
        for _ in 0..<(try reader.number(atMost: most)) {
            let rank = try reader.optional(atMost: RankLimits.ranks - 1) ?? -1
            guard rank > last else { throw .malformed("a rank that is repeated or out of order") }
            last = rank
            ranks[rank] = try reader.duration()
        }
        self.init(whole: whole, ranks: ranks)
    }
}
