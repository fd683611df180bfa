import PotluckKit
import PotluckModel

/// Claims that a second node computes, too. Where the two disagree this node computes the chunk twice itself.
struct Audits: Sendable {
    struct Claim: Sendable {
        let blocks: Range<UInt64>
        let node: NodeID
        let tally: [UInt64]
    }

    /// Two nodes said different things about the same blocks.
    struct Dispute: Sendable {
        let claim: Claim
        let witness: NodeID
        let other: [UInt64]
        /// Our own attempts, all blocks at once and then in two parts, and what came of them.
        var own: [Own]

        struct Own: Sendable {
            var attempt: UInt64
            let blocks: Range<UInt64>
            let isFresh: Bool
            var tally: [UInt64]?
        }

        enum Verdict: Equatable {
            /// Computed twice here, with two results.
            case notRepeatable
            case liars([NodeID])
        }

        func verdict(_ layout: TallyLayout) -> Verdict? {
            let tallies = own.compactMap(\.tally)
            guard tallies.count == own.count, let whole = tallies.first else { return nil }
            var joined = layout.empty
            for part in tallies.dropFirst() { layout.merge(part, into: &joined) }
            guard whole == joined else { return .notRepeatable }
            return .liars((claim.tally == whole ? [] : [claim.node]) + (other == whole ? [] : [witness]))
        }
    }

    private(set) var waiting: [Claim] = []
    /// What second nodes are looking at.
    private var underWay: [NodeID: [(attempt: UInt64, claim: Claim)]] = [:]
    private(set) var disputes: [Dispute] = []

    var isEmpty: Bool { waiting.isEmpty && underWay.isEmpty && disputes.isEmpty }

    mutating func add(_ claim: Claim) {
        waiting.append(claim)
        if waiting.count > JobLimits.waitingAudits { waiting.removeFirst() }
    }

    /// A claim for that node to look at; `mayJudge` says about whom it may.
    mutating func lend(to witness: NodeID, attempt: UInt64, where mayJudge: (NodeID) -> Bool) -> Range<UInt64>? {
        guard let index = waiting.firstIndex(where: { mayJudge($0.node) }) else { return nil }
        let claim = waiting.remove(at: index)
        underWay[witness, default: []].append((attempt, claim))
        return claim.blocks
    }

    func count(heldBy witness: NodeID) -> Int { underWay[witness]?.count ?? 0 }

    enum Opinion {
        case agrees
        /// It ended early, so it says nothing.
        case none
        case disagrees(Claim)
    }

    /// What the second node says. Nil for an attempt that is no audit of its.
    mutating func take(_ attempt: UInt64, by node: NodeID, end: UInt64, tally: [UInt64]) -> Opinion? {
        guard let claim = remove(attempt, from: node).first?.claim else { return nil }
        guard end == claim.blocks.upperBound else { return Opinion.none }
        return claim.tally == tally ? .agrees : .disagrees(claim)
    }

    /// The second node brings nothing: somebody else may look. Tells which attempts it had.
    mutating func release(_ node: NodeID, attempt: UInt64? = nil) -> [UInt64] {
        let theirs = remove(attempt, from: node)
        for audit in theirs { add(audit.claim) }
        return theirs.map(\.attempt)
    }

    /// One attempt of a second node, or all it has.
    private mutating func remove(_ attempt: UInt64?, from witness: NodeID) -> [(attempt: UInt64, claim: Claim)] {
        let theirs = underWay[witness] ?? []
        let rest = theirs.filter { attempt != nil && attempt != $0.attempt }
        underWay[witness] = rest.isEmpty ? nil : rest
        return theirs.filter { attempt == nil || attempt == $0.attempt }
    }

    mutating func open(_ dispute: Dispute) { disputes.append(dispute) }

    /// One of our own results. Tells the dispute, where that attempt belongs to one.
    mutating func judge(_ attempt: UInt64, tally: [UInt64]) -> Dispute? {
        for index in disputes.indices {
            guard let own = disputes[index].own.firstIndex(where: { $0.attempt == attempt }) else { continue }
            disputes[index].own[own].tally = tally
            return disputes[index]
        }
        return nil
    }

    /// One of our own attempts was interrupted: the blocks are computed again, under another name.
    mutating func retry(_ attempt: UInt64, as new: UInt64) -> Dispute.Own? {
        for index in disputes.indices {
            guard let own = disputes[index].own.firstIndex(where: { $0.attempt == attempt }) else { continue }
            disputes[index].own[own].attempt = new
            return disputes[index].own[own]
        }
        return nil
    }

    /// Whether all blocks of one of our own attempts were computed.
    func isWhole(_ attempt: UInt64, end: UInt64) -> Bool {
        disputes.contains { $0.own.contains { $0.attempt == attempt && $0.blocks.upperBound == end } }
    }

    func isOurs(_ attempt: UInt64) -> Bool { disputes.contains { $0.own.contains { $0.attempt == attempt } } }

    mutating func close(_ dispute: Dispute) { disputes.removeAll { $0.own[0].attempt == dispute.own[0].attempt } }

    /// Nothing of that node's is looked at any more.
    mutating func forget(_ node: NodeID) {
        waiting.removeAll { $0.node == node }
        underWay = underWay.mapValues { $0.filter { $0.claim.node != node } }.filter { !$0.value.isEmpty }
        disputes.removeAll { $0.claim.node == node }
    }

    /// Nothing is looked at any more, but for what is in dispute. Tells who was looking, and by which attempts.
    mutating func dropLooks() -> [(witness: NodeID, attempts: [UInt64])] {
        defer { (waiting, underWay) = ([], [:]) }
        return underWay.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(\.attempt)) }
    }

    /// What has not begun is believed.
    mutating func dropWaiting() { waiting = [] }

    mutating func dropAll() { (waiting, underWay, disputes) = ([], [:], []) }
}
