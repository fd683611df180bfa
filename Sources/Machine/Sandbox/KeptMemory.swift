import PotluckSystem

/// The memory that a prepared plugin was seen to leave behind, as hashes of `potluck_kept`.
final class KeptMemory: Sendable {
    private struct State: Sendable {
        /// The hashes after blocks that gave the same tally and left the same memory when they were computed again.
        var harmless: Set<UInt64> = []
        /// Whether two blocks that began with fresh memory left different memory.
        var isUnsteady = false
        var budget = RecheckBudget()
        var isProbed = false
    }

    private let state = Guarded(State())

    /// More different memories than this show that each block leaves something else. A table that is made at first use
    /// gives one, and a few tables that seldom are needed give some.
    private static let most = 16

    /// Whether each block leaves something else, although nothing depends on it, such as a list that each trial fills
    /// again.
    var isSuspect: Bool { state.with { $0.isUnsteady || $0.harmless.count > Self.most } }

    /// Returns true to its first caller.
    func isUnprobed() -> Bool {
        state.with { state in
            defer { state.isProbed = true }
            return !state.isProbed
        }
    }

    func knows(_ hash: UInt64) -> Bool { state.with { $0.harmless.contains(hash) } }

    /// Notes hashes that are harmless. `isSteady` means that other blocks leave the same.
    func learn(_ hashes: [UInt64], isSteady: Bool) {
        state.with { state in
            if !isSteady { state.isUnsteady = true }
            if state.harmless.count <= Self.most { state.harmless.formUnion(hashes) }
        }
    }

    /// Returns whether to compute something again that has taken this many nanoseconds, and takes `times` as long then.
    func allows(_ nanoseconds: Int64, times: Int64 = 1) -> Bool {
        state.with { $0.budget.takes(nanoseconds, times: times) }
    }
}
