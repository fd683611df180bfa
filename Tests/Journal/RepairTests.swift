import Glibc
import PotluckCore
import Testing

@testable import PotluckMachine

/// A refused history can be repaired, and the repair says what was wrong.
@Suite struct RepairTests {
    let folder: Folder
    let runs = Runs.many(30, seed: 14)
    var path: String { folder["history.db"] }
    let whole: [UInt8]

    init() throws {
        folder = try Folder()
        try History.open(at: folder["history.db"]).record(runs)
        whole = try folder.octets("history.db")
    }

    private func place(of text: String, in octets: [UInt8]) throws -> Int {
        try #require(octets.indices.first { octets[$0...].starts(with: Array(text.utf8)) })
    }

    private func repair(_ octets: [UInt8]) throws -> History.Repair {
        for name in folder.names { unlink(folder[name]) }
        try folder.write(octets, "history.db")
        let trouble = #expect(throws: StoreError.self) { try History.open(at: path) }
        #expect(
            trouble?.kind == .damaged && "\(trouble!)".contains("save its readable runs with: potluck history repair"))
        return try History.repair(at: path) { _ in nil }
    }

    /// Finding a run needs only the pages of the run itself.
    @Test func damageOutsideRunsCostsNoRun() throws {
        let schema = try place(of: "CREATE TABLE run(", in: whole)
        let damages: [(String, Range<Int>)] = [
            ("the schema's text", (schema + 14)..<(schema + 15)), ("the version", 60..<64), ("the kind", 68..<72),
            ("what SQLite's files begin with", 0..<4), ("the size of a page", 16..<18),
            ("the reserved octets", 20..<21),
            ("the first page", 0..<4096), ("the first two pages", 0..<8192),
        ]
        for (what, range) in damages {
            var octets = whole
            for place in range { octets[place] ^= 0x5a }
            let repair = try repair(octets)
            #expect(repair.saved == 30 && repair.lost.isEmpty && repair.trouble != nil, "\(what)")
            #expect(try folder.octets("history.db.damaged") == octets)
            let history = try History.open(at: path)
            for (place, run) in runs.enumerated() { #expect(try history.run(Int64(place + 1)) == run, "\(what)") }
        }
        var octets = whole
        for place in 60..<64 { octets[place] = 0 }
        #expect(try repair(octets).saved == 30)
    }

    @Test func anEmptyFileBecomesAnEmptyHistory() throws {
        let repair = try repair([])
        #expect(repair.saved == 0 && repair.trouble?.detail == "it is empty")
        #expect(try History.open(at: path).count() == 0)
    }

    @Test func somebodyElsesFileIsNotRepaired() throws {
        for name in folder.names { unlink(folder[name]) }
        let letter = Array(
            "a letter to my aunt, which is longer than the header of a store is, by a few words of ours".utf8)
        for octets in [letter, letter + letter, [UInt8](repeating: 7, count: 9000)] {
            try folder.write(octets, "history.db")
            #expect(throws: StoreError.self) { try History.repair(at: path) { _ in nil } }
            #expect(try folder.octets("history.db") == octets)
            #expect(folder.names.isSubset(of: ["history.db", "history.db.lock", "history.db.writers"]))
        }
    }

    /// The last good copy replaces runs that the store has lost.
    @Test func theLastGoodCopyHelps() throws {
        _ = try History.open(at: path)
        let backup = path + ".backup"
        #expect(try History.open(at: backup, .reading).count() == 30)
        let octets = try Folder.octets(at: backup)
        try folder.write([], "history.db")
        for ending in ["-wal", "-shm"] { unlink(path + ending) }
        let repair = try History.repair(at: path) { _ in nil }
        #expect(repair.saved == 30 && repair.fromBackup == 30 && repair.backupDate != nil)
        #expect(try Folder.octets(at: backup) == octets)
        #expect(try History.open(at: path).run(17) == runs[16])
    }

    /// No copy contains a removed run, so a repair cannot restore it.
    @Test func theCopyForgetsRemovedRuns() throws {
        let history = try History.open(at: path)
        #expect(try history.remove(3))
        #expect(
            try History.open(at: path + ".backup", .reading).numbers(HistoryQuery()).sorted() == [1, 2] + Array(4...30))
        let key = Array(runs[2].key.utf8)
        let copy = try folder.octets("history.db.backup")
        #expect(!copy.indices.contains { copy[$0...].starts(with: key) })
    }

    /// Removing one run changes the copy in place: the others stay as old as they were. A copy that cannot be changed is
    /// replaced or removed.
    @Test func oneRunIsRemovedFromTheCopy() throws {
        let backup = path + ".backup"
        let history = try History.open(at: path)
        let newer = Runs.many(1, seed: 98)[0]
        try history.record(newer)
        var old = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, backup, &old, 0)
        for id: Int64 in [7, 8, 31] { #expect(try history.remove(id)) }
        #expect(try !history.remove(7))
        let copy = try History.open(at: backup, .reading)
        #expect(try copy.numbers(HistoryQuery()).sorted() == [1, 2, 3, 4, 5, 6] + Array(9...30))
        #expect(HistoryBackup(path: path).date == 1_000_000_000_000)
        var octets = try folder.octets("history.db.backup")
        for place in 4096..<octets.count { octets[place] ^= 0xff }
        try folder.write(octets, "history.db.backup")
        #expect(try history.remove(9))
        let renewed = try History.open(at: backup, .reading)
        #expect(try renewed.numbers(HistoryQuery()) == history.numbers(HistoryQuery()))
        #expect(!folder.names.contains { $0.hasSuffix(".work") || $0.hasSuffix("-journal") })
    }

    /// While another program changes the copy or repairs the history, nothing is removed. Otherwise that program could
    /// bring the run back, because the copy may be out of the way for a moment.
    @Test(arguments: [true, false]) func aRemovalNeedsTheLock(isAway: Bool) throws {
        let history = try History.open(at: path)
        history.backup.patience = 0
        let names = [path + ".backup", path + ".backup.work"]
        let copy = try Folder.octets(at: names[0])
        let all = HistoryQuery()
        do {
            let lock = try FileLock(of: path)
            defer { withExtendedLifetime(lock) {} }
            if isAway { #expect(rename(names[0], names[1]) == 0) }
            let removals: [() throws -> Void] = [{ _ = try history.remove(3) }, { _ = try history.remove(all) }]
            for remove in removals {
                let trouble = #expect(throws: StoreError.self) { try remove() }
                #expect(trouble?.kind == .inUse)
            }
            #expect(try history.count() == 30)
            if isAway { #expect(rename(names[1], names[0]) == 0) }
            #expect(try Folder.octets(at: names[0]) == copy)
        }
        #expect(try history.remove(3))
        #expect(try History.open(at: names[0], .reading).count() == 29)
        #expect(try history.remove(all) == 29)
        #expect(try History.open(at: names[0], .reading).count() == 0)
    }

    /// While runs are removed from the history, there is no copy. So no repair restores them if the program is killed
    /// at that moment, and the next program makes a copy without them.
    @Test(arguments: [true, false]) func aRemovalThatIsKilledBringsNothingBack(isOfOne: Bool) throws {
        let history = try History.open(at: path)
        let later = try Folder()
        let key = isOfOne ? runs[2].key : nil
        _ = try history.backup.removing(key: key, from: history.database) { () throws(StoreError) in
            try history.database.run("DELETE FROM run WHERE id = 3")
            for name in folder.names where !name.hasSuffix("-shm") && !name.hasSuffix(".lock") {
                #expect(throws: Never.self) { try later.write(try folder.octets(name), name) }
            }
            return 1
        }
        #expect(later.names.contains("history.db.backup.work"))
        let repaired = try Folder()
        for name in later.names where name.contains("backup") { try repaired.write(try later.octets(name), name) }
        try repaired.write([], "history.db")
        #expect(try History.repair(at: repaired["history.db"]) { _ in nil }.saved == 0)
        #expect(try History.open(at: later["history.db"]).count() == 29)
        for place in [folder, later] {
            #expect(try History.open(at: place["history.db.backup"], .reading).count() == 29)
            #expect(!place.names.contains { $0.hasSuffix(".work") })
        }
    }

    /// A removal that fails, or finds no run, leaves the copy as it was.
    @Test func aRemovalThatFailsKeepsTheCopy() throws {
        let history = try History.open(at: path)
        let copy = try folder.octets("history.db.backup")
        let full = StoreError(.full, path)
        #expect(throws: full) {
            try history.backup.removing(from: history.database) { () throws(StoreError) in throw full }
        }
        #expect(try folder.octets("history.db.backup") == copy)
        var none = HistoryQuery()
        none.before = 0
        #expect(try history.remove(none) == 0)
        #expect(try folder.octets("history.db.backup") == copy)
        #expect(!folder.names.contains { $0.hasSuffix(".work") })
    }

    /// A program was killed while it removed a run from the copy. The next one makes a copy, and nothing else is left.
    /// There is no copy of a history without runs.
    @Test(arguments: [30, 0]) func anInterruptedRemovalLeavesNothing(runs: Int) throws {
        let history = try History.open(at: path)
        #expect(rename(path + ".backup", path + ".backup.work") == 0)
        try history.database.run("DELETE FROM run WHERE id > ?", .integer(Int64(runs)))
        _ = try History.open(at: path)
        #expect(!folder.names.contains { $0.hasSuffix(".work") })
        #expect(folder.names.contains("history.db.backup") == (runs > 0))
        if runs > 0 { #expect(try History.open(at: path + ".backup", .reading).count() == runs) }
    }

    /// The copy is renewed once the history has changed enough, and never from a damaged one.
    @Test func theCopyIsRenewed() throws {
        _ = try History.open(at: path)
        func count() throws -> Int { try History.open(at: path + ".backup", .reading).count() }
        #expect(try count() == 30)
        try History.open(at: path).record(Runs.many(1, seed: 98)[0])
        _ = try History.open(at: path)
        #expect(try count() == 30)
        try History.open(at: path).record(Runs.many(60, seed: 99))
        _ = try History.open(at: path)
        #expect(try count() == 91)
        try History.open(at: path).record(Runs.many(60, seed: 97))
        var octets = try folder.octets("history.db")
        for place in (octets.count / 2)..<(octets.count / 2 + 4096) { octets[place] = 0 }
        try folder.write(octets, "history.db")
        _ = try? History.open(at: path)
        #expect(try count() == 91)
    }

    /// The version of an old store with a wrong header is recognized by its tables.
    @Test(arguments: [1, 2, 3]) func anOldStoreWithoutAVersionIsRepaired(version: Int) throws {
        let source = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var octets = try Folder.octets(at: "\(source)/Fixtures/history-\(version).db")
        for place in 60..<64 { octets[place] = 0 }
        let repair = try repair(octets)
        #expect(repair.saved == 20 && repair.trouble?.detail == "its version is missing")
        #expect(try History.open(at: path).count() == 20)
    }

    /// A lost page of an old store affects only what was on it.
    @Test func anOldStoreIsRepairedRowByRow() throws {
        let source = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var octets = try Folder.octets(at: "\(source)/Fixtures/history-3.db")
        let place = try place(of: "laptop 0", in: octets) / 4096 * 4096
        for place in place..<(place + 4096) { octets[place] = 0 }
        for name in folder.names { unlink(folder[name]) }
        try folder.write(octets, "history.db")
        let repair = try History.repair(at: path) { _ in nil }
        #expect(repair.kept != nil && repair.saved + repair.lost.count == 20)
        #expect(try History.open(at: path).count() == repair.saved)
    }

    /// If migration to seals is killed, the store is complete in its old or its new version.
    @Test func killedWhileItGetsSealsNothingIsLost() throws {
        let source = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let old = try Folder.octets(at: "\(source)/Fixtures/history-3.db")
        let file = folder["none.potluck"]
        _ = try History.open(at: path).export(HistoryQuery(), to: file)
        var chance = SeededGenerator(seed: 4)
        for _ in 0..<Child.kills(8) {
            for name in folder.names where name.hasPrefix("old") { unlink(folder[name]) }
            try folder.write(old, "old.db")
            let child = try Child("import", file, folder["old.db"])
            _ = child.kill(after: UInt32(chance.next(below: 60_000)))
            let history = try History.open(at: folder["old.db"])
            #expect([20, 50].contains(try history.count()))
            #expect(try history.run(20) == Runs.many(20, seed: 1)[19])
            try StoreFile.quickCheck(history.database)
            try history.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            let pages = SalvagedPages(try folder.octets("old.db"), hasSeals: true)
            #expect((1...pages.count).allSatisfy { pages.isSealed($0) == true })
        }
    }
}
