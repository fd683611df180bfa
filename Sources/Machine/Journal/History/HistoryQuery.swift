import PotluckCore

/// Selects runs, their order and the largest number of them.
public struct HistoryQuery: Sendable {
    public var simulation: String?
    /// Milliseconds since 1970.
    public var since: Int64?
    public var before: Int64?
    public var condition: Condition?
    /// Nil to sort by time.
    public var sort: Term?
    /// Whether the order is ascending: the oldest or smallest first.
    public var isReversed = false
    public var limit: Int?
    /// Whether one run stands for all points of a sweep: the newest of those that match. Without effect if there is a condition,
    /// which may choose some of the points.
    public var foldsSweeps = false

    public init() {}

    /// Whether the query excludes any runs.
    public var isNarrowed: Bool {
        simulation != nil || since != nil || before != nil || condition != nil || limit != nil
    }

    var filter: SQL {
        var filter: SQL = "WHERE 1"
        if let simulation { filter += SQL(" AND run.simulation = ?", .text(simulation)) }
        if let since { filter += SQL(" AND run.started_at >= ?", .integer(since)) }
        if let before { filter += SQL(" AND run.started_at < ?", .integer(before)) }
        if let condition {
            filter += " AND " + condition.sql
        } else if foldsSweeps {
            let matching = filter
            filter += " AND run.id IN (SELECT max(run.id) FROM run " + matching
            filter += " GROUP BY ifnull(" + Term.Field.sweep.value + ", run.id))"
        }
        return filter
    }

    /// The number of points of the sweep that a run stands for; null if it stands for itself.
    var points: SQL {
        guard foldsSweeps, condition == nil else { return "NULL" }
        return "(SELECT count(*) FROM run AS point WHERE " + SweepPoints.filter(SweepPoints.number) + ")"
    }

    var order: SQL {
        var order: SQL = " ORDER BY "
        if let sort {
            // Runs without a value come last in either order.
            order += sort.value + (isReversed ? " NULLS LAST, " : " DESC, ")
        } else {
            order += isReversed ? "run.started_at, " : "run.started_at DESC, "
        }
        order += isReversed ? "run.id" : "run.id DESC"
        if let limit { order += SQL(" LIMIT ?", SQLValue(limit)) }
        return order
    }
}
