import PotluckKit
import PotluckModel
import PotluckWire

/// What is different about searches: how long points take is not known, and every chunk begins with the best that is
/// known.
extension JobRun {
    var isSearch: Bool { layout.isOfSearch }

    /// The best solution of a search so far.
    var known: Best { layout.best(in: ledger.total) ?? Best() }

    /// Returns the number of points that the next chunk should have. The worker ends the chunk in time, whatever it
    /// has, and the rest is shared out again. So a chunk is a part of what is left, and no speed is needed.
    func searchSize(_ workers: OrderedTable<NodeID, Worker>) -> UInt64 {
        let cores = capacity.able.reduce(0) { $0 + UInt64(max(0, workers[$1]?.cores ?? 0)) }
        return max(JobLimits.fewestPoints, ledger.left / max(1, cores) / JobLimits.searchParts)
    }

    /// What a second node begins with that searches the points of a claim again: if the claim is right, these points
    /// hold nothing better, and the second result is the same. Nil unless the job is a search.
    func bound(of claim: Audits.Claim) -> SearchBound? {
        layout.best(in: claim.result.tally).map { SearchBound($0, isFixed: true) }
    }
}
