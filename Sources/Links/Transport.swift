import PotluckModel

/// Moves messages between nodes that share a session's key, and knows nothing of what they mean.
///
/// On a real network it is `SocketTransport`, in tests a member of a `MemoryNetwork`. Every call returns at once and may
/// come from any thread; what one thread asks for is done in that order. Asking something of a link that has ended is
/// nothing: the news of its end is on the way.
public protocol Transport: AnyObject, Sendable {
    /// Where the reports arrive, one at a time. An actor on this executor takes them without a hop.
    var executor: any SerialExecutor & TaskExecutor { get }

    /// Begins, once and before anything else.
    func start(_ report: @escaping @Sendable (TransportEvent) -> Void)

    /// Takes links from now on. Returns the port, which discovery announces.
    func listen(on port: PortChoice) throws(ListenFailure) -> UInt16

    /// Tries the candidates in the manner of Happy Eyeballs until one is a link: `opened` or `dialFailed` follows.
    func dial(_ dial: DialID, to candidates: [Candidate])

    /// Gives a dial up. Nothing more is reported of it, unless its link opened just before.
    func cancel(_ dial: DialID)

    /// An empty message is none and is not sent; one beyond the lane's limit is a mistake of the caller and traps.
    func send(_ message: [UInt8], on link: LinkID, lane: LinkLane, reliability: Reliability)

    /// While a link is held its peer gets no new credit: it may send what its window still has, and then waits.
    func hold(_ link: LinkID, _ held: Bool)

    /// Says farewell and closes as soon as what was sent before is out, or after a second. `closed` is reported at once,
    /// and nothing of this link after it.
    func close(_ link: LinkID, _ farewell: Farewell)

    /// Closes the port and every link, with a second for their farewells; `stopped` is the last report.
    func stop(_ farewell: Farewell)
}

/// What a transport reports.
public enum TransportEvent: Sendable {
    /// A link opened to a node that knows the session's key. `binding` is 32 octets that both ends of this link know and
    /// nobody else: who signs them proves to be the one at the other end.
    case opened(LinkID, LinkOrigin, remote: Endpoint, binding: [UInt8])
    case received(LinkID, [UInt8])
    /// A heartbeat came back.
    case roundTrip(LinkID, Duration)
    /// Over 1 MiB was waiting to be sent, and now little is: a sender that paces itself goes on.
    case drained(LinkID)
    case closed(LinkID, LinkEnd)
    case dialFailed(DialID, DialFailure)
    /// A stranger was turned away.
    case refused(Endpoint, Refusal)
    /// After `stop`: every farewell is out or was given up, and this is the last report.
    case stopped
}

/// Which port to listen on.
public enum PortChoice: Hashable, Sendable {
    /// The documented port, or the next free one after it.
    case usual
    /// This one or none.
    case exactly(UInt16)
    /// Any free one, reachable from this machine alone: for tests.
    case loopback
}

/// Why a port cannot be listened on.
public enum ListenFailure: Error, Hashable, CustomStringConvertible {
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
