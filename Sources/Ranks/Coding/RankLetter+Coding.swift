import PotluckCore

extension RankLetter {
    /// Bytes of the longest message that travels at once.
    static let longestMessage = RankRooms().eager
    /// The most bytes that one letter reports as received.
    static let mostReceived = RankRooms().eagerRoom
    static let octetsKind: UInt64 = 17

    static let blanks: [RankLetter] = [
        .message(RankMessage(source: 0, tag: 0, context: 0, octets: []), to: 0, isSynchronous: false),
        .offer(RankEnvelope(source: 0, tag: 0, context: 0, number: 0, octets: 0), to: 0, isSynchronous: false),
        .ask(source: 0, number: 0), .octets([], source: 0, number: 0, to: 0), .taken(source: 0, number: 0),
        .received(0, octets: 0),
    ]

    mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .message(var message, var receiver, var isSynchronous):
            try v.kind(14)
            var envelope = message.envelope
            try v.envelope(&envelope, &receiver, &isSynchronous)
            (message.source, message.tag, message.context) = (envelope.source, envelope.tag, envelope.context)
            message.number = envelope.number
            try v.octets(7, &message.octets, atMost: Self.longestMessage)
            self = .message(message, to: receiver, isSynchronous: isSynchronous)
        case .offer(var envelope, var receiver, var isSynchronous):
            try v.kind(15)
            try v.envelope(&envelope, &receiver, &isSynchronous)
            try v.number(7, &envelope.octets, atMost: RankLimits.message)
            self = .offer(envelope, to: receiver, isSynchronous: isSynchronous)
        case .ask(var source, var number):
            try v.kind(16)
            try v.rank(1, &source)
            try v.number(2, &number, atMost: RankLimits.count)
            self = .ask(source: source, number: number)
        case .octets(var octets, var source, var number, var receiver):
            try v.kind(Self.octetsKind)
            try v.rank(1, &source)
            try v.number(2, &number, atMost: RankLimits.count)
            try v.rank(3, &receiver)
            try v.octets(4, &octets, atMost: RankLimits.message)
            self = .octets(octets, source: source, number: number, to: receiver)
        case .taken(var source, var number):
            try v.kind(18)
            try v.rank(1, &source)
            try v.number(2, &number, atMost: RankLimits.count)
            self = .taken(source: source, number: number)
        case .received(var rank, var octets):
            try v.kind(19)
            try v.rank(1, &rank)
            try v.number(2, &octets, atMost: Self.mostReceived)
            self = .received(rank, octets: octets)
        }
    }
}

extension FieldVisitor {
    fileprivate mutating func envelope(
        _ envelope: inout RankEnvelope, _ receiver: inout Int, _ isSynchronous: inout Bool
    ) throws(WireError) {
        try rank(1, &envelope.source)
        try number(2, &envelope.tag, atMost: RankLimits.tag)
        try number(3, &envelope.context, atMost: RankLimits.tag)
        try number(4, &envelope.number, atMost: RankLimits.count)
        try rank(5, &receiver)
        try strictFlag(6, &isSynchronous)
    }
}
