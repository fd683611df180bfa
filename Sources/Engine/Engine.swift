import PotluckKit
import PotluckModel
import PotluckWire

/// All decisions of a node. It knows no socket, no clock and no chance: the same events at the same times have the same
/// effects, so a run can be replayed, and a test can be a thousand runs.
///
/// Five parts have one concern each: the session who is there, the coordinator the jobs this node took, the workbench what
/// is computed here, the remoteJobs what other coordinators show, the replicas what of theirs this node could go on with, and
/// blobs what travels. They talk in messages, those to this very node included, so that
/// a node alone works just as a room full of them.
///
/// `+Blobs` has how jobs get ready, and what travels for that and for what they write.
public struct Engine: Sendable {
    let own: NodeID
    var session: SessionMachine?
    var coordinator: Coordinator
    var workerTasks: WorkerTasks
    private var remoteJobs = RemoteJobs()
    private var replicas: Replicas
    var blobs = Blobs()
    var deeds: Deeds
    private var durabilityGate = DurabilityGate()
    /// Peers that have a link, in order of their coming.
    var connected = OrderedTable<NodeID, Mode>()
    /// Whose answer is awaited, in order of asking.
    private var asked: [(token: UInt64, node: NodeID)] = []
    /// How many cores the session introduced us with.
    private let introducedCores: Int
    private var last: Instant
    private var sessionWake: Instant?
    /// The time last asked for.
    private var wakeTime: Instant?

    public init(_ setup: EngineSetup, now: Instant) {
        own = setup.node
        session = setup.session.map { SessionMachine($0, now: now) }
        coordinator = Coordinator(own: setup.node, seed: setup.seed, mostBlocks: setup.mostBlocks)
        workerTasks = WorkerTasks(cores: setup.cores)
        replicas = Replicas(own: setup.node)
        deeds = Deeds(keepsJournal: setup.keepsJournal)
        introducedCores = setup.session?.cores ?? setup.cores
        last = now
        if canCoordinate {
            let worker = Worker(node: own, name: setup.name, cores: setup.cores)
            coordinator.joined(worker, &deeds, now: now)
        }
    }

    /// Takes in what happened, at a time that never goes backwards, and tells what is to be done about it, in that order.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        if now - last > JobLimits.sleep {
            coordinator.slept(now)
            remoteJobs.slept(now)
            blobs.slept(now)
            replicas.slept(now)
        }
        last = now
        if let wake = wakeTime, wake <= now { wakeTime = nil }
        take(event, now)
        deliver(now)
        coordinator.settle(&deeds, now: now)
        deliver(now)
        if !blobs.isIdle {
            forgetUnwanted()
            blobs.begin(&deeds, now: now)
            deliver(now)
        }
        if let wake = nextWake(now), wake != wakeTime {
            wakeTime = wake
            deeds.effects.append(.wake(at: wake))
        }
        for id in deeds.ending { replicas.forget(id) }
        defer {
            deeds.effects.removeAll(keepingCapacity: true)
            deeds.ending.removeAll(keepingCapacity: true)
        }
        return deeds.effects
    }

    private func nextWake(_ now: Instant) -> Instant? {
        var wake: Instant?
        func want(_ time: Instant?) { if let time { wake = min(wake ?? time, time) } }
        want(remoteJobs.wakeTime)
        want(replicas.wakeTime)
        want(blobs.wakeTime)
        if wake != nil {
            // Somebody is waited for. The event that was asked for last may do.
            let pulse = now + JobLimits.pulse
            want(min(wakeTime ?? pulse, pulse))
        }
        want(sessionWake)
        want(coordinator.wakeTime(now))
        return wake
    }

    private mutating func take(_ event: Event, _ now: Instant) {
        switch event {
        case .session(let event): tell(event, now)
        case .wanted(let request, let token): wanted(request, token, now)
        case .prepared(let id, .lacks(let blob)): lacks(blob, id, now)
        case .prepared(let id, let preparation): prepared(id, preparation, now)
        case .partRead(let hash, let offset, let octets, let node):
            blobs.read(hash, offset, octets, for: node, &deeds)
        case .shelved(let hash, let shelved):
            settle(blobs.shelved(hash, shelved, &deeds), now)
            if shelved == .right { deeds.effects.append(.discard(hash)) }
        case .collected(let attempt, let collected):
            coordinator.collected(attempt, collected, &deeds, now: now)
        case .sealed(let id, let sealed): coordinator.sealed(id, sealed, &deeds, now: now)
        case .computed(let outcomes):
            for outcome in workerTasks.computed(outcomes, &deeds) { coordinator.judged(outcome, &deeds, now: now) }
        case .read(let request, let readings): coordinator.read(request, readings, &deeds, now: now)
        case .unreadable(let id, let why): coordinator.change(id) { $0.fail(why, &deeds) }
        case .cores(let cores):
            workerTasks.took(cores: cores, &deeds)
            deeds.send(.cores(cores), to: own)
            for node in connected.keys { deeds.send(.cores(cores), to: node) }
        case .found(let jobs): coordinator.found(jobs, &deeds)
        case .durable(let number): durabilityGate.durable(upTo: number)
        case .journal(let trouble): coordinator.took(journalTrouble: trouble, &deeds, now: now)
        case .roundTrip(let node, let time): coordinator.took(roundTrip: time, to: node)
        case .woke:
            if sessionWake.map({ $0 <= now }) ?? false { tell(.woke, now) }
            coordinator.woke(&deeds, now: now)
            remoteJobs.woke(&deeds, now: now)
            for id in replicas.due(now) {
                guard seesMost else { replicas.putOff(id, now); continue }
                if let job = replicas.take(id, now: now) { takeOver(job) }
            }
            settle(blobs.woke(&deeds, now: now), now)
            search(now)
        }
    }

    /// Who has lost most of the others is cut off, and not they.
    private var seesMost: Bool {
        let peers = session?.peers ?? []
        return peers.count { $0.state == .connected } + 1 >= peers.count { $0.state == .suspect }
    }

    private mutating func takeOver(_ job: KeptJob) {
        remoteJobs.forget(job.record.id)
        coordinator.takeOver(job, &deeds)
    }

    // MARK: For whoever looks on

    /// Who is there, in order of ID.
    public var peers: [Peer] { session?.peers ?? [] }
    /// What this node may do.
    public var role: Role { session?.role ?? .hosts }
    /// Whether another node coordinates that job, or did.
    public func isShown(_ id: JobID) -> Bool { remoteJobs.coordinator(of: id) != nil }
    /// Whether newcomers are taken.
    public var isAvailable: Bool { session?.isAvailable ?? false }

    // MARK: Requests

    private var canCoordinate: Bool { session.map { $0.setup.mode != .client } ?? true }

    private mutating func wanted(_ request: JobRequest, _ token: UInt64, _ now: Instant) {
        switch request {
        case .order(let order, let ticket):
            for blob in order.recipe.blobs { blobs.ordered(blob) }
            if session != nil, let why = order.obstacle {
                deeds.effects.append(.answer(.refused(why), token: token))
            } else if canCoordinate {
                coordinator.order(order, ticket, by: own, role: .hosts, token: token, &deeds)
            } else if let node = anyCoordinator {
                ask(node, .order(order, ticket: ticket, token: token), token)
            } else {
                deeds.effects.append(.answer(.refused("no connected node takes jobs"), token: token))
            }
        case .command(let command, let id, let ticket):
            let node = remoteJobs.coordinator(of: id) ?? (canCoordinate ? own : anyCoordinator)
            if node == own {
                coordinator.command(
                    command, id, ticket: ticket, by: own, role: .hosts, token: token, &deeds, now: now)
            } else if let node, connected[node] != nil {
                ask(node, .command(command, id, ticket: ticket, token: token), token)
            } else {
                deeds.effects.append(.answer(.refused("the coordinator of job \(id) is not connected"), token: token))
            }
        case .takeOver:
            let jobs = canCoordinate ? replicas.takeAllLost(now) : []
            for job in jobs { takeOver(job) }
            let why =
                canCoordinate
                ? "this node knows no job without a coordinator" : "this node is a guest and takes no jobs"
            deeds.effects.append(.answer(jobs.isEmpty ? .refused(why) : .takenOver(jobs.count), token: token))
        case .output(let id, let blob):
            if coordinator.gives(blob.hash, to: own, role: .hosts, now: now) {
                deeds.effects.append(.answer(.output(blob), token: token))
            } else if let node = remoteJobs.coordinator(of: id) {
                let isConnected = connected[node] != nil
                _ = blobs.want(
                    blob, for: .whole(id, token: token), from: node, isConnected: isConnected, &deeds, now: now)
            } else {
                deeds.effects.append(.answer(.refused("the output is no longer available"), token: token))
            }
        }
    }

    private mutating func ask(_ node: NodeID, _ message: JobMessage, _ token: UInt64) {
        asked.append((token, node))
        deeds.send(message, to: node)
    }

    /// An answer that was awaited; nobody else's counts.
    private mutating func answered(_ token: UInt64, by node: NodeID, _ answer: JobAnswer) {
        guard let index = asked.firstIndex(where: { $0.token == token && $0.node == node }) else { return }
        asked.remove(at: index)
        deeds.effects.append(.answer(answer, token: token))
    }

    /// Whoever was asked cannot answer any more.
    private mutating func lostAnswers(of node: NodeID) {
        for (token, asked) in asked where asked == node {
            let why =
                "the connection was lost before the answer; check whether the job was started before you try again"
            deeds.effects.append(.answer(.refused(why), token: token))
        }
        asked.removeAll { $0.node == node }
    }

    /// Where a client takes its orders.
    private var anyCoordinator: NodeID? { connected.keys.filter { connected[$0] != .client }.min() }

    // MARK: The session

    private mutating func tell(_ event: SessionEvent, _ now: Instant) {
        guard let effects = session?.handle(event, at: now) else { return }
        if case .woke = event { sessionWake = nil }
        for node in session?.relinked ?? [] { relinked(node, now) }
        for effect in effects {
            switch effect {
            case .wake(let time): sessionWake = time
            case .job(let message, let node): receive(message, from: node, now)
            case .changed(let peer):
                changed(peer, now)
                deeds.effects.append(.session(effect))
            case .ended:
                sessionWake = nil
                coordinator.forgetFinished(until: now, &deeds)
                deeds.effects.append(.session(effect))
            default: deeds.effects.append(.session(effect))
            }
        }
    }

    /// Over the new link everything begins anew: one end may have found the old one broken long before the other.
    private mutating func relinked(_ node: NodeID, _ now: Instant) {
        guard connected[node] != nil, let peer = session?.peers.first(where: { $0.node == node }) else { return }
        disconnected(node)
        changed(peer, now)
    }

    private mutating func disconnected(_ node: NodeID) {
        guard connected[node] != nil else { return }
        connected[node] = nil
        lostAnswers(of: node)
        coordinator.left(node)
        workerTasks.lost(node, &deeds)
        replicas.lost(node, now: last)
        settle(blobs.lost(node, &deeds, now: last), last)
    }

    private mutating func changed(_ peer: Peer, _ now: Instant) {
        switch peer.state {
        case .connected:
            guard connected[peer.node] == nil else { return coordinator.renamed(peer.node, peer.displayName) }
            connected[peer.node] = peer.mode
            remoteJobs.back(peer.node, now: now)
            replicas.back(peer.node)
            blobs.back(peer.node)
            if workerTasks.cores != introducedCores { deeds.send(.cores(workerTasks.cores), to: peer.node) }
            guard canCoordinate else { return }
            let worker = Worker(
                node: peer.node, name: peer.displayName, address: session?.address(of: peer.node) ?? [],
                cores: peer.cores, canCoordinate: peer.mode != .client)
            coordinator.joined(worker, &deeds, now: now)
            coordinator.back(peer.node)
            search(now)
        case .available, .connecting, .suspect, .gone:
            disconnected(peer.node)
            if case .suspect = peer.state { remoteJobs.awaits(peer.node, name: peer.displayName, &deeds) }
            if case .gone = peer.state { remoteJobs.lost(peer.node, name: peer.displayName, &deeds, now: now) }
            for (id, claim) in workerTasks.deserted where !deeds.hasEnded(id) {
                remoteJobs.job(id, claim.spec, epoch: claim.epoch, from: claim.node, name: name(of: claim.node), &deeds)
                workerTasks.job(id, claim.spec, epoch: claim.epoch, from: claim.node, &deeds)
            }
        }
    }

    // MARK: Messages

    /// Delivers what the parts have to say to each other and to other nodes, until nobody has anything to say.
    private mutating func deliver(_ now: Instant) {
        while true {
            let (beginning, told) = durabilityGate.settle(&deeds)
            for id in beginning { coordinator.change(id) { $0.mayBegin = true } }
            // Of a machine alone there is nobody else to be told.
            let isAlone = session == nil
            coordinator.finished += told.map { Coordinator.Finished(id: $0, at: now, isMarked: isAlone) }
            fetchOutputs(now)
            guard !deeds.mail.isEmpty || !deeds.shutOut.isEmpty else { return }
            let mail = deeds.mail
            deeds.mail = []
            for (node, message) in mail {
                if node == own {
                    receive(message, from: own, now)
                } else {
                    for effect in session?.send(message, to: node) ?? [] { deeds.effects.append(.session(effect)) }
                }
            }
            let shutOut = deeds.shutOut
            deeds.shutOut = []
            for node in shutOut { tell(.wanted(.remove(node)), now) }
        }
    }

    private mutating func receive(_ message: JobMessage, from node: NodeID, _ now: Instant) {
        switch message {
        case .order(let order, let ticket, let token):
            guard canCoordinate else { return deeds.send(.refused("this node takes no jobs", token: token), to: node) }
            coordinator.order(order, ticket, by: node, role: role(of: node), token: token, &deeds)
        case .command(let command, let id, let ticket, let token):
            coordinator.command(
                command, id, ticket: ticket, by: node, role: role(of: node), token: token, &deeds, now: now)
        case .taken(let id, let token): answered(token, by: node, .taken(id))
        case .refused(let why, let token): answered(token, by: node, .refused(why))
        case .job(let id, let spec, let epoch, let known):
            // Nobody but servers and peers coordinates.
            guard node == own || connected[node] != .client else { return }
            if node != own {
                let (mayLead, ledger) = coordinator.stepDown(
                    from: id, for: node, epoch: epoch, known: known, &deeds, now: now)
                guard mayLead else { return }
                // It was our own job until now. Its trials may be fewer where it goes on.
                if ledger != nil, !deeds.hasEnded(id), remoteJobs.coordinator(of: id) == nil {
                    deeds.effects.append(.news(.goesOn(id, node, name: name(of: node))))
                }
                if !deeds.hasEnded(id) {
                    remoteJobs.job(id, spec, epoch: epoch, from: node, name: name(of: node), &deeds)
                }
                replicas.coordinated(id, by: node, epoch: epoch, known: known, now: now)
                if let ledger, !deeds.hasEnded(id) {
                    replicas.take(
                        id, ledger.changes, from: node, isAutomatic: connected[node] == .peer, now: now)
                }
            }
            workerTasks.job(id, spec, epoch: epoch, from: node, &deeds)
        case .offer(let id, let work):
            coordinator.change(id) { run in
                for work in work { run.took(work, from: node, &deeds, now: now) }
            }
        case .replica(let id, let changes):
            guard canCoordinate, !deeds.hasEnded(id), let mode = connected[node], mode != .client else { return }
            replicas.take(id, changes, from: node, isAutomatic: mode == .peer, now: now)
            workerTasks.hold(id, from: node, &deeds)
        case .ready(let id):
            coordinator.change(id) { run in
                run.readyAgain(node, &deeds, now: now)
                run.ready(node, now: now)
            }
        case .unable(let id, let why):
            let name = coordinator.workers[node]?.name ?? node.short
            coordinator.change(id) { $0.unable(node, why, &deeds) }
            deeds.effects.append(.news(.unable(id, node, name: name, why: why)))
        case .cores(let cores): coordinator.took(cores: cores, of: node)
        case .lend(let id, let chunks): workerTasks.lend(id, chunks, from: node, &deeds)
        case .drop(let id, let attempts): workerTasks.drop(id, attempts, from: node, &deeds)
        case .interrupt(let id): workerTasks.interrupt(id, from: node, &deeds)
        case .over(let id):
            // Its replica is kept until it is told what it came to: that may still be on its way to a disk.
            workerTasks.over(id, from: node, &deeds)
        case .results(let id, let results): coordinator.took(results, of: id, from: node, &deeds, now: now)
        case .failure(let id, let attempt, let block, let text):
            coordinator.failed(attempt, block: block, text, of: id, at: node, &deeds, now: now)
        case .picture(let picture):
            guard node == own || connected[node] != .client else { return }
            if node != own, case .failed(let why) = picture.state {
                coordinator.heard(picture.job, failed: why, &deeds)
            }
            remoteJobs.picture(picture, from: node, &deeds)
        case .course(let id, let index, let point): remoteJobs.course(id, index, point, from: node)
        case .result(let id, let result):
            guard node == own || connected[node] != .client else { return }
            if node != own { coordinator.heard(id, result, &deeds, now: now) }
            remoteJobs.result(id, result, from: node, &deeds)
            workerTasks.ended(id, &deeds)
            if remoteJobs.coordinator(of: id) == node { replicas.forget(id) }
        case .fetch(let hash, let offset):
            let isNamed =
                coordinator.names(hash) || workerTasks.names(hash, for: node)
                || coordinator.gives(hash, to: node, role: role(of: node), now: now)
            blobs.fetch(hash, offset, by: node, isNamed: isNamed, &deeds)
        case .part(let hash, let offset, let octets):
            settle(blobs.part(hash, offset, octets, from: node, &deeds, now: now), now)
        case .lacking(let hash, let why): settle(blobs.lacking(hash, why, from: node, &deeds), now)
        }
    }

    /// What a node may do with jobs here.
    private func role(of node: NodeID) -> Role { node == own ? .hosts : session?.role(of: node) ?? .watches }
}
