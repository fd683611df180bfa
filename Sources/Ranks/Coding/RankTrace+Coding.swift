import PotluckWire

extension RankTrace {
    /// The most events in an item, so that an item is short.
    static let mostSent = 1 << 16
}

extension RankTrace.Event {
    private enum Kind {
        static let sent = 1
        static let received = 2
        static let waited = 3
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .sent(let message, let receiver, let octets, let moment):
            writer.number(Kind.sent)
            writer.number(message)
            writer.number(receiver)
            writer.number(octets)
            writer.moment(moment)
        case .received(let message, let source, let moment):
            writer.number(Kind.received)
            writer.number(message)
            writer.number(source)
            writer.moment(moment)
        case .waited(let cause, let moment, let time):
            writer.number(Kind.waited)
            cause.write(to: &writer)
            writer.moment(moment)
            writer.duration(time)
        }
    }

    init(_ reader: inout ByteReader) throws(WireError) {
        switch try reader.number(atMost: Kind.waited) {
        case Kind.sent:
            self = .sent(
                message: try reader.number(atMost: RankLimits.count), to: try reader.rank(),
                octets: try reader.number(atMost: RankLimits.message), at: try reader.moment())
        case Kind.received:
            self = .received(
                message: try reader.number(atMost: RankLimits.count), from: try reader.rank(), at: try reader.moment())
        case Kind.waited:
            let number = try reader.number(atMost: RankStanding.last)
            self = .waited(
                try RankActivity.Cause(number, &reader), since: try reader.moment(), for: try reader.duration())
        default: throw .malformed("an unknown event")
        }
    }
}
