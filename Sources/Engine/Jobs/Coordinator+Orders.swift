import PotluckCore
import PotluckKit

/// Orders and commands of users. `+Queue` says when a job begins.
extension Coordinator {
    /// Takes an order and prepares its simulation, or refuses it. Confirms it in `prepared`.
    mutating func order(
        _ order: JobOrder, _ ticket: JobTicket, by node: NodeID, role: Role, token: UInt64, _ turn: inout Turn
    ) {
        guard role != .watches else {
            return refuse(
                "only the host may start jobs in this session (to allow guests, use serve --guests submit)", node,
                token, &turn)
        }
        if let journalTrouble {
            return refuse("the journal cannot be written: \(journalTrouble)", node, token, &turn)
        }
        guard !tookBefore(order, ticket, by: node, token: token, &turn) else { return }
        let theirs = runs.count { $0.taken.submitter == node } + pending.count { $0.taken.submitter == node }
        guard runs.count + pending.count < JobLimits.jobs, theirs < JobLimits.jobsOfOne else {
            return refuse("too many jobs are queued; cancel one, or wait", node, token, &turn)
        }
        var id = JobID(0)
        while id.number == 0 || coordinates(id) { id = JobID(random.next()) }
        let taken = TakenJob(
            order: order, ticket: ticket, submitter: node, submitterName: workers[node]?.name ?? node.short)
        pending.append(Pending(id: id, taken: taken, origin: .order(token: token), since: turn.now))
        turn.act(.prepare(id, order.recipe))
    }

    /// Confirms an order that comes again because the answer to it was lost. The job is the one of the first time.
    /// Returns false if the order is new. Without a session no answer is lost, and orders have no ticket of their own.
    private mutating func tookBefore(
        _ order: JobOrder, _ ticket: JobTicket, by node: NodeID, token: UInt64, _ turn: inout Turn
    ) -> Bool {
        guard ticket != JobTicket.none else { return false }
        func isSame(_ taken: TakenJob) -> Bool {
            // Meanwhile the user may have made the job more or less urgent.
            var known = taken.order
            known.priority = order.priority
            return taken.ticket == ticket && known == order
        }
        let waiting = pending.firstIndex { isSame($0.taken) }
        if let waiting, case .order = pending[waiting].origin {
            // It is confirmed once its simulation is prepared.
            pending[waiting].origin = .order(token: token)
            return true
        }
        let id =
            waiting.map { pending[$0].id } ?? runs.first { isSame($0.taken) }?.id
            ?? endings.last { isSame($0.taken) }?.job
        guard let id else { return false }
        confirm(id, node, token, &turn)
        return true
    }

    private func refuse(_ why: String, _ node: NodeID, _ token: UInt64, _ turn: inout Turn) {
        if node == own {
            turn.answer(.refused(why), token: token)
        } else {
            turn.send(.refused(why, token: token), to: node)
        }
    }

    private func confirm(_ id: JobID, _ node: NodeID, _ token: UInt64, _ turn: inout Turn) {
        if node == own {
            turn.promises.append(.effect(.answer(.taken(id), token: token)))
        } else {
            turn.promises.append(.mail(.taken(id, token: token), to: node))
        }
    }

    private func confirmCommand(_ id: JobID, _ node: NodeID, _ token: UInt64, _ turn: inout Turn) {
        turn.promises.append(.answer(.init(job: id, node: node, isOwn: node == own, token: token)))
    }

    func isPending(_ id: JobID) -> Bool { pending.contains { $0.id == id } }

    /// Whether this node coordinates a job, or is about to.
    func coordinates(_ id: JobID) -> Bool { isPending(id) || runs.contains { $0.id == id } }

    /// The jobs here that are not over, each with its simulation's name.
    var open: [JobID: String] {
        var open: [JobID: String] = [:]
        for run in runs where !run.isOver { open[run.id] = run.spec.experiment.simulation.name }
        return open
    }

    /// Whether a job here needs that blob.
    func names(_ blob: BlobHash) -> Bool { runs.contains { $0.spec.recipe.names(blob) } }

    /// Queues a job whose simulation was prepared. Refuses the order, or keeps a continued job in the journal, if it
    /// cannot be.
    mutating func prepared(_ id: JobID, _ preparation: Preparation, _ turn: inout Turn) {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        let order = pending.remove(at: index)
        switch preparation {
        case .lacks(let blob):
            cannotBegin(order, order.taken.order.recipe.words(blob, "is missing", "are missing"), &turn)
        case .impossible(let why): cannotBegin(order, why, &turn)
        case .ready(let facts) where facts.blockSize != order.taken.order.experiment.blockSize:
            cannotBegin(order, "its block size differs on this node; update the older potluck", &turn)
        case .ready(let facts):
            var run: JobRun
            switch order.origin {
            case .order(let token):
                run = JobRun(
                    id: id, order.taken, facts: facts, kept: nil, epoch: 0, own: own, seed: random.next(), now: turn.now
                )
                run.hidesExact = order.hidesExact ?? run.hidesExact
                turn.keep(.accepted(run.record))
                if order.taken.order.startsPaused {
                    run.pause(&turn)
                    run.keep(.stands(id, .paused), &turn)
                    run.readPicture(&turn)
                }
                confirm(id, order.taken.submitter, token, &turn)
            case .kept(let kept, let epoch):
                run = JobRun(
                    id: id, order.taken, facts: facts, kept: kept, epoch: epoch, own: own, seed: random.next(),
                    now: turn.now)
                for change in run.kept(turn.now).changes { turn.keep(change) }
                run.reread(kept, &turn)
                if !turn.isSilent(id) {
                    turn.tell(.news(.continues(id, own, name: workers[own]?.name ?? own.short)))
                }
            }
            turn.promises.append(.begin(id))
            for node in workers.keys { announce(&run, to: node, &turn) }
            runs.append(run)
        }
    }

    private func cannotBegin(_ order: Pending, _ why: String, _ turn: inout Turn) {
        turn.act(.forget(order.id))
        switch order.origin {
        case .order(let token):
            refuse(why, order.taken.submitter, token, &turn)
            // Users that saw the job being prepared see how that ended.
            if order.isShown { turn.end(order.id, .failed(order.id, .other(why))) }
        case .kept where turn.isSilent(order.id): turn.keep(.forgotten(order.id))
        // The journal keeps the job, because its missing parts may be there at the next start.
        case .kept:
            turn.tell(.news(.stranded(order.id, why: why)))
            // Another coordinator's claim may have been refused meanwhile.
            for node in capable { turn.send(.unresolved([order.id]), to: node) }
        }
    }

    /// Carries out a command for a job, or refuses to.
    mutating func command(
        _ command: JobCommand, _ id: JobID, ticket: JobTicket?, by node: NodeID, role: Role, token: UInt64,
        _ turn: inout Turn
    ) {
        if let index = pending.firstIndex(where: { $0.id == id }) {
            return self.command(command, onPending: index, ticket: ticket, by: node, role: role, token: token, &turn)
        }
        let found = runs.firstIndex { $0.id == id }
        let ended = endings.lastIndex { $0.job == id }
        guard let taken = found.map({ runs[$0].taken }) ?? ended.map({ endings[$0].taken }) else {
            return refuse("no job \(id) here", node, token, &turn)
        }
        guard may(node, role, ticket, command: taken) else {
            return refuse("only the host and \(taken.submitterName), who started it, may do that", node, token, &turn)
        }
        guard let index = found else {
            guard let ended, command == .reveal || command == .hide, show(ended, hidesExact: command == .hide, &turn)
            else { return refuse("no job \(id) here", node, token, &turn) }
            return confirmCommand(id, node, token, &turn)
        }
        switch (command, runs[index].phase) {
        case (.pause, _) where turn.isSilent(id):
            // Paused, it would hold up the jobs behind it, and nobody at this node would see why.
            return refuse("job \(id) has ended; it is computed again only for nodes that were away", node, token, &turn)
        case (.pause, .opening), (.pause, .running), (.pause, .waiting):
            runs[index].pause(&turn)
            runs[index].keep(.stands(id, .paused), &turn)
        case (.pause, .paused(isHeld: true)):
            // The job stays paused when the journal can be written again.
            runs[index].phase = .paused(isHeld: false)
            runs[index].keep(.stands(id, .paused), &turn)
        case (.pause, .paused): return refuse("job \(id) is already paused", node, token, &turn)
        case (.pause, _): return refuse("job \(id) is ending", node, token, &turn)
        case (.resume, .paused):
            if let journalTrouble {
                return refuse("the journal cannot be written: \(journalTrouble)", node, token, &turn)
            }
            runs[index].resume(&turn)
            runs[index].keep(.stands(id, .running), &turn)
        case (.resume, _): return refuse("job \(id) is not paused", node, token, &turn)
        case (.cancel, _): runs[index].cancel(&turn)
        case (.reveal, _): runs[index].hidesExact = false
        case (.hide, _): runs[index].hidesExact = true
        case (.prioritize(let priority), _): runs[index].prioritize(priority, &turn)
        }
        runs[index].display.showOthersSoon(turn.now)
        runs[index].publish(workers, &turn)
        confirmCommand(id, node, token, &turn)
    }

    /// Takes guesses of a job that has not begun, and tells all nodes of those that are new.
    mutating func guessed(_ guesses: [Guess], of id: JobID, _ turn: inout Turn) {
        guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
        let new = runs[index].guessed(guesses, &turn)
        guard !new.isEmpty else { return }
        for node in workers.keys where node != own && workers[node]?.isConnected == true {
            turn.send(.guesses(id, new), to: node)
        }
        runs[index].display.showOthersSoon(turn.now)
        runs[index].publish(workers, &turn)
    }

    /// Cancels the latest order with a ticket. The answer may not have come to whoever gave it, so only the ticket names it.
    mutating func withdraw(_ ticket: JobTicket, by node: NodeID, token: UInt64, _ turn: inout Turn) {
        let id =
            pending.last { $0.isOrdered(with: ticket) }?.id ?? runs.last { $0.taken.ticket == ticket }?.id
        guard let id else { return refuse("no job was ordered with that ticket here", node, token, &turn) }
        command(.cancel, id, ticket: ticket, by: node, role: .watches, token: token, &turn)
    }

    private func may(_ node: NodeID, _ role: Role, _ ticket: JobTicket?, command taken: TakenJob) -> Bool {
        role == .hosts || taken.submitter == node || taken.ticket == ticket
    }

    /// Cancels an order whose simulation is being prepared. That has nothing to pause or to show yet.
    private mutating func command(
        _ command: JobCommand, onPending index: Int, ticket: JobTicket?, by node: NodeID, role: Role, token: UInt64,
        _ turn: inout Turn
    ) {
        let (id, taken) = (pending[index].id, pending[index].taken)
        guard may(node, role, ticket, command: taken) else {
            return refuse("only the host and \(taken.submitterName), who started it, may do that", node, token, &turn)
        }
        switch (command, pending[index].origin) {
        case (.cancel, .order):
            cannotBegin(pending.remove(at: index), "it was cancelled while its simulation was being prepared", &turn)
        case (.hide, .order), (.reveal, .order):
            pending[index].hidesExact = command == .hide
            if pending[index].isShown { turn.publish(pending[index].snapshot) }
        // A job that an earlier coordinator left has results. They can be told only when it is prepared.
        default: return refuse("job \(id) is still being prepared; try again in a moment", node, token, &turn)
        }
        confirm(id, node, token, &turn)
    }

    /// Drops the orders of a node that left before they were confirmed. Its user was told that they have no answer.
    mutating func dropOrders(of node: NodeID, _ turn: inout Turn) {
        for order in pending where order.taken.submitter == node {
            guard case .order = order.origin else { continue }
            pending.removeAll { $0.id == order.id }
            turn.act(.forget(order.id))
            let why = "\(order.taken.submitterName) disconnected while its simulation was being prepared"
            if order.isShown { turn.end(order.id, .failed(order.id, .other(why))) }
        }
    }

    /// Shows the jobs whose simulation takes long to prepare, on this node, so that its user can cancel them.
    mutating func tellPreparing(_ turn: inout Turn) {
        for index in pending.indices {
            guard let time = pending[index].shownAt, time <= turn.now else { continue }
            pending[index].isShown = true
            turn.publish(pending[index].snapshot)
        }
    }

    /// Shows or hides the exact answers of a job that has ended, on every node. Returns false if it has no result.
    private mutating func show(_ ended: Int, hidesExact: Bool, _ turn: inout Turn) -> Bool {
        let ending = endings[ended]
        guard case .result(let id, var result) = ending.message else { return false }
        result.hidesExact = hidesExact
        endings[ended].message = .result(id, result)
        let snapshot = JobSnapshot(
            ending.spec, course: result.course, guesses: ending.taken.guesses.list,
            JobPicture(
                id: id, submitter: ending.taken.submitterName, state: .done(result.completion), trials: result.trials,
                counts: ending.spec.title.counts(of: result.tally), readings: result.readings, elapsed: result.elapsed,
                nodes: result.nodes, hidesExact: hidesExact))
        turn.publish(snapshot)
        for node in workers.keys where node != own && workers[node]?.isConnected == true {
            turn.send(.picture(snapshot.picture), to: node)
        }
        return true
    }
}

extension Coordinator.Pending {
    /// Whether it is an order with that ticket, and not left by an earlier coordinator.
    fileprivate func isOrdered(with ticket: JobTicket) -> Bool {
        if case .order = origin { taken.ticket == ticket } else { false }
    }

    /// When the user of this node is shown that it is being prepared; nil if never, or if that was done.
    var shownAt: Instant? {
        if !isShown, case .order = origin { since + JobLimits.preparing } else { nil }
    }

    fileprivate var snapshot: JobSnapshot {
        let order = taken.order
        return JobSnapshot(
            JobSpec(order.recipe),
            JobPicture(
                id: id, submitter: taken.submitterName, state: .waiting(.simulation),
                hidesExact: hidesExact ?? order.hidesExact))
    }
}
