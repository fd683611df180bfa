import Dispatch
import Glibc
import PotluckCore
import PotluckSystem
import Testing

@testable import PotluckMachine

/// Several programs use a history at once, also while one of them repairs it, and a program may be killed at any moment.
@Suite struct ReplacedFileTests {
    let folder: Folder
    let runs = Runs.many(30, seed: 14)
    var path: String { folder["history.db"] }

    init() throws {
        folder = try Folder()
        try History.open(at: folder["history.db"]).record(runs)
    }

    private func damage(_ range: Range<Int>) throws {
        var octets = try folder.octets("history.db")
        for place in range { octets[place] ^= 0x5a }
        let file = open(path, O_WRONLY | O_CLOEXEC)
        #expect(pwrite(file, octets, octets.count, 0) == octets.count)
        close(file)
    }

    /// A program that has the history open does not write to the damaged file, which nobody reads any more.
    @Test func runsRecordedAfterARepairAreInTheNewFile() throws {
        let history = try History.open(at: path)
        #expect(try history.count() == 30)
        try damage(0..<100)
        #expect(try History.repair(at: path) { _ in nil }.saved == 30)
        let more = Runs.many(3, seed: 98)
        #expect(try history.record(more[0]) == 31)
        #expect(try history.note(5, RunNote(at: 1, text: "later")))
        #expect(try history.remove(6))
        let fresh = try History.open(at: path)
        #expect(try fresh.run(31) == more[0] && fresh.run(5)?.notes.last?.text == "later" && fresh.count() == 30)
        // The user moves the file away.
        #expect(rename(path, folder["elsewhere.db"]) == 0)
        #expect(try history.record(more[1]) == 1)
        #expect(try History.open(at: path).count() == 1)
    }

    @Test func nobodyWritesDuringARepair() throws {
        let history = try History.open(at: path)
        history.patience = 0
        let run = Runs.many(1, seed: 98)[0]
        do {
            let lock = try WritersLock(of: path, .replacing, patience: 0)
            defer { withExtendedLifetime(lock) {} }
            let trouble = #expect(throws: StoreError.self) { try history.record(run) }
            #expect(trouble?.detail == "a repair of it is under way; try again when it has ended")
        }
        let lock = try WritersLock(of: path, .writing, patience: 0)
        defer { withExtendedLifetime(lock) {} }
        #expect(throws: StoreError.self) { try WritersLock(of: path, .replacing, patience: 0) }
        #expect(try history.record(run) == 31)
    }

    /// The last program that closes a store moves its log into it.
    @Test func aStoreThatIsClosedWhileItIsCopiedIsCopiedWhole() throws {
        var history: History? = try History.open(at: path)
        try history?.record(Runs.many(40, seed: 98))
        #expect(StoreHeader.size(of: path + "-wal") > 0)
        try History.copyStore(path, to: folder["copy.db"]) { history = nil }
        #expect(StoreHeader.size(of: path + "-wal") == 0)
        let copy = try History.open(at: folder["copy.db"])
        #expect(try copy.count() == 70)
        try StoreFile.quickCheck(copy.database)
    }

    /// Each of two imports would use the other's copy of a file.
    @Test func oneImportWaitsForAnother() throws {
        let file = folder["some.sqlite"]
        let history = try History.open(at: path)
        _ = try history.export(HistoryQuery(), to: file)
        history.backup.patience = 0
        do {
            let lock = try FileLock(of: path)
            defer { withExtendedLifetime(lock) {} }
            let trouble = #expect(throws: StoreError.self) { try history.importRuns(from: file) { _ in nil } }
            #expect(trouble?.kind == .inUse)
        }
        #expect(!folder.names.contains { $0.contains(".import") })
        let (added, known) = try history.importRuns(from: file) { _ in nil }
        #expect(added == 0 && known == 30)
    }

    /// Each opens the history, records a run and closes it, so the log comes and goes between the looks of the others.
    @Test func manyShortProgramsLoseNothing() throws {
        let more = Runs.many(100, seed: 98)
        let path = path
        let troubles = Guarded<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { part in
            for run in more[(part * 25)..<(part * 25 + 25)] {
                do {
                    let history = try History.open(at: path)
                    try history.record(run)
                    troubles.with { $0 += history.notices }
                } catch {
                    troubles.with { $0.append("\(error)") }
                }
            }
        }
        #expect(troubles.with { $0 } == [])
        #expect(try History.open(at: path).count() == 130)
    }

    // MARK: The last good copy

    /// A history that was moved away and started over must not replace the copy of the one before.
    @Test func theCopyOfAnEarlierHistoryIsKept() throws {
        _ = try History.open(at: path)
        for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
        let history = try History.open(at: path)
        let kept = path + ".earlier"
        #expect(
            history.notices == [
                "\(path) is new; the runs of the earlier one are in \(kept), which 'potluck history import' reads"
            ])
        #expect(try history.record(Runs.many(1, seed: 98)[0]) == 1)
        let (added, _) = try history.importRuns(from: kept) { _ in nil }
        #expect(added == 30)
        let again = try History.open(at: path)
        #expect(try again.notices.isEmpty && again.count() == 31)
        #expect(try History.open(at: path + ".backup", .reading).count() > 0)
    }

    /// The same if runs were recorded before anybody could rename the copy.
    @Test func theCopyOfAnEarlierHistoryIsNotRenewed() throws {
        _ = try History.open(at: path)
        #expect(rename(path + ".backup", folder["away"]) == 0)
        for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
        try History.open(at: path).record(Runs.many(20, seed: 98))
        #expect(rename(folder["away"], path + ".backup") == 0)
        var old = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, path + ".backup", &old, 0)
        #expect(try History.open(at: path).notices.count == 1)
        #expect(try History.open(at: path + ".earlier", .reading).count() == 30)
        #expect(try History.open(at: path + ".backup", .reading).count() == 20)
    }

    /// People have the numbers of lost runs in their notes.
    @Test func numbersOfLostRunsAreNotUsedAgain() throws {
        let repair = try History.repair(at: path) { _ in "is wrong" }
        #expect(repair.saved == 0 && repair.lost.count == 30)
        #expect(try History.open(at: path).record(runs[0]) == 31)
    }

    /// A repair keeps what the user's own runs have, although an import would refuse it.
    @Test func aRepairKeepsOwnRunsWithUnusualNames() throws {
        let history = try History.open(at: path)
        var run = Runs.many(1, seed: 98)[0]
        for file in ["a\u{200e}b.swift", String(repeating: "deep/", count: 201) + "c.swift", "a\tb.swift"] {
            run.key = String(run.key.dropFirst()) + "0"
            run.file = file
            try history.record(run)
            #expect(run.problem == "has unprintable text")
        }
        let repair = try History.repair(at: path) { _ in nil }
        #expect(repair.kept == nil && repair.saved == 33 && repair.lost.isEmpty)
    }

    /// The newest runs were removed, so no trace of their numbers is left in the damaged file.
    @Test func aRepairedHistoryIsNotTakenForANewOne() throws {
        let history = try History.open(at: path)
        for id: Int64 in 28...30 { #expect(try history.remove(id)) }
        try damage(0..<100)
        #expect(try History.repair(at: path) { _ in nil }.saved == 27)
        var old = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, path + ".backup", &old, 0)
        let again = try History.open(at: path)
        #expect(try again.notices.isEmpty && again.record(runs[29]) == 31)
    }

    // MARK: Killed during a repair

    /// A repair was killed after it had put the damaged file aside.
    @Test func theNextProgramCompletesAKilledRepair() throws {
        #expect(rename(path, StoreFile.repaired(path)) == 0)
        try folder.write([1, 2, 3], "history.db-wal")
        let history = try History.open(at: path)
        #expect(try history.count() == 30 && history.run(7) == runs[6])
        #expect(!folder.names.contains("history.db.repaired"))
    }
}
