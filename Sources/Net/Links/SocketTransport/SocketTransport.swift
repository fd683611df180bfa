import CLinux
import Glibc
import PotluckCore
import PotluckSystem

/// A transport over TCP and TLS.
///
/// All state belongs to the loop's thread. It is an actor so that the compiler checks this.
public actor SocketTransport: Transport {
    private let loop: EventLoop
    let context: TLSContext
    let scratch = Scratch()
    let log = Log("links")
    private var client: UInt32?
    private var report: (@Sendable (TransportEvent) -> Void)?

    var connections: [UInt32: Connection] = [:]
    var links: [LinkID: Connection] = [:]
    var dials: [DialNumber: Dial] = [:]
    var listener: Listener?
    var door = Door()
    let resolver: Resolver

    /// The most connections of any kind at once. Beyond it, connections are neither accepted nor dialled.
    let capacity = min(
        LinkLimits.links, max(LinkLimits.fewestConnections, Descriptors.limit - LinkLimits.otherDescriptors))
    private var last = LastNumbers()
    /// Connections with something to write.
    private var dirty: [Connection] = []
    /// Connections that may have more to read than one turn permitted.
    var unread: [Connection] = []
    /// When to check the deadlines next; nil if there are none.
    private var nextScan: Instant?
    private var isStopping = false
    var news: [LinkCore.News] = []

    /// The parts that decide about connections from outside and talk with browsers.
    struct Door {
        var keeper = Doorkeeper()
        /// Limits the reports of refused connections, so that a flood of connections does not become a flood of reports.
        var refusals: Allowance?
        /// Talks with browsers; nil if only a refusal answers them.
        var texts: (any TextServer)?
        /// How long a browser may take none of the bytes that wait for it.
        var patience = LinkLimits.textPatience
        /// The number of browsers that have shown a ticket.
        var admitted = 0
    }

    /// The numbers that the latest connection and the latest link got.
    private struct LastNumbers {
        var tag: UInt32 = 0
        var link: UInt64 = 0
    }

    /// Deadlines are checked together, at this interval, because 500 links must not
    /// wake the processor 500 times a second.
    private static let scanInterval: Duration = .milliseconds(50)

    public init(key: LinkKey, session: SessionHash, loop: EventLoop = .shared) {
        self.loop = loop
        context = TLSContext(key: key, session: session)
        resolver = Resolver(on: loop)
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    public nonisolated var executor: any SerialExecutor & TaskExecutor { loop }

    // MARK: Calls from any thread

    public nonisolated func start(_ report: @escaping @Sendable (TransportEvent) -> Void) {
        perform { transport in
            transport.report = report
            transport.client = transport.loop.add(transport)
        }
    }

    public nonisolated func listen(on port: PortChoice) throws(ListenError) -> UInt16 {
        // Handed over to the loop, and not used here afterwards.
        nonisolated(unsafe) let listener = try Listener(port)
        let chosen = Socket.port(of: listener.descriptor)
        perform { transport in transport.open(listener) }
        return chosen
    }

    public nonisolated func dial(_ dial: DialNumber, to candidates: [Candidate]) {
        perform { transport in transport.begin(dial, candidates) }
    }

    public nonisolated func cancel(_ dial: DialNumber) {
        perform { transport in
            guard let dial = transport.dials.removeValue(forKey: dial) else { return }
            transport.drop(dial)
        }
    }

    public nonisolated func send(
        _ message: [UInt8], on link: LinkID, lane: LinkLane, reliability: Reliability
    ) {
        perform { transport in
            guard let connection = transport.links[link] else { return }
            switch connection.core.send(message, lane: lane, reliability: reliability) {
            case .waits: transport.markDirty(connection)
            case .dropped: break
            case .overfull: transport.end(connection, .overfull)
            }
        }
    }

    public nonisolated func pass(_ message: [UInt8], from origin: LinkID, to link: LinkID, lane: LinkLane) {
        perform { transport in
            guard let connection = transport.links[link] else { return }
            let greediest = connection.core.pass(message, from: origin, lane: lane)
            transport.markDirty(connection)
            guard let greediest, let its = transport.links[greediest] else { return }
            transport.end(its, .misbehaved(LinkLimits.tooMuchPassed))
        }
    }

    public nonisolated func hold(_ link: LinkID, _ held: Bool) {
        perform { transport in
            guard let connection = transport.links[link] else { return }
            connection.core.isHeld = held
            connection.core.returnCredit()
            transport.markDirty(connection)
        }
    }

    public nonisolated func close(_ link: LinkID, _ farewell: Farewell) {
        perform { transport in transport.leave(link, farewell) }
    }

    public nonisolated func stop(_ farewell: Farewell) {
        perform { transport in
            transport.isStopping = true
            transport.listener = nil
            transport.door.texts?.stopping(now: transport.now)
            transport.door.texts = nil
            for dial in transport.dials.values { transport.drop(dial) }
            transport.dials = [:]
            for link in transport.links.keys.sorted() { transport.leave(link, farewell) }
            for connection in Array(transport.connections.values) {
                if connection.isLeaving { continue }
                transport.remove(connection)
            }
        }
    }

    nonisolated func perform(_ body: @escaping @Sendable (isolated SocketTransport) -> Void) {
        loop.perform { self.assumeIsolated { body($0) } }
    }

    /// Returns a callback for work that ends on the loop, such as a name lookup.
    nonisolated func later(_ body: @escaping @Sendable (isolated SocketTransport) -> Void) -> @Sendable () -> Void {
        { self.assumeIsolated { body($0) } }
    }

    // MARK: Bookkeeping

    var now: Instant { loop.now }

    func emit(_ event: TransportEvent) { report?(event) }

    func add(_ descriptor: Int32, _ remote: Endpoint, _ phase: Connection.Phase, until deadline: Instant) -> Connection
    {
        last.tag += 1
        let connection = Connection(
            tag: last.tag, descriptor: descriptor, remote: remote, phase: phase, deadline: deadline, now: now)
        connections[connection.tag] = connection
        look(at: deadline)
        return connection
    }

    /// Closes the connection without a farewell and without a report.
    func remove(_ connection: Connection) {
        if connection.isStranger { door.keeper.leave(connection.tag, .nothing, at: now) }
        if case .text(let flow) = connection.phase { leaveAdmitted(flow) }
        connections[connection.tag] = nil
        connection.phase = .draining
    }

    func watch(_ connection: Connection, for events: UInt32) {
        guard connection.interest != events, let client else { return }
        loop.watch(
            connection.descriptor, of: client, tag: connection.tag, events: events, isNew: connection.interest == 0)
        connection.interest = events
    }

    func watch(_ listener: Listener, isNew: Bool) {
        guard let client else { return }
        loop.watch(
            listener.descriptor, of: client, tag: Listener.tag,
            events: listener.pausedUntil == nil ? EPOLLIN.rawValue : 0, isNew: isNew)
    }

    func markDirty(_ connection: Connection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
    }

    /// Makes sure that deadlines are checked at `due` or earlier.
    func look(at due: Instant) { nextScan = min(nextScan ?? due, due) }

    func nextLink() -> LinkID {
        last.link += 1
        return LinkID(last.link)
    }
}

// MARK: - On the loop

extension SocketTransport: LoopClient {
    nonisolated func ready(_ tag: UInt32, _ events: UInt32, at now: Instant) {
        assumeIsolated { transport in
            if tag == Listener.tag {
                transport.accept(at: now)
            } else if let connection = transport.connections[tag] {
                transport.ready(connection, events, at: now)
            }
        }
    }

    nonisolated func turn(at now: Instant) -> Instant? { assumeIsolated { $0.takeTurn(at: now) } }

    private func takeTurn(at now: Instant) -> Instant? {
        let again = unread
        unread = []
        for connection in again where connections[connection.tag] != nil { read(connection, at: now) }
        if let nextScan, now >= nextScan { scan(at: now) }
        while !dirty.isEmpty {
            let batch = dirty
            dirty = []
            for connection in batch {
                connection.isDirty = false
                if connections[connection.tag] != nil { flush(connection) }
            }
        }
        let textsDue = door.texts?.turn(at: now)
        if isStopping, connections.isEmpty { finish() }
        guard unread.isEmpty else { return now }
        return [nextScan, textsDue].compactMap(\.self).min()
    }

    private func scan(at now: Instant) {
        nextScan = nil
        var expired: [Connection] = []
        for connection in connections.values {
            let due = connection.due
            if due <= now { expired.append(connection) } else { look(at: due) }
        }
        for connection in expired {
            expire(connection, at: now)
            if connections[connection.tag] != nil { look(at: connection.due) }
        }
        for dial in Array(dials.values) where dial.eyeballs.due <= now { advance(dial, at: now) }
        if let until = listener?.pausedUntil {
            if until <= now { resumeAccepting() } else { look(at: until) }
        }
        for dial in dials.values { look(at: dial.eyeballs.due) }
        nextScan = nextScan.map { max($0, now + Self.scanInterval) }
    }

    private func finish() {
        guard let client else { return }
        self.client = nil
        emit(.stopped)
        report = nil
        loop.remove(client)
    }
}
