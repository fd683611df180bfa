import PotluckCore

/// Writes a job to the journal and to replicas, so that it outlives its coordinator.
extension JobRun {
    var record: JobRecord {
        JobRecord(
            id: id, spec: taken.encoded, simulation: spec.experiment.simulation.name, submitter: taken.submitterName,
            acceptedAt: 0, epoch: epoch)
    }

    /// Gives a change to the journal, and to the replicas with their next message.
    mutating func keep(_ change: JournalChange, _ turn: inout Turn) {
        turn.keep(change)
        keeping.add(change)
    }

    /// Whether progress is told to the journal or to replicas. The progress of a job whose output is wanted is not: the
    /// output is only here, so another coordinator computes everything again.
    func isKept(_ turn: Turn) -> Bool { !spec.collects && (turn.keepsJournal || !keeping.holders.isEmpty) }

    /// Writes down the progress that is left after wrong results were taken out.
    mutating func keepRest(_ turn: inout Turn) {
        guard isKept(turn) else { return }
        keep(.rewritten(id, ledger.surePart), &turn)
        keeping.credits = []
        for piece in ledger.loosePieces { keep(.done(id, piece), &turn) }
    }

    mutating func keepTime(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        guard keeping.isTimeDue(turn.now, isKept: isKept(turn)) else { return }
        keep(.ran(id, elapsed(turn.now)), &turn)
        let credits = credits(workers, turn.now)
        guard credits != keeping.credits else { return }
        keeping.credits = credits
        keep(.credited(id, credits), &turn)
    }

    // MARK: Continuing

    /// Reads the checkpoints of earlier coordinators again, for the course on the screen and for the stop rule.
    mutating func reread(_ kept: KeptJob, _ turn: inout Turn) {
        for passed in kept.checkpoints where passed.blocks <= ledger.base.blocks && !isSearch {
            let trials = ledger.trials(in: ledger.first..<max(ledger.first, passed.blocks))
            guard trials > 0, trials != spec.wanted, passed.tally.count == layout.slots else { continue }
            ask(
                ReadRequest(
                    job: id, tally: passed.tally, trials: trials,
                    purpose: .checkpoint(Checkpoint.after(passed.blocks - 1))),
                &turn
            )
        }
        readPicture(&turn)
    }

    // MARK: Replicas

    /// Sends new changes to the nodes that hold replicas, and everything to new holders. `capable` are the nodes that
    /// could coordinate, the longest connected first.
    mutating func replicate(_ capable: [NodeID], _ turn: inout Turn) {
        if let news = keeping.takeDue(turn.now, layout) {
            for node in keeping.holders { turn.send(.replica(id, news), to: node) }
        }
        let new = keeping.takeNewHolders(capable)
        guard !new.isEmpty else { return }
        // New holders get everything, which includes the changes that were not sent yet.
        let whole = kept(turn.now).changes
        for node in new { turn.send(.replica(id, whole), to: node) }
    }

    /// Whether trials of the job were computed, here or by an earlier coordinator.
    var hasBegun: Bool { lineage.hasBegun || display.opening.hasBegun || clock.hasRun }

    /// Everything that another node needs to continue the job.
    func kept(_ now: Instant) -> KeptJob {
        let sure = spec.collects ? SettledTally(blocks: ledger.first, tally: layout.empty) : ledger.surePart
        var checkpoints = lineage.checkpoints.filter { $0.blocks <= ledger.base.blocks }
        var checkpoint = Checkpoint.after(ledger.base.blocks)
        while Checkpoint.blocks(checkpoint) <= sure.blocks {
            checkpoints.append(
                SettledTally(
                    blocks: Checkpoint.blocks(checkpoint), tally: ledger.tally(ofIntervals: checkpoint + 1)))
            checkpoint += 1
        }
        // A job that rests because this journal cannot be written can run elsewhere. Only a pause by a user is kept.
        let standing = if case .paused(isHeld: false) = phase { JobStanding.paused } else { JobStanding.running }
        let kept = KeptJob(
            record.after(now - lineage.takenAt), standing: standing, settled: sure,
            pieces: spec.collects ? [] : ledger.loosePieces,
            checkpoints: checkpoints, end: ending.map { $0 == .stopped && spec.collects ? 0 : ledger.keptEnd },
            ran: hasBegun ? max(KeptJob.leastTime, spec.collects ? .zero : elapsed(now)) : .zero,
            credits: spec.collects ? [] : keeping.credits)
        guard let kept else { preconditionFailure("a ledger's pieces and checkpoints must be in order") }
        return kept
    }
}

extension JobRun.Phase {
    /// Whether blocks that a worker offers can still count.
    var takesOffers: Bool {
        switch self {
        case .waiting, .running, .paused, .filling: true
        // The first trials that are shown come before all others.
        case .opening, .stopping, .concluding, .over: false
        }
    }
}
