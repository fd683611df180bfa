import PotluckCore
import PotluckKit

/// The better solutions of a search that other nodes report. No node relies on one, and no result that rests on it
/// counts, before this node has searched its point itself: otherwise one lie would hide every honest solution.
struct Proofs: Sendable {
    /// A result that claims a better solution than is proven.
    struct Held: Sendable {
        let result: WorkResult
        let node: NodeID
        let best: Best
    }

    /// The point that this node searches now.
    private struct Search: Sendable {
        let attempt: UInt64
        let best: Best
        /// The nodes that reported this solution.
        var nodes: [NodeID]
    }

    /// The outcome of searching the point of a solution.
    enum Verdict {
        case proven(Best)
        /// There is no such solution. The nodes reported it.
        case lies([NodeID])
        /// The search was interrupted.
        case open
    }

    /// The best solution that this node has found, or whose point it has searched.
    private(set) var proven = Best()
    /// The best that each node reports, if it is better than what is proven.
    private var reports = OrderedTable<NodeID, Best>()
    private var held = OrderedTable<UInt64, Held>()
    private var search: Search?

    func isHeld(_ attempt: UInt64) -> Bool { held[attempt] != nil }

    func count(of node: NodeID) -> Int { held.values.reduce(0) { $1.node == node ? $0 + 1 : $0 } }

    /// Whether the attempt is a search of a point.
    func isOurs(_ attempt: UInt64) -> Bool { search?.attempt == attempt }

    mutating func hold(_ result: WorkResult, from node: NodeID, claiming best: Best) {
        held[result.attempt] = Held(result: result, node: node, best: best)
        report(best, by: node)
    }

    /// Notes a solution that a node reports. Only its best one matters.
    mutating func report(_ best: Best, by node: NodeID) {
        guard best < proven, best < reports[node] ?? Best() else { return }
        reports[node] = best
        if search?.best == best { search?.nodes.append(node) }
    }

    /// Notes a solution that is known to exist.
    mutating func prove(_ best: Best) {
        proven = min(proven, best)
        for (node, other) in reports.elements where other >= proven { reports[node] = nil }
    }

    /// Returns the best solution that is reported, if no point is being searched, and notes that its point is now.
    mutating func next(as attempt: @autoclosure () -> UInt64) -> (attempt: UInt64, best: Best)? {
        guard search == nil, let best = reports.elements.map(\.value).min() else { return nil }
        let nodes = reports.elements.filter { $0.value == best }.map(\.key)
        let new = Search(attempt: attempt(), best: best, nodes: nodes)
        search = new
        return (new.attempt, best)
    }

    /// Ends the search of a point, which found `found`. The point of a report may hold a better solution than the
    /// report, if the node was not done with it.
    mutating func searched(upTo end: UInt64, best found: Best) -> Verdict {
        guard let search else { return .open }
        self.search = nil
        guard end > search.best.point else { return .open }
        guard found.point == search.best.point, found <= search.best else {
            // Nobody else is to search the point again while the nodes are shut out.
            for (node, other) in reports.elements where other == search.best { reports[node] = nil }
            return .lies(search.nodes)
        }
        prove(found)
        return .proven(found)
    }

    /// Removes and returns the results that rest only on proven solutions.
    mutating func takeFree() -> [Held] {
        let free = held.elements.map(\.value).filter { $0.best >= proven }
        for one in free { held[one.result.attempt] = nil }
        return free
    }

    /// Forgets a result whose chunk was taken back.
    mutating func giveUp(_ attempt: UInt64) { held[attempt] = nil }

    /// Forgets the results of a node that left, whose chunks others do. What it reported is still proven.
    mutating func giveUp(allOf node: NodeID) {
        for (attempt, one) in held.elements where one.node == node { held[attempt] = nil }
    }

    /// Forgets all that a node reported, because it was shut out.
    mutating func forget(_ node: NodeID) {
        giveUp(allOf: node)
        reports[node] = nil
        search?.nodes.removeAll { $0 == node }
    }
}
