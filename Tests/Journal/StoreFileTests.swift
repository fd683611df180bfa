import Glibc
import PotluckCore
import PotluckJournalTrial
import PotluckSystem
import Testing

@testable import PotluckMachine

/// A store's file is opened properly, or refused with a line that says why.
@Suite struct StoreFileTests {
    let folder: Folder
    var path: String { folder["a.db"] }

    init() throws { folder = try Folder() }

    /// Creates a store of the test kind in an early version, with runs in it.
    private func make(version: Int, runs: Int = 300) throws {
        let file = try StoreFile.open(MadeUp.version(version), at: path)
        try file.database.transaction { () throws(StoreError) in
            for run in 0..<runs {
                try file.database.run(
                    "INSERT INTO run(name, trials) VALUES(?, ?)", .text("run \(run)"), .integer(Int64(run)))
            }
        }
    }

    private func trouble(_ kind: StoreKind = MadeUp.newest, _ access: StoreFile.Access = .writing) -> StoreError? {
        do throws(StoreError) {
            _ = try StoreFile.open(kind, at: path, access)
            return nil
        } catch { return error }
    }

    @Test(arguments: [1, 2]) func anOldStoreBecomesTheNewest(version: Int) throws {
        try make(version: version)
        let file = try StoreFile.open(MadeUp.newest, at: path)
        #expect(
            file.notices == [
                "\(path): upgraded from version \(version) to 3; the old file is kept as \(path).version-\(version)"
            ])
        #expect(try file.database.number("SELECT count(*) FROM note WHERE text LIKE 'from run %'") == 300)
        #expect(try file.database.number("SELECT count(*) FROM run WHERE name LIKE 'RUN %'") == 300)
        #expect(try StoreFile.open(MadeUp.newest, at: path).notices.isEmpty)
        // The backup is an unchanged store of the old version.
        let old = try Database(path + ".version-\(version)", .reading)
        #expect(try old.number("PRAGMA user_version") == Int64(version))
        #expect(try old.number("SELECT count(*) FROM run WHERE name GLOB 'run *'") == 300)
    }

    @Test func readingBringsItUpToDateToo() throws {
        try make(version: 1)
        #expect(try StoreFile.open(MadeUp.newest, at: path, .reading).notices.count == 1)
    }

    @Test func killedWhileItIsBroughtUpToDateItIsTheOldOneOrTheNewOne() throws {
        var chance = SeededGenerator(seed: 3)
        var seen: Set<Int64> = []
        var kills = 0
        // On a busy machine a kill may come late, so this continues until one comes early.
        while kills < Child.kills(8) || !seen.contains(1) && kills < 200 {
            kills += 1
            for name in folder.names { unlink(folder[name]) }
            try make(version: 1, runs: 4000)
            let child = try Child("migrate", path)
            #expect(child.line() == "open")
            _ = child.kill(after: UInt32(chance.next(below: 40_000)))
            let version = try Database(path, .writing).number("PRAGMA user_version")
            #expect(version == 1 || version == 3)
            seen.insert(version)
            if version == 1 { #expect(try runs(StoreFile.open(MadeUp.version(1), at: path), like: "run *") == 4000) }
            let file = try StoreFile.open(MadeUp.newest, at: path)
            #expect(try runs(file, like: "RUN *") == 4000)
            #expect(try file.database.number("SELECT count(*) FROM note WHERE text GLOB 'from run *'") == 4000)
        }
        // If this fails, the kills come at the wrong moments.
        #expect(seen.contains(1))
    }

    private func runs(_ file: StoreFile, like pattern: String) throws -> Int64 {
        try file.database.number("SELECT count(*) FROM run WHERE name GLOB ?", .text(pattern))
    }

    @Test func aNewerStoreIsRefused() throws {
        try make(version: 3)
        let before = try folder.octets("a.db")
        let trouble = trouble(MadeUp.version(2))
        #expect(trouble?.kind == .newer)
        #expect(
            "\(trouble!)"
                == "\(path) was written by a newer Potluck (version 3; this potluck supports up to 2); install that version, or use another folder with --state DIR"
        )
        #expect(try folder.octets("a.db") == before)
    }

    @Test func somebodyElsesFileIsLeftAlone() throws {
        let strangers: [[UInt8]] = [Array("a letter to my aunt".utf8), [UInt8](repeating: 7, count: 5000)]
        for stranger in strangers {
            try folder.write(stranger, "a.db")
            #expect(trouble()?.kind == .foreign)
            #expect(trouble(MadeUp.newest, .reading)?.kind == .foreign)
            #expect(try folder.octets("a.db") == stranger)
        }
        unlink(path)
        let other = StoreKind(applicationID: 5, scripts: ["CREATE TABLE a(b)"], isExclusive: false, advice: "")
        _ = try StoreFile.open(other, at: path)
        #expect(trouble()?.kind == .foreign)
        unlink(path)
        mkdir(path, 0o700)
        #expect(trouble()?.kind == .foreign)
    }

    @Test func aTruncatedStoreIsNoticed() throws {
        try make(version: 3)
        let whole = try folder.octets("a.db")
        #expect(whole.count > 8192)
        for length in [0, 1, 50, 99, 100, 4095, 4096, 5000, whole.count - 1] {
            try folder.write(Array(whole.prefix(length)), "a.db")
            for ending in ["-wal", "-shm"] { unlink(path + ending) }
            #expect(trouble()?.kind == .damaged, "\(length) octets")
        }
        try folder.write(whole, "a.db")
        #expect(trouble() == nil)
    }

    /// Opening a store with arbitrary damage leads to an error or a readable store, but never to a crash.
    @Test func aDamagedStoreIsNobodysEnd() throws {
        try make(version: 3)
        let whole = try folder.octets("a.db")
        var chance = SeededGenerator(seed: 6)
        var noticed = 0
        for _ in 0..<60 {
            var damaged = whole
            for _ in 0...chance.next(below: 200) {
                damaged[Int(chance.next(below: UInt64(whole.count)))] = UInt8(truncatingIfNeeded: chance.next())
            }
            for ending in ["-wal", "-shm", ".lock"] { unlink(path + ending) }
            try folder.write(damaged, "a.db")
            do throws(StoreError) {
                let file = try StoreFile.open(MadeUp.newest, at: path)
                try file.database.rows("SELECT id, name, trials, rate FROM run ORDER BY name") {
                    (row) throws(StoreError) in _ = (row.text(1), row.unsigned(2), row.real(3))
                }
                try StoreFile.quickCheck(file.database)
            } catch {
                #expect([.damaged, .foreign, .newer, .other].contains(error.kind))
                noticed += 1
            }
        }
        #expect(noticed > 20)
    }

    @Test func missingPermissionIsReported() throws {
        try make(version: 3)
        chmod(path, 0o400)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o700) }
        let path = self.path
        // Root may do anything, so this thread changes its user for file access.
        let found = Guarded<[StoreError.Kind?]>([])
        let thread = SystemThread(for: "a test") {
            let isRoot = geteuid() == 0
            // Swift does not import this call. It affects only the calling thread.
            if isRoot, let call = dlsym(nil, "setfsuid") {
                _ = unsafeBitCast(call, to: (@convention(c) (UInt32) -> Int32).self)(65534)
            }
            func kind(_ path: String, _ access: StoreFile.Access) -> StoreError.Kind? {
                do throws(StoreError) {
                    _ = try StoreFile.open(MadeUp.newest, at: path, access)
                    return nil
                } catch { return error.kind }
            }
            let kinds = [kind(path, .writing), kind(path, .reading), kind(path + "2", .writing)]
            found.with { $0 = kinds }
        }
        thread.join()
        let isRoot = geteuid() == 0
        // The owner of the file may read it, even if nothing can be written beside it.
        #expect(found.with { $0 } == [.noPermission, isRoot ? .noPermission : nil, .noPermission])
    }

    @Test func aStoreThatCannotBeWrittenIsRead() throws {
        try make(version: 3)
        let database = try Database(path, .unchanging)
        #expect(try database.number("SELECT count(*) FROM run") == 300)
        #expect(throws: StoreError.self) { try database.run("DELETE FROM run") }
    }

    @Test func threadsThatOpenAtOnceMakeOneStore() throws {
        for _ in 0..<5 {
            for name in folder.names { unlink(folder[name]) }
            let failures = Guarded(0)
            let path = self.path
            let threads = (0..<4).map { _ in
                SystemThread(for: "a test") {
                    do {
                        let file = try StoreFile.open(MadeUp.newest, at: path)
                        try file.database.run("INSERT INTO run(name, trials) VALUES('a', 1)")
                    } catch { failures.with { $0 += 1 } }
                }
            }
            for thread in threads { thread.join() }
            #expect(failures.with { $0 } == 0)
            let count = try StoreFile.open(MadeUp.newest, at: path).database.number("SELECT count(*) FROM run")
            #expect(count == 4)
        }
    }
}

/// Stores of every version that was ever on main, as that version wrote them.
@Suite struct FixtureTests {
    private func copy(_ name: String, to folder: Folder) throws -> String {
        let source = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let octets = try Folder.octets(at: "\(source)/Fixtures/\(name)")
        try folder.write(octets, name)
        return folder[name]
    }

    @Test(arguments: 1...HistorySchema.kind.newest) func everyHistoryIsRead(version: Int) throws {
        let folder = try Folder()
        let history = try History.open(at: copy("history-\(version).db", to: folder))
        #expect(history.notices.isEmpty == (version == HistorySchema.kind.newest))
        #expect(try history.count() == 20)
        for (index, run) in Runs.many(20, seed: 1).enumerated() {
            var run = run
            if version < 2 { run.origin = nil }
            if version < 3 { (run.file, run.files) = (nil, nil) }
            #expect(try history.run(Int64(index + 1)) == run)
        }
    }

    @Test(arguments: 1...LedgerStore.kind.newest) func everyLedgerIsRead(version: Int) throws {
        let folder = try Folder()
        let journal = try DiskJournal.open(at: copy("ledger-\(version).db", to: folder)) { _ in }
        var (stream, jobs) = (ChangeStream(seed: 1, tellsCredits: version >= 3), KeptJobs())
        for _ in 0..<200 { jobs.apply(stream.next()) }
        #expect(journal.unfinishedJobs == jobs.unfinished)
        #expect(!journal.unfinishedJobs.isEmpty)
        journal.close()
    }

    /// Creates the fixtures of the newest version. For a new version, set `POTLUCK_FIXTURES=FOLDER` to write them
    /// there.
    @Test func theNewestCanBeMade() throws {
        let folder = try Folder()
        let place = getenv("POTLUCK_FIXTURES").map { String(cString: $0) } ?? folder.path
        try {
            let history = try History.open(at: "\(place)/history-\(HistorySchema.kind.newest).db")
            for run in Runs.many(20, seed: 1) { try history.record(run) }
        }()
        let journal = try DiskJournal.open(at: "\(place)/ledger-\(LedgerStore.kind.newest).db") { _ in }
        var stream = ChangeStream(seed: 1)
        journal.append((0..<200).map { _ in stream.next() })
        #expect(journal.close() == nil)
    }
}
