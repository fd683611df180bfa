import PotluckCrypto
import PotluckDiscovery
import PotluckEngine
import PotluckKit
import PotluckLinks
import PotluckModel
import PotluckSystem
import PotluckTrace
import PotluckWire

/// A group of nodes that found each other and talk over encrypted links.
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
/// Nodes that know the session's name see each other; those that know its code connect by themselves, stay connected
/// through bad Wi-Fi and closed lids, and come back by themselves. All it decides, `SessionMachine` decides; this
/// actor turns that into deeds, on the thread that owns the links.
public actor Session {
    nonisolated let transport: any Transport
    nonisolated let queue = SessionQueue()
    let discovery: any Discovery
    let clock: any SessionClock
    let identity: Identity
    /// Without the port, as long as none is open.
    let listening: Guarded<Announcement>
    private(set) var engine: Engine
    private let shell: JobShell
    /// Where what happens is written down, for whoever looks for a fault.
    private let record: (@Sendable (String) -> Void)?
    private var trace: TraceWriter?
    /// Who waits for an answer about a job.
    private var asked: [UInt64: CheckedContinuation<Reply, Never>] = [:]
    private var lastToken: UInt64 = 0
    var lastPicture: (picture: JobPicture, octets: [UInt8])?
    var links = SessionLinks()
    var watch: Task<Void, Never>?
    /// Whether the owner reads slowly, and no link takes more until that is over.
    private(set) var areHeld = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { transport.executor.asUnownedSerialExecutor() }

    /// This node's name for itself.
    public nonisolated let node: NodeID
    public nonisolated let name: String

    init(
        _ setup: SessionSetup, computing: Computing, announcement: Announcement, identity: Identity,
        transport: any Transport, discovery: any Discovery, clock: any SessionClock,
        record: (@Sendable (String) -> Void)?
    ) {
        self.transport = transport
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
        self.record = record
        if let record {
            let trace = TraceWriter(engineSetup, now: now)
            self.trace = trace
            record(trace.header)
        }
        // The shell reports to a session that is being made only once that has asked it for something.
        let owner = Guarded(Owner())
        let executor = transport.executor
        shell = JobShell(computing) { report in
            Task(executorPreference: executor) { await owner.with(\.session)?.take(report) }
        }
        owner.with { $0.session = self }
    }

    private struct Owner: Sendable { weak var session: Session? }

    /// Begins to be seen and to look.
    private func begin() {
        discovery.announce(listening.with { $0 })
        watch = Task(executorPreference: transport.executor) { [discovery, weak self] in
            for await change in discovery.changes() { await self?.tell(.sighted(change)) }
        }
        if !shell.found.isEmpty { handle(.found(shell.found)) }
        handle(.woke)
    }

    /// A session over any transport, any discovery and any clock.
    package static func start(
        _ setup: SessionSetup, computing: Computing = Computing(Simulations([]), cores: 0), session: SessionID,
        isHidden: Bool = false, port: PortChoice, identity: Identity, transport: any Transport,
        discovery: any Discovery, clock: any SessionClock, record: (@Sendable (String) -> Void)? = nil
    ) throws(ListenFailure) -> Session {
        let announcement = Announcement(
            node: setup.node, mode: setup.mode, sessionHash: session.hash, session: isHidden ? nil : session,
            name: isHidden ? nil : setup.name, port: 0, isOpen: setup.isOpen)
        let new = Session(
            setup, computing: computing, announcement: announcement, identity: identity, transport: transport,
            discovery: discovery,
            clock: clock, record: record)
        // Reports come on the actor's own executor.
        transport.start { event in new.assumeIsolated { $0.took(event) } }
        do {
            let port = try transport.listen(on: port)
            new.listening.with { $0.port = port }
        } catch {
            transport.stop(.leaving)
            throw error
        }
        Task(executorPreference: transport.executor) { await new.begin() }
        return new
    }

    /// Where links are taken.
    public nonisolated var port: UInt16 { listening.with { $0.port } }

    // MARK: Events and effects

    func tell(_ event: SessionEvent) { handle(.session(event)) }

    func handle(_ event: PotluckEngine.Event) {
        let now = clock.now
        let effects = engine.handle(event, at: now)
        if let record, let line = trace?.line(event, at: now, effects: effects) { record(line) }
        shell.perform(effects)
        for effect in effects { perform(effect) }
    }

    func take(_ report: JobShell.Report) {
        switch report {
        case .event(let event): handle(event)
        case .outcomes: handle(.computed(shell.takeOutcomes()))
        }
    }

    func put(_ module: [UInt8]) -> BlobReference? { shell.put(module) }

    func put(_ tables: [Table], _ ticket: JobTicket) throws(JobFailed) -> BlobReference? {
        do throws(SpoolFile.Trouble) { return try shell.put(tables, ticket) } catch { throw JobFailed(error.reason) }
    }

    func settled(_ ticket: JobTicket, _ payload: BlobReference?, as job: JobID?) {
        shell.settled(ticket, payload, as: job)
    }

    func change(cores: Int) {
        shell.setCores(cores)
        handle(.cores(cores))
    }

    // MARK: What the owner reads and waits for

    func tell(_ event: Event) {
        guard queue.add(event), !areHeld else { return }
        areHeld = true
        for id in links.ids { transport.hold(id, true) }
    }

    private func release() {
        guard areHeld else { return }
        areHeld = false
        for id in links.ids { transport.hold(id, false) }
    }

    nonisolated func nextEvent() async -> Event? {
        let (event, isLow) = await queue.next()
        if isLow { await release() }
        return event
    }

    func ask(
        _ request: JobRequest, patience: Duration?, _ continuation: CheckedContinuation<Reply, Never>
    ) {
        lastToken += 1
        let token = lastToken
        asked[token] = continuation
        handle(.wanted(request, token: token))
        guard let patience else { return }
        clock.call(at: clock.now + patience) { [transport, weak self] in
            Task(executorPreference: transport.executor) { await self?.giveUp(token) }
        }
    }

    private func giveUp(_ token: UInt64) {
        settle(token, .refused("no answer within \(Self.patience.components.seconds) s; the connection may be lost"))
    }

    func settle(_ token: UInt64, _ answer: JobAnswer) {
        let output: JobOutput? = if case .output(let blob) = answer { shell.takeOutput(blob, token) } else { nil }
        asked.removeValue(forKey: token)?.resume(returning: Reply(answer: answer, output: output))
    }

    func refuseAll(_ why: String) { for token in asked.keys { settle(token, .refused(why)) } }

    /// What came of a request, and what was written, where that was asked for.
    struct Reply: Sendable {
        let answer: JobAnswer
        let output: JobOutput?
    }
}
