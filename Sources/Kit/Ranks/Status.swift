/// The way in which a send waits.
public enum SendMode: Int32, Sendable {
    /// The message is copied. The send waits only while many messages wait at the receiver, which must then receive
    /// first.
    case standard = 0
    /// The send waits until the receiver has begun to receive this message.
    case synchronous = 1
    /// The message is copied. The send never waits.
    case buffered = 2
}

/// Where a message came from, and its size.
public struct Status: Equatable, Sendable {
    /// The rank that sent it; -1 for a request that sends.
    public let source: Int
    /// Its tag; -1 for a request that sends.
    public let tag: Int
    /// Its size in bytes.
    public let bytes: Int

    /// Creates a status.
    public init(source: Int, tag: Int, bytes: Int) {
        self.source = source
        self.tag = tag
        self.bytes = bytes
    }

    /// Returns the number of values of a type that the message has.
    public func count<Value: BitwiseCopyable>(of _: Value.Type) -> Int { bytes / MemoryLayout<Value>.stride }
}

extension Int {
    /// Any rank, or any tag, when a program with ranks receives or probes: `world.receive(Int.self, from: .any)`.
    ///
    /// It is not -1, because that is often the result of a wrong computation: the rank before rank 0.
    public static var any: Int { .min }
}
