/// A message from one rank to another.
public struct RankMessage: Hashable, Sendable {
    public let source: Int
    public let tag: Int
    /// Separates the messages of communicators.
    public let context: Int
    public let octets: [UInt8]
    /// Its place among all messages of its source.
    public var number = 0

    public init(source: Int, tag: Int, context: Int, octets: [UInt8]) {
        (self.source, self.tag, self.context, self.octets) = (source, tag, context, octets)
    }

    /// Bytes of memory that it takes.
    var cost: Int { octets.count + RankLimits.messageItself }

    public var status: RankStatus { RankStatus(source: source, tag: tag, octets: octets.count) }
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
    public let source: Int?
    /// Nil takes messages with any tag.
    public let tag: Int?
    public let context: Int

    public init(source: Int?, tag: Int?, context: Int) {
        (self.source, self.tag, self.context) = (source, tag, context)
    }

    public func matches(_ message: RankMessage) -> Bool {
        context == message.context && (source == nil || source == message.source)
            && (tag == nil || tag == message.tag)
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
