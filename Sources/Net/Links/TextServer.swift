import PotluckCore

/// A connection that began in clear text, as a browser's does.
public struct TextID: Hashable, Comparable, Sendable {
    public let number: UInt32
    public init(_ number: UInt32) { self.number = number }
    public static func < (a: TextID, b: TextID) -> Bool { a.number < b.number }
}

/// Talks with the browsers that connect to a transport's port. All calls come on the transport's executor.
public protocol TextServer: AnyObject, Sendable {
    /// The first call, with the transport that carries the connections.
    func begin(_ channels: any TextChannels)

    /// A connection came from `remote`. Its first byte is a capital letter, and it reached this node at `local`.
    func opened(_ id: TextID, from remote: Endpoint, at local: Endpoint, now: Instant)

    func received(_ octets: [UInt8], on id: TextID, now: Instant)

    /// The system has taken everything that was sent, after `send` had returned false.
    func drained(_ id: TextID, now: Instant)

    /// The connection ended, and not by `close`. Nothing of it follows.
    func closed(_ id: TextID, now: Instant)

    /// Called at every turn of the loop. Returns the latest time of the next call.
    func turn(at now: Instant) -> Instant?

    /// The transport stops. When this returns, it closes all connections, and sends the bytes that were queued until
    /// then.
    func stopping(now: Instant)
}

/// The connections of a `TextServer`. Call these functions only on the transport's executor. A call for a connection
/// that has ended does nothing.
public protocol TextChannels: AnyObject, Sendable {
    /// Sends bytes. Returns whether the system has taken everything; if not, `drained` follows.
    func send(_ parts: [[UInt8]], on id: TextID) -> Bool

    /// Closes the connection when everything is sent, or after a second.
    func close(_ id: TextID)

    /// The connection has shown that it may be here, so it no longer counts among the strangers. Returns false if too
    /// many such connections are open.
    func admit(_ id: TextID) -> Bool

    /// The connection has got its answer. Until it sends something again, another one may take its place.
    func answered(_ id: TextID)
}
