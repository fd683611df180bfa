import PotluckCore
import PotluckKit

/// The special rules of searches: nobody knows how long points take, and every chunk begins with the best known
/// solution.
extension JobRun {
    var isSearch: Bool { layout.isOfSearch }

    /// The best solution of a search that is known to exist.
    var known: Best { min(layout.best(in: ledger.total) ?? Best(), audits.proofs.proven) }

    /// The tally to read. That of a search has the best that is proven, even if the chunk that found it is still under
    /// way: a point of a deep tree takes longer than users wait.
    var readTally: [UInt64] { isSearch ? SearchTally(known).slots(layout.slots) : ledger.total }

    /// Returns the number of points that the next chunk should have. A worker ends its chunk in time, wherever it is,
    /// and the rest is handed out again. So a chunk is a fraction of the remaining points, and no speed is needed.
    func searchSize(_ workers: OrderedTable<NodeID, Worker>) -> UInt64 {
        let cores = capacity.capable.reduce(0) { $0 + UInt64(max(0, workers[$1]?.cores ?? 0)) }
        return max(JobLimits.fewestPoints, ledger.left / max(1, cores) / JobLimits.searchParts)
    }

    /// A node reports a better solution while it still computes the chunk.
    mutating func improved(_ best: Best, by node: NodeID, _ turn: inout Turn) {
        guard isSearch, !isOver, best.point < SearchSpace.points, best < known,
            let progress = workerProgress[node], progress.stage != .shutOut
        else { return }
        guard node != own else { return spread(best, after: known, &turn) }
        audits.proofs.report(best, by: node)
        proveNext(&turn)
    }

    /// Returns whether a result must wait because it claims a better solution that this node has not checked.
    mutating func mustProve(
        _ result: WorkResult, _ blocks: Range<UInt64>, from node: NodeID, _ turn: inout Turn
    ) -> Bool {
        guard let best = layout.best(in: result.tally), best < known else { return false }
        if node != own, !blocks.isEmpty { audits.proofs.hold(result, from: node, claiming: best) }
        improved(best, by: node, &turn)
        return audits.proofs.isHeld(result.attempt)
    }

    /// Searches the point of the best solution that is reported.
    mutating func proveNext(_ turn: inout Turn) {
        guard !isOver, let (attempt, best) = audits.proofs.next(as: ledger.newAttempt()) else { return }
        let chunk = Chunk(
            attempt: AttemptID(job: id, number: attempt), blocks: best.point..<best.point + 1,
            bound: SearchBound(proving: best))
        turn.act(.compute(chunk, spec.experiment, trials: spec.goal.trials, as: .referee(isFresh: true)))
    }

    /// Takes the outcome of the search of a point. Returns the nodes that reported a solution that is not there.
    mutating func searched(_ outcome: ChunkOutcome, _ turn: inout Turn) -> [NodeID] {
        let result: ChunkResult
        switch outcome {
        case .failed(let failure):
            fail("it fails at block \(failure.block) with seed \(spec.experiment.seed): \(failure.text)", &turn)
            return []
        case .done(let done): result = done
        }
        let before = known
        var liars: [NodeID] = []
        switch audits.proofs.searched(upTo: result.end, best: layout.best(in: result.tally) ?? Best()) {
        case .lies(let nodes): liars = nodes
        case .proven(let best): spread(best, after: before, &turn)
        case .open: break
        }
        proveNext(&turn)
        return liars
    }

    /// Tells all nodes that compute of a solution that exists, if it is better than the best known `before`. Counts the
    /// results that rest on it.
    private mutating func spread(_ best: Best, after before: Best, _ turn: inout Turn) {
        if best < before {
            for node in workerProgress.keys where workerProgress[node]?.stage == .ready && inHand(of: node) > 0 {
                turn.send(.bound(id, best), to: node)
            }
        }
        audits.proofs.prove(best)
        for held in audits.proofs.takeFree() { count(held.result, from: held.node, &turn) }
    }

    /// The bound with which a second node searches the points of a claim again. If the claim is right, these points
    /// hold nothing better, and the second result is the same. Nil unless the job is a search.
    func bound(of claim: Audits.Claim) -> SearchBound? {
        layout.best(in: claim.result.tally).map { SearchBound($0, isFixed: true) }
    }
}
