import PotluckKit
import PotluckModel
import PotluckWire

/// What people want of jobs.
extension Coordinator {
    /// Somebody orders a job.
    mutating func order(
        _ order: JobOrder, _ ticket: JobTicket, by node: NodeID, role: Role, token: UInt64, _ deeds: inout Deeds
    ) {
        guard role != .watches else {
            return refuse(
                "only the host may start jobs in this session (to allow guests, use serve --guests submit)", node,
                token, &deeds)
        }
        if let journalTrouble {
            return refuse("the journal cannot be written: \(journalTrouble)", node, token, &deeds)
        }
        let theirs = runs.count { $0.taken.submitter == node } + pending.count { $0.taken.submitter == node }
        guard runs.count + pending.count < JobLimits.jobs, theirs < JobLimits.jobsOfOne else {
            return refuse("too many jobs are queued; cancel one, or wait", node, token, &deeds)
        }
        var id = JobID(0)
        while id.number == 0 || runs.contains(where: { $0.id == id }) { id = JobID(random.next()) }
        let taken = TakenJob(
            order: order, ticket: ticket, submitter: node, submitterName: workers[node]?.name ?? node.short)
        pending.append(Pending(id: id, taken: taken, origin: .order(token: token)))
        deeds.effects.append(.prepare(id, order.recipe))
    }

    private func refuse(_ why: String, _ node: NodeID, _ token: UInt64, _ deeds: inout Deeds) {
        if node == own {
            deeds.effects.append(.answer(.refused(why), token: token))
        } else {
            deeds.send(.refused(why, token: token), to: node)
        }
    }

    private func confirm(_ id: JobID, _ node: NodeID, _ token: UInt64, _ deeds: inout Deeds) {
        if node == own {
            deeds.promises.append(.effect(.answer(.taken(id), token: token)))
        } else {
            deeds.promises.append(.mail(.taken(id, token: token), to: node))
        }
    }

    func isPending(_ id: JobID) -> Bool { pending.contains { $0.id == id } }

    /// Whether a job here is made of that.
    func names(_ blob: BlobHash) -> Bool { runs.contains { $0.spec.recipe.names(blob) } }

    /// The simulation of an order is ready, or cannot be.
    mutating func prepared(_ id: JobID, _ preparation: Preparation, _ deeds: inout Deeds, now: Instant) {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        let order = pending.remove(at: index)
        switch preparation {
        case .lacks(let blob):
            cannotBegin(order, order.taken.order.recipe.words(blob, "is missing", "are missing"), &deeds)
        case .impossible(let why): cannotBegin(order, why, &deeds)
        case .ready(let facts) where facts.blockSize != order.taken.order.experiment.blockSize:
            cannotBegin(order, "its block size differs on this node; update the older potluck", &deeds)
        case .ready(let facts):
            var run: JobRun
            switch order.origin {
            case .order(let token):
                run = JobRun(
                    id: id, order.taken, facts: facts, kept: nil, epoch: 0, own: own, seed: random.next(), now: now)
                deeds.keep(.accepted(run.record))
                confirm(id, order.taken.submitter, token, &deeds)
            case .kept(let kept, let epoch):
                run = JobRun(
                    id: id, order.taken, facts: facts, kept: kept, epoch: epoch, own: own, seed: random.next(),
                    now: now)
                for change in run.kept(now).changes { deeds.keep(change) }
                run.reread(kept, &deeds, now: now)
                if !deeds.isSilent(id) {
                    deeds.effects.append(.news(.goesOn(id, own, name: workers[own]?.name ?? own.short)))
                }
            }
            deeds.promises.append(.begin(id))
            for node in workers.keys { tell(node, of: &run, &deeds, now: now) }
            runs.append(run)
        }
    }

    private func cannotBegin(_ order: Pending, _ why: String, _ deeds: inout Deeds) {
        deeds.effects.append(.forget(order.id))
        switch order.origin {
        case .order(let token): refuse(why, order.taken.submitter, token, &deeds)
        case .kept where deeds.isSilent(order.id): deeds.keep(.forgotten(order.id))
        // The journal keeps it: the next start may find what is missing.
        case .kept: deeds.effects.append(.news(.stranded(order.id, why: why)))
        }
    }

    /// Somebody wants something done to a job.
    mutating func command(
        _ command: JobCommand, _ id: JobID, ticket: JobTicket?, by node: NodeID, role: Role, token: UInt64,
        _ deeds: inout Deeds, now: Instant
    ) {
        guard let index = runs.firstIndex(where: { $0.id == id }) else {
            return refuse("no job \(id) here", node, token, &deeds)
        }
        let run = runs[index]
        guard role == .hosts || run.taken.submitter == node || run.taken.ticket == ticket else {
            return refuse(
                "only the host and \(run.taken.submitterName), who started it, may do that", node, token, &deeds)
        }
        switch (command, run.phase) {
        case (.pause, .running):
            runs[index].pause(&deeds, now: now)
            runs[index].keep(.stands(id, .paused), &deeds)
        case (.pause, .paused) where run.isHeld:
            // It goes on resting when everything can be written down again.
            runs[index].isHeld = false
            runs[index].keep(.stands(id, .paused), &deeds)
        case (.pause, .paused): return refuse("job \(id) is already paused", node, token, &deeds)
        case (.pause, _): return refuse("job \(id) is not running", node, token, &deeds)
        case (.resume, .paused):
            if let journalTrouble {
                return refuse("the journal cannot be written: \(journalTrouble)", node, token, &deeds)
            }
            runs[index].resume(&deeds, now: now)
            runs[index].keep(.stands(id, .running), &deeds)
        case (.resume, _): return refuse("job \(id) is not paused", node, token, &deeds)
        case (.cancel, _): runs[index].cancel(&deeds, now: now)
        }
        runs[index].nextFarPicture = now
        runs[index].publish(workers, &deeds, now: now)
        confirm(id, node, token, &deeds)
    }

    // MARK: The line

    /// Of each submitter one job computes at a time, once its time has come and its workers are there.
    mutating func beginWhatCan(_ deeds: inout Deeds, now: Instant) {
        guard journalTrouble == nil else { return }
        for index in runs.indices {
            guard case .waiting(let before) = runs[index].phase, runs[index].mayBegin else { continue }
            let run = runs[index]
            let ahead = runs[..<index].count { $0.taken.submitter == run.taken.submitter && !$0.isOver }
            let left = run.hasBegun ? .zero : run.takenAt + run.taken.order.delay - now
            let wanted = run.hasBegun ? 1 : run.taken.order.workers
            let ready = run.workerProgress.keys.count { node in
                run.workerProgress[node]?.stage == .ready
                    && workers[node].map { $0.cores > 0 && run.isAllowed($0) } ?? false
            }
            let wait: JobWait
            if run.hasBegun, run.ledger.isComplete {
                // It only has to be told.
                runs[index].begin(&deeds, now: now)
                continue
            } else if ahead > 0 {
                wait = .line(ahead)
            } else if left > .zero {
                wait = .start(left)
            } else if ready < wanted {
                wait = .workers(ready, of: wanted)
            } else {
                runs[index].begin(&deeds, now: now)
                runs[index].publish(workers, &deeds, now: now)
                continue
            }
            runs[index].phase = .waiting(wait)
            // The time that is left is told once; views count it down.
            // Nor is it worth a word that everybody gets ready first.
            if case .workers = wait, now - run.takenAt < JobLimits.preparing { continue }
            if !wait.isLike(before) || !run.hasToldWait {
                runs[index].hasToldWait = true
                runs[index].nextFarPicture = now
                runs[index].publish(workers, &deeds, now: now)
            }
        }
    }
}

extension JobWait {
    fileprivate func isLike(_ other: JobWait) -> Bool {
        if case .start = self, case .start = other { true } else { self == other }
    }
}
