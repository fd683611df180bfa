import PotluckWire

extension RankLetter {
    /// Bytes of the longest message that travels at once.
    static let longestMessage = RankRooms().eager
    /// The most bytes that one letter says to be received.
    static let mostReceived = RankRooms().eagerRoom

    func encoded() -> [UInt8] {
        switch self {
        case .message(let message, let receiver, let isSynchronous):
            var writer = FieldWriter(.message, reserving: RankItem.around + message.octets.count)
            writer.envelope(message.source, message.tag, message.context, message.number, receiver, isSynchronous)
            writer.octets(7, message.octets)
            return writer.bytes
        case .offer(let envelope, let receiver, let isSynchronous):
            var writer = FieldWriter(.offer)
            writer.envelope(envelope.source, envelope.tag, envelope.context, envelope.number, receiver, isSynchronous)
            writer.number(7, envelope.octets)
            return writer.bytes
        case .ask(let source, let number): return Self.encoded(.ask, source, number)
        case .octets(let octets, let source, let number, let receiver):
            return Self.head(ofOctets: octets.count, source, number, receiver) + octets
        case .taken(let source, let number): return Self.encoded(.taken, source, number)
        case .received(let rank, let octets): return Self.encoded(.received, rank, octets)
        }
    }

    private static func encoded(_ kind: RankItem.Kind, _ rank: Int, _ number: Int) -> [UInt8] {
        var writer = FieldWriter(kind)
        writer.number(1, rank)
        writer.number(2, number)
        return writer.bytes
    }

    init(_ kind: RankItem.Kind, _ fields: inout RankFieldReader) throws(WireError) {
        let rank = try fields.rank(1)
        switch kind {
        case .message: self = try Self.message(from: rank, &fields)
        case .offer: self = try Self.offer(from: rank, &fields)
        case .ask: self = .ask(source: rank, number: try fields.number(2, atMost: RankLimits.count))
        case .octets:
            let number = try fields.number(2, atMost: RankLimits.count)
            let receiver = try fields.rank(3)
            self = .octets(
                try fields.octets(4, limit: RankLimits.message), source: rank, number: number, to: receiver)
        case .taken: self = .taken(source: rank, number: try fields.number(2, atMost: RankLimits.count))
        case .received: self = .received(rank, octets: try fields.number(2, atMost: Self.mostReceived))
        default: throw .malformed("an item that is no letter")
        }
    }

    private static func message(
        from source: Int, _ fields: inout RankFieldReader
    ) throws(WireError) -> RankLetter {
        let envelope = try fields.envelope()
        var message = RankMessage(
            source: source, tag: envelope.tag, context: envelope.context,
            octets: try fields.octets(7, limit: longestMessage))
        message.number = envelope.number
        return .message(message, to: envelope.receiver, isSynchronous: envelope.isSynchronous)
    }

    private static func offer(
        from source: Int, _ fields: inout RankFieldReader
    ) throws(WireError) -> RankLetter {
        let envelope = try fields.envelope()
        return .offer(
            RankEnvelope(
                source: source, tag: envelope.tag, context: envelope.context, number: envelope.number,
                octets: try fields.number(7, atMost: RankLimits.message)),
            to: envelope.receiver, isSynchronous: envelope.isSynchronous)
    }
}

extension FieldWriter {
    fileprivate mutating func envelope(
        _ source: Int, _ tag: Int, _ context: Int, _ number: Int, _ receiver: Int, _ isSynchronous: Bool
    ) {
        self.number(1, source)
        self.number(2, tag)
        self.number(3, context)
        self.number(4, number)
        self.number(5, receiver)
        flag(6, isSynchronous)
    }
}

extension RankFieldReader {
    /// What follows the source.
    fileprivate mutating func envelope() throws(WireError)
        -> (tag: Int, context: Int, number: Int, receiver: Int, isSynchronous: Bool)
    {
        let tag = try number(2, atMost: RankLimits.tag)
        let context = try number(3, atMost: RankLimits.tag)
        let number = try number(4, atMost: RankLimits.count)
        return (tag, context, number, try rank(5), try flag(6))
    }
}
