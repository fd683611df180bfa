import PotluckCore
import PotluckKit

/// Reads runs in the format of versions 1 to 3 of a history, in rows of five tables. Only migration and repair use it.
struct HistoryVersion3 {
    static let number = 3
    let database: Database

    /// Writes each run as one piece, the format of version 4.
    static let intoPieces: StoreKind.Rewrite = { (database) throws(StoreError) in
        let (old, new) = (HistoryVersion3(database: database), HistoryRows(database: database))
        // Remove incomplete runs.
        try database.run("DELETE FROM run WHERE id NOT IN (SELECT run FROM detail)")
        for id in try new.numbers() {
            guard let run = try old.run(id) else { continue }
            try new.insertPiece(run, id)
            if let origin = run.origin {
                try database.run(
                    "UPDATE run SET session = ?, submitter = ? WHERE id = ?", .text(origin.session),
                    .text(origin.submitter), .integer(id))
            }
        }
        try database.execute(
            """
            DROP TABLE detail; DROP TABLE node;
            ALTER TABLE parameter DROP COLUMN slot;
            ALTER TABLE reading DROP COLUMN bins;
            ALTER TABLE reading DROP COLUMN bins_from;
            ALTER TABLE reading DROP COLUMN bins_to;
            """)
    }

    func run(_ id: Int64) throws(StoreError) -> RunRecord? {
        let readings = try readings(of: id)
        let parameters = try parameters(of: id)
        let nodes = try nodes(of: id)
        let notes = try notes(of: id)
        var found: RunRecord?
        try database.rows(
            """
            SELECT key, simulation, started_at, trials, elapsed, completion, seed, digest, source, streams, block_size,
                goal_trials, goal_absolute, goal_relative, goal_duration, tally, counts, course, program,
                detail.session, detail.submitter, files, file
            FROM run JOIN detail ON detail.run = run.id WHERE run.id = ?
            """, .integer(id)
        ) { (row) throws(StoreError) in
            let identity = SimulationIdentity(
                name: row.text(1), source: row.text(8), streams: UInt32(clamping: row.integer(9)))
            found = RunRecord(
                key: row.text(0), simulation: identity, file: row.isNull(22) ? nil : row.text(22),
                parameters: parameters,
                files: row.isNull(21) ? nil : FilesCoding.files(row.octets(21)), seed: row.unsigned(6),
                blockSize: row.unsigned(10), goal: Self.goal(row), trials: row.unsigned(3),
                tally: [UInt64](octets: row.octets(15)) ?? [], counts: CountsCoding.counts(row.octets(16)),
                readings: readings, course: CourseCoding.course(row.octets(17), readings), digest: row.text(7),
                completion: RowCoding.completion(row.integer(5)), startedAt: row.integer(2),
                elapsed: .nanoseconds(row.integer(4)), nodes: nodes,
                origin: row.isNull(19) ? nil : RunOrigin(session: row.text(19), submitter: row.text(20)), notes: notes,
                program: row.text(18))
        }
        return found
    }

    /// The goal in columns 11 to 14. Invalid numbers of trials are ignored: a goal has at least one trial.
    private static func goal(_ row: Statement) -> Goal {
        var goal = Goal()
        if !row.isNull(11), (1...Goal.mostTrials).contains(row.unsigned(11)) { goal.trials = row.unsigned(11) }
        if let limit = row.real(12) { goal.precision = .absolute(limit) }
        if let part = row.real(13) { goal.precision = .relative(part) }
        if !row.isNull(14) { goal.duration = .nanoseconds(row.integer(14)) }
        return goal
    }

    private func parameters(of id: Int64) throws(StoreError) -> [RecordedParameter] {
        var parameters: [RecordedParameter] = []
        try database.rows(
            "SELECT name, slot, text, number FROM parameter WHERE run = ? ORDER BY place", .integer(id)
        ) { (row) throws(StoreError) in
            parameters.append(
                RecordedParameter(name: row.text(0), slot: row.unsigned(1), text: row.text(2), number: row.real(3)))
        }
        return parameters
    }
    private func readings(of id: Int64) throws(StoreError) -> [Reading] {
        var readings: [Reading] = []
        try database.rows(
            """
            SELECT name, kind, value, low, high, exact, varies, spoilt, bins, bins_from, bins_to FROM reading
            WHERE run = ? ORDER BY place
            """, .integer(id)
        ) { (row) throws(StoreError) in readings.append(Self.reading(row)) }
        return readings
    }

    private static func reading(_ row: Statement) -> Reading {
        Reading(
            name: row.text(0), kind: UInt8(exactly: row.integer(1)).flatMap(ReadingKind.init) ?? .derived,
            value: row.real(2), interval: RowCoding.interval(row.real(3), row.real(4)), exact: row.real(5),
            varies: row.integer(6) != 0, isSpoilt: row.integer(7) != 0,
            bins: row.isNull(8) ? [] : [UInt64](octets: row.octets(8)) ?? [],
            range: RowCoding.interval(row.real(9), row.real(10)))
    }

    private func nodes(of id: Int64) throws(StoreError) -> [RecordedNode] {
        var nodes: [RecordedNode] = []
        try database.rows(
            "SELECT name, cores, trials, rate FROM node WHERE run = ? ORDER BY place", .integer(id)
        ) { (row) throws(StoreError) in
            nodes.append(
                RecordedNode(name: row.text(0), cores: row.count(1), trials: row.unsigned(2), rate: row.real(3)))
        }
        return nodes
    }

    private func notes(of id: Int64) throws(StoreError) -> [RunNote] {
        var notes: [RunNote] = []
        try database.rows("SELECT at, text FROM note WHERE run = ? ORDER BY id", .integer(id)) {
            (row) throws(StoreError) in notes.append(RunNote(at: row.integer(0), text: row.text(1)))
        }
        return notes
    }
}
