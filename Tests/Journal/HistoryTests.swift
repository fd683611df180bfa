import PotluckKit
import Testing

@testable import PotluckCore
@testable import PotluckMachine

/// Runs are recorded and read back unchanged.
@Suite struct HistoryTests {
    let folder: Folder
    let history: History
    let runs: [RunRecord]

    init() throws {
        folder = try Folder()
        history = try History.open(at: folder["history.db"])
        runs = Runs.many(120, seed: 4)
        for run in runs { try history.record(run) }
    }

    private func query(_ condition: String) throws -> HistoryQuery {
        var query = HistoryQuery()
        query.choice = .matching(try Condition(condition, names: try history.names().terms) { WallClock.moment($0) })
        return query
    }

    private func keys(_ query: HistoryQuery) throws -> Set<String> {
        Set(try history.numbers(query).compactMap { try history.run($0)?.key })
    }

    @Test func aRunComesBackAsItWas() throws {
        for (index, run) in runs.enumerated() { #expect(try history.run(Int64(index + 1)) == run) }
        #expect(try history.run(1000) == nil)
        let reader = try History.open(at: folder["history.db"], .reading)
        #expect(try reader.run(5) == runs[4])
        #expect(try reader.count() == 120)
    }

    /// The points of a search's course tell when they were.
    @Test func aTimedCourseComesBack() throws {
        let reading = Reading(name: "distance", kind: .derived, value: 2020)
        let course = [Duration.milliseconds(100), .seconds(86_400 * 300)].map {
            CoursePoint(trials: 7, readings: [reading], elapsed: $0)
        }
        #expect(CourseCoding.course(CourseCoding.octets(course), [reading]) == course)
        // What is cut off is left out, at any place.
        let octets = CourseCoding.octets(course)
        for end in octets.indices {
            #expect(course.starts(with: CourseCoding.course(Array(octets[..<end]), [reading])))
        }
    }

    @Test func theSameRunIsKeptOnce() throws {
        #expect(try history.record(runs[6]) == 7)
        #expect(try history.count() == 120)
    }

    /// A guest records a run while the exact answers are hidden, and gets them when the host shows them. On the host's
    /// machine the run may come with and without them, in any order.
    @Test func aHiddenAnswerIsAddedLater() throws {
        let whole = try #require(runs.first { $0.readings.contains { $0.exact != nil } && $0.course.count > 1 })
        var hidden = whole
        hidden.key = String(whole.key.reversed())
        hidden.readings = whole.readings.map(\.withoutExact)
        hidden.course = whole.course.map {
            CoursePoint(trials: $0.trials, readings: $0.readings.map(\.withoutExact), elapsed: $0.elapsed)
        }
        var shown = hidden
        (shown.readings, shown.course) = (whole.readings, whole.course)
        let id = try history.record(hidden)
        #expect(try history.run(id) == hidden)
        #expect(try history.note(id, RunNote(at: 5, text: "a note")))
        hidden.notes.append(RunNote(at: 5, text: "a note"))
        shown.notes = hidden.notes
        #expect(try history.complete(hidden.key, with: hidden.readings))
        #expect(try history.run(id) == hidden)
        #expect(try history.complete(hidden.key, with: whole.readings))
        #expect(try history.run(id) == shown)
        // The rows are as complete as the piece.
        var query = HistoryQuery()
        query.limit = 1000
        #expect(try history.list(query).first { $0.id == id }?.reading == shown.readings.first)
        // What comes once more, with or without the answers, changes nothing.
        for run in [hidden, shown] { #expect(try history.record(run) == id && history.run(id) == shown) }
        #expect(try history.count() == 121)
        #expect(try !history.complete("none", with: whole.readings))
        // Or the run itself comes again with its answers.
        #expect(try history.remove(id))
        let again = try history.record(hidden)
        #expect(try history.record(shown) == again && history.run(again) == shown)
    }

    @Test func listsAreSortedAndCut() throws {
        var query = HistoryQuery()
        query.limit = 10
        let newest = try history.list(query)
        #expect(newest.map(\.startedAt) == Array(runs.map(\.startedAt).sorted(by: >).prefix(10)))
        query.sort = try Term("rate", among: try history.names().terms)
        #expect(try history.list(query).compactMap(\.rate) == Array(runs.compactMap(\.rate).sorted(by: >).prefix(10)))
        query.sort = try Term("stay.low", among: try history.names().terms)
        query.direction = .ascending
        let lows = runs.flatMap(\.readings).filter { $0.name == "stay" }.compactMap { $0.interval?.lowerBound }
        #expect(
            try history.list(query).compactMap { $0.reading?.interval?.lowerBound } == Array(lows.sorted().prefix(10)))
        for run in newest {
            let whole = try #require(try history.run(run.id))
            #expect(run.parameters == whole.parameters.map { RecordedValue(name: $0.name, text: $0.text) })
            #expect(run.reading == whole.readings.first)
            #expect(run.hasNote != whole.notes.isEmpty)
            #expect(run.nodes == whole.nodes.count && run.cores == whole.cores && run.rate == whole.rate)
        }
    }

    @Test func conditionsFindTheMatchingRuns() throws {
        func stay(_ run: RunRecord) -> Reading? { run.readings.first { $0.name == "stay" } }
        func doors(_ run: RunRecord) -> Double? { run.parameters.first { $0.name == "doors" }?.number }
        let cases: [(String, (RunRecord) -> Bool)] = [
            ("doors>3 and trials>=5e11", { (doors($0) ?? 0) > 3 && $0.trials >= 500_000_000_000 }),
            ("doors = 4 or doors = 5", { [4, 5].contains(doors($0)) }),
            ("not doors>4", { !((doors($0) ?? 0) > 4) }),
            ("not (doors>4 or simulation=pi)", { !((doors($0) ?? 0) > 4 || $0.simulation.name == "pi") }),
            ("stay<0.5", { (stay($0)?.value).map { $0 < 0.5 } ?? false }),
            (
                "stay.error > 20%",
                { run in
                    stay(run).flatMap { reading in reading.value.map { abs($0 - reading.exact!) > 0.2 } } ?? false
                }
            ),
            ("simulation~MONTY", { $0.simulation.name == "monty-hall" }),
            ("host='forgetful'", { !$0.parameters.isEmpty }),
            ("host~forget and nodes<=2", { !$0.parameters.isEmpty && $0.nodes.count <= 2 }),
            ("note~\"room 3\"", { !$0.notes.isEmpty }),
            ("note!=lab", { $0.notes.isEmpty }),
            ("elapsed>30m and rate>1M", { $0.elapsed > .seconds(1800) && ($0.rate ?? 0) > 1e6 }),
            ("ended=stopped", { $0.completion == .stopped }),
            ("seed=\(runs[3].seed)", { [runs] in $0.seed == runs[3].seed }),
            ("digest=\(runs[9].digest.prefix(8))", { [runs] in $0.digest == runs[9].digest }),
            ("session=Monty and submitter~ANA", { $0.origin != nil }),
            ("not session=Monty", { $0.origin == nil }),
            ("started<2024-03-01", { $0.startedAt < WallClock.moment("2024-03-01")! }),
            ("id<=10 AND id>8", { [runs] in [runs[8].key, runs[9].key].contains($0.key) }),
        ]
        for (text, holds) in cases {
            #expect(try keys(query(text)) == Set(runs.filter(holds).map(\.key)), "\(text)")
            #expect(try history.count(query(text)) == runs.filter(holds).count)
        }
    }

    /// Typed text is always a value and never part of a statement.
    @Test func typedTextIsNeverSQL() throws {
        for text in [
            "simulation='x'' OR 1=1'", "simulation=\"' OR 1=1 --\"", "note~%", "simulation~_",
            "host=';DROP/**/TABLE\u{a0}run'",
            "digest='''",
        ] {
            if let query = try? query(text) { #expect(try history.count(query) == 0) }
        }
        #expect(try history.count() == 120)
    }

    @Test(arguments: [
        ("", 1, "expected a condition like doors>3 and trials>=1e9"),
        ("doosr>3", 1, "unknown field 'doosr'; did you mean 'doors'?"),
        ("trials>=1e9 and", 16, "expected a field like trials or doors"),
        ("trials 5", 8, "expected a field, found '5'"),
        ("trials", 7, "expected =, !=, <, <=, >, >= or ~ after trials"),
        ("trials>", 8, "expected a value"),
        ("trials>many", 8, "'many' is not a number; use a number like 0.25, 1e9, 10M or 1_000"),
        ("trials~5", 8, "~ compares text, not numbers; use =, !=, <, <=, > or >="),
        ("(trials>5", 10, "expected a closing parenthesis"),
        ("trials>5)", 9, "unmatched closing parenthesis"),
        ("trials>5 rate>3", 10, "expected 'and', 'or' or the end"),
        ("note~'lab", 6, "missing closing quotation mark"),
        ("stay.middle>3", 1, "unknown field 'stay.middle'; a reading has value, low, high, exact, width, error"),
        ("started>tuesday", 9, "'tuesday' is not a date; use a date like 2026-11-20, 2026-11-20T14:30 or 7d"),
        ("seed>5", 6, "compare a seed with = or !="),
        ("ended=badly", 7, "'badly' is not a way to end; use one of trials, precision, time, stopped, proven"),
        ("trials=>5", 8, "expected a value, found '>'"),
    ])
    func mistakesAreShownWhereTheyAre(_ text: String, _ column: Int, _ reason: String) throws {
        let error = #expect(throws: ConditionError.self) { try query(text) }
        #expect(error == ConditionError(column: column, reason: reason))
    }

    /// Any text is a valid condition or an error, but never a crash.
    @Test func anyTextIsAConditionOrAMistake() throws {
        let words = [
            "doors", "trials", "stay", "stay.low", "and", "or", "not", "(", ")", "=", "<", ">=", "~", "'", "\"", "5",
            "1e9",
            "1e999", "-", "§", "💥", " ", ".", "0x", "%", "started", "7d", "seed", "18446744073709551616", "elapsed",
            "NaN",
        ]
        var chance = SeededGenerator(seed: 8)
        var valid = 0
        func word(_ few: ArraySlice<String>) -> String {
            let all = chance.next(below: 6) == 0 ? words[...] : few
            return all[all.startIndex + Int(chance.next(below: UInt64(all.count)))]
        }
        for _ in 0..<2000 {
            var text = ""
            for part in 0..<(1 + chance.next(below: 4)) {
                if part > 0 { text += " " + word(words[4...5]) + " " }
                text += word(words[0...3]) + word(words[9...11]) + word(words[15...16])
            }
            guard let query = try? query(text) else { continue }
            _ = try history.count(query)
            valid += 1
        }
        #expect((200...1800).contains(valid))
        #expect(throws: ConditionError.self) { try query(String(repeating: "(", count: 1000) + "trials>1") }
        #expect(throws: ConditionError.self) { try query(String(repeating: "not ", count: 1000) + "trials>1") }
    }

    @Test func aRemovedRunLeavesNothingBehind() throws {
        #expect(try history.remove(5))
        #expect(try !history.remove(5))
        var before = HistoryQuery()
        before.before = runs.map(\.startedAt).sorted()[60]
        #expect(try history.remove(before) >= 59)
        let left = try history.count()
        #expect(left <= 60)
        let orphans: [StaticString] = [
            "SELECT count(*) FROM piece WHERE run NOT IN (SELECT id FROM run)",
            "SELECT count(*) FROM parameter WHERE run NOT IN (SELECT id FROM run)",
            "SELECT count(*) FROM reading WHERE run NOT IN (SELECT id FROM run)",
            "SELECT count(*) FROM note WHERE run NOT IN (SELECT id FROM run)",
        ]
        for count in orphans { #expect(try history.database.number(count) == 0) }
        #expect(try history.names().terms.readings.sorted() == ["distances", "pi", "stay", "switch"])
    }

    @Test func notesAreAdded() throws {
        let note = RunNote(at: 5, text: "with the blue laptop")
        #expect(try history.note(2, note))
        #expect(try history.run(2)?.notes == runs[1].notes + [note])
        #expect(try !history.note(1000, note))
    }

    @Test func anExportIsImportedOnce() throws {
        let file = folder["runs.potluck"]
        #expect(
            try history.export(query("simulation=monty-hall"), to: file) == runs.filter { !$0.parameters.isEmpty }.count
        )
        #expect(throws: StoreError.self) { try history.export(HistoryQuery(), to: file) }
        let other = try History.open(at: folder["other.db"])
        let first = try other.importRuns(from: file) { _ in nil }
        #expect(first.added == runs.filter { !$0.parameters.isEmpty }.count && first.known == 0)
        let second = try other.importRuns(from: file) { _ in nil }
        #expect(second.added == 0 && second.known == first.added)
        let monty = runs.filter { !$0.parameters.isEmpty }
        #expect(try other.run(3) == monty[2])
        #expect(folder.names.allSatisfy { !$0.contains("import") && !$0.contains("new") })
    }

    /// SQLite's messages quote the names of a stranger's tables.
    @Test func aStrangersFileCommandsNoTerminal() throws {
        let file = folder["runs.potluck"]
        _ = try history.export(HistoryQuery(), to: file)
        let theirs = try Database(file, .writing, seals: .all)
        try theirs.execute(
            """
            CREATE TABLE "a\u{1b}[31m\u{7}\u{9b}2J\u{202e}" (x CHECK (x > 0)); PRAGMA ignore_check_constraints = ON;
            INSERT INTO "a\u{1b}[31m\u{7}\u{9b}2J\u{202e}" VALUES (0);
            """)
        let trouble = try #require(throws: StoreError.self) {
            try History.open(at: folder["other.db"]).importRuns(from: file) { _ in nil }
        }
        #expect(trouble.kind == .damaged && trouble.detail.contains("constraint failed in a"), "\(trouble)")
        #expect(trouble.description.isFitForScreen, "\(trouble.description.debugDescription)")
    }

    @Test func aNoteThatCommandsATerminalIsNotTakenOver() throws {
        let file = folder["runs.potluck"]
        #expect(try history.note(7, RunNote(at: 1, text: "good\u{1b}[31m\u{7}")))
        _ = try history.export(HistoryQuery(), to: file)
        let other = try History.open(at: folder["other.db"])
        let trouble = try #require(throws: StoreError.self) { try other.importRuns(from: file) { _ in nil } }
        #expect(trouble.detail == "run 7 has an unprintable note; nothing was imported")
    }

    @Test func oneWrongRunRefusesAnImport() throws {
        let file = folder["runs.potluck"]
        _ = try history.export(HistoryQuery(), to: file)
        let other = try History.open(at: folder["other.db"])
        let trouble = #expect(throws: StoreError.self) {
            try other.importRuns(from: file) { [runs] in
                $0.key == runs[100].key ? "has another digest than its tally" : nil
            }
        }
        #expect(trouble?.detail == "run 101 has another digest than its tally; nothing was imported")
        #expect(try other.count() == 0)
    }

    @Test func killedWhileItImportsItHasAllOrNothing() throws {
        let file = folder["runs.potluck"]
        _ = try history.export(HistoryQuery(), to: file)
        let path = folder["other.db"]
        try History.open(at: path).record(runs[5])
        var chance = SeededGenerator(seed: 12)
        var counts: Set<Int> = []
        var kills = 0
        // On a busy machine a kill may come late, so this continues until one comes early.
        while kills < Child.kills(8) || !counts.contains(1) && kills < 200 {
            kills += 1
            let child = try Child("import", file, path)
            #expect(child.line() == "open")
            _ = child.kill(after: UInt32(chance.next(below: 30_000)))
            let other = try History.open(at: path)
            counts.insert(try other.count())
            try StoreFile.quickCheck(other.database)
            if try other.count() > 1 {
                var all = HistoryQuery()
                all.before = .max
                _ = try other.remove(all)
                try other.record(runs[5])
            }
        }
        #expect(counts.isSubset(of: [1, 120]) && counts.contains(1))
        // Files that an interrupted import left behind do not matter.
        #expect(try History.open(at: path).importRuns(from: file) { _ in nil }.added == 119)
        #expect(folder.names.allSatisfy { !$0.contains(".import") })
    }

    @Test func aDamagedHistoryIsRefusedAndRepaired() throws {
        // An exported store is closed, so all of it is in one file.
        let path = folder["copy.db"]
        _ = try history.export(HistoryQuery(), to: path)
        let whole = try folder.octets("copy.db")
        var damaged = whole
        // Damage a page in the middle, as a disk would.
        for place in (20 * 4096)..<(21 * 4096) { damaged[place] = 0xaa }
        try folder.write(damaged, "copy.db")
        let repair = try History.repair(at: path) { _ in nil }
        #expect(repair.saved + repair.lost.count >= 100 && repair.saved >= 60)
        #expect(try folder.octets("copy.db.damaged") == damaged)
        #expect(repair.kept == path + ".damaged")
        let repaired = try History.open(at: path)
        #expect(try repaired.count() == repair.saved)
        for id in try repaired.numbers(HistoryQuery()) {
            let run = try #require(try repaired.run(id))
            #expect(runs[Int(id) - 1] == run)
        }
        try folder.write(Array(whole.prefix(9 * 4096)), "cut.db")
        let trouble = #expect(throws: StoreError.self) { try History.open(at: folder["cut.db"]) }
        #expect(trouble?.kind == .damaged)
        #expect("\(trouble!)".contains("save its readable runs with: potluck history repair"))
        #expect(try History.repair(at: folder["cut.db"]) { _ in nil }.saved < 120)
        #expect(throws: Never.self) { try History.open(at: folder["cut.db"]) }
    }

    /// SQLite does not notice a changed bit in a tally.
    @Test func aRunThatIsNotItselfAnyMoreIsNamed() throws {
        let path = folder["copy.db"]
        _ = try history.export(HistoryQuery(), to: path)
        let whole = try folder.octets("copy.db")
        let wrong: Set<String> = [runs[3].key, runs[77].key]
        func problem(_ run: RunRecord) -> String? { wrong.contains(run.key) ? "has another digest" : nil }
        let nothing = try History.repair(at: path) { _ in nil }
        #expect(nothing.kept == nil && nothing.saved == 120)
        #expect(try folder.octets("copy.db") == whole)
        for round in 1...2 {
            try folder.write(whole, "copy.db")
            let repair = try History.repair(at: path, problem: problem)
            #expect(repair.lost.map(\.id) == [4, 78] && repair.lost.allSatisfy { $0.why == "has another digest" })
            #expect(repair.kept == path + (round == 1 ? ".damaged" : ".damaged-2"))
            #expect(
                try History.open(at: path).numbers(HistoryQuery()).sorted() == (1...120).filter { $0 != 4 && $0 != 78 })
        }
        #expect(folder.names.allSatisfy { !$0.contains("repair") })
    }

    /// The newest runs of a store that was not closed are in the write-ahead log.
    @Test func anUnclosedStoreIsRepairedWhole() throws {
        let open = try History.open(at: folder["open.db"])
        try open.record(runs)
        for ending in ["", "-wal"] {
            try folder.write(try folder.octets("open.db" + ending), "crashed.db" + ending)
        }
        let repair = try History.repair(at: folder["crashed.db"]) { _ in nil }
        #expect(repair.kept == nil && repair.saved == 120)
        #expect(try open.count() == 120)
    }

    @Test func datesAreThoseOfThisMachine() throws {
        let now = try #require(WallClock.moment("2026-11-20T14:30"))
        #expect(WallClock.text(now) == "2026-11-20 14:30")
        #expect(WallClock.moment("7d", now: now) == now - 7 * 86_400_000)
        #expect(WallClock.moment("12h", now: now) == now - 43_200_000)
        #expect(WallClock.moment("today", now: now) == WallClock.moment("2026-11-20"))
        #expect(WallClock.moment("yesterday", now: now) == WallClock.moment("2026-11-19"))
        #expect(WallClock.moment("09:05", now: now) == WallClock.moment("2026-11-20T09:05"))
        for text in [
            "", "tuesday", "2026-13-01", "2026-02-31", "2026-11-20T25:00", "2026-11", "-7d", "1e99d", "T", "20",
        ] {
            #expect(WallClock.moment(text, now: now) == nil, "\(text)")
        }
    }
}
