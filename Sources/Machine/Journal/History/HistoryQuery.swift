import PotluckCore

/// Selects runs, their order and the largest number of them.
public struct HistoryQuery: Sendable {
    /// Which of the runs it finds.
    public enum Choice: Sendable {
        case all
        case matching(Condition)
        /// One run stands for all points of a sweep: the newest.
        case foldingSweeps
    }

    public enum Direction: Sendable {
        /// The newest or largest first.
        case descending
        /// The oldest or smallest first.
        case ascending
    }

    public var simulation: String?
    /// Milliseconds since 1970.
    public var since: Int64?
    public var before: Int64?
    public var choice = Choice.all
    /// Nil to sort by time.
    public var sort: Term?
    public var direction = Direction.descending
    public var limit: Int?

    public init() {}

    /// Whether the query excludes any runs.
    public var isNarrowed: Bool {
        if case .matching = choice { return true }
        return simulation != nil || since != nil || before != nil || limit != nil
    }

    /// Whether it asks who computed a run.
    public var isAboutNodes: Bool {
        if case .matching(let condition) = choice, condition.isAboutNodes { return true }
        return sort?.isAboutNodes ?? false
    }

    var filter: SQL {
        var filter: SQL = "WHERE 1"
        if let simulation { filter += SQL(" AND run.simulation = ?", .text(simulation)) }
        if let since { filter += SQL(" AND run.started_at >= ?", .integer(since)) }
        if let before { filter += SQL(" AND run.started_at < ?", .integer(before)) }
        switch choice {
        case .all: break
        case .matching(let condition): filter += " AND " + condition.sql
        case .foldingSweeps:
            let matching = filter
            filter += " AND run.id IN (SELECT max(run.id) FROM run " + matching
            filter += " GROUP BY ifnull(" + Term.Field.sweep.value + ", run.id))"
        }
        return filter
    }

    /// The number of points of the sweep that a run stands for; null if it stands for itself.
    var points: SQL {
        guard case .foldingSweeps = choice else { return "NULL" }
        return "(SELECT count(*) FROM run AS point WHERE " + SweepPoints.filter(SweepPoints.number) + ")"
    }

    var order: SQL {
        var order: SQL = " ORDER BY "
        let isAscending = direction == .ascending
        if let sort {
            // Runs without a value come last in either order.
            order += sort.value + (isAscending ? " NULLS LAST, " : " DESC, ")
        } else {
            order += isAscending ? "run.started_at, " : "run.started_at DESC, "
        }
        order += isAscending ? "run.id" : "run.id DESC"
        if let limit { order += SQL(" LIMIT ?", SQLValue(limit)) }
        return order
    }
}
