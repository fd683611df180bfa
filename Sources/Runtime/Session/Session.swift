import PotluckCrypto
import PotluckDiscovery
import PotluckEngine
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
    private let clock: any SessionClock
    private let identity: Identity
    /// Without the port, as long as none is open.
    private let listening: Guarded<Announcement>
    private var engine: Engine
    private let shell: JobShell
    /// Where what happens is written down, for whoever looks for a fault.
    private let record: (@Sendable (String) -> Void)?
    private var trace: TraceWriter?
    /// Who waits for an answer about a job.
    private var asked: [UInt64: CheckedContinuation<JobAnswer, Never>] = [:]
    private var lastToken: UInt64 = 0
    private var lastPicture: (picture: JobPicture, octets: [UInt8])?
    /// The two names of a link: the engine's and the transport's.
    private var names: [LinkID: SessionLink] = [:]
    private var links: [SessionLink: Link] = [:]
    private var watch: Task<Void, Never>?
    private var areHeld = false

    private struct Link {
        let id: LinkID
        let isDialled: Bool
        let binding: [UInt8]
        /// Whose it is, once it has proved that.
        var node: NodeID?
        /// The last heartbeat's.
        var roundTrip: Duration?
    }

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
            seed: setup.seed &+ 0x9e37_79b9_7f4a_7c15, mostBlocks: computing.mostBlocks)
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
        handle(.woke)
    }

    /// A session over any transport, any discovery and any clock.
    package static func start(
        _ setup: SessionSetup, computing: Computing = Computing(Simulations([]), cores: 0), session: SessionID,
        port: PortChoice, identity: Identity, transport: any Transport,
        discovery: any Discovery, clock: any SessionClock, record: (@Sendable (String) -> Void)? = nil
    ) throws(ListenFailure) -> Session {
        let announcement = Announcement(
            node: setup.node, mode: setup.mode, sessionHash: session.hash, session: session, name: setup.name, port: 0,
            isOpen: setup.isOpen)
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

    // MARK: What the owner wants

    /// What happens, to be read by one task.
    public nonisolated var events: Events { Events(session: self) }

    /// Who is there, in order of ID.
    public var peers: [Peer] { engine.peers }

    /// How long a heartbeat took to each peer and back, last time.
    public var roundTrips: [NodeID: Duration] {
        var times: [NodeID: Duration] = [:]
        for link in links.values { if let node = link.node, let time = link.roundTrip { times[node] = time } }
        return times
    }

    /// What this node may do.
    public var role: Role { engine.role }

    /// Sends octets to peers that are connected, at most 1 MiB at once.
    ///
    /// A reliable message arrives once and in order as long as the peer is not gone: one whose link breaks gets it over the
    /// next one. An unreliable one is dropped where it would have to wait. What cannot be sent is answered with a
    /// `trouble`.
    public nonisolated(nonsending) func send(
        _ octets: [UInt8], to recipients: Recipients = .everyone, reliability: Reliability = .reliable
    ) async { await post(octets, to: recipients, reliability: reliability) }

    /// Sends a value, at most 1 MiB of it when coded; the receivers have it from `Message.decoded(as:)`.
    ///
    /// Names of fields go with it, so that a program may add some and still understand its older versions. It is coded where the
    /// caller is, which throws an `EncodingError` for what is too large or nested more than 64 deep.
    // Otherwise `send([42])` would be a list of `Int`.
    @_disfavoredOverload
    public nonisolated(nonsending) func send(
        _ value: some Encodable, to recipients: Recipients = .everyone, reliability: Reliability = .reliable
    ) async throws {
        try await post(ValueEncoder.octets(of: value), as: .value, to: recipients, reliability: reliability)
    }

    func post(
        _ octets: [UInt8], as form: Parcel.Form = .octets, to recipients: Recipients = .everyone,
        reliability: Reliability = .reliable
    ) {
        tell(.wanted(.send(octets, as: form, to: recipients, reliably: reliability == .reliable)))
    }

    /// Shows a text on everybody's screen.
    public func say(_ text: String, to recipients: Recipients = .everyone) {
        tell(.wanted(.say(text, to: recipients)))
    }

    public func accept(_ node: NodeID) { tell(.wanted(.accept(node))) }
    public func decline(_ node: NodeID) { tell(.wanted(.decline(node))) }

    /// Sends a peer away. It, and whoever comes from its address, needs consent from now on.
    public func remove(_ node: NodeID) { tell(.wanted(.remove(node))) }

    /// What a guest may do from now on.
    public func allow(_ role: Role, _ node: NodeID) { tell(.wanted(.allow(role, node))) }

    /// Of several sessions of one name, the one this node is in.
    public func choose(_ node: NodeID) { tell(.wanted(.choose(node))) }

    /// Keeps a link to this address, where discovery does not reach.
    public func connect(host: String, port: UInt16) { tell(.wanted(.connect(host: host, port: port))) }

    /// Whether newcomers are taken. Whoever is in stays in.
    public var isAvailable: Bool { engine.isAvailable }
    public func setAvailable(_ available: Bool) { tell(.wanted(.available(available))) }

    /// Says goodbye and ends.
    public func leave() { tell(.wanted(.leave)) }

    nonisolated func nextEvent() async -> Event? {
        let (event, isLow) = await queue.next()
        if isLow { await release() }
        return event
    }

    func ask(_ request: JobRequest, _ continuation: CheckedContinuation<JobAnswer, Never>) {
        lastToken += 1
        let token = lastToken
        asked[token] = continuation
        handle(.wanted(request, token: token))
        clock.call(at: clock.now + Self.patience) { [transport, weak self] in
            Task(executorPreference: transport.executor) { await self?.giveUp(token) }
        }
    }

    private func giveUp(_ token: UInt64) {
        asked.removeValue(forKey: token)?.resume(
            returning: .refused("no answer came within \(Self.patience.components.seconds) s; the link may be lost"))
    }

    func change(cores: Int) {
        shell.setCores(cores)
        handle(.cores(cores))
    }

    // MARK: What the transport reports

    func took(_ event: TransportEvent) {
        switch event {
        case .opened(let id, let origin, let remote, let binding):
            let name: SessionLink
            switch origin {
            case .dialled(let dial): name = .dialled(dial.number)
            case .accepted: name = .accepted(id.number)
            }
            names[id] = name
            links[name] = Link(id: id, isDialled: origin != .accepted, binding: binding)
            if areHeld { transport.hold(id, true) }
            tell(.opened(name, address: remote.octets))
        case .received(let id, let octets): received(id, octets)
        case .closed(let id, _): closed(id, .lost)
        case .dialFailed(let dial, let failure):
            tell(.closed(.dialled(dial.number), failure == .wrongCode ? .wrongCode : .unreachable))
        case .refused(let endpoint, let refusal): tell(.turnedAway(endpoint, refusal))
        case .roundTrip(let id, let time):
            guard let name = names[id] else { return }
            links[name]?.roundTrip = time
            if let node = links[name]?.node { handle(.roundTrip(node, time)) }
        case .drained: break
        case .stopped: queue.finish()
        }
    }

    private func received(_ id: LinkID, _ octets: [UInt8]) {
        guard let name = names[id], let link = links[name] else { return }
        do {
            switch try PotluckWire.Message.decode(octets) {
            case .hello(let hello): greeted(name, link, hello)
            case let message?: tell(.received(name, message))
            case nil: break
            }
        } catch {
            tell(.trouble(.protocolBroken(nil, "\(error)")))
            transport.close(id, .leaving)
            closed(id, .lost)
        }
    }

    /// The proof of a node's ID: a signature over what only the two ends of this link know, and over which end it is.
    private func greeted(_ name: SessionLink, _ link: Link, _ hello: Hello) {
        let proof = Self.proof(link.binding, byDialler: !link.isDialled)
        guard Identity.isSignature(hello.signature, of: proof, by: hello.publicKey) else {
            transport.close(link.id, .leaving)
            return closed(link.id, .unproven)
        }
        let node = Identity.node(of: hello.publicKey)
        links[name]?.node = node
        tell(.greeted(name, hello.introduction, by: node))
    }

    static func proof(_ binding: [UInt8], byDialler: Bool) -> [UInt8] {
        Array("potluck/1 hello".utf8) + [byDialler ? 1 : 0] + binding
    }

    private func closed(_ id: LinkID, _ loss: LinkLoss) {
        guard let name = names.removeValue(forKey: id) else { return }
        links[name] = nil
        tell(.closed(name, loss))
    }

    // MARK: Effects

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

    private func perform(_ effect: Effect) {
        switch effect {
        case .session(let effect): perform(effect)
        case .wake(let time):
            clock.call(at: time) { [transport, weak self] in
                Task(executorPreference: transport.executor) { await self?.handle(.woke) }
            }
        case .answer(let answer, let token): asked.removeValue(forKey: token)?.resume(returning: answer)
        case .publish(let snapshot): tell(.job(.snapshot(snapshot)))
        case .finished(let id, let result): tell(.job(.finished(id, result)))
        case .failed(let id, let why): tell(.job(.failed(id, why)))
        case .lost(let id): tell(.job(.lost(id)))
        case .news(let news): tell(.job(.news(news)))
        case .prepare, .compute, .interrupt, .drop, .forget, .read: break
        }
    }

    private func perform(_ effect: SessionEffect) {
        switch effect {
        case .dial(.dialled(let number), let target): transport.dial(DialID(number), to: target.candidates)
        case .dial(.accepted, _): break
        case .greet(let name, let introduction):
            guard let link = links[name] else { return }
            let proof = Self.proof(link.binding, byDialler: link.isDialled)
            let hello = Hello(
                introduction: introduction, publicKey: identity.publicKey, signature: identity.signature(of: proof))
            transport.send(
                PotluckWire.Message.hello(hello).encoded(), on: link.id, lane: .control, reliability: .reliable)
        case .send(let name, let message, let reliably):
            guard let link = links[name] else { return }
            transport.send(
                octets(message), on: link.id, lane: message.lane, reliability: reliably ? .reliable : .unreliable)
        case .close(let name): close(name)
        // The engine's own; whose a message about jobs is, it decides itself.
        case .wake, .job: break
        case .changed(let peer): tell(.peer(peer))
        case .ask(let peer): tell(.request(Request(peer: peer, session: self)))
        case .deliver(let octets, let form, let from, let reliably):
            tell(
                .message(
                    Message(
                        octets: octets, sender: from, reliability: reliably ? .reliable : .unreliable,
                        isValue: form == .value)))
        case .said(let text, let from): tell(.said(text, from: from))
        case .roster(let entries): tell(.roster(entries))
        case .role(let role): tell(.role(role))
        case .choose(let peers): tell(.choice(peers))
        case .announce(let available): discovery.announce(available ? listening.with { $0 } : nil)
        case .trouble(let trouble): tell(.trouble(trouble))
        case .ended(let end):
            tell(.ended(end))
            for waiting in asked.values { waiting.resume(returning: .refused("the session is over")) }
            asked = [:]
            watch?.cancel()
            discovery.stop()
            transport.stop(.leaving)
        }
    }

    /// Everybody gets the same picture, and it may be long: it is made once.
    private func octets(_ message: PotluckWire.Message) -> [UInt8] {
        guard case .job(.picture(let picture)) = message else { return message.encoded() }
        if let last = lastPicture, last.picture == picture { return last.octets }
        let octets = message.encoded()
        lastPicture = (picture, octets)
        return octets
    }

    private func close(_ name: SessionLink) {
        if let link = links.removeValue(forKey: name) {
            names[link.id] = nil
            transport.close(link.id, .leaving)
        } else if case .dialled(let number) = name {
            transport.cancel(DialID(number))
        }
    }

    private func tell(_ event: Event) {
        guard queue.add(event), !areHeld else { return }
        areHeld = true
        for link in links.values { transport.hold(link.id, true) }
    }

    private func release() {
        guard areHeld else { return }
        areHeld = false
        for link in links.values { transport.hold(link.id, false) }
    }
}

extension DialTarget {
    var candidates: [Candidate] {
        switch self {
        case .node(_, let endpoints): endpoints.map(Candidate.endpoint)
        case .address(let host, let port): [.host(host, port: port)]
        }
    }
}

extension PotluckWire.Message {
    /// Parcels keep their order in one lane, and a goodbye comes after them. All else is short, and waits for nothing.
    var lane: LinkLane {
        switch self {
        case .parcel, .goodbye: .bulk
        case .job(let message): message.prefersBulk ? .bulk : .control
        case .hello, .welcome, .decline, .hold, .received, .roster, .role: .control
        }
    }
}
