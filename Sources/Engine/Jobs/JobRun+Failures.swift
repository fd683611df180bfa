import PotluckCore
import PotluckKit

/// Handles chunks that fail and workers that return nothing.
extension JobRun {
    /// A chunk failed at a node, which may have been judged silent meanwhile. Its blocks go to others; the job fails if
    /// the simulation must be the cause.
    mutating func failed(
        _ attempt: UInt64, block: UInt64, _ text: String, at node: NodeID, name: String, _ turn: inout Turn
    ) {
        guard workerProgress[node] != nil else { return }
        let looked = audits.blocks(of: attempt, by: node)
        _ = audits.release(node, attempt: attempt)
        let lent = ledger.release(attempt, by: node, failed: true)
        guard let blocks = looked ?? lent ?? failures.takeWithdrawn(attempt, of: node) else { return }
        sawSign(of: node, turn.now)
        if lent != nil { giveUpResult(attempt) }
        // A block that the node did not have counts as its first one.
        let block = blocks.contains(block) ? block : blocks.lowerBound
        hasNews = true
        workerProgress.change(node) { $0.failures += 1 }
        if isPoison(block, after: node, turn.now) {
            return fail(.block(BlockFailure(block: block, seed: spec.experiment.seed, text: text)), &turn)
        }
        // The only worker is not set aside. It continues until one block has failed twice.
        guard let progress = workerProgress[node], progress.failures >= JobLimits.failures,
            capacity.members.contains(where: { $0 != node })
        else { return }
        let pause = min(JobLimits.aside * (1 << min(progress.asides, 8)), JobLimits.longestAside)
        workerProgress.change(node) {
            $0.asideUntil = turn.now + pause
            $0.asides += 1
            $0.failures = 0
        }
        takeBack(from: node, &turn)
        turn.tell(.news(.setAside(id, node, name: name, why: text)))
    }

    /// Whether the simulation must be the cause. There are three such cases: the block failed on two nodes, one of
    /// which has brought results; it failed twice, and on all nodes; or there were two failures, no node has brought
    /// anything, and each node has failed somewhere.
    ///
    /// A browser's word is not enough for that while a program computes the job: anybody with the page can make it fail.
    private mutating func isPoison(_ block: UInt64, after node: NodeID, _ now: Instant) -> Bool {
        let programs = capacity.members.filter { workerProgress[$0]?.recomputed == nil }
        if workerProgress[node]?.recomputed != nil, !programs.isEmpty { return false }
        let witnesses = programs.isEmpty ? capacity.members : programs
        let nodes = failures.note(block, at: node)
        if failures.count >= 2, !witnesses.isEmpty, witnesses.allSatisfy({ hasOnlyFailed($0) }) { return true }
        let others = witnesses.filter { !nodes.contains($0) }
        guard nodes.count >= 2 else { return false }
        if others.isEmpty { return true }
        let distinct = nodes.contains { $0 != nodes[0] }
        return distinct && nodes.contains { (workerProgress[$0]?.chunks ?? 0) > 0 }
    }

    private func hasOnlyFailed(_ node: NodeID) -> Bool {
        workerProgress[node]?.chunks == 0 && failures.concern(node)
    }

    /// Takes the chunks from nodes that have had them for too long without returning a block, so that others compute
    /// them. While no other node can, this node keeps its own: its threads are alive, and each chunk has an outcome.
    mutating func judgeSilence(_ turn: inout Turn) {
        for node in workerProgress.keys where node != own || capacity.members.contains(where: { $0 != own }) {
            // While its output is fetched, the fetch has a timeout of its own.
            guard let progress = workerProgress[node], progress.stage == .ready, inHand(of: node) > 0,
                pendingOutputs.count(of: node) == 0,
                turn.now - progress.lastSign > JobLimits.silence
            else { continue }
            let lent =
                ledger.loans.attempts(heldBy: node).first.flatMap { ledger.lent($0, to: node) }?.loan.blocks.count ?? 0
            let most = UInt64(max(lent, audits.longest(heldBy: node)))
            guard turn.now - progress.lastSign > progress.pace.time(for: most) * JobLimits.slack else { continue }
            workerProgress.change(node) { $0.contact = .silent(until: turn.now + JobLimits.silence) }
            for attempt in ledger.loans.attempts(heldBy: node) {
                guard let lent = ledger.lent(attempt, to: node) else { continue }
                failures.withdraw(attempt, lent.loan.blocks, from: node)
            }
            for (attempt, blocks, _) in audits.underWay(at: node) { failures.withdraw(attempt, blocks, from: node) }
            takeBack(from: node, &turn)
        }
    }
}
