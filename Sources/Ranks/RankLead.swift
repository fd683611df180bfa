import PotluckCore

/// Leads a program whose ranks are on several nodes: begins when all nodes are ready, notices when no rank can
/// continue, and keeps checkpoints.
///
/// A node reports when none of its ranks computes. Only a letter can change that. Suppose that all nodes have reported,
/// and that each receiver had got every letter that its senders report. Then no letter is on its way and no rank
/// computes: the first rank to compute again would need a letter that was sent before its sender's report, and the
/// receiver's report would lack it.
///
/// Besides letters, only the end of a checkpoint lets ranks compute. A report of ranks at a checkpoint whose states have
/// not come is of the checkpoint before: its node had not yet heard that it is over.
public struct RankLead: Sendable {
    private let map: RankMap
    private let limits: RankStateLimits
    private var phase = Phase.preparing(missing: [])
    private var reports: [RankReport?]
    public private(set) var checkpoints: RankCheckpoints

    private enum Phase: Sendable, Equatable {
        /// These nodes have not said that they are ready.
        case preparing(missing: Set<Int>)
        case running
        case over
    }

    /// What the nodes shall do.
    public enum Decision: Hashable, Sendable {
        /// All ranks begin.
        case begin
        /// All ranks continue after a checkpoint.
        case pass
        /// The program has ended: because all ranks have, or early for this reason.
        case end(RankError?)
    }

    /// - Parameter limits: how much of the ranks' states is kept; as much as they bring if nil.
    public init(_ map: RankMap, _ limits: RankStateLimits? = nil) {
        let limits = limits ?? .none
        (self.map, self.limits) = (map, limits)
        phase = .preparing(missing: Set(0..<map.nodes))
        reports = Array(repeating: nil, count: map.nodes)
        checkpoints = RankCheckpoints(size: map.size, areKept: limits.areKept)
    }

    /// The nodes that have not said that they are ready.
    public var unready: Set<Int> { if case .preparing(let missing) = phase { missing } else { [] } }
    public var isOver: Bool { phase == .over }

    /// A node can begin.
    public mutating func ready(_ node: Int) -> Decision? {
        guard case .preparing(var missing) = phase else { return nil }
        missing.remove(node)
        phase = missing.isEmpty ? .running : .preparing(missing: missing)
        return missing.isEmpty ? .begin : nil
    }

    /// The program ends for this reason.
    public mutating func end(_ fault: RankError) -> Decision? {
        guard phase != .over else { return nil }
        phase = .over
        return .end(fault)
    }

    /// A rank has brought its state to a checkpoint.
    public mutating func state(_ rank: Int, _ state: [UInt8], from node: Int) -> Decision? {
        guard phase == .running else { return nil }
        guard map.isOn(node, rank), !checkpoints.has(rank), state.count <= limits.each else { return end(.misfit) }
        guard checkpoints.hasRoom(for: state, limits) else { return end(limits.excess) }
        checkpoints.bring(state, of: rank)
        return nil
    }

    /// No rank of a node computes.
    public mutating func report(_ report: RankReport, from node: Int) -> Decision? {
        guard phase == .running else { return nil }
        guard map.has(node: node), report.fits(map, node) else { return end(.misfit) }
        let isLate = zip(map.ranks(of: node), report.standings).contains { rank, standing in
            standing.isAtCheckpoint && !checkpoints.has(rank)
        }
        guard !isLate else { return nil }
        reports[node] = report
        return judge()
    }

    private mutating func judge() -> Decision? {
        let reports = reports.compactMap(\.self)
        guard reports.count == map.nodes else { return nil }
        for (sender, report) in reports.enumerated() {
            for receiver in reports.indices where report.sent[receiver] != reports[receiver].received[sender] {
                return nil
            }
        }
        var activities: [RankActivity] = Array(repeating: .ended, count: map.size)
        for (node, report) in reports.enumerated() {
            for (rank, standing) in zip(map.ranks(of: node), report.standings) {
                if case .waits(let cause) = standing { activities[rank] = .waiting(cause, since: .start) }
            }
        }
        let waits = RankWait.all(activities)
        guard !waits.isEmpty else {
            phase = .over
            return .end(nil)
        }
        guard activities.allSatisfy(\.isAtCheckpoint) else { return end(.deadlock(waits)) }
        if let open = reports.compactMap(\.open).min(by: { $0.rank < $1.rank }) {
            return end(.openAtCheckpoint(rank: open.rank, messages: open.messages, requests: open.requests))
        }
        checkpoints.pass()
        self.reports = Array(repeating: nil, count: map.nodes)
        return .pass
    }
}
