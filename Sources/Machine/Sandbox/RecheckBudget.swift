/// Decides which chunks of a run are computed twice, so that it costs little: the first ones, and then one in a hundred.
struct RecheckBudget {
    /// Nanoseconds that a run may spend at its beginning. Short runs are checked, too, and nobody notices the wait.
    static let allowance: Int64 = 50_000_000
    /// The part of the time that is spent later.
    static let share: Int64 = 100

    private var computed: Int64 = 0
    private var spent: Int64 = 0

    /// Returns whether to compute a chunk again that has taken this many nanoseconds, and takes `times` as long then.
    mutating func takes(_ nanoseconds: Int64, times: Int64 = 1) -> Bool {
        computed += nanoseconds
        guard spent + nanoseconds * times <= Self.allowance + computed / Self.share else { return false }
        spent += nanoseconds * times
        return true
    }
}
