import Glibc
import PotluckCore
import Testing

@testable import PotluckMachine

/// Damage to a history affects only what was in the damaged place. `POTLUCK_DAMAGES` sets the number of damages to try.
@Suite struct DamageTests {
    private static let damages = getenv("POTLUCK_DAMAGES").flatMap { Int(String(cString: $0)) } ?? 60
    private static let runs = Runs.many(60, seed: 21)

    /// The answers of a history to typical queries.
    private struct Answers: Equatable {
        var list: [RunSummary] = []
        var found: [Int64] = []
        var runs: [RunRecord] = []
        var names: [String] = []

        init(_ history: History) throws {
            list = try history.list(HistoryQuery())
            let names = try history.names()
            self.names = names.simulations + names.terms.parameters + names.terms.readings
            var query = HistoryQuery()
            query.choice = .matching(
                try Condition("doors>=4 and stay<0.7 or note~room", names: names.terms) { _ in nil })
            found = try history.numbers(query)
            for run in list { if let whole = try history.run(run.id) { runs.append(whole) } }
        }
    }

    /// A history as a killed program leaves it: older runs are in the file, and the newest in the write-ahead log.
    private struct Original {
        let file: [UInt8]
        let log: [UInt8]
        let shared: [UInt8]
        /// The number of runs that are in the file alone.
        let settled: Int

        init(_ folder: Folder) throws {
            let history = try History.open(at: folder["original.db"])
            settled = DamageTests.runs.count * 2 / 3
            try history.record(Array(DamageTests.runs.prefix(settled)))
            try history.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            for run in DamageTests.runs.dropFirst(settled) { try history.record(run) }
            file = try folder.octets("original.db")
            log = try folder.octets("original.db-wal")
            shared = try folder.octets("original.db-shm")
        }
    }

    private enum Damage: UInt64, CaseIterable {
        case flips, cut, zeroes, garbage, lostLog, damagedLog, cutLog

        /// Damages the file or the log.
        func make(_ file: inout [UInt8], _ log: inout [UInt8]?, _ chance: inout SeededGenerator) {
            switch self {
            case .flips:
                for _ in 0...chance.next(below: 4) {
                    file[Int(chance.next(below: UInt64(file.count)))] ^= UInt8(1 << chance.next(below: 8))
                }
            case .cut: file.removeLast(Int(chance.next(below: UInt64(file.count))))
            case .zeroes, .garbage:
                for _ in 0...chance.next(below: 3) {
                    let start = Int(chance.next(below: UInt64(file.count / 4096))) * 4096
                    for place in start..<(start + 4096) {
                        file[place] = self == .zeroes ? 0 : UInt8(truncatingIfNeeded: chance.next())
                    }
                }
            case .lostLog: log = nil
            case .damagedLog:
                guard var octets = log, !octets.isEmpty else { return }
                octets[Int(chance.next(below: UInt64(octets.count)))] ^= UInt8(1 << chance.next(below: 8))
                log = octets
            case .cutLog: log = log.map { Array($0.prefix(Int(chance.next(below: UInt64($0.count))))) }
            }
        }
    }

    /// Returns the IDs of the runs whose pages are all undamaged. Returns none if the log is damaged.
    private func whole(_ original: Original, _ file: [UInt8], _ log: [UInt8]?) -> Set<Int64> {
        guard log == original.log || log == nil else { return [] }
        func page(_ number: Int, _ octets: [UInt8]) -> ArraySlice<UInt8> {
            octets[min((number - 1) * 4096, octets.count)..<min(number * 4096, octets.count)]
        }
        let newer = log.map { WriteAhead($0).pages } ?? [:]
        let rows = SalvagedPages(original.file, log: log ?? [], hasSeals: true).rows.filter { row in
            row.values.count == 3
                && row.pages.allSatisfy { newer[$0] != nil || page($0, file) == page($0, original.file) }
        }
        return Set(rows.compactMap(\.rowID))
    }

    @Test func intactRunsAreSavedAndWrongOnesHidden() throws {
        let source = try Folder()
        let original = try Original(source)
        let answers = try Answers(History.open(at: source["original.db"]))
        #expect(answers.runs.count == Self.runs.count && !answers.found.isEmpty)
        var chance = SeededGenerator(seed: 77)
        var (noticed, wanted, saved) = (0, 0, 0)
        for round in 0..<Self.damages {
            let damage = Damage.allCases[round % Damage.allCases.count]
            let folder = try Folder()
            let path = folder["history.db"]
            var (file, log) = (original.file, Optional(original.log))
            // Half of the files were closed before the damage.
            if [.flips, .cut, .zeroes, .garbage].contains(damage), chance.next(below: 2) == 0 { log = nil }
            damage.make(&file, &log, &chance)
            func write() throws {
                for name in folder.names { unlink(folder[name]) }
                try folder.write(file, "history.db")
                if let log { try folder.write(log, "history.db-wal") }
                if log != nil || damage == .lostLog { try folder.write(original.shared, "history.db-shm") }
            }
            try write()
            let isSettled = log == nil
            // Every answer is right, or refused.
            do {
                let history = try History.open(at: path)
                let given = try Answers(history)
                if damage == .lostLog {
                    #expect(history.notices.contains { $0.contains("the work since") })
                }
                check(given, answers, upTo: isSettled ? original.settled : Self.runs.count, damage)
            } catch {
                noticed += 1
            }
            try write()
            // A repair saves runs only as they were recorded.
            let repair = try History.repair(at: path) { _ in nil }
            let repaired = try History.open(at: path)
            for id in try repaired.numbers(HistoryQuery()) {
                #expect(try repaired.run(id) == Self.runs[Int(id) - 1], "\(damage), round \(round)")
            }
            let ids = Set(try repaired.numbers(HistoryQuery()))
            #expect(ids.count == repair.saved)
            let whole = whole(original, file, log)
            wanted += whole.count
            saved += whole.intersection(ids).count
            #expect(try History.repair(at: path) { _ in nil }.kept == nil)
        }
        #expect(saved == wanted)
        #expect(wanted > Self.damages * 10 && noticed > Self.damages / 3)
    }

    /// After the log was cut, the newest runs are missing; the shown ones are the oldest and unchanged.
    private func check(_ given: Answers, _ all: Answers, upTo last: Int, _ damage: Damage) {
        let ids = Set(given.list.map(\.id))
        let count = ids.count
        #expect(count <= last && ids.allSatisfy { $0 <= count }, "\(damage)")
        if damage != .cutLog { #expect(count == last, "\(damage)") }
        #expect(given.list == all.list.filter { ids.contains($0.id) }, "\(damage)")
        #expect(given.found == all.found.filter { ids.contains($0) }, "\(damage)")
        #expect(given.runs == all.runs.filter { run in given.runs.contains { $0.key == run.key } }, "\(damage)")
        #expect(given.runs.count == count, "\(damage)")
    }
}

/// Reading pages never traps, for any bytes.
@Suite struct SalvageFuzzTests {
    private static let rounds =
        getenv("POTLUCK_FUZZ").flatMap { Int(String(cString: $0)) }.map { min($0, 20_000) } ?? 300

    @Test func anyOctetsComeToAnEnd() throws {
        let folder = try Folder()
        let history = try History.open(at: folder["a.db"])
        try history.record(Runs.many(6, seed: 3))
        let log = try folder.octets("a.db-wal")
        let file = try folder.octets("a.db")
        var chance = SeededGenerator(seed: 5)
        var rows = 0
        for _ in 0..<Self.rounds {
            var (file, log) = (file, log)
            func spoil(_ octets: inout [UInt8]) {
                for _ in 0..<chance.next(below: 40) where !octets.isEmpty {
                    let place = Int(chance.next(below: UInt64(octets.count)))
                    // The beginning of a page says where everything else in it is, so change it more often.
                    let near = chance.next(below: 2) == 0 ? place : place / 4096 * 4096 + place % 24
                    octets[min(near, octets.count - 1)] = UInt8(truncatingIfNeeded: chance.next())
                }
                if chance.next(below: 3) == 0 { octets.removeLast(Int(chance.next(below: UInt64(octets.count + 1)))) }
            }
            spoil(&file)
            spoil(&log)
            rows += SalvagedPages(file, log: log, hasSeals: chance.next(below: 2) == 0).rows.count
            _ = RunCoding.run(log)
        }
        #expect(rows > 0)
    }

    /// The coded form of a run with any change decodes to a run or to nil.
    @Test func anyPieceIsARunOrNothing() {
        var chance = SeededGenerator(seed: 6)
        for run in Runs.many(20, seed: 9) {
            let octets = RunCoding.octets(run)
            #expect(RunCoding.run(octets) == run)
            for _ in 0..<(Self.rounds / 10) {
                var changed = octets
                changed[Int(chance.next(below: UInt64(octets.count)))] ^= UInt8(1 << chance.next(below: 8))
                if chance.next(below: 4) == 0 { changed.removeLast(Int(chance.next(below: UInt64(octets.count)))) }
                _ = RunCoding.run(changed)
            }
        }
    }

    /// Reading without a schema finds the same rows as SQLite with one.
    @Test func allRowsAreFoundWithoutASchema() throws {
        let folder = try Folder()
        let history = try History.open(at: folder["a.db"])
        let runs = Runs.many(40, seed: 8)
        try history.record(runs)
        for isSettled in [false, true] {
            if isSettled { try history.database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            let pages = SalvagedPages(
                try folder.octets("a.db"), log: try folder.octets("a.db-wal"), hasSeals: true)
            var found: [Int64: RunRecord] = [:]
            for row in pages.rows where row.values.count == 3 {
                if let id = row.rowID, case .octets(let octets) = row.values[1] { found[id] = RunCoding.run(octets) }
            }
            #expect(found == Dictionary(uniqueKeysWithValues: zip(1...40, runs)))
        }
        // A removed run is no longer in the file.
        #expect(try history.remove(7))
        let pages = SalvagedPages(try folder.octets("a.db"), log: try folder.octets("a.db-wal"), hasSeals: true)
        #expect(!pages.rows.contains { $0.rowID == 7 && $0.values.count == 3 })
    }
}
