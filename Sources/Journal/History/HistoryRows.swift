import PotluckKit
import PotluckModel

/// A run to rows and back.
struct HistoryRows {
    let database: Database

    // MARK: Writing

    /// Tells the run's number; that of the one which is there already, where its key is known. It is the next one unless
    /// `number` says which.
    func insert(_ run: RunRecord, number: Int64? = nil) throws(StoreTrouble) -> (id: Int64, isNew: Bool) {
        try database.run(
            "INSERT INTO run VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(key) DO NOTHING",
            number.map(SQLValue.integer) ?? .null, .text(run.key), .text(run.simulation.name), .integer(run.startedAt),
            SQLValue(run.trials),
            .integer(run.elapsed.nanoseconds), SQLValue(run.rate), SQLValue(run.cores), SQLValue(run.nodes.count),
            .integer(RowCoding.number(run.completion)), SQLValue(run.seed), .text(run.digest))
        guard database.changes > 0 else {
            return (try database.number("SELECT id FROM run WHERE key = ?", .text(run.key)), false)
        }
        let id = database.lastRow
        try insertDetail(of: run, id)
        for (place, parameter) in run.parameters.enumerated() {
            try database.run(
                "INSERT INTO parameter VALUES(?, ?, ?, ?, ?, ?)", .integer(id), SQLValue(place),
                .text(parameter.name), SQLValue(parameter.slot), .text(parameter.text), SQLValue(parameter.number))
        }
        for (place, reading) in run.readings.enumerated() { try insert(reading, of: id, at: place) }
        for (place, node) in run.nodes.enumerated() {
            try database.run(
                "INSERT INTO node VALUES(?, ?, ?, ?, ?, ?)", .integer(id), SQLValue(place), .text(node.name),
                SQLValue(node.cores), SQLValue(node.trials), SQLValue(node.rate))
        }
        for note in run.notes { try insert(note, of: id) }
        return (id, true)
    }

    private func insertDetail(of run: RunRecord, _ id: Int64) throws(StoreTrouble) {
        var (absolute, relative): (Double?, Double?) = (nil, nil)
        switch run.goal.precision {
        case .absolute(let limit): absolute = limit
        case .relative(let part): relative = part
        case nil: break
        }
        try database.run(
            "INSERT INTO detail VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .integer(id),
            .text(run.simulation.source),
            SQLValue(Int(run.simulation.streams)), SQLValue(run.blockSize), SQLValue(run.goal.trials),
            SQLValue(absolute), SQLValue(relative), run.goal.duration.map { .integer($0.nanoseconds) } ?? .null,
            .octets(run.tally.octets), .octets(CountsCoding.octets(run.counts)),
            .octets(CourseCoding.octets(run.course)), .text(run.program), SQLValue(run.origin?.session),
            SQLValue(run.origin?.submitter), run.files.map { .octets(FilesCoding.octets($0)) } ?? .null,
            SQLValue(run.file))
    }

    private func insert(_ reading: Reading, of id: Int64, at place: Int) throws(StoreTrouble) {
        try database.run(
            "INSERT INTO reading VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .integer(id), SQLValue(place),
            .text(reading.name), SQLValue(Int(reading.kind.rawValue)), SQLValue(reading.value),
            SQLValue(reading.interval?.lowerBound), SQLValue(reading.interval?.upperBound), SQLValue(reading.exact),
            SQLValue(reading.varies ? 1 : 0), SQLValue(reading.isSpoilt ? 1 : 0),
            reading.bins.isEmpty ? .null : .octets(reading.bins.octets), SQLValue(reading.range?.lowerBound),
            SQLValue(reading.range?.upperBound))
    }

    func insert(_ note: RunNote, of id: Int64) throws(StoreTrouble) {
        try database.run(
            "INSERT INTO note(run, at, text) VALUES(?, ?, ?)", .integer(id), .integer(note.at), .text(note.text))
    }

    // MARK: Reading

    func run(_ id: Int64) throws(StoreTrouble) -> RunRecord? {
        let readings = try readings(of: id)
        let parameters = try parameters(of: id)
        let nodes = try nodes(of: id)
        let notes = try notes(of: id)
        var found: RunRecord?
        try database.rows(
            """
            SELECT key, simulation, started_at, trials, elapsed, completion, seed, digest, source, streams, block_size,
                goal_trials, goal_absolute, goal_relative, goal_duration, tally, counts, course, program,
                session, submitter, files, file
            FROM run JOIN detail ON detail.run = run.id WHERE run.id = ?
            """, .integer(id)
        ) { (row) throws(StoreTrouble) in
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

    /// Columns 11 to 14, whatever stands there: a goal has at least one trial.
    private static func goal(_ row: Statement) -> Goal {
        var goal = Goal()
        if !row.isNull(11), (1...Goal.mostTrials).contains(row.unsigned(11)) { goal.trials = row.unsigned(11) }
        if let limit = row.real(12) { goal.precision = .absolute(limit) }
        if let part = row.real(13) { goal.precision = .relative(part) }
        if !row.isNull(14) { goal.duration = .nanoseconds(row.integer(14)) }
        return goal
    }

    func parameters(of id: Int64) throws(StoreTrouble) -> [RecordedParameter] {
        var parameters: [RecordedParameter] = []
        try database.rows(
            "SELECT name, slot, text, number FROM parameter WHERE run = ? ORDER BY place", .integer(id)
        ) { (row) throws(StoreTrouble) in
            parameters.append(
                RecordedParameter(name: row.text(0), slot: row.unsigned(1), text: row.text(2), number: row.real(3)))
        }
        return parameters
    }

    /// Puts what each run was given into a list of them. Where most runs of a stretch are in the list, one walk along the
    /// stretch is a third of what asking for each one takes.
    func fillParameters(of runs: inout [RunSummary]) throws(StoreTrouble) {
        guard let first = runs.lazy.map(\.id).min(), let last = runs.lazy.map(\.id).max() else { return }
        let (span, isTooFar) = last.subtractingReportingOverflow(first)
        guard !isTooFar, span < 4 * Int64(runs.count) else {
            for index in runs.indices {
                runs[index].parameters = try parameters(of: runs[index].id).map { "\($0.name) \($0.text)" }
            }
            return
        }
        var places = [Int](repeating: -1, count: Int(span) + 1)
        for (place, run) in runs.enumerated() { places[Int(run.id - first)] = place }
        var texts: [String] = []
        var current = first
        // By whole lists, because each change of one in place costs as much.
        func put() {
            let place = places[Int(current - first)]
            if place >= 0 { runs[place].parameters = texts }
            texts.removeAll(keepingCapacity: true)
        }
        try database.rows(
            "SELECT run, name || ' ' || text FROM parameter WHERE run BETWEEN ? AND ? ORDER BY run, place",
            .integer(first), .integer(last)
        ) { (row) throws(StoreTrouble) in
            let run = row.integer(0)
            if run != current {
                put()
                current = run
            }
            texts.append(row.text(1))
        }
        put()
    }

    func readings(of id: Int64) throws(StoreTrouble) -> [Reading] {
        var readings: [Reading] = []
        try database.rows(
            """
            SELECT name, kind, value, low, high, exact, varies, spoilt, bins, bins_from, bins_to FROM reading
            WHERE run = ? ORDER BY place
            """, .integer(id)
        ) { (row) throws(StoreTrouble) in readings.append(Self.reading(row)) }
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

    private func nodes(of id: Int64) throws(StoreTrouble) -> [RecordedNode] {
        var nodes: [RecordedNode] = []
        try database.rows(
            "SELECT name, cores, trials, rate FROM node WHERE run = ? ORDER BY place", .integer(id)
        ) { (row) throws(StoreTrouble) in
            nodes.append(
                RecordedNode(name: row.text(0), cores: row.count(1), trials: row.unsigned(2), rate: row.real(3)))
        }
        return nodes
    }

    func notes(of id: Int64) throws(StoreTrouble) -> [RunNote] {
        var notes: [RunNote] = []
        try database.rows("SELECT at, text FROM note WHERE run = ? ORDER BY id", .integer(id)) {
            (row) throws(StoreTrouble) in notes.append(RunNote(at: row.integer(0), text: row.text(1)))
        }
        return notes
    }
}
