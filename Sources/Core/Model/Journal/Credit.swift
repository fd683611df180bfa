/// The work of a node or a person for a job. It outlives the job's coordinator, so that a restarted server still knows
/// the trials of each.
public struct Credit: Hashable, Sendable {
    public var node: NodeID
    /// The node's display name. A laptop whose program restarts has a new ID, and keeps its name.
    public var name: String
    public var trials: UInt64
    public var effort: SearchEffort
    /// The trials of a browser that another node computed, too. Nil for other nodes.
    public var recomputed: UInt64?

    public init(
        node: NodeID, name: String, trials: UInt64, effort: SearchEffort = .none, recomputed: UInt64? = nil
    ) {
        self.node = node
        self.name = name
        self.trials = trials
        self.effort = effort
        self.recomputed = recomputed
    }
}

extension [Credit] {
    /// The credits in the same proportions, with this sum.
    ///
    /// Credits are written once a second and results more often, so they seldom have the sum of the results that were
    /// kept.
    public func scaled(to sum: UInt64) -> [Credit] {
        let known: UInt64 = reduce(0) { $0.addingClamped($1.trials) }
        guard known != sum, known > 0 else { return known == sum ? self : [] }
        var (left, scaled) = (sum, self)
        for index in indices {
            // The sum of the credits may be clamped, so the quotient is at most `sum` and fits.
            let product = self[index].trials.multipliedFullWidth(by: sum)
            let share = Swift.min(known.dividingFullWidth(product).quotient, left)
            scaled[index].trials = share
            left -= share
        }
        // The rest of the rounding goes to the largest credit.
        if let most = scaled.indices.max(by: { scaled[$0].trials < scaled[$1].trials }) { scaled[most].trials += left }
        return scaled
    }
}
