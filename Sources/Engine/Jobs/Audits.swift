import PotluckCore
import PotluckKit

/// The audits of a job: results that a second node computes, too. If the two disagree, this node computes the chunk
/// twice itself.
struct Audits: Sendable {
    /// The result of a worker, and how far a second node has checked it.
    struct Claim: Sendable {
        let result: BlockTally
        /// The part that a second node has computed so far. Nil unless its chunk ended early: its blocks write much, or
        /// it was interrupted.
        var seen: Seen?
        /// How often another node took over the audit, because its node was late.
        var takeOvers = 0

        init(_ result: BlockTally) { self.result = result }

        var blocks: Range<UInt64> { result.blocks }
        var node: NodeID { result.node }

        struct Seen: Sendable {
            let node: NodeID
            let end: UInt64
            let tally: [UInt64]
        }

        /// The blocks that are not checked yet.
        var rest: Range<UInt64> { (seen?.end ?? blocks.lowerBound)..<blocks.upperBound }
    }

    /// A disagreement: two nodes brought different results for the same blocks.
    struct Dispute: Sendable {
        let claim: Claim
        let witness: NodeID
        /// The tally of the witness.
        let other: [UInt64]
        /// The attempts of this node: all blocks at once, and then in two parts.
        var own: [Own]

        struct Own: Sendable {
            var attempt: UInt64
            /// The blocks that are not computed yet.
            var rest: Range<UInt64>
            /// Whether an instance that has computed nothing before is to compute them.
            var isFresh: Bool
            /// The tally of the blocks computed so far.
            var tally: [UInt64]
            /// The bound with which a search begins; nil for other work.
            var bound: SearchBound?
        }

        enum Ruling: Equatable {
            /// This node computed the blocks twice, with two results.
            case notRepeatable
            case liars([NodeID])
        }

        func ruling(_ layout: TallyLayout) -> Ruling? {
            guard own.allSatisfy(\.rest.isEmpty), let whole = own.first?.tally else { return nil }
            var joined = layout.empty
            for part in own.dropFirst() { layout.merge(part.tally, into: &joined) }
            guard whole == joined else { return .notRepeatable }
            return .liars((claim.result.tally == whole ? [] : [claim.node]) + (other == whole ? [] : [witness]))
        }
    }

    /// An audit under way.
    private struct Look: Sendable {
        let attempt: UInt64
        let claim: Claim
        /// When the node was given the blocks.
        let since: Instant
        /// Whether the node was told to end at the next block.
        var isInterrupted = false
    }

    /// Chooses the chunks that are audited.
    var random: SeededGenerator
    private(set) var waiting: [Claim] = []
    private var underWay: [NodeID: [Look]] = [:]
    private(set) var disputes: [Dispute] = []
    /// The better solutions that nodes report, if the job is a search.
    var proofs = Proofs()

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    var isEmpty: Bool { waiting.isEmpty && underWay.isEmpty && disputes.isEmpty }

    /// Adds a claim. If too many wait, the oldest that no node has begun is believed.
    mutating func add(_ claim: Claim) {
        waiting.append(claim)
        guard waiting.count > JobLimits.waitingAudits else { return }
        waiting.remove(at: waiting.firstIndex { $0.seen == nil } ?? 0)
    }

    /// Gives a node a claim to check, of those that it `mayJudge`. It starts over with a claim that another node has
    /// begun.
    mutating func lend(
        to witness: NodeID, attempt: UInt64, now: Instant, where mayJudge: (Claim) -> Bool
    ) -> Range<UInt64>? {
        guard let index = waiting.firstIndex(where: mayJudge) else { return nil }
        var claim = waiting.remove(at: index)
        if claim.seen?.node != witness { claim.seen = nil }
        underWay[witness, default: []].append(Look(attempt: attempt, claim: claim, since: now))
        return claim.rest
    }

    /// Returns the first audit that its node is late with, for another node that may do it at `pace`.
    func late(for witness: NodeID, _ pace: Pace, now: Instant, where mayJudge: (Claim) -> Bool) -> Late? {
        for holder in underWay.keys.sorted() where holder != witness {
            for look in underWay[holder] ?? [] {
                let usual = min(pace.time(for: UInt64(look.claim.blocks.count)) * JobLimits.late, Self.longestUsual)
                let patience = max(JobLimits.longestAudit, usual) * (1 << min(look.claim.takeOvers, Self.mostDoublings))
                if now - look.since > patience, mayJudge(look.claim) {
                    return Late(holder: holder, attempt: look.attempt)
                }
            }
        }
        return nil
    }

    struct Late {
        let holder: NodeID
        let attempt: UInt64
    }

    // Together they keep the patience below half a year, far within the range of a duration.
    private static let longestUsual: Duration = .seconds(3600)
    private static let mostDoublings = 12

    func count(heldBy witness: NodeID) -> Int { underWay[witness]?.count ?? 0 }

    /// The audits of a node, each with its blocks and the time when the node was given them.
    func underWay(at witness: NodeID) -> [(attempt: UInt64, blocks: Range<UInt64>, since: Instant)] {
        (underWay[witness] ?? []).map { ($0.attempt, $0.claim.rest, $0.since) }
    }

    /// Returns the most blocks that the node checks in one attempt.
    func longest(heldBy witness: NodeID) -> Int { underWay[witness]?.map(\.claim.rest.count).max() ?? 0 }

    private func look(_ attempt: UInt64, by witness: NodeID) -> Look? {
        underWay[witness]?.first { $0.attempt == attempt }
    }

    /// The claim that the node checks in that attempt.
    func claim(of attempt: UInt64, by witness: NodeID) -> Claim? { look(attempt, by: witness)?.claim }

    /// The blocks that the node checks in that attempt. Nil if the attempt is no audit of that node.
    func blocks(of attempt: UInt64, by witness: NodeID) -> Range<UInt64>? { look(attempt, by: witness)?.claim.rest }

    /// Whether the node must compute at least one block in that attempt, because it was not interrupted.
    func mustGoOn(_ attempt: UInt64, by witness: NodeID) -> Bool {
        look(attempt, by: witness).map { !$0.isInterrupted } ?? false
    }

    /// Whether a result of that node is still being checked.
    func concern(_ node: NodeID) -> Bool {
        waiting.contains { $0.node == node } || disputes.contains { $0.claim.node == node }
            || underWay.values.contains { $0.contains { $0.claim.node == node } }
    }

    /// Notes that a node was told to end its audits at the next block, so that it may return none.
    mutating func interrupted(_ witness: NodeID) {
        for index in (underWay[witness] ?? []).indices { underWay[witness]?[index].isInterrupted = true }
    }

    enum Opinion {
        case agrees(Claim)
        /// The audit ended early, and the rest is still to be checked.
        case continues
        /// The tally is that of the second node.
        case disagrees(Claim, [UInt64])
    }

    /// Takes the result of an audit, which fits the blocks that the node was given. Nil if the attempt is no audit of
    /// that node.
    mutating func compare(
        _ attempt: UInt64, by node: NodeID, end: UInt64, tally: [UInt64], _ layout: TallyLayout
    ) -> Opinion? {
        guard var claim = remove(attempt, from: node).first?.claim else { return nil }
        var whole = claim.seen?.tally ?? layout.empty
        layout.merge(tally, into: &whole)
        guard end == claim.blocks.upperBound else {
            if end > claim.rest.lowerBound { claim.seen = Claim.Seen(node: node, end: end, tally: whole) }
            add(claim)
            return .continues
        }
        return claim.result.tally == whole ? .agrees(claim) : .disagrees(claim, whole)
    }

    /// A node gives up one audit or all of them. Other nodes may do them, from the first block on. Returns the attempts
    /// that end.
    mutating func release(_ node: NodeID, attempt: UInt64? = nil, isLate: Bool = false) -> [UInt64] {
        let theirs = remove(attempt, from: node)
        for var claim in theirs.map(\.claim) {
            claim.seen = nil
            if isLate { claim.takeOvers += 1 }
            add(claim)
        }
        return theirs.map(\.attempt)
    }

    /// Removes one audit of a node, or all of them.
    private mutating func remove(_ attempt: UInt64?, from witness: NodeID) -> [Look] {
        let theirs = underWay[witness] ?? []
        let rest = theirs.filter { attempt != nil && attempt != $0.attempt }
        underWay[witness] = rest.isEmpty ? nil : rest
        return theirs.filter { attempt == nil || attempt == $0.attempt }
    }

    mutating func open(_ dispute: Dispute) { disputes.append(dispute) }

    /// Takes a result that this node computed: of all or the first of the blocks that were left of an attempt. Returns
    /// the dispute of that attempt.
    mutating func judge(_ attempt: UInt64, end: UInt64, tally: [UInt64], _ layout: TallyLayout) -> Dispute? {
        guard let (dispute, own) = place(of: attempt) else { return nil }
        let rest = disputes[dispute].own[own].rest
        guard rest.lowerBound <= end, end <= rest.upperBound else { return nil }
        disputes[dispute].own[own].rest = end..<rest.upperBound
        layout.merge(tally, into: &disputes[dispute].own[own].tally)
        return disputes[dispute]
    }

    /// Continues an attempt of this node under a new number. Returns its remaining part; nil if nothing remains. An
    /// instance that has computed other blocks computes the rest. With a fresh instance, an attempt that ended in the
    /// middle would equal the attempts in two parts, and would not show that the simulation keeps state.
    mutating func goOn(_ attempt: UInt64, as new: UInt64) -> Dispute.Own? {
        guard let (dispute, own) = place(of: attempt), !disputes[dispute].own[own].rest.isEmpty else { return nil }
        disputes[dispute].own[own].attempt = new
        disputes[dispute].own[own].isFresh = false
        return disputes[dispute].own[own]
    }

    private func place(of attempt: UInt64) -> (dispute: Int, own: Int)? {
        for index in disputes.indices {
            if let own = disputes[index].own.firstIndex(where: { $0.attempt == attempt }) { return (index, own) }
        }
        return nil
    }

    func isOurs(_ attempt: UInt64) -> Bool { place(of: attempt) != nil }

    mutating func close(_ dispute: Dispute) { disputes.removeAll { $0.own[0].attempt == dispute.own[0].attempt } }

    /// Drops all audits and disputes about a node's results. Returns the audits that end, by witness.
    mutating func forget(_ node: NodeID) -> [(witness: NodeID, attempts: [UInt64])] {
        disputes.removeAll { $0.claim.node == node }
        proofs.forget(node)
        return dropLooks { $0.node == node }
    }

    /// Drops all claims for which `isMeant` is true, except those in dispute. Returns the audits that end, by witness.
    mutating func dropLooks(where isMeant: (Claim) -> Bool = { _ in true }) -> [(witness: NodeID, attempts: [UInt64])] {
        waiting.removeAll(where: isMeant)
        var dropped: [(witness: NodeID, attempts: [UInt64])] = []
        for witness in underWay.keys.sorted() {
            let looks = underWay[witness] ?? []
            let attempts = looks.filter { isMeant($0.claim) }.map(\.attempt)
            guard !attempts.isEmpty else { continue }
            dropped.append((witness, attempts))
            let rest = looks.filter { !isMeant($0.claim) }
            underWay[witness] = rest.isEmpty ? nil : rest
        }
        return dropped
    }

    /// Believes all claims whose audit has not begun.
    mutating func dropWaiting() { waiting = [] }

    mutating func dropAll() { (waiting, underWay, disputes, proofs) = ([], [:], [], Proofs()) }
}
