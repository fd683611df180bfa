import PotluckModel
import PotluckWire

/// Results whose octets are still on their way here, or are being looked at. Nothing of them counts before.
struct Arrivals: Sendable {
    struct Arrival: Sendable {
        let result: WorkResult
        let blocks: Range<UInt64>
        let output: BlobReference
        let node: NodeID
    }

    private var all = OrderedTable<UInt64, Arrival>()
    private var counts: [NodeID: Int] = [:]
    /// The blocks of those whose octets are here and are being looked at by the shell, by attempt.
    private var here: [UInt64: Range<UInt64>] = [:]
    /// Whether some were given up, and their octets need not come.
    private var hasGivenUp = false

    func count(of node: NodeID) -> Int { counts[node] ?? 0 }

    subscript(attempt: UInt64) -> Arrival? { all[attempt] }

    mutating func add(_ arrival: Arrival) {
        all[arrival.result.attempt] = arrival
        counts[arrival.node, default: 0] += 1
    }

    /// The octets are here. False where those of other results for the same blocks are being looked at already: only one of
    /// them may be put onto the shelf.
    mutating func came(_ attempt: UInt64) -> Bool {
        guard let blocks = all[attempt]?.blocks, !here.values.contains(where: { $0.overlaps(blocks) }) else {
            return false
        }
        here[attempt] = blocks
        return true
    }

    /// It is over with that one.
    mutating func take(_ attempt: UInt64) -> Arrival? {
        guard let arrival = all[attempt] else { return nil }
        all[attempt] = nil
        here[attempt] = nil
        counts[arrival.node] = count(of: arrival.node) > 1 ? count(of: arrival.node) - 1 : nil
        return arrival
    }

    /// Nobody waits for it any more.
    mutating func giveUp(_ attempt: UInt64) { if take(attempt) != nil { hasGivenUp = true } }

    mutating func giveUp(allOf node: NodeID) {
        guard count(of: node) > 0 else { return }
        for (attempt, arrival) in all.elements where arrival.node == node { giveUp(attempt) }
    }

    /// Whether some were given up since this was last asked.
    mutating func takeGivenUp() -> Bool {
        defer { hasGivenUp = false }
        return hasGivenUp
    }
}
