import PotluckKit
import PotluckModel
import PotluckWire

/// How chunks go out and come back.
extension JobRun {
    // MARK: Nodes

    /// A node is there, and was told of the job.
    mutating func joined(_ node: NodeID, now: Instant) {
        guard parts[node]?.stage != .shutOut else { return }
        if parts[node] == nil { makeRoom() }
        var part = parts[node] ?? Part(since: now)
        part.stage = .preparing
        part.isSilent = false
        part.lastSign = now
        parts[node] = part
    }

    /// Nodes come and go as long as a job runs, and those that start again have new IDs. Of too many those who left and did least are
    /// counted with what was done before this coordinator.
    private mutating func makeRoom() {
        guard parts.count >= JobLimits.mostParts else { return }
        let gone = parts.elements.filter { $0.value.stage == .gone && !audits.concern($0.key) }
        guard let (node, part) = gone.min(by: { $0.value.trials < $1.value.trials }) else { return }
        earlierTrials += part.trials
        ledger.forget(node)
        parts[node] = nil
    }

    mutating func ready(_ node: NodeID, now: Instant) {
        guard parts[node]?.stage == .preparing else { return }
        parts.change(node) { $0.stage = .ready }
        hasNews = true
    }

    mutating func unable(_ node: NodeID, _ why: String, _ deeds: inout Deeds) {
        guard let stage = parts[node]?.stage, stage == .preparing || stage == .ready else { return }
        parts.change(node) { $0.stage = .unable(why) }
        takeBack(from: node, &deeds)
    }

    /// Its link is lost, or it left: what it has in hand goes to others at once.
    mutating func lost(_ node: NodeID) {
        // What it was sent last may not have arrived: when it is back it is told all.
        holders.removeAll { $0 == node }
        guard let part = parts[node] else { return }
        if part.stage != .shutOut { parts.change(node) { $0.stage = .gone } }
        _ = release(node)
    }

    /// All that a node has in hand goes to others. Tells which attempts end with that.
    private mutating func release(_ node: NodeID) -> [UInt64] {
        let attempts = ledger.release(allOf: node) + audits.release(node)
        arrivals.giveUp(allOf: node)
        hasNews = true
        return attempts
    }

    /// The same of a node that is there and knows nothing of it: a hand that stays full takes nothing new.
    mutating func takeBack(from node: NodeID, _ deeds: inout Deeds) { drop(release(node), at: node, &deeds) }

    func drop(_ attempts: [UInt64], at node: NodeID, _ deeds: inout Deeds) {
        if !attempts.isEmpty { deeds.send(.drop(id, attempts: attempts), to: node) }
    }

    func isAllowed(_ worker: Worker) -> Bool {
        taken.order.nodes.isEmpty || taken.order.nodes.contains { $0.lowercased() == worker.name.lowercased() }
    }

    /// Of all nodes that compute, as far as that is known.
    mutating func count(_ workers: OrderedTable<NodeID, Worker>, _ now: Instant) {
        var force = Force(at: now)
        for node in parts.keys {
            guard let part = parts[node], part.stage == .ready, let worker = workers[node], worker.cores > 0,
                isAllowed(worker)
            else { continue }
            force.members.append(node)
            guard part.isAble(now) else { continue }
            force.able.append(node)
            guard let speed = part.pace.speed else { continue }
            force.speed += speed * Double(worker.cores)
            force.speeds.append(speed)
        }
        force.speeds.sort()
        self.force = force
    }

    // MARK: Handing out

    func inHand(of node: NodeID) -> Int {
        ledger.count(heldBy: node) + audits.count(heldBy: node) - min(arrivals.count(of: node), JobLimits.arriving)
    }

    /// What a node is to do next; nil where there is nothing for it now.
    mutating func next(
        for worker: Worker, _ workers: OrderedTable<NodeID, Worker>, mostBlocks: UInt64, now: Instant
    ) -> LentChunk? {
        guard let part = parts[worker.node], part.isAble(now), isAllowed(worker), worker.cores > 0 else { return nil }
        if force.at.map({ now - $0 > Force.interval }) ?? true { count(workers, now) }
        var size = min(part.pace.size(left: ledger.left, total: force.speed), mostBlocks, part.mostBlocks, widest(part))
        if parts.count > 1, part.chunks < JobLimits.auditedChunks {
            size = min(size, max(1, part.pace.blocks(in: JobLimits.auditedTime) ?? 1))
        }
        guard inHand(of: worker.node) < worker.cores * part.pace.chunks(of: size) else { return nil }
        let wasIdle = inHand(of: worker.node) == 0
        var chunk = audit(for: worker, workers, now)
        if chunk == nil, isComputing { chunk = lend(to: worker, part, size, now) }
        if chunk == nil { hasIdle = true }
        if chunk != nil, wasIdle { parts.change(worker.node) { $0.lastSign = now } }
        return chunk
    }

    /// How many blocks whoever looks at them again is done with in a moment.
    private func widest(_ part: Part) -> UInt64 {
        guard parts.count > 1 else { return .max }
        return force.usual(without: part.pace.speed).map { Pace.blocks(in: JobLimits.longestLook, at: $0) }
            ?? JobLimits.unvouched
    }

    private mutating func lend(to worker: Worker, _ part: Part, _ size: UInt64, _ now: Instant) -> LentChunk? {
        let cores = UInt64(worker.cores)
        var share = elapsed(now) / JobLimits.extentPart
        if spec.goal.trials == nil || spec.goal.duration != nil { share = min(share, JobLimits.extentOfEndless) }
        let extent = max(size * cores, (part.pace.blocks(in: share) ?? 1).multipliedClamped(cores))
        ledger.grain = max(size, extent / 4)
        if let chunk = ledger.lend(
            to: worker.node, atMost: size, extent: extent, able: force.able, now: now)
        {
            return chunk
        }
        // Near the end what others are late with is done again, by those who have nothing else.
        guard inHand(of: worker.node) < worker.cores else { return nil }
        let parts = parts
        let ledger = ledger
        let arrivals = arrivals
        return self.ledger.lendAgain(to: worker.node, now: now) { loan, holder in
            if arrivals[holder.attempt] != nil { return false }
            guard let other = parts[holder.node] else { return true }
            let ahead = other.pace.time(for: UInt64(loan.blocks.count)) * (1 + ledger.count(heldBy: holder.node))
            return now - holder.since > ahead * JobLimits.late
        }
    }

    // MARK: Taking in

    mutating func took(
        _ result: WorkResult, from node: NodeID, name: String, _ deeds: inout Deeds, now: Instant
    ) {
        guard parts[node] != nil else { return }
        let loan = ledger.lent(result.attempt, to: node)?.loan
        guard let given = loan?.blocks ?? audits.blocks(of: result.attempt, by: node) else {
            return free(result.attempt, at: node, &deeds)
        }
        // Told twice, it is what was told first: that may be looked at already.
        guard arrivals[result.attempt] == nil else { return }
        if let why = misfit(result, of: node, given) {
            return failed(result.attempt, block: given.lowerBound, why, at: node, name: name, &deeds, now: now)
        }
        if result.end > given.lowerBound { sawSign(of: node, now) }
        if let opinion = audits.take(result.attempt, by: node, end: result.end, tally: result.tally, layout) {
            switch opinion {
            case .agrees: parts.change(node) { $0.audits += 1 }
            case .goesOn: hasNews = true
            case .disagrees(let claim, let other):
                parts.change(node) { $0.audits += 1 }
                dispute(claim, node, other, &deeds)
            }
            free(result.attempt, at: node, &deeds)
            return conclude(&deeds, now: now)
        }
        let blocks = given.lowerBound..<result.end
        if spec.collects, !blocks.isEmpty { return expect(result, blocks, from: node, &deeds, now: now) }
        count(result, from: node, &deeds, now: now)
    }

    /// What is wrong with a result of the blocks that a node was given, to do or to look at.
    private func misfit(_ result: WorkResult, of node: NodeID, _ given: Range<UInt64>) -> String? {
        if let why = ledger.misfit(given, end: result.end, tally: result.tally) { return why }
        // Else it could be asked for ever.
        let isIdle = result.end == given.lowerBound && audits.mustGoOn(result.attempt, by: node)
        return isIdle ? "it ignores its work" : nil
    }

    /// What came of a chunk counts from now on.
    mutating func count(_ result: WorkResult, from node: NodeID, _ deeds: inout Deeds, now: Instant) {
        let lent = ledger.lent(result.attempt, to: node)?.loan.blocks
        guard
            let settled = ledger.settle(result.attempt, by: node, end: result.end, tally: result.tally)
        else { return }
        for other in settled.others {
            arrivals.giveUp(other.attempt)
            drop([other.attempt], at: other.node, &deeds)
        }
        let blocks = settled.blocks
        var isAudited = false
        // Nobody is busy for longer than it had them. Whoever says so would be waited for, for ever.
        let busy = min(result.busy, max(.seconds(1), now - settled.since))
        parts.change(node) { part in
            part.pace.learn(blocks: UInt64(blocks.count), busy: busy)
            part.trials += settled.trials
            part.failures = 0
            part.asides = 0
            if !blocks.isEmpty { part.chunks += 1 }
        }
        if !blocks.isEmpty { isAudited = wantsAudit(node, blocks) }
        if isAudited { audits.add(Audits.Claim(blocks: blocks, node: node, tally: result.tally)) }
        // It may have ended early, and the rest is anybody's.
        let isShort = blocks.upperBound != lent?.upperBound
        hasNews = hasNews || hasIdle && (isAudited || isShort)
        settle(&deeds, now: now)
        if !blocks.isEmpty { keep(JobPiece(blocks: blocks, node: node, tally: result.tally), &deeds) }
    }

    /// A node has done these unasked, for a coordinator before us or while its link was lost.
    mutating func took(_ offered: OfferedWork, from node: NodeID, _ deeds: inout Deeds, now: Instant) {
        // What was written for it is not here.
        guard let part = parts[node], part.stage != .shutOut, phase.takesOffers, !spec.collects,
            mayCount(offered, part, now)
        else { return }
        let piece = JobPiece(blocks: offered.blocks, node: node, tally: offered.tally)
        guard ledger.take(piece) else { return }
        parts.change(node) {
            $0.trials += ledger.trials(in: offered.blocks)
            $0.chunks += 1
        }
        if wantsAudit(node, offered.blocks) {
            audits.add(Audits.Claim(blocks: offered.blocks, node: node, tally: offered.tally))
        }
        hasNews = true
        settle(&deeds, now: now)
        keep(piece, &deeds)
    }

    /// Whether blocks that nobody was lent are so few that somebody can look at them again in a moment, so near to what is done that
    /// the ledger's next extents lie there, and not too many already.
    private func mayCount(_ offered: OfferedWork, _ part: Part, _ now: Instant) -> Bool {
        let (most, time) = (JobLimits.looseOffers, elapsed(now))
        guard ledger.loose.count < most, ledger.returned.count < most,
            ledger.loose.count * layout.slots < JobLimits.replicaSlots
        else { return false }
        // Of who has just taken over nobody's speed is known, but how long the job took so far.
        let before = activeBefore > .zero ? Double(ledger.base.blocks) / activeBefore.seconds : 0
        let each = force.usual(without: part.pace.speed) ?? (before > 0 ? before / Double(parts.count) : nil)
        let width = each.map { Pace.blocks(in: JobLimits.longestLook, at: $0) } ?? JobLimits.unvouched
        let all = time > .zero ? Double(ledger.settled) / time.seconds : 0
        let reach = time / (JobLimits.extentPart / 2) + JobLimits.silence
        let far = max(JobLimits.unvouched, Pace.blocks(in: reach, at: all))
        return UInt64(offered.blocks.count) <= width
            && offered.blocks.upperBound <= max(ledger.fresh, ledger.settled.addingClamped(far))
    }

    /// Where it is not settled, and said with that.
    private mutating func keep(_ piece: JobPiece, _ deeds: inout Deeds) {
        guard isKept(deeds), ledger.isPatched || piece.blocks.lowerBound >= ledger.settled else { return }
        keep(.done(id, piece), &deeds)
    }

    /// Lets what has no gap before it count.
    mutating func settle(_ deeds: inout Deeds, now: Instant) {
        let before = ledger.settled
        while let passed = ledger.advance() {
            if isKept(deeds) {
                let blocks = Checkpoint.blocks(passed.checkpoint)
                keep(.passed(id, SettledTally(blocks: blocks, tally: passed.tally)), &deeds)
            }
            // The last one is the result, which is read anyway.
            guard passed.trials != spec.goal.trials else { continue }
            let request = ReadRequest(
                job: id, tally: passed.tally, trials: passed.trials, purpose: .checkpoint(passed.checkpoint),
                edition: edition)
            ask(request, &deeds, now: now)
        }
        if ledger.settled > before, isKept(deeds), let part = ledger.settledPart { keep(.settled(id, part), &deeds) }
        if case .stopping = phase, !ledger.hasLoans { cut(&deeds, now: now) }
        conclude(&deeds, now: now)
    }

    /// It brought blocks of what it was given: nothing else shows that it works, since anybody can say anything.
    private mutating func sawSign(of node: NodeID, _ now: Instant) {
        parts.change(node) {
            $0.lastSign = now
            if $0.isSilent {
                $0.isSilent = false
                // What it was given then is somebody else's by now, and it works again.
                hasNews = true
            }
        }
    }

    // MARK: Failures

    mutating func failed(
        _ attempt: UInt64, block: UInt64, _ text: String, at node: NodeID, name: String, _ deeds: inout Deeds,
        now: Instant
    ) {
        guard parts[node] != nil else { return }
        let looked = audits.blocks(of: attempt, by: node)
        _ = audits.release(node, attempt: attempt)
        let lent = ledger.release(attempt, by: node, failed: true)
        guard let blocks = looked ?? lent else { return }
        if lent != nil { arrivals.giveUp(attempt) }
        // Whichever it names, it is one of those that it had.
        let block = blocks.contains(block) ? block : blocks.lowerBound
        hasNews = true
        parts.change(node) { $0.failures += 1 }
        if isPoison(block, after: node, now) {
            return fail(BlockFailure(block: block, seed: spec.experiment.seed, text: text).description, &deeds)
        }
        // Where it is the only one, nobody would be better off: it goes on until one block has failed twice.
        guard let part = parts[node], part.failures >= JobLimits.failures, force.members.contains(where: { $0 != node })
        else { return }
        let pause = min(JobLimits.aside * (1 << min(part.asides, 8)), JobLimits.longestAside)
        parts.change(node) {
            $0.asideUntil = now + pause
            $0.asides += 1
            $0.failures = 0
        }
        takeBack(from: node, &deeds)
        deeds.effects.append(.news(.setAside(id, node, name: name, why: text)))
    }

    /// Whether it is the simulation's fault: the block failed on two nodes of which one has done others, or on all there are; or
    /// all of them failed somewhere and nobody has brought anything.
    private mutating func isPoison(_ block: UInt64, after node: NodeID, _ now: Instant) -> Bool {
        let index: Int
        if let found = failures.firstIndex(where: { $0.block == block }) {
            index = found
        } else {
            if failures.count >= JobLimits.parts { failures.removeFirst() }
            index = failures.count
            failures.append((block, []))
        }
        failures[index].nodes.append(node)
        let nodes = failures[index].nodes
        let tries = failures.reduce(0) { $0 + $1.nodes.count }
        if tries >= 2, !force.members.isEmpty, force.members.allSatisfy({ hasOnlyFailed($0) }) { return true }
        let others = force.members.filter { !nodes.contains($0) }
        guard nodes.count >= 2 else { return false }
        if others.isEmpty { return true }
        let distinct = nodes.contains { $0 != nodes[0] }
        return distinct && nodes.contains { (parts[$0]?.chunks ?? 0) > 0 }
    }

    private func hasOnlyFailed(_ node: NodeID) -> Bool {
        parts[node]?.chunks == 0 && failures.contains { $0.nodes.contains(node) }
    }

    /// A node that has chunks and brings nothing loses them.
    mutating func judgeSilence(_ deeds: inout Deeds, now: Instant) {
        for node in parts.keys {
            // While octets come from it, others look whether they do.
            guard let part = parts[node], part.stage == .ready, inHand(of: node) > 0, arrivals.count(of: node) == 0,
                now - part.lastSign > JobLimits.silence
            else { continue }
            let lent = ledger.held[node]?.first.flatMap { ledger.lent($0, to: node) }?.loan.blocks.count ?? 0
            let most = UInt64(max(lent, audits.longest(heldBy: node)))
            guard now - part.lastSign > part.pace.time(for: most) * JobLimits.slack else { continue }
            parts.change(node) { ($0.isSilent, $0.silentUntil) = (true, now + JobLimits.silence) }
            takeBack(from: node, &deeds)
        }
    }
}

/// What a job's nodes can do together.
struct Force: Sendable {
    /// It changes slowly, and there may be hundreds of nodes.
    static let interval: Duration = .milliseconds(100)

    var at: Instant?
    /// All that may compute it, those that are left alone just now among them.
    var members: [NodeID] = []
    var able: [NodeID] = []
    /// Blocks a second.
    var speed = 0.0
    /// Of a core of each of them, as far as that is known, in order.
    var speeds: [Double] = []

    /// What a core of the others does: at least half of them are as fast. Nil where no other one is known.
    func usual(without own: Double?) -> Double? {
        let others = speeds.count - (own == nil ? 0 : 1)
        guard others > 0 else { return nil }
        let index = (others - 1) / 2
        return own.map { $0 <= speeds[index] } ?? false ? speeds[index + 1] : speeds[index]
    }
}
