import PotluckModel

/// Which runs, in which order, and how many of them.
public struct HistoryQuery: Sendable {
    public var simulation: String?
    /// Milliseconds since 1970.
    public var since: Int64?
    public var before: Int64?
    public var condition: Condition?
    /// Nil for the newest first.
    public var sort: Term?
    /// The other way round: the oldest, the smallest first.
    public var isReversed = false
    public var limit: Int?

    public init() {}

    /// Whether it leaves any run out.
    public var isNarrowed: Bool {
        simulation != nil || since != nil || before != nil || condition != nil || limit != nil
    }

    var filter: SQL {
        var filter: SQL = "WHERE 1"
        if let simulation { filter += SQL(" AND run.simulation = ?", .text(simulation)) }
        if let since { filter += SQL(" AND run.started_at >= ?", .integer(since)) }
        if let before { filter += SQL(" AND run.started_at < ?", .integer(before)) }
        if let condition { filter += " AND " + condition.sql }
        return filter
    }

    var order: SQL {
        var order: SQL = " ORDER BY "
        if let sort {
            // Runs that have no such value come last either way.
            order += sort.value + (isReversed ? " NULLS LAST, " : " DESC, ")
        } else {
            order += isReversed ? "run.started_at, " : "run.started_at DESC, "
        }
        order += isReversed ? "run.id" : "run.id DESC"
        if let limit { order += SQL(" LIMIT ?", SQLValue(limit)) }
        return order
    }
}
