import PotluckCore
import PotluckKit

/// All decisions of a node. It has no socket, no clock and no source of chance. The same events at the same times have
/// the same effects, so a run can be replayed and a test can cover a thousand runs.
///
/// Each part has one concern. `session` has the members, `coordinator` the jobs that this node took, and `workerTasks`
/// the chunks that it computes. `remoteJobs` has the jobs that other nodes coordinate, and `replicas` those that this
/// node could continue. `blobs` has modules, tables and outputs in flight. The parts talk in messages, also within this
/// node, so that a node alone works like a session full of them.
///
/// `+Messages` has what messages do, `+Requests` what the user wants, `+Blobs` how jobs get ready and how blobs travel.
public struct Engine: Sendable {
    let own: NodeID
    var session: SessionMachine?
    var coordinator: Coordinator
    var workerTasks: WorkerTasks
    var remoteJobs = RemoteJobs()
    var replicas: Replicas
    var blobs = Blobs()
    private var reportedEnds = ReportedEnds()
    private let keepsJournal: Bool
    var durabilityGate = DurabilityGate()
    /// Peers that have a link, in the order in which they connected.
    var connected = OrderedTable<NodeID, Mode>()
    /// The requests that other nodes have not answered, in order of asking.
    var asked: [Asked] = []
    /// The number of cores that the session tells new peers.
    private let introducedCores: Int
    /// The time of the last event.
    private var last: Instant
    /// The wake-up that the session asked for.
    private var sessionWake: Instant?
    /// The wake-up that the shell was last asked for; nil once it has passed.
    private var wakeTime: Instant?

    public init(_ setup: EngineSetup, now: Instant) {
        own = setup.node
        session = setup.session.map { SessionMachine($0, now: now) }
        coordinator = Coordinator(own: setup.node, seed: setup.seed, mostBlocks: setup.mostBlocks)
        workerTasks = WorkerTasks(cores: setup.cores)
        replicas = Replicas(own: setup.node)
        keepsJournal = setup.keepsJournal
        introducedCores = setup.session?.cores ?? setup.cores
        last = now
        if canCoordinate {
            let worker = Worker(node: own, name: setup.name, cores: setup.cores)
            var turn = Turn(now: now, keepsJournal: keepsJournal)
            coordinator.joined(worker, &turn)
            assert(turn.isDelivered && turn.effects.isEmpty, "a new engine must have no effects")
        }
    }

    /// Handles an event, at a time that never goes backwards. Returns the effects in the order in which the shell shall
    /// carry them out.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        if now - last > JobLimits.sleep {
            coordinator.slept(since: last, until: now)
            remoteJobs.slept(now)
            blobs.slept(now)
            replicas.slept(now)
        }
        last = now
        if let wake = wakeTime, wake <= now { wakeTime = nil }
        var turn = Turn(now: now, keepsJournal: keepsJournal, reportedEnds: reportedEnds)
        dispatch(event, &turn)
        deliver(&turn)
        coordinator.finishTurn(&turn)
        deliver(&turn)
        if !blobs.isIdle {
            forgetUnwanted(&turn)
            blobs.begin(&turn)
            deliver(&turn)
        }
        if let wake = nextWake(now), wake != wakeTime {
            wakeTime = wake
            turn.effects.append(.wake(at: wake))
        }
        for id in turn.ending { replicas.forget(id) }
        reportedEnds = turn.reportedEnds
        assert(turn.isDelivered)
        assert(!remoteJobs.contains(where: coordinator.coordinates), "a job has a coordinator here and elsewhere")
        return turn.effects
    }

    private func nextWake(_ now: Instant) -> Instant? {
        var wake: Instant?
        func want(_ time: Instant?) { if let time { wake = min(wake ?? time, time) } }
        want(remoteJobs.wakeTime)
        want(replicas.wakeTime)
        want(blobs.wakeTime)
        want(asked.compactMap(\.until).min())
        if wake != nil {
            // This node waits for another one. The wake-up that was asked for last may be soon enough.
            let pulse = now + JobLimits.pulse
            want(min(wakeTime ?? pulse, pulse))
        }
        want(sessionWake)
        want(coordinator.wakeTime(now))
        return wake
    }

    private mutating func dispatch(_ event: Event, _ turn: inout Turn) {
        switch event {
        case .session(let event): handleSession(event, &turn)
        case .wanted(let request, let token): wanted(request, token, &turn)
        case .prepared(let id, .lacks(let blob)): lacks(blob, id, &turn)
        case .prepared(let id, let preparation): prepared(id, preparation, &turn)
        case .partRead(let hash, let offset, let octets, let node):
            blobs.read(hash, offset, octets, for: node, &turn)
        case .shelved(let hash, let shelved):
            conclude(blobs.shelved(hash, shelved, &turn), &turn)
            if shelved == .right { turn.act(.discard(hash)) }
        case .collected(let attempt, let collected):
            coordinator.collected(attempt, collected, &turn)
        case .sealed(let id, let sealed): coordinator.sealed(id, sealed, &turn)
        case .computed(let outcomes):
            for outcome in workerTasks.computed(outcomes, &turn) { coordinator.judged(outcome, &turn) }
        case .improved(let id, let best): workerTasks.improved(id, best, &turn)
        case .guessed(let id, let guess): guessed(guess, of: id, &turn)
        case .read(let request, let readings): coordinator.read(request, readings, &turn)
        case .unreadable(let id, let why): coordinator.change(id) { $0.fail(.other(why), &turn) }
        case .cores(let cores):
            workerTasks.took(cores: cores, &turn)
            turn.send(.cores(cores), to: own)
            for node in connected.keys { turn.send(.cores(cores), to: node) }
        case .found(let jobs): coordinator.found(jobs, &turn)
        case .durable(let number): durabilityGate.durable(upTo: number)
        case .journal(let trouble):
            durabilityGate.trouble = trouble
            coordinator.took(journalTrouble: trouble, &turn)
        case .roundTrip(let node, let time): coordinator.took(roundTrip: time, to: node)
        case .woke:
            if sessionWake.map({ $0 <= turn.now }) ?? false { handleSession(.woke, &turn) }
            coordinator.woke(&turn)
            // An older node does not report forgotten jobs, but it announces its open jobs when it connects.
            for (id, node) in remoteJobs.due(turn.now) where connected[node] != nil {
                remoteJobs.forgotten(id, by: node, name: name(of: node), &turn)
            }
            remoteJobs.woke(&turn)
            for id in replicas.due(turn.now) {
                guard seesMost else { replicas.putOff(id, turn.now); continue }
                if let job = replicas.take(id, now: turn.now) { takeOver(job, &turn) }
            }
            conclude(blobs.woke(&turn), &turn)
            search(&turn)
            listLate(&turn)
        }
    }

    /// Whether this node still sees most peers. A node that has lost most of them is cut off itself.
    private var seesMost: Bool {
        let peers = session?.peers ?? []
        return peers.count { $0.state == .connected } + 1 >= peers.count { $0.state == .suspect }
    }

    mutating func takeOver(_ job: KeptJob, _ turn: inout Turn) {
        remoteJobs.forget(job.record.id)
        coordinator.takeOver(job, &turn)
    }

    // MARK: State

    /// The peers, in order of ID.
    public var peers: [Peer] { session?.peers ?? [] }
    /// The link to a connected peer; nil if there is none.
    public func link(to node: NodeID) -> LinkName? {
        if case .connected(let link, _)? = session?.members[node]?.standing { link } else { nil }
    }
    /// Nil for a node that is no peer.
    public func mode(of node: NodeID) -> Mode? { session?.members[node]?.mode }
    /// Whether a peer may start work.
    public func mayOrder(_ node: NodeID) -> Bool { (session?.role(of: node) ?? .watches) != .watches }
    /// The role of this node.
    public var role: Role { session?.role ?? .hosts }
    /// Whether another node coordinates that job, or coordinated it.
    public func isShown(_ id: JobID) -> Bool { remoteJobs.coordinator(of: id) != nil }
    /// Whether a job that this node coordinates has blocks, neither lent nor set apart, which a node may have.
    public func hasBlocks(for node: NodeID, of id: JobID, now: Instant) -> Bool {
        coordinator.runs.contains { $0.id == id && $0.hasBlocks(for: node, now) }
    }
    /// Whether newcomers are taken.
    public var isAvailable: Bool { session?.isAvailable ?? false }

    // MARK: The session

    private mutating func handleSession(_ event: SessionEvent, _ turn: inout Turn) {
        guard let outputs = session?.handle(event, at: turn.now) else { return }
        if case .woke = event { sessionWake = nil }
        for node in session?.relinked ?? [] { relinked(node, &turn) }
        for output in outputs {
            switch output {
            case .wake(let time): sessionWake = time
            case .job(let message, let node): receive(message, from: node, &turn)
            case .effect(let effect):
                if case .changed(let peer) = effect { changed(peer, &turn) }
                if case .ended = effect {
                    sessionWake = nil
                    coordinator.forgetFinished(until: turn.now, &turn)
                }
                turn.effects.append(.session(effect))
            }
        }
    }

    /// A new link replaced an old one. The node is treated as if it had left and returned, because one end may have
    /// lost the old link long before the other.
    private mutating func relinked(_ node: NodeID, _ turn: inout Turn) {
        guard connected[node] != nil, let peer = session?.peers.first(where: { $0.node == node }) else { return }
        disconnected(node, &turn)
        changed(peer, &turn)
    }

    private mutating func disconnected(_ node: NodeID, _ turn: inout Turn) {
        guard connected[node] != nil else { return }
        connected[node] = nil
        lostAnswers(of: node, &turn)
        coordinator.left(node)
        durabilityGate.left(node)
        coordinator.dropOrders(of: node, &turn)
        workerTasks.lost(node, &turn)
        replicas.lost(node, now: turn.now)
        conclude(blobs.lost(node, &turn), &turn)
    }

    private mutating func changed(_ peer: Peer, _ turn: inout Turn) {
        switch peer.state {
        case .connected:
            guard connected[peer.node] == nil else { return coordinator.renamed(peer.node, peer.displayName) }
            connected[peer.node] = peer.mode
            remoteJobs.back(peer.node, now: turn.now)
            replicas.back(peer.node)
            blobs.back(peer.node)
            if workerTasks.cores != introducedCores { turn.send(.cores(workerTasks.cores), to: peer.node) }
            if peer.mode != .client {
                ask(peer.node, about: remoteJobs.unresolved + coordinator.unresolved, &turn)
                askForAll(peer.node, &turn)
            }
            guard canCoordinate else { return }
            let worker = Worker(
                node: peer.node, name: peer.displayName, address: session?.address(of: peer.node) ?? [],
                cores: peer.cores, canCoordinate: peer.mode != .client, isBrowser: peer.kind.isBrowser)
            coordinator.joined(worker, &turn)
            coordinator.back(peer.node)
            search(&turn)
        case .available, .connecting, .suspect, .gone:
            disconnected(peer.node, &turn)
            var orphans: [JobID] = []
            if case .suspect = peer.state { orphans = remoteJobs.awaits(peer.node, name: peer.displayName, &turn) }
            if case .gone = peer.state { orphans = remoteJobs.lost(peer.node, name: peer.displayName, &turn) }
            // Another node may have continued and ended them, before this one knew that their coordinator is lost.
            for node in coordinators { ask(node, about: orphans, &turn) }
            // An older claim does not count once this node has taken the job over.
            for (id, claim) in workerTasks.deserted where !turn.hasEnded(id) && !coordinator.coordinates(id) {
                remoteJobs.job(id, claim.spec, epoch: claim.epoch, from: claim.node, name: name(of: claim.node), &turn)
                workerTasks.job(id, claim.spec, epoch: claim.epoch, from: claim.node, &turn)
            }
        }
    }

    // MARK: Messages

    /// Delivers the messages of this turn, within this node and to others, until there are no more.
    private mutating func deliver(_ turn: inout Turn) {
        while true {
            let (beginning, told) = durabilityGate.release(&turn)
            for id in beginning { coordinator.change(id) { $0.keeping.mayBegin = true } }
            // Without a session there is no other node to tell.
            let isAlone = session == nil
            coordinator.finished += told.map { Coordinator.Finished(id: $0, at: turn.now, isMarked: isAlone) }
            fetchOutputs(&turn)
            guard !turn.mail.isEmpty || !turn.shutOut.isEmpty else { return }
            let mail = turn.mail
            turn.mail = []
            for (node, message) in mail {
                if node == own {
                    receive(message, from: own, &turn)
                } else {
                    for effect in session?.send(message, to: node) ?? [] { turn.effects.append(.session(effect)) }
                }
            }
            let shutOut = turn.shutOut
            turn.shutOut = []
            for node in shutOut { handleSession(.wanted(.remove(node)), &turn) }
        }
    }
}
