import PotluckCore

/// Handles the messages about jobs.
extension Engine {
    /// Handles a message of a connected node, or of this one.
    mutating func receive(_ message: JobMessage, from node: NodeID, _ turn: inout Turn) {
        switch message {
        case .order, .command, .withdraw, .taken, .refused, .list, .listed: receiveRequest(message, from: node, &turn)
        case .job, .over, .forgotten, .picture, .course, .result, .replica: receiveNews(message, from: node, &turn)
        case .guesses(let id, let guesses):
            if coordinator.coordinates(id) {
                coordinator.guessed(guesses, of: id, &turn)
            } else if mayCoordinate(node) {
                remoteJobs.guesses(id, guesses, from: node)
            }
        case .unresolved(let jobs):
            guard canCoordinate else { return }
            coordinator.asked(about: jobs, by: node, &turn) { remoteJobs.coordinator(of: $0) != nil }
        case .lend(let id, let chunks): workerTasks.lend(id, chunks, from: node, &turn)
        case .drop(let id, let attempts): workerTasks.drop(id, attempts, from: node, &turn)
        case .interrupt(let id): workerTasks.interrupt(id, from: node, &turn)
        case .bound(let id, let best): workerTasks.bound(id, best, from: node, &turn)
        case .ready, .unable, .cores, .results, .improved, .failure, .offer: receiveWork(message, from: node, &turn)
        case .fetch(let hash, let offset):
            let isNamed =
                coordinator.names(hash) || workerTasks.names(hash, for: node)
                || coordinator.gives(hash, to: node, role: role(of: node), now: turn.now)
            blobs.fetch(hash, offset, by: node, isNamed: isNamed, &turn)
        case .part(let hash, let offset, let octets):
            conclude(blobs.part(hash, offset, octets, from: node, &turn), &turn)
        case .lacking(let hash, let why): conclude(blobs.lacking(hash, why, from: node, &turn), &turn)
        }
    }

    /// Handles requests of users of other nodes, and the answers to requests of this node's user.
    private mutating func receiveRequest(_ message: JobMessage, from node: NodeID, _ turn: inout Turn) {
        let isFlooding = durabilityGate.waiting(for: node) >= JobLimits.waitingAnswers
        switch message {
        case .order(_, _, let token) where isFlooding, .command(_, _, _, let token) where isFlooding,
            .withdraw(_, let token) where isFlooding:
            let why = "\(JobLimits.waitingAnswers) of your requests wait for the disk; try again in a moment"
            turn.send(.refused(why, token: token), to: node)
        case .order(let order, let ticket, let token):
            guard canCoordinate else { return turn.send(.refused("this node takes no jobs", token: token), to: node) }
            coordinator.order(order, ticket, by: node, role: role(of: node), token: token, &turn)
        case .command(let command, let id, let ticket, let token):
            coordinator.command(command, id, ticket: ticket, by: node, role: role(of: node), token: token, &turn)
        case .withdraw(let ticket, let token): coordinator.withdraw(ticket, by: node, token: token, &turn)
        case .taken(let id, let token): answered(token, by: node, .taken(id), &turn)
        case .refused(let why, let token): answered(token, by: node, .refused(why), &turn)
        case .list(let token): turn.send(.listed(token: token), to: node)
        case .listed(let token): listed(token, by: node, &turn)
        default: break
        }
    }

    /// Handles what a worker tells the coordinator.
    private mutating func receiveWork(_ message: JobMessage, from node: NodeID, _ turn: inout Turn) {
        switch message {
        case .ready(let id):
            coordinator.change(id) { run in
                run.readyAgain(node, &turn)
                run.ready(node, now: turn.now)
            }
        case .unable(let id, let why):
            let name = coordinator.workers[node]?.name ?? node.short
            coordinator.change(id) { $0.unable(node, why, &turn) }
            turn.tell(.news(.unable(id, node, name: name, why: why)))
        case .cores(let cores): coordinator.took(cores: cores, of: node, &turn)
        case .results(let id, let results): coordinator.took(results, of: id, from: node, &turn)
        case .improved(let id, let best): coordinator.change(id) { $0.improved(best, by: node, &turn) }
        case .failure(let id, let attempt, let block, let text):
            coordinator.failed(attempt, block: block, text, of: id, at: node, &turn)
        case .offer(let id, let work):
            coordinator.change(id) { run in
                for work in work { run.took(work, from: node, &turn) }
            }
        default: break
        }
    }

    /// Handles what a coordinator tells all nodes about its job. Only servers and peers coordinate.
    private mutating func receiveNews(_ message: JobMessage, from node: NodeID, _ turn: inout Turn) {
        switch message {
        case .job(let id, let spec, let epoch, let known):
            guard mayCoordinate(node) else { return }
            if node != own, !follow(id, spec, of: node, epoch: epoch, known: known, &turn) { return }
            workerTasks.job(id, spec, epoch: epoch, from: node, &turn)
            // Drops this node's own claim. Otherwise this node would return to it when it loses the other node.
            if node != own { workerTasks.over(id, from: own, &turn) }
        // The replica is kept until the result comes, because the coordinator's disk may still be writing it.
        case .over(let id): workerTasks.over(id, from: node, &turn)
        case .forgotten(let jobs):
            guard mayCoordinate(node) else { return }
            for id in jobs {
                remoteJobs.forgotten(id, by: node, name: name(of: node), &turn)
                workerTasks.over(id, from: node, &turn)
            }
        case .picture(let picture):
            guard mayCoordinate(node) else { return }
            if node != own, case .failed(let failure) = picture.state {
                coordinator.heard(picture.id, failed: failure, &turn)
            }
            remoteJobs.picture(picture, from: node, &turn)
            if node != own, picture.state.isOver, turn.hasEnded(picture.id) {
                coordinator.handedOverEnded(picture.id, message, &turn)
            }
        case .course(let id, let index, let point): remoteJobs.course(id, index, point, from: node)
        case .result(let id, let result):
            guard mayCoordinate(node) else { return }
            if node != own { coordinator.heard(id, result, &turn) }
            remoteJobs.result(id, result, from: node, &turn)
            if node != own, turn.hasEnded(id) { coordinator.handedOverEnded(id, message, &turn) }
            workerTasks.ended(id, &turn)
            if remoteJobs.coordinator(of: id) == node { replicas.forget(id) }
        case .replica(let id, let changes):
            guard canCoordinate, !turn.hasEnded(id), let mode = connected[node], mode != .client else { return }
            replicas.apply(id, changes, from: node, isAutomatic: mode == .peer, now: turn.now)
            workerTasks.hold(id, from: node, &turn)
        default: break
        }
    }

    private func mayCoordinate(_ node: NodeID) -> Bool { node == own || connected[node] != .client }

    /// Another node announces that it coordinates a job. Returns false if this node coordinates it and continues to.
    private mutating func follow(
        _ id: JobID, _ spec: JobSpec, of node: NodeID, epoch: UInt64, known: UInt64, _ turn: inout Turn
    ) -> Bool {
        let (mayLead, ledger) = coordinator.stepDown(from: id, for: node, epoch: epoch, known: known, &turn)
        guard mayLead else { return false }
        // This node coordinated the job until now. The other node may have fewer of its trials.
        if ledger != nil, !turn.hasEnded(id), remoteJobs.coordinator(of: id) == nil {
            turn.tell(.news(.continues(id, node, name: name(of: node))))
        }
        if !turn.hasEnded(id) {
            remoteJobs.job(
                id, spec, epoch: epoch, from: node, name: name(of: node), isEnding: known == Knowledge.whole, &turn)
        }
        replicas.coordinated(id, by: node, epoch: epoch, known: known, now: turn.now)
        if let ledger, !turn.hasEnded(id) {
            replicas.apply(id, ledger.changes, from: node, isAutomatic: connected[node] == .peer, now: turn.now)
        }
        return true
    }

    /// The role of a node for the jobs here.
    private func role(of node: NodeID) -> Role { node == own ? .hosts : session?.role(of: node) ?? .watches }
}
