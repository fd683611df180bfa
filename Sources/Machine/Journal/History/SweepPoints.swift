/// Which runs are points of a sweep (see `RunRecord.sweep`), in SQL.
enum SweepPoints {
    /// The number of the sweep that `run` is a point of; null if it is none.
    static let number: SQL = "iif(" + isPoint("run") + ", substr(run.key, 1, 16), NULL)"

    /// Whether `point` is a point of the sweep with this number. Each key of a sweep begins with its number and
    /// continues in hexadecimal digits, so the index of keys finds them.
    static func filter(_ number: SQL) -> SQL {
        "point.key > " + number + " AND point.key < " + number + " || 'g' AND " + isPoint("point")
    }

    private static func isPoint(_ run: SQL) -> SQL {
        run + ".session IS NULL AND substr(" + run + ".key, 1, 16) <> substr(" + run + ".key, 17)"
    }
}
