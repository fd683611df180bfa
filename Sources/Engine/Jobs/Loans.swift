import PotluckCore

/// Blocks that are handed out, to one node or, at the end of a job, to several. The first result counts.
struct Loan: Sendable {
    struct Holder: Sendable {
        let attempt: UInt64
        let node: NodeID
        let since: Instant
    }

    let blocks: Range<UInt64>
    fileprivate(set) var holders: [Holder]
    /// The nodes that failed at these blocks.
    fileprivate(set) var failedOn: [NodeID] = []
}

/// The loans of a job, with an index by attempt and one by node that always agree.
struct Loans: Sendable {
    /// By their first block.
    private var loans: [UInt64: Loan] = [:]
    /// The first block of each attempt's loan.
    private var attempts: [UInt64: UInt64] = [:]
    /// Each node's attempts, the oldest first.
    private var held: [NodeID: [UInt64]] = [:]
    /// The number of the latest attempt. Audits take their numbers from the same sequence.
    private var lastAttempt: UInt64 = 0

    var isEmpty: Bool { loans.isEmpty }

    var count: Int { loans.count }

    /// Whether the three tables agree.
    var isSound: Bool {
        let lent = Set(loans.values.flatMap { $0.holders.map(\.attempt) })
        return lent == Set(attempts.keys) && lent == Set(held.values.joined())
    }

    /// Returns the attempts of a node, the oldest first.
    func attempts(heldBy node: NodeID) -> [UInt64] { held[node] ?? [] }

    /// Returns the loan of an attempt and its holder; nil if that node has no such attempt.
    func find(_ attempt: UInt64, of node: NodeID) -> (loan: Loan, holder: Loan.Holder)? {
        guard let first = attempts[attempt], let loan = loans[first],
            let holder = loan.holders.first(where: { $0.attempt == attempt && $0.node == node })
        else { return nil }
        return (loan, holder)
    }

    /// Makes all new attempts have higher numbers than this one.
    mutating func begin(after attempt: UInt64) { lastAttempt = attempt }

    mutating func newAttempt() -> UInt64 {
        lastAttempt += 1
        return lastAttempt
    }

    mutating func add(_ blocks: Range<UInt64>, to node: NodeID, failedOn: [NodeID], now: Instant) -> LentChunk {
        precondition(loans[blocks.lowerBound] == nil, "a block cannot be in two loans")
        loans[blocks.lowerBound] = Loan(blocks: blocks, holders: [], failedOn: failedOn)
        return append(node, to: blocks, now)
    }

    /// Lends a node the oldest loan of other nodes that are all late with it.
    mutating func addAgain(
        to node: NodeID, now: Instant, where isLate: (Loan, Loan.Holder) -> Bool
    ) -> LentChunk? {
        var oldest: (attempt: UInt64, blocks: Range<UInt64>)?
        for (attempt, first) in attempts where attempt < oldest?.attempt ?? .max {
            guard let loan = loans[first], !loan.failedOn.contains(node),
                loan.holders.allSatisfy({ $0.node != node && isLate(loan, $0) })
            else { continue }
            oldest = (attempt, loan.blocks)
        }
        return oldest.map { append(node, to: $0.blocks, now) }
    }

    private mutating func append(_ node: NodeID, to blocks: Range<UInt64>, _ now: Instant) -> LentChunk {
        let attempt = newAttempt()
        loans[blocks.lowerBound]?.holders.append(Loan.Holder(attempt: attempt, node: node, since: now))
        attempts[attempt] = blocks.lowerBound
        held[node, default: []].append(attempt)
        return LentChunk(attempt: attempt, blocks: blocks)
    }

    /// Ends a loan for all its holders.
    mutating func end(_ loan: Loan) {
        loans[loan.blocks.lowerBound] = nil
        for holder in loan.holders { forget(holder) }
    }

    /// Ends one attempt. Returns its loan, without that holder; nil if that node has no such attempt.
    mutating func end(_ attempt: UInt64, of node: NodeID, failed: Bool) -> Loan? {
        guard let first = attempts[attempt], var loan = loans[first],
            let index = loan.holders.firstIndex(where: { $0.attempt == attempt && $0.node == node })
        else { return nil }
        forget(loan.holders.remove(at: index))
        if failed { loan.failedOn.append(node) }
        loans[first] = loan.holders.isEmpty ? nil : loan
        return loan
    }

    private mutating func forget(_ holder: Loan.Holder) {
        attempts[holder.attempt] = nil
        guard var own = held[holder.node] else { return }
        own.removeAll { $0 == holder.attempt }
        held[holder.node] = own.isEmpty ? nil : own
    }
}
