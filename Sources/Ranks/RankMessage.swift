/// A message from one rank to another.
public struct RankMessage: Hashable, Sendable {
    public var source: Int
    public var tag: Int
    /// Separates the messages of communicators.
    public var context: Int
    public var octets: [UInt8]
    /// Its place among all messages of its source.
    public var number = 0

    public init(source: Int, tag: Int, context: Int, octets: [UInt8]) {
        (self.source, self.tag, self.context, self.octets) = (source, tag, context, octets)
    }

    /// Bytes of memory that it takes.
    package var cost: Int { envelope.cost }

    public var envelope: RankEnvelope {
        RankEnvelope(source: source, tag: tag, context: context, number: number, octets: octets.count)
    }

    public var status: RankStatus { envelope.status }
}

/// A message without its bytes.
public struct RankEnvelope: Hashable, Sendable {
    public var source: Int
    public var tag: Int
    public var context: Int
    /// Its place among all messages of its source.
    public var number: Int
    /// How many bytes the message has.
    public var octets: Int

    public init(source: Int, tag: Int, context: Int, number: Int, octets: Int) {
        (self.source, self.tag, self.context, self.number, self.octets) = (source, tag, context, number, octets)
    }

    /// Bytes of memory that the message takes.
    package var cost: Int { octets + RankLimits.messageItself }

    var status: RankStatus { RankStatus(source: source, tag: tag, octets: octets) }

    func message(_ octets: [UInt8]) -> RankMessage {
        precondition(octets.count == self.octets)
        var message = RankMessage(source: source, tag: tag, context: context, octets: octets)
        message.number = number
        return message
    }
}

/// What a rank learns about a message: where it came from, its tag, and its length in bytes.
public struct RankStatus: Hashable, Sendable {
    /// -1 for a request that sent.
    public let source: Int
    /// -1 for a request that sent.
    public let tag: Int
    public let octets: Int

    public init(source: Int, tag: Int, octets: Int) {
        (self.source, self.tag, self.octets) = (source, tag, octets)
    }
}

/// The messages that a receive takes.
public struct RankPattern: Hashable, Sendable {
    /// Nil takes messages of any rank.
    public var source: Int?
    /// Nil takes messages with any tag.
    public var tag: Int?
    public var context: Int

    public init(source: Int?, tag: Int?, context: Int) {
        (self.source, self.tag, self.context) = (source, tag, context)
    }

    public func matches(_ envelope: RankEnvelope) -> Bool {
        context == envelope.context && (source == nil || source == envelope.source)
            && (tag == nil || tag == envelope.tag)
    }
}

/// When a send is complete. The numbers are those of the interface of modules.
public enum RankSendMode: Int32, CaseIterable, Sendable {
    /// At once, as long as the receiver has room for messages that it has not asked for.
    case standard = 0
    /// As soon as a receive takes the message.
    case synchronous = 1
    /// At once.
    case buffered = 2
}
