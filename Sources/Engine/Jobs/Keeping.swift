import PotluckCore
import PotluckKit

/// The state of a job in the journal and in the replicas.
struct Keeping: Sendable {
    /// The nodes that hold a replica.
    private(set) var holders: [NodeID] = []
    /// The changes that the holders were not told yet.
    private var unsent: [JournalChange] = []
    /// When the holders are told next.
    private var nextReplica: Instant
    /// When the computing time is written down next.
    private var nextTime: Instant
    /// Whether the job's order is on disk.
    var mayBegin = false
    /// The trials of each node, as the journal and the replicas know them.
    var credits: [Credit]
    /// The end of the job that was told last; nil if none was.
    private var end: UInt64?

    init(now: Instant, credits: [Credit]) {
        (nextReplica, nextTime) = (now, now)
        self.credits = credits
    }

    /// Returns whether this end was not the last one told, and remembers it. A job may be cancelled again and again.
    mutating func isNew(end: UInt64) -> Bool {
        defer { self.end = end }
        return end != self.end
    }

    /// Remembers a change for the holders.
    mutating func add(_ change: JournalChange) { if !holders.isEmpty { unsent.append(change) } }

    /// Makes the next turn send the changes to the holders.
    mutating func tellSoon(_ now: Instant) { nextReplica = now }

    /// Returns whether the computing time and the credits are to be written down now.
    mutating func isTimeDue(_ now: Instant, isKept: Bool) -> Bool {
        guard now >= nextTime, isKept else { return false }
        nextTime = now + JobLimits.replica
        return true
    }

    /// Removes a holder. Called when its link is lost: the last changes may not have arrived, so it gets everything
    /// when it returns.
    mutating func forget(_ node: NodeID) { holders.removeAll { $0 == node } }

    /// Returns the changes that the holders are to be told now, or nil. `layout` is that of the job's tallies.
    mutating func takeDue(_ now: Instant, _ layout: TallyLayout) -> [JournalChange]? {
        guard !unsent.isEmpty, now >= nextReplica || unsent.count > JobLimits.mostUnsent else { return nil }
        defer {
            unsent = []
            nextReplica = now + JobLimits.replica
        }
        return Self.merged(compacted, layout)
    }

    /// Returns the nodes that become holders, the longest connected first. `capable` are those that could coordinate.
    mutating func takeNewHolders(_ capable: [NodeID]) -> [NodeID] {
        guard holders.count < min(JobLimits.replicas, capable.count) else { return [] }
        let new = Array(capable.filter { !holders.contains($0) }.prefix(JobLimits.replicas - holders.count))
        holders += new
        return new
    }

    /// The unsent changes without those that later ones make void.
    private var compacted: [JournalChange] {
        let lastSettled = unsent.lastIndex { if case .settled = $0 { true } else { false } }
        guard let lastSettled, case .settled(_, let settled) = unsent[lastSettled] else { return unsent }
        return unsent.enumerated().filter { index, change in
            switch change {
            case .settled: index == lastSettled
            case .done(_, let piece): index > lastSettled || piece.blocks.upperBound > settled.blocks
            default: true
            }
        }.map(\.element)
    }

    /// The changes with one piece in place of neighbouring ones of the same node. A node of many cores may return ten
    /// thousand small chunks a second, more than a slow link carries one by one.
    private static func merged(_ changes: [JournalChange], _ layout: TallyLayout) -> [JournalChange] {
        var merged: [JournalChange] = []
        var pieces: [BlockTally] = []
        func flush(_ id: JobID) {
            pieces.sort { $0.blocks.lowerBound < $1.blocks.lowerBound }
            var joined: [BlockTally] = []
            for piece in pieces {
                if joined.isEmpty || !joined[joined.count - 1].join(piece, layout) { joined.append(piece) }
            }
            merged += joined.map { .done(id, $0) }
            pieces = []
        }
        for change in changes {
            if case .done(_, let piece) = change {
                pieces.append(piece)
            } else {
                // Pieces must not pass a change that makes them void.
                flush(change.job)
                merged.append(change)
            }
        }
        if let id = changes.first?.job { flush(id) }
        return merged
    }
}
