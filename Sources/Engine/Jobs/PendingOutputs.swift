import PotluckCore

/// A result whose output is still in flight, or is being checked by the shell.
struct PendingOutput: Sendable {
    let result: WorkResult
    let blocks: Range<UInt64>
    let output: BlobReference
    let node: NodeID
}

/// The results of a job whose outputs are still in flight or being checked. Such a result does not count yet.
struct PendingOutputs: Sendable {
    /// The results, by attempt.
    private var all = OrderedTable<UInt64, PendingOutput>()
    /// The number of results of each node.
    private var counts: [NodeID: Int] = [:]
    /// The blocks of the outputs that have arrived and that the shell is checking, by attempt.
    private var here: [UInt64: Range<UInt64>] = [:]
    /// Whether a result was given up since the last call of `takeGivenUp`, so that its output need not be fetched.
    private var hasGivenUp = false

    func count(of node: NodeID) -> Int { counts[node] ?? 0 }

    subscript(attempt: UInt64) -> PendingOutput? { all[attempt] }

    mutating func add(_ pending: PendingOutput) {
        all[pending.result.attempt] = pending
        counts[pending.node, default: 0] += 1
    }

    /// Marks an output as arrived. Returns false if the shell is already checking an output of the same blocks, because
    /// only one of them may be kept.
    mutating func came(_ attempt: UInt64) -> Bool {
        guard let blocks = all[attempt]?.blocks, !here.values.contains(where: { $0.overlaps(blocks) }) else {
            return false
        }
        here[attempt] = blocks
        return true
    }

    /// Removes a result and returns it.
    mutating func take(_ attempt: UInt64) -> PendingOutput? {
        guard let pending = all[attempt] else { return nil }
        all[attempt] = nil
        here[attempt] = nil
        counts[pending.node] = count(of: pending.node) > 1 ? count(of: pending.node) - 1 : nil
        return pending
    }

    /// Removes a result whose output is no longer needed.
    mutating func giveUp(_ attempt: UInt64) { if take(attempt) != nil { hasGivenUp = true } }

    mutating func giveUp(allOf node: NodeID) {
        guard count(of: node) > 0 else { return }
        for (attempt, pending) in all.elements where pending.node == node { giveUp(attempt) }
    }

    /// Returns whether a result was given up since the last call.
    mutating func takeGivenUp() -> Bool {
        defer { hasGivenUp = false }
        return hasGivenUp
    }
}
