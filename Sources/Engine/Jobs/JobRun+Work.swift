import PotluckCore
import PotluckKit

/// Hands out chunks and takes in their results.
extension JobRun {
    // MARK: Nodes

    /// Adds a node as a worker that prepares the simulation. Called when it was told of the job.
    mutating func joined(_ node: NodeID, isBrowser: Bool = false, now: Instant) {
        guard workerProgress[node]?.stage != .shutOut else { return }
        if workerProgress[node] == nil { makeRoom() }
        var progress = workerProgress[node] ?? WorkerProgress(since: now, isBrowser: isBrowser)
        progress.stage = .preparing
        progress.contact = .regular
        progress.lastSign = now
        workerProgress[node] = progress
    }

    /// Makes room for one more node, because nodes that restart have new IDs. At the limit, the node that left and did
    /// least is forgotten, and its trials are counted with those of earlier coordinators.
    private mutating func makeRoom() {
        guard workerProgress.count >= JobLimits.mostWorkers else { return }
        let gone = workerProgress.elements.filter { $0.value.stage == .gone && !audits.concern($0.key) }
        guard let (node, progress) = gone.min(by: { $0.value.trials < $1.value.trials }) else { return }
        lineage.add(progress.trials)
        ledger.forget(node)
        workerProgress[node] = nil
    }

    /// Lets a node have chunks. Called when it has prepared the simulation, even if it had given that up before.
    mutating func ready(_ node: NodeID, now: Instant) {
        guard workerProgress[node]?.stage.mayBecomeReady == true else { return }
        workerProgress.change(node) { $0.stage = .ready }
        hasNews = true
    }

    /// A node that was ready says so again. It worked for another coordinator of the job meanwhile, and has no chunk of
    /// this one.
    mutating func readyAgain(_ node: NodeID, _ turn: inout Turn) {
        guard workerProgress[node]?.stage == .ready else { return }
        takeBack(from: node, &turn)
        workerProgress.change(node) { ($0.contact, $0.lastSign) = (.regular, turn.now) }
    }

    /// Takes all chunks of a node back. Called when it reports that it cannot compute the job.
    mutating func unable(_ node: NodeID, _ why: String, _ turn: inout Turn) {
        guard let stage = workerProgress[node]?.stage, stage == .preparing || stage == .ready else { return }
        workerProgress.change(node) { $0.stage = .unable(why) }
        takeBack(from: node, &turn)
    }

    /// A node left, or its link is lost. Its chunks go to others at once.
    mutating func lost(_ node: NodeID) {
        keeping.forget(node)
        guard let progress = workerProgress[node] else { return }
        if progress.stage != .shutOut { workerProgress.change(node) { $0.stage = .gone } }
        _ = release(node)
    }

    /// Ends all loans and audits of a node. Returns their attempts.
    private mutating func release(_ node: NodeID) -> [UInt64] {
        let attempts = ledger.release(allOf: node) + audits.release(node)
        giveUpResults(of: node)
        hasNews = true
        return attempts
    }

    /// Forgets the results of a node that have arrived and do not count yet.
    mutating func giveUpResults(of node: NodeID) {
        pendingOutputs.giveUp(allOf: node)
        audits.proofs.giveUp(allOf: node)
    }

    /// The same for one attempt.
    mutating func giveUpResult(_ attempt: UInt64) {
        pendingOutputs.giveUp(attempt)
        audits.proofs.giveUp(attempt)
    }

    /// Whether the result of an attempt has arrived and does not count yet.
    private func isHere(_ attempt: UInt64) -> Bool {
        pendingOutputs[attempt] != nil || audits.proofs.isHeld(attempt)
    }

    /// No core of a node computes any more. It returns its chunks and gets no new ones. Its audits go to others at once:
    /// the job may wait for nothing else, and to return one without a block would count as a failure.
    mutating func rests(_ node: NodeID, _ turn: inout Turn) {
        ledger.releaseExtent(of: node)
        drop(audits.release(node), at: node, &turn)
    }

    /// Ends all loans and audits of a connected node, and tells it to drop them so that it can take new chunks.
    mutating func takeBack(from node: NodeID, _ turn: inout Turn) { drop(release(node), at: node, &turn) }

    /// The same for all connected nodes, when this node ends the job or no longer coordinates it. Otherwise its chunks
    /// would count among those that the nodes have in hand for other jobs.
    mutating func takeBackAll(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        for node in workers.keys where workers[node]?.isConnected == true { takeBack(from: node, &turn) }
    }

    func drop(_ attempts: [UInt64], at node: NodeID, _ turn: inout Turn) {
        if !attempts.isEmpty { turn.drop(id, attempts, at: node) }
    }

    func isAllowed(_ worker: Worker) -> Bool {
        guard !worker.isBrowser || taken.order.takesBrowsers else { return false }
        return taken.order.nodes.isEmpty
            || taken.order.nodes.contains { $0.lowercased() == worker.name.lowercased() }
    }

    /// Counts the capacity of all nodes that compute the job, as far as their speed is known.
    mutating func count(_ workers: OrderedTable<NodeID, Worker>, _ now: Instant) {
        var capacity = Capacity(at: now)
        for node in workerProgress.keys {
            guard let progress = workerProgress[node], progress.stage == .ready, let worker = workers[node],
                worker.cores > 0,
                isAllowed(worker)
            else { continue }
            capacity.members.append(node)
            guard progress.isAble(now) else { continue }
            capacity.capable.append(node)
            guard let speed = progress.pace.speed else { continue }
            capacity.speed += speed * Double(worker.cores)
            capacity.speeds.append(speed)
        }
        capacity.speeds.sort()
        self.capacity = capacity
    }

    /// The paces of all nodes in this job.
    var paces: OrderedTable<NodeID, Pace> {
        var paces = OrderedTable<NodeID, Pace>()
        for (node, progress) in workerProgress.elements { paces[node] = progress.pace }
        return paces
    }

    /// Takes the paces of an earlier job of the same simulation as a guess: from the latest of `others`, or else from
    /// `ended`.
    mutating func guess(
        from ended: (simulation: SimulationIdentity, paces: OrderedTable<NodeID, Pace>)?, _ others: ArraySlice<JobRun>
    ) {
        let simulation = spec.experiment.simulation
        var known = ended.flatMap { $0.simulation == simulation ? $0.paces : nil }
        if let other = others.last(where: { $0.spec.experiment.simulation == simulation && $0.hasPaces }) {
            known = other.paces
        }
        guard let known else { return }
        for (node, pace) in known.elements {
            workerProgress.change(node) { if $0.chunks == 0 { $0.pace = pace.guess } }
        }
    }

    private var hasPaces: Bool { workerProgress.elements.contains { $0.value.chunks > 0 } }

    // MARK: Handing out

    func inHand(of node: NodeID) -> Int {
        ledger.count(heldBy: node) + audits.count(heldBy: node)
            - min(pendingOutputs.count(of: node) + audits.proofs.count(of: node), JobLimits.arriving)
    }

    /// Whether there are blocks, neither lent nor set apart for another node, which a node may have.
    func hasBlocks(for node: NodeID, _ now: Instant) -> Bool {
        guard isComputing, workerProgress[node]?.isAble(now) == true else { return false }
        return ledger.fresh < ledger.end || ledger.returned.contains { !$0.failedOn.contains(node) }
    }

    /// What a job has for a node.
    enum Offer {
        case chunk(LentChunk)
        /// The node has as many chunks of this job as it should have.
        case full
        /// No chunk that this node may compute now.
        case nothing
    }

    /// What the job has for a node now. `besides` is the number of chunks that the node has in hand of other jobs with the
    /// same turn.
    mutating func next(
        for worker: Worker, _ workers: OrderedTable<NodeID, Worker>, besides: Int = 0, mostBlocks: UInt64,
        _ turn: inout Turn
    ) -> Offer {
        let now = turn.now
        guard let progress = workerProgress[worker.node], progress.isAble(now), isAllowed(worker), worker.cores > 0
        else { return .nothing }
        if capacity.at.map({ now - $0 > Capacity.interval }) ?? true { count(workers, now) }
        var size = min(
            progress.pace.size(left: ledger.left, total: capacity.speed), mostBlocks, progress.mostBlocks,
            widest(progress))
        if isSearch {
            size = min(searchSize(workers), mostBlocks)
        } else if workerProgress.count > 1, progress.chunks < JobLimits.auditedChunks {
            size = min(size, max(1, progress.pace.blocks(in: JobLimits.auditedTime) ?? 1))
        }
        guard inHand(of: worker.node) + besides < worker.cores * progress.pace.chunks(of: size) else { return .full }
        let wasIdle = inHand(of: worker.node) == 0
        var chunk = audit(for: worker, workers, &turn)
        if chunk == nil, isComputing {
            chunk = lend(to: worker, progress, size, now)
            if isSearch { chunk?.bound = SearchBound(known) }
        }
        guard let chunk else {
            hasIdle = true
            return .nothing
        }
        if wasIdle { workerProgress.change(worker.node) { $0.lastSign = now } }
        return .chunk(chunk)
    }

    /// The most blocks that another node can audit within `JobLimits.longestLook`.
    private func widest(_ progress: WorkerProgress) -> UInt64 {
        guard workerProgress.count > 1 else { return .max }
        return capacity.usual(without: progress.pace.speed).map { Pace.blocks(in: JobLimits.longestLook, at: $0) }
            ?? JobLimits.unvouched
    }

    private mutating func lend(to worker: Worker, _ progress: WorkerProgress, _ size: UInt64, _ now: Instant)
        -> LentChunk?
    {
        let cores = UInt64(worker.cores)
        var share = elapsed(now) / JobLimits.extentPart
        if spec.wanted == nil || spec.goal.duration != nil { share = min(share, JobLimits.extentOfEndless) }
        let extent = max(size * cores, (progress.pace.blocks(in: share) ?? 1).multipliedClamped(cores))
        ledger.grain = max(size, extent / 4)
        if let chunk = ledger.lend(
            to: worker.node, atMost: size, extent: extent, capable: capacity.capable, now: now)
        {
            return chunk
        }
        guard inHand(of: worker.node) < worker.cores else { return nil }
        let late = Lateness(self, now)
        // Near the end a node without work computes blocks that are set apart for a late node, which may have stopped.
        if ledger.freeExtents(where: late.isLate),
            let chunk = ledger.lend(to: worker.node, atMost: size, extent: extent, capable: capacity.capable, now: now)
        {
            return chunk
        }
        // After that it repeats a chunk that is late.
        return ledger.lendAgain(to: worker.node, now: now, where: late.isLate)
    }

    // MARK: Results

    mutating func took(
        _ result: WorkResult, from node: NodeID, name: String, _ turn: inout Turn
    ) {
        guard workerProgress[node] != nil else { return }
        let loan = ledger.lent(result.attempt, to: node)?.loan
        guard let given = loan?.blocks ?? audits.blocks(of: result.attempt, by: node) else {
            let effort = SearchEffort(expanded: result.effort.expanded, inVain: result.effort.expanded)
            workerProgress.change(node) { $0.effort = $0.effort + effort }
            return free(result.attempt, at: node, &turn)
        }
        // Of two results of one attempt the first counts, because it may be being checked already.
        guard !isHere(result.attempt) else { return }
        workerProgress.change(node) { $0.effort = $0.effort + result.effort }
        if let why = misfit(result, of: node, given) {
            return failed(result.attempt, block: given.lowerBound, why, at: node, name: name, &turn)
        }
        if result.end > given.lowerBound { sawSign(of: node, turn.now) }
        if let opinion = audits.compare(result.attempt, by: node, end: result.end, tally: result.tally, layout) {
            switch opinion {
            case .agrees(let claim):
                workerProgress.change(node) { $0.audits += 1 }
                let trials = ledger.trials(in: claim.blocks)
                workerProgress.change(claim.node) { $0.recomputed = $0.recomputed.map { $0.addingClamped(trials) } }
            case .continues: hasNews = true
            case .disagrees(let claim, let other):
                workerProgress.change(node) { $0.audits += 1 }
                dispute(claim, node, other, &turn)
            }
            free(result.attempt, at: node, &turn)
            return conclude(&turn)
        }
        let blocks = given.lowerBound..<result.end
        if mustProve(result, blocks, from: node, &turn) { return }
        if spec.collects, !blocks.isEmpty { return expect(result, blocks, from: node, &turn) }
        count(result, from: node, &turn)
    }

    /// Returns what is wrong with a result of blocks that a node was lent or audits, or nil.
    private func misfit(_ result: WorkResult, of node: NodeID, _ given: Range<UInt64>) -> String? {
        if let why = ledger.misfit(given, end: result.end, tally: result.tally) { return why }
        // Otherwise a node that returns no block could be asked without end.
        let isIdle = result.end == given.lowerBound && audits.mustGoOn(result.attempt, by: node)
        return isIdle ? "it ignores its work" : nil
    }

    /// Counts the result of a chunk.
    mutating func count(_ result: WorkResult, from node: NodeID, _ turn: inout Turn) {
        let lent = ledger.lent(result.attempt, to: node)?.loan.blocks
        guard
            let settled = ledger.count(result.attempt, by: node, end: result.end, tally: result.tally)
        else { return }
        for other in settled.others {
            giveUpResult(other.attempt)
            drop([other.attempt], at: other.node, &turn)
            workerProgress.change(other.node) { $0.wasOvertaken() }
        }
        let blocks = settled.blocks
        var isAudited = false
        // A node cannot have computed for longer than it had the chunk. Believing it would make its timeout endless.
        let busy = min(result.busy, max(.seconds(1), turn.now - settled.since))
        let isSearch = isSearch
        workerProgress.change(node) { progress in
            if !isSearch { progress.pace.learn(blocks: UInt64(blocks.count), busy: busy) }
            progress.trials += settled.trials
            progress.failures = 0
            progress.asides = 0
            if !blocks.isEmpty { progress.chunks += 1 }
        }
        if !blocks.isEmpty { isAudited = wantsAudit(node, blocks) }
        let piece = BlockTally(blocks: blocks, node: node, tally: result.tally)
        if isAudited { audits.add(Audits.Claim(piece)) }
        // A chunk that ended early leaves blocks for other workers.
        let isShort = blocks.upperBound != lent?.upperBound
        hasNews = hasNews || hasIdle && (isAudited || isShort)
        settle(&turn)
        if !blocks.isEmpty { keep(piece, &turn) }
    }

    /// Counts blocks that a node computed for an earlier coordinator, or while its link was lost, if they fit.
    mutating func took(_ offered: OfferedWork, from node: NodeID, _ turn: inout Turn) {
        // The output of such blocks is not here.
        guard let progress = workerProgress[node], progress.stage != .shutOut, phase.takesOffers, !spec.collects,
            mayCount(offered, progress, turn.now)
        else { return }
        // The blocks are searched again, with this solution as the bound.
        if let best = layout.best(in: offered.tally), best < known { return improved(best, by: node, &turn) }
        let piece = BlockTally(blocks: offered.blocks, node: node, tally: offered.tally)
        guard ledger.accept(piece) else { return }
        workerProgress.change(node) {
            $0.trials += ledger.trials(in: offered.blocks)
            $0.chunks += 1
        }
        if wantsAudit(node, offered.blocks) { audits.add(Audits.Claim(piece)) }
        hasNews = true
        settle(&turn)
        keep(piece, &turn)
    }

    /// Whether offered blocks can count. They must be few enough to be audited in a moment, and so near to the done
    /// blocks that the ledger's next extents lie there. There must not be too many loose pieces already.
    private func mayCount(_ offered: OfferedWork, _ progress: WorkerProgress, _ now: Instant) -> Bool {
        let (most, time) = (JobLimits.looseOffers, elapsed(now))
        guard ledger.loose.count < most, ledger.returned.count < most,
            ledger.loose.count * layout.slots < JobLimits.replicaSlots
        else { return false }
        // Right after a take-over no worker's speed is known, only how long the job took so far.
        let before = clock.before > .zero ? Double(ledger.base.blocks) / clock.before.seconds : 0
        let each =
            capacity.usual(without: progress.pace.speed) ?? (before > 0 ? before / Double(workerProgress.count) : nil)
        let width = each.map { Pace.blocks(in: JobLimits.longestLook, at: $0) } ?? JobLimits.unvouched
        let all = time > .zero ? Double(ledger.settled) / time.seconds : 0
        let reach = time / (JobLimits.extentPart / 2) + JobLimits.silence
        let far = max(JobLimits.unvouched, Pace.blocks(in: reach, at: all))
        return UInt64(offered.blocks.count) <= width
            && offered.blocks.upperBound <= max(ledger.fresh, ledger.settled.addingClamped(far))
    }

    /// Writes a piece to the journal, unless it is settled and was written with the settled blocks.
    private mutating func keep(_ piece: BlockTally, _ turn: inout Turn) {
        guard isKept(turn), ledger.isPatched || piece.blocks.lowerBound >= ledger.settled else { return }
        keep(.done(id, piece), &turn)
    }

    /// Settles the blocks up to the first gap, and requests readings of the checkpoints that are reached.
    mutating func settle(_ turn: inout Turn) {
        let before = ledger.settled
        while let passed = ledger.advance() {
            if isKept(turn) {
                let blocks = Checkpoint.blocks(passed.checkpoint)
                keep(.passed(id, SettledTally(blocks: blocks, tally: passed.tally)), &turn)
            }
            // The last checkpoint is the result, which is read anyway. Checkpoints of a search say nothing, because its
            // best is not that of the first points, and showing a solution may take a second.
            guard passed.trials != spec.wanted, !isSearch else { continue }
            let request = ReadRequest(
                job: id, tally: passed.tally, trials: passed.trials, purpose: .checkpoint(passed.checkpoint),
                edition: evaluation.edition)
            ask(request, &turn)
        }
        if ledger.settled > before, isKept(turn), let settled = ledger.settledPart {
            keep(.settled(id, settled), &turn)
        }
        if case .stopping = phase, !ledger.hasLoans { cut(&turn) }
        conclude(&turn)
    }

    /// Notes that a node returned blocks of a chunk, or that one failed: the only signs that it computes.
    mutating func sawSign(of node: NodeID, _ now: Instant) {
        workerProgress.change(node) {
            $0.lastSign = now
            // The chunks of a silent node went to other nodes, and it can have new ones.
            if $0.isSilent { hasNews = true }
            $0.contact = .regular
        }
    }
}
