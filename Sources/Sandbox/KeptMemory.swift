import PotluckSystem

/// What is known of the memory that a prepared plugin leaves behind. It is known by the hashes of `potluck_kept`.
final class KeptMemory: Sendable {
    private struct State: Sendable {
        /// The hashes after blocks that gave the same tally, and left the same, when they were computed again.
        var harmless: Set<UInt64> = []
        var budget = RecheckBudget()
        var isProbed = false
    }

    private let state = Guarded(State())

    /// More different memories than this show that each block leaves something else. A table that is made at first use
    /// gives one, and a few tables that seldom are needed give some.
    private static let most = 16

    /// Whether each block leaves something else, although nothing depends on it, such as a list that each trial fills
    /// again.
    var isSuspect: Bool { state.with { $0.harmless.count > Self.most } }

    /// Returns true to its first caller.
    func isUnprobed() -> Bool {
        state.with { state in
            defer { state.isProbed = true }
            return !state.isProbed
        }
    }

    func knows(_ hash: UInt64) -> Bool { state.with { $0.harmless.contains(hash) } }

    func learn(_ hashes: [UInt64]) {
        state.with { if $0.harmless.count <= Self.most { $0.harmless.formUnion(hashes) } }
    }

    /// Returns whether to compute something again that has taken this many nanoseconds.
    func allows(_ nanoseconds: Int64) -> Bool { state.with { $0.budget.takes(nanoseconds) } }
}
