import PotluckCore
import PotluckSystem

/// The links of a node to others of its process, such as those that browsers compute for. A message passes as it is:
/// between nodes that can only end together are no socket, no TLS and no heartbeat.
///
/// One node accepts links, and each of the others reaches only that one. They share its executor.
public actor ProcessTransport: Transport {
    /// This node's end of a link.
    private struct Link {
        let peer: ProcessTransport
        /// The peer's name for the link.
        let name: LinkID
        var isHeld = false
        /// What came while the link was held, and its length in bytes.
        var waiting: [TransportEvent] = []
        var octets = 0
    }

    private typealias Call = @Sendable (isolated ProcessTransport) -> Void

    public nonisolated let executor: any SerialExecutor & TaskExecutor
    /// The node to dial; nil for the one that accepts links.
    private nonisolated let host: ProcessTransport?
    /// The calls that wait for their turn on the executor.
    private nonisolated let calls = Guarded<[Call]>([])
    /// Nil before the start and after the end.
    private var report: (@Sendable (TransportEvent) -> Void)?
    private var links: [LinkID: Link] = [:]
    private var lastLink = LinkID.firstInside

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates the transport of the node that accepts links.
    public init(on executor: any SerialExecutor & TaskExecutor) {
        self.executor = executor
        host = nil
    }

    /// Creates the transport of a node that has no other links than those to `host`.
    public init(to host: ProcessTransport) {
        executor = host.executor
        self.host = host
    }

    // MARK: Calls from any thread

    public nonisolated func start(_ report: @escaping @Sendable (TransportEvent) -> Void) {
        perform { $0.report = report }
    }

    /// No port is needed within a process.
    public nonisolated func listen(on port: PortChoice) -> UInt16 { 0 }

    /// Opens a link to the host, whatever the candidates.
    public nonisolated func dial(_ dial: DialNumber, to candidates: [Candidate]) { perform { $0.open(dial) } }

    /// A dial ends in the same turn in which it begins.
    public nonisolated func cancel(_ dial: DialNumber) {}

    public nonisolated func send(_ message: [UInt8], on link: LinkID, lane: LinkLane, reliability: Reliability) {
        perform { $0.carry(on: link, reliability) { .received($0, message) } }
    }

    /// Sends a message as it is.
    public nonisolated func send(_ message: Message, on link: LinkID, reliability: Reliability) {
        perform { $0.carry(on: link, reliability) { .handed($0, message) } }
    }

    public nonisolated func pass(_ message: [UInt8], from origin: LinkID, to link: LinkID, lane: LinkLane) {
        send(message, on: link, lane: lane, reliability: .reliable)
    }

    public nonisolated func hold(_ link: LinkID, _ held: Bool) { perform { $0.setHeld(link, held) } }

    public nonisolated func close(_ link: LinkID, _ farewell: Farewell) { perform { $0.leave(link, farewell) } }

    /// A node that accepts links has another transport, which reports `stopped`.
    public nonisolated func stop(_ farewell: Farewell) {
        perform { transport in
            for link in transport.links.keys.sorted() { transport.leave(link, farewell) }
            if transport.host != nil { transport.emit(.stopped) }
            transport.report = nil
        }
    }

    /// Runs the call after all earlier ones, and never inside other work.
    private nonisolated func perform(_ call: @escaping Call) {
        let isFirst = calls.with { calls in
            calls.append(call)
            return calls.count == 1
        }
        if isFirst { Task(executorPreference: executor) { await self.takeTurn() } }
    }

    private func takeTurn() {
        let batch = calls.with { calls in
            defer { calls = [] }
            return calls
        }
        for call in batch { call(self) }
    }

    // MARK: On the executor

    private func emit(_ event: TransportEvent) { report?(event) }

    private func open(_ dial: DialNumber) {
        let own = nextLink()
        let binding = randomOctets(32)
        guard let host, let name = host.assumeIsolated({ $0.accept(self, own, binding) }) else {
            return emit(.dialFailed(dial, .unreachable))
        }
        links[own] = Link(peer: host, name: name)
        emit(.opened(own, .dialled(dial), remote: .thisComputer, binding: binding))
    }

    /// Takes a link. Returns its name here, or nil if this node takes none.
    private func accept(_ peer: ProcessTransport, _ name: LinkID, _ binding: [UInt8]) -> LinkID? {
        guard report != nil else { return nil }
        let own = nextLink()
        links[own] = Link(peer: peer, name: name)
        emit(.opened(own, .accepted, remote: .thisComputer, binding: binding))
        return own
    }

    private func nextLink() -> LinkID {
        lastLink = LinkID(lastLink.number + 1)
        return lastLink
    }

    private func carry(on link: LinkID, _ reliability: Reliability, _ event: (LinkID) -> TransportEvent) {
        guard let link = links[link] else { return }
        let event = event(link.name)
        link.peer.assumeIsolated { $0.take(event, on: link.name, reliability) }
    }

    private func take(_ event: TransportEvent, on link: LinkID, _ reliability: Reliability) {
        guard links[link]?.isHeld == true else { return emit(event) }
        guard reliability == .reliable else { return }
        links[link]?.waiting.append(event)
        links[link]?.octets += event.length
        guard let held = links[link], held.octets > LinkLimits.bulkBacklog else { return }
        links[link] = nil
        emit(.closed(link, .lost))
        held.peer.assumeIsolated { $0.end(held.name, .overfull) }
    }

    private func setHeld(_ link: LinkID, _ isHeld: Bool) {
        links[link]?.isHeld = isHeld
        if !isHeld { deliverWaiting(link) }
    }

    private func deliverWaiting(_ link: LinkID) {
        let waiting = links[link]?.waiting ?? []
        links[link]?.waiting = []
        links[link]?.octets = 0
        for event in waiting { emit(event) }
    }

    private func leave(_ link: LinkID, _ farewell: Farewell) {
        guard let gone = links.removeValue(forKey: link) else { return }
        emit(.closed(link, .closedHere(farewell)))
        gone.peer.assumeIsolated { $0.end(gone.name, .closedThere(farewell)) }
    }

    /// The peer has ended the link. What it sent before comes first.
    private func end(_ link: LinkID, _ reason: LinkEnd) {
        deliverWaiting(link)
        if links.removeValue(forKey: link) != nil { emit(.closed(link, reason)) }
    }
}

extension LinkID {
    /// No network has so many links.
    fileprivate static let firstInside = LinkID(1 << 48)

    /// Whether the link is one of a `ProcessTransport`.
    public var isInside: Bool { self > .firstInside }
}

extension Endpoint {
    /// The other end of a link within the process. The session believes this computer where a browser runs.
    fileprivate static var thisComputer: Endpoint {
        guard let endpoint = Endpoint(octets: [127, 0, 0, 1], port: 0) else { preconditionFailure("an address") }
        return endpoint
    }
}

extension TransportEvent {
    /// The length of a message in bytes.
    fileprivate var length: Int {
        switch self {
        case .received(_, let octets): octets.count
        case .handed(_, let message): message.caseLength
        case .opened, .roundTrip, .drained, .closed, .dialFailed, .refused, .stopped: 0
        }
    }
}
