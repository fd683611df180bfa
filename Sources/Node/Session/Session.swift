import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckNet
import PotluckSystem

/// A group of nodes that found each other and communicate over encrypted links.
///
///     let session = try await Session.start(
///         "Monty", mode: .peer, access: .code(try JoinCode(typed: "maple river candle ocean tiger")))
///     for await event in session.events {
///         switch event {
///         case .peer(let peer) where peer.state == .connected:
///             try await session.send(["hello": peer.displayName], to: .some([peer.node]))
///         case .message(let message) where message.isValue:
///             let greeting = try message.decoded(as: [String: String].self)
///             show("\(greeting)")
///         case .message(let message): await session.send(message.octets, to: .some([message.sender]))
///         case .ended: show("over")
///         default: break
///         }
///     }
///
/// Nodes that know the session's name see each other. Nodes that know its code connect automatically, stay connected
/// through bad Wi-Fi and sleep, and reconnect after a loss. The engine's `SessionMachine` makes all decisions. This
/// actor performs its effects, on the thread that owns the links.
public actor Session {
    nonisolated let transport: any Transport
    /// The links to the nodes that this process runs for browsers; such a node has no others.
    nonisolated let inside: ProcessTransport
    nonisolated let queue = SessionQueue()
    let discovery: any Discovery
    let clock: any SessionClock
    let identity: Identity
    /// What this node announces to the network; its port is 0 until `listen` succeeds.
    let listening: Guarded<Announcement>
    private(set) var engine: Engine
    nonisolated let shell: JobShell
    /// Receives one line of trace for each event, for debugging; nil if the session is not traced.
    private let record: (@Sendable (String) -> Void)?
    private var trace: TraceWriter?
    /// The callers that wait for an answer about a job, by the token of their request.
    private var asked: [UInt64: CheckedContinuation<Reply, Never>] = [:]
    private var lastToken: UInt64 = 0
    /// The last job picture that was sent and its encoding, kept to encode each picture only once.
    var lastPicture: (picture: JobPicture, octets: [UInt8])?
    var links = SessionLinks()
    var programs: SessionPrograms
    var watch: Task<Void, Never>?
    /// Whether the owner reads too slowly, so that all links are on hold until it catches up.
    private(set) var areHeld = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { transport.executor.asUnownedSerialExecutor() }

    /// This node's ID.
    public nonisolated let node: NodeID
    public nonisolated let name: String

    init(
        _ setup: SessionSetup, computing: Computing, announcement: Announcement, identity: Identity,
        transport: any Transport, discovery: any Discovery, clock: any SessionClock,
        record: (@Sendable (String) -> Void)?
    ) {
        self.transport = transport
        inside = transport as? ProcessTransport ?? ProcessTransport(on: transport.executor)
        self.discovery = discovery
        self.clock = clock
        self.identity = identity
        listening = Guarded(announcement)
        node = setup.node
        name = setup.name
        let engineSetup = EngineSetup(
            node: setup.node, name: setup.name, cores: computing.cores, session: setup,
            seed: setup.seed &+ 0x9e37_79b9_7f4a_7c15, mostBlocks: computing.mostBlocks,
            keepsJournal: computing.store != nil)
        let now = clock.now
        engine = Engine(engineSetup, now: now)
        programs = SessionPrograms(computing, now: now)
        self.record = record
        if let record {
            let trace = TraceWriter(engineSetup, now: now)
            self.trace = trace
            record(trace.header)
        }
        // The shell first reports after it is given work, so the owner is set by then.
        let owner = Guarded(Owner())
        let executor = transport.executor
        shell = JobShell(computing, deadline: PreparationQueue.deadline) { report in
            Task(executorPreference: executor) { await owner.with(\.session)?.handle(report) }
        }
        owner.with { $0.session = self }
    }

    /// A weak reference to the session, which the shell must not keep alive.
    private struct Owner: Sendable { weak var session: Session? }

    /// Announces this node, starts discovery and resumes unfinished jobs from the store.
    private func begin() {
        discovery.announce(listening.with { $0 })
        watch = Task(executorPreference: transport.executor) { [discovery, weak self] in
            for await change in discovery.changes() { await self?.dispatch(.sighted(change)) }
        }
        if !shell.found.isEmpty { handle(.found(shell.found)) }
        handle(.woke)
    }

    /// Starts a session with any transport, discovery and clock. Tests use it with virtual ones.
    package static func start(
        _ setup: SessionSetup, computing: Computing = Computing(Simulations([]), cores: 0), session: SessionID,
        isHidden: Bool = false, port: PortChoice, identity: Identity, transport: any Transport,
        discovery: any Discovery, clock: any SessionClock, record: (@Sendable (String) -> Void)? = nil
    ) throws(ListenError) -> Session {
        let announcement = Announcement(
            node: setup.node, mode: setup.mode, sessionHash: session.hash, session: isHidden ? nil : session,
            name: isHidden ? nil : setup.name, port: 0, isOpen: setup.isOpen)
        let new = Session(
            setup, computing: computing, announcement: announcement, identity: identity, transport: transport,
            discovery: discovery,
            clock: clock, record: record)
        try new.beginSoon(listeningOn: port)
        return new
    }

    /// Begins to accept links, and then to look for nodes.
    private nonisolated func beginSoon(listeningOn port: PortChoice) throws(ListenError) {
        startTransport()
        do {
            let port = try transport.listen(on: port)
            listening.with { $0.port = port }
        } catch {
            transport.stop(.leaving)
            throw error
        }
        Task(executorPreference: transport.executor) { await self.begin() }
    }

    /// Begins to look for nodes. No node can make a link to this one.
    nonisolated func beginSoon() {
        startTransport()
        Task(executorPreference: transport.executor) { await self.begin() }
    }

    private nonisolated func startTransport() {
        // The transports call their handler on the actor's own executor.
        for transport in transports { transport.start { [self] event in assumeIsolated { $0.took(event) } } }
    }

    nonisolated var transports: [any Transport] { transport === inside ? [inside] : [transport, inside] }

    /// The transport that has a link.
    nonisolated func carrier(of link: LinkID) -> any Transport { link.isInside ? inside : transport }

    /// The port on which the node accepts links.
    public nonisolated var port: UInt16 { listening.with { $0.port } }

    // MARK: Events and effects

    func dispatch(_ event: SessionEvent) { handle(.session(event)) }

    /// Passes an event to the engine and performs the effects.
    func handle(_ event: PotluckEngine.Event) {
        let now = clock.now
        let effects = engine.handle(event, at: now)
        if let record, let line = trace?.line(event, at: now, effects: effects) { record(line) }
        shell.perform(effects)
        for effect in effects { perform(effect) }
    }

    func handle(_ report: JobShell.Report) {
        switch report {
        case .event(let event): handle(event)
        case .outcomes: handle(.computed(shell.takeOutcomes()))
        }
    }

    func put(_ module: [UInt8]) -> BlobReference? { shell.put(module) }

    func put(_ tables: [Table], _ ticket: JobTicket) throws(JobError) -> BlobReference? {
        do throws(SpoolFile.SpoolError) { return try shell.put(tables, ticket) } catch { throw JobError(error.reason) }
    }

    func settled(_ ticket: JobTicket, _ payload: BlobReference?, as job: JobID?) {
        shell.settled(ticket, payload, as: job)
    }

    func change(cores: Int) {
        shell.setCores(cores)
        programs.set(cores: cores)
        handle(.cores(cores))
    }

    // MARK: Events and answers for the owner

    /// Queues an event for the owner, and puts the links on hold if the queue is full.
    func emit(_ event: Event) {
        guard queue.add(event), !areHeld else { return }
        areHeld = true
        for id in links.ids { carrier(of: id).hold(id, true) }
    }

    /// Resumes the links once the owner has caught up.
    private func release() {
        guard areHeld else { return }
        areHeld = false
        for id in links.ids { carrier(of: id).hold(id, false) }
    }

    nonisolated func nextEvent() async -> Event? {
        let (event, isLow) = await queue.next()
        if isLow { await release() }
        return event
    }

    /// Sends a request about a job to the engine. `patience` is its timeout; nil for none.
    func ask(
        _ request: JobRequest, patience: Duration?, _ continuation: CheckedContinuation<Reply, Never>
    ) {
        lastToken += 1
        let token = lastToken
        asked[token] = continuation
        handle(.wanted(request, token: token))
        guard let patience else { return }
        clock.call(at: clock.now + patience) { [transport, weak self] in
            Task(executorPreference: transport.executor) { await self?.giveUp(token, request, after: patience) }
        }
    }

    private func giveUp(_ token: UInt64, _ request: JobRequest, after patience: Duration) {
        // Nobody would know of the job if the order were taken later.
        if asked[token] != nil, case .order(_, let ticket) = request { withdraw(ticket) }
        answer(token, .refused("no answer within \(patience.components.seconds) s; the connection may be lost"))
    }

    /// Cancels the latest order with this ticket, whether it was taken or not.
    public func withdraw(_ ticket: JobTicket) {
        lastToken += 1
        handle(.wanted(.withdraw(ticket), token: lastToken))
    }

    /// Answers the request with this token, if it still waits.
    func answer(_ token: UInt64, _ answer: JobAnswer) {
        let output: JobOutput? = if case .output(let blob) = answer { shell.takeOutput(blob, token) } else { nil }
        asked.removeValue(forKey: token)?.resume(returning: Reply(answer: answer, output: output))
    }

    func refuseAll(_ why: String) { for token in asked.keys { answer(token, .refused(why)) } }

    /// The answer to a request about a job, and the job's output if the request asked for it.
    struct Reply: Sendable {
        let answer: JobAnswer
        let output: JobOutput?
    }
}
