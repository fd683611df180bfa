import PotluckCore

/// How a job came to this coordinator, and what earlier coordinators of it left.
struct Lineage: Sendable {
    /// When this node took the job.
    let takenAt: Instant
    /// The epoch of this coordinator. Each new coordinator of a job takes a higher one; of two, the one with the higher
    /// epoch continues.
    private(set) var epoch: UInt64
    /// How often this coordinator took a higher epoch than one that knew less of the job.
    private(set) var claims = 0
    /// The tallies at the checkpoints that earlier coordinators passed.
    let checkpoints: [SettledTally]
    /// Whether the job was computed before this coordinator, so that it need not wait for its start or its workers.
    let hasBegun: Bool
    /// The trials of earlier coordinators that count.
    private(set) var trials: UInt64
    /// The nodes that computed them, as far as they are known.
    private let known: [Credit]

    mutating func claim(in epoch: UInt64) {
        self.epoch = epoch
        claims += 1
    }

    init(takenAt: Instant, epoch: UInt64, kept: KeptJob?, trials: UInt64) {
        self.takenAt = takenAt
        self.epoch = epoch
        self.trials = trials
        checkpoints = kept?.checkpoints ?? []
        known = kept?.credits ?? []
        hasBegun =
            kept.map { $0.ran > .zero || $0.settled.blocks > 0 || !$0.pieces.isEmpty || $0.end != nil } ?? false
    }

    /// Returns the trials of earlier coordinators by the nodes that computed them, without liars. If the nodes are not
    /// known, the trials are of nobody in particular.
    func credits(without liars: Set<NodeID>) -> [Credit] {
        guard trials > 0 else { return [] }
        let credits = known.filter { !liars.contains($0.node) }.scaled(to: trials)
        return credits.isEmpty ? [Credit(node: .nobody, name: NodeRow.earlierName, trials: trials)] : credits
    }

    /// Adds the trials of a worker that is forgotten.
    mutating func add(_ trials: UInt64) { self.trials += trials }

    /// Takes out trials that turned out wrong.
    mutating func withdraw(_ trials: UInt64) { self.trials -= min(self.trials, trials) }

    /// Sets the trials of the result that belong to no known worker. Called when the job ends.
    mutating func set(_ trials: UInt64) { self.trials = trials }
}
