/// How much of a job browsers computed, and how much of that another node computed again.
public struct BrowserShare: Hashable, Sendable {
    public let trials: UInt64
    public let recomputed: UInt64
    /// The trials of all nodes.
    public let all: UInt64

    public init(trials: UInt64, recomputed: UInt64, of all: UInt64) {
        self.trials = trials
        self.recomputed = recomputed
        self.all = all
    }
}

extension [NodeRow] {
    /// The part of browsers; nil if they computed nothing that counts.
    public var browsers: BrowserShare? {
        let theirs = filter { $0.recomputed != nil && $0.trials > 0 }
        guard !theirs.isEmpty else { return nil }
        return BrowserShare(
            trials: theirs.reduce(0) { $0.addingClamped($1.trials) },
            recomputed: theirs.reduce(0) { $0.addingClamped($1.recomputed ?? 0) },
            of: reduce(0) { $0.addingClamped($1.trials) })
    }
}
