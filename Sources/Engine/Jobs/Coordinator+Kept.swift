import PotluckCore

/// Lets jobs outlive their coordinator: restarts, take-overs, stepping down, and the journal and replicas of jobs.
extension Coordinator {
    /// A coordinator that restarts raises the epoch by one. One that takes over raises it to the next multiple of this,
    /// which is more than any number of restarts, so that a former coordinator that returns steps down.
    fileprivate static let takeOver: UInt64 = 1 << 16

    /// Continues the jobs that this node's journal had at its start.
    mutating func found(_ kept: [KeptJob], _ turn: inout Turn) {
        for job in kept { goOn(with: job, epoch: job.record.epoch.addingClamped(1), mayBeSlice: true, &turn) }
    }

    /// Continues a job of which this node held a replica.
    mutating func takeOver(_ kept: KeptJob, _ turn: inout Turn) {
        goOn(with: kept, epoch: Self.above(kept.record.epoch), mayBeSlice: false, &turn)
    }

    private static func above(_ epoch: UInt64) -> UInt64 { (epoch / takeOver + 1).multipliedClamped(takeOver) }

    /// `mayBeSlice` says whether the job may be a slice of a job. Other nodes continue no slices, because the result of
    /// a slice would be taken for that of the whole job.
    private mutating func goOn(with kept: KeptJob, epoch: UInt64, mayBeSlice: Bool, _ turn: inout Turn) {
        let id = kept.record.id
        guard !coordinates(id) else { return }
        guard epoch <= JobRecord.lastEpoch, runs.count + pending.count < JobLimits.jobs else {
            let why =
                epoch <= JobRecord.lastEpoch
                ? "too many jobs are queued here; cancel some and start it again"
                : "its epoch leaves no room for another coordinator; start it again"
            return turn.tell(.news(.stranded(id, why: why)))
        }
        handedOver.removeAll { $0.id == id }
        guard let taken = try? TakenJob(kept.record.spec), mayBeSlice || taken.order.goal.slice == nil else {
            let why = "it was started by an incompatible version of potluck"
            return turn.tell(.news(.stranded(id, why: why)))
        }
        if kept.standing == .told { turn.silence(id) }
        pending.append(Pending(id: id, taken: taken, origin: .kept(kept, epoch: epoch), since: turn.now))
        turn.act(.prepare(id, taken.order.recipe))
    }

    /// Another node announces that it coordinates a job. In the answer, `mayLead` is true if it does from now on.
    /// `ledger` is this node's own ledger of the job, nil if it has none; it is kept as a replica in case the other
    /// node fails, too. Ledgers are never merged.
    ///
    /// If this node has done much more of the job, it continues the job in an epoch above the other's.
    mutating func stepDown(
        from id: JobID, for other: NodeID, epoch: UInt64, known: UInt64, _ turn: inout Turn
    ) -> (mayLead: Bool, ledger: KeptJob?) {
        let above = Self.above(epoch)
        var ledger: KeptJob
        let handed: HandedOver
        if let index = pending.firstIndex(where: { $0.id == id }), case .kept(let kept, let own) = pending[index].origin
        {
            // No node knows the epoch in which the job will continue here, so the claim is compared with the last known one.
            guard epoch >= kept.record.epoch else { return (false, nil) }
            if kept.knowledge.outweighs(known), above <= JobRecord.lastEpoch {
                pending[index].origin = .kept(kept, epoch: max(own, above))
                return (false, nil)
            }
            ledger = kept
            handed = HandedOver(
                id: id, taken: pending.remove(at: index).taken, spec: nil, epoch: kept.record.epoch,
                isKept: ledger.isFromHere)
        } else if let index = runs.firstIndex(where: { $0.id == id }) {
            guard (epoch, other) > (runs[index].epoch, own) else { return (false, nil) }
            if runs[index].knowledge(turn.now).outweighs(known), above <= JobRecord.lastEpoch,
                runs[index].lineage.claims < JobLimits.claims
            {
                beginAnew(index, epoch: above, &turn)
                return (false, nil)
            }
            ledger = runs[index].kept(turn.now)
            runs[index].takeBackAll(workers, &turn)
            let run = runs.remove(at: index)
            handed = HandedOver(
                id: id, taken: run.taken, spec: run.spec, epoch: run.epoch, isKept: ledger.isFromHere)
            forgetAbsent()
        } else {
            return (true, nil)
        }
        handedOver.append(handed)
        if !handed.isKept { turn.keep(.forgotten(id)) }
        if handedOver.count > JobLimits.jobs {
            let first = handedOver.removeFirst()
            if first.isKept { turn.keep(.forgotten(first.id)) }
        }
        ledger.record.epoch = epoch
        turn.act(.stepDown(id))
        return (true, ledger)
    }

    /// A job that was handed over has ended, as `message` says. Tells the nodes that follow this one and may not have
    /// met the other.
    mutating func handedOverEnded(_ id: JobID, _ message: JobMessage, _ turn: inout Turn) {
        guard let index = handedOver.firstIndex(where: { $0.id == id }) else { return }
        let handed = handedOver.remove(at: index)
        if handed.isKept { turn.keep(.forgotten(id)) }
        guard let spec = handed.spec else { return }
        for node in workers.keys where node != own {
            turn.send(message, to: node)
            turn.send(.over(id), to: node)
        }
        remember(message, of: id, handed.taken, spec, epoch: handed.epoch)
    }

    /// Continues a job in a higher epoch. Nodes that compute or show it may have followed the other coordinator, so all
    /// of them are told again.
    private mutating func beginAnew(_ index: Int, epoch: UInt64, _ turn: inout Turn) {
        runs[index].claim(in: epoch, &turn)
        for node in workers.keys where workers[node]?.isConnected == true {
            runs[index].takeBack(from: node, &turn)
            runs[index].lost(node)
            announce(&runs[index], to: node, &turn)
        }
    }

    /// Another node reports that a job failed. Ends the job if this node continues it from an earlier coordinator.
    mutating func heard(_ id: JobID, failed failure: JobFailure, _ turn: inout Turn) {
        if let index = pending.firstIndex(where: { $0.id == id }), case .kept = pending[index].origin {
            pending.remove(at: index)
            turn.act(.forget(id))
            turn.end(id, .failed(id, failure))
            turn.keep(.forgotten(id))
        } else if let index = runs.firstIndex(where: { $0.id == id }), runs[index].epoch > 0 {
            runs[index].fail(failure, &turn)
        }
    }

    /// Another node reports the result of a job. Ends the job if this node continues it from an earlier coordinator.
    mutating func heard(_ id: JobID, _ result: JobResult, _ turn: inout Turn) {
        if let index = pending.firstIndex(where: { $0.id == id }), case .kept = pending[index].origin {
            // No node was told that the job continues here.
            guard pending[index].taken.order.asks(result.spec) else { return }
            pending.remove(at: index)
            turn.act(.forget(id))
        } else if let run = runs.first(where: { $0.id == id }), run.epoch > 0, run.taken.order.asks(result.spec) {
            runs.removeAll { $0.id == id }
            for node in workers.keys {
                if node != own { turn.send(.result(id, result), to: node) }
                turn.send(.over(id), to: node)
            }
            remember(.result(id, result), of: id, run.taken, run.spec, epoch: run.epoch)
            forgetAbsent()
        } else {
            return
        }
        turn.end(id, .finished(id, result, isOurs: true))
        turn.keep(.forgotten(id))
    }

    /// Marks results as told in the journal, so that this node does not tell them again after a restart.
    mutating func markTold(_ turn: inout Turn) {
        for index in finished.indices where !finished[index].isMarked && finished[index].due <= turn.now {
            finished[index].isMarked = true
            turn.keep(.stands(finished[index].id, .told))
        }
    }

    /// Removes the jobs from the journal whose result was told at or before `moment`.
    mutating func forgetFinished(until moment: Instant, _ turn: inout Turn) {
        while let first = finished.first, first.at <= moment {
            turn.keep(.forgotten(first.id))
            finished.removeFirst()
        }
    }

    // MARK: Missing modules and tables

    /// The search for a module or tables that a continued job lacks. The node that ordered the job may be gone, so
    /// every connected node is asked.
    struct Search: Sendable {
        let blob: BlobReference
        let until: Instant
        /// The nodes that were asked.
        var asked: [NodeID] = []
        /// Whether an answer is awaited.
        var isAsking = false
    }

    /// The searches that can ask another node now.
    var searches: [(id: JobID, blob: BlobReference, until: Instant)] {
        pending.compactMap { order in
            order.search.flatMap { $0.isAsking ? nil : (order.id, $0.blob, $0.until) }
        }
    }

    /// Starts a search for a blob of a job. Returns false if the job is not continued from an earlier coordinator.
    mutating func search(_ blob: BlobReference, for id: JobID, now: Instant) -> Bool {
        guard let index = pending.firstIndex(where: { $0.id == id }), case .kept = pending[index].origin else {
            return false
        }
        pending[index].search = Search(blob: blob, until: now + JobLimits.lostJobTimeout)
        return true
    }

    /// Returns the node to ask next and marks it as asked; nil if there is none.
    mutating func nextSource(for id: JobID, among nodes: [NodeID]) -> NodeID? {
        guard let index = pending.firstIndex(where: { $0.id == id }), let search = pending[index].search,
            let source = nodes.first(where: { !search.asked.contains($0) })
        else { return nil }
        pending[index].search?.asked.append(source)
        pending[index].search?.isAsking = true
        return source
    }

    /// The node that was asked does not have the blob. Returns false if there is no search.
    mutating func searchFailed(_ id: JobID) -> Bool {
        guard let index = pending.firstIndex(where: { $0.id == id }), pending[index].search != nil else { return false }
        pending[index].search?.isAsking = false
        return true
    }

    /// Lets all searches ask a node again. Called when it reconnects.
    mutating func back(_ node: NodeID) {
        for index in pending.indices { pending[index].search?.asked.removeAll { $0 == node } }
    }

    // MARK: Replicas

    mutating func findAble() {
        capable = workers.keys.filter { node in
            node != own && (workers[node].map { $0.isConnected && $0.canCoordinate } ?? false)
        }
        lenders = workers.keys.count { node in workers[node].map { $0.isConnected && $0.cores > 0 } ?? false }
    }

    mutating func replicate(_ turn: inout Turn) {
        guard !capable.isEmpty else { return }
        for index in runs.indices { runs[index].replicate(capable, &turn) }
    }

    // MARK: The journal

    /// The journal cannot be written, or can be written again. Running jobs are held meanwhile.
    mutating func took(journalTrouble trouble: String?, _ turn: inout Turn) {
        let before = journalTrouble
        journalTrouble = trouble
        guard before != trouble else { return }
        turn.tell(.news(trouble.map { .journalStuck($0) } ?? .journalWell))
        for index in runs.indices {
            if trouble != nil, runs[index].phase.isHeldByTrouble {
                runs[index].pause(isHeld: true, &turn)
            } else if trouble == nil, case .paused(isHeld: true) = runs[index].phase {
                runs[index].resume(&turn)
            } else {
                continue
            }
            runs[index].display.showOthersSoon(turn.now)
            runs[index].publish(workers, &turn)
        }
    }
}

extension JobRun.Phase {
    /// Whether a job in this phase is held while the journal cannot be written.
    fileprivate var isHeldByTrouble: Bool {
        switch self {
        case .opening, .running: true
        case .waiting, .paused, .stopping, .filling, .concluding, .over: false
        }
    }
}

extension KeptJob {
    /// Whether the node that keeps it started it, and did not continue it for another one.
    fileprivate var isFromHere: Bool { record.epoch < Coordinator.takeOver }
}

extension JobOrder {
    /// Whether the order has the experiment and goal of `spec`.
    fileprivate func asks(_ spec: JobSpec) -> Bool {
        recipe.experiment == spec.experiment && recipe.goal == spec.goal
    }
}
