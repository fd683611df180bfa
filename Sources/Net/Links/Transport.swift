import PotluckCore

/// Transfers messages between nodes that share a session's key, without interpreting them.
///
/// On a real network it is a `SocketTransport`, within a process a `ProcessTransport`, and in tests a member of a
/// `MemoryNetwork`. Every call returns at once and may come from any thread. The calls of one thread take effect in their
/// order. A call for a link that has ended has no effect; the report of its end is on its way.
public protocol Transport: AnyObject, Sendable {
    /// The executor on which events are reported, one at a time. An actor on it
    /// receives them without a change of thread.
    var executor: any SerialExecutor & TaskExecutor { get }

    /// Starts the transport. Call it once, before anything else.
    func start(_ report: @escaping @Sendable (TransportEvent) -> Void)

    /// Starts to accept links. Returns the port, which discovery announces.
    func listen(on port: PortChoice) throws(ListenError) -> UInt16

    /// Tries the candidates by Happy Eyeballs until one becomes a link. Reports `opened` or `dialFailed`.
    func dial(_ dial: DialNumber, to candidates: [Candidate])

    /// Cancels a dial. Nothing more is reported of it, unless its link has just opened.
    func cancel(_ dial: DialNumber)

    /// Sends a message. An empty message is not sent. The message must not exceed the lane's limit.
    func send(_ message: [UInt8], on link: LinkID, lane: LinkLane, reliability: Reliability)

    /// Sends a message that came over another link. If these pile up, the link that sent most of them ends, and not the
    /// one whose node reads them.
    func pass(_ message: [UInt8], from origin: LinkID, to link: LinkID, lane: LinkLane)

    /// Holds or releases a link. The peer of a held link gets no new credit: it may use up its window, and then waits.
    func hold(_ link: LinkID, _ held: Bool)

    /// Sends a farewell and closes the link when all earlier messages are sent, or after a second. `closed` is
    /// reported at once, and nothing of this link after it.
    func close(_ link: LinkID, _ farewell: Farewell)

    /// Closes the port and every link, with a second for their farewells. `stopped` is the last report.
    func stop(_ farewell: Farewell)
}

/// The events that a transport reports.
public enum TransportEvent: Sendable {
    /// A link to a node with the session's key opened. `binding` is 32 bytes that only the two ends of this link know.
    /// A node that signs them proves that it is the other end.
    case opened(LinkID, LinkOrigin, remote: Endpoint, binding: [UInt8])
    case received(LinkID, [UInt8])
    /// A node of this process sent a message as it is.
    case handed(LinkID, Message)
    /// A heartbeat was answered.
    case roundTrip(LinkID, Duration)
    /// More than 1 MiB was queued, and now little is left. A sender that paces itself may continue.
    case drained(LinkID)
    case closed(LinkID, LinkEnd)
    case dialFailed(DialNumber, DialFailure)
    /// An accepted connection was refused.
    case refused(Endpoint, Refusal)
    /// The last report after `stop`: every farewell was sent or abandoned.
    case stopped
}

/// The port to listen on.
public enum PortChoice: Hashable, Sendable {
    /// The default port, or the next free port after it.
    case usual
    /// Only this port.
    case exactly(UInt16)
    /// Any free port, reachable only from this machine. For tests.
    case loopback
}

/// Why the transport cannot listen on a port.
public enum ListenError: Error, Hashable, CustomStringConvertible {
    case taken(UInt16)
    case notAllowed(UInt16)
    case failed(String)

    public var description: String {
        switch self {
        case .taken(let port): "another program uses port \(port); choose another with --port"
        case .notAllowed(let port): "no permission to listen on port \(port); choose a port above 1023 with --port"
        case .failed(let reason): "cannot open a port: \(reason)"
        }
    }
}
