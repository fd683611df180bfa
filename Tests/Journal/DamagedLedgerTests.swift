import Dispatch
import Glibc
import PotluckCore
import PotluckJournalTrial
import Testing

@testable import PotluckMachine

/// Jobs in a damaged ledger resume from what can be trusted; other progress is computed again, and no result is wrong.
@Suite struct DamagedLedgerTests {
    @Test(arguments: [1, 60]) func changedRowsAreNeverTrusted(commits: Int) throws {
        let folder = try Folder()
        let path = folder["a.ledger"]
        var (stream, jobs) = (ChangeStream(seed: 2, slots: 20), KeptJobs())
        // Where the settled blocks are damaged, pieces that were settled count again, but none that was taken back.
        var valid: [JobID: Set<BlockTally>] = [:]
        let durable = DispatchSemaphore(value: 0)
        let journal = try DiskJournal.open(at: path) { if case .durable = $0 { durable.signal() } }
        for _ in 0..<commits {
            let changes = (0..<3000 / commits).map { _ in stream.next() }
            for change in changes {
                jobs.apply(change)
                if case .rewritten(let id, _) = change { valid[id] = [] }
                valid[change.job, default: []].formUnion(jobs.jobs[change.job]?.pieces ?? [])
            }
            journal.append(changes)
            durable.wait()
        }
        journal.close()
        let whole = try folder.octets("a.ledger")
        var chance = SeededGenerator(seed: 7)
        var (saved, noticed) = (0, 0)
        for _ in 0..<60 {
            var damaged = whole
            for _ in 0...chance.next(below: 8) {
                damaged[100 + Int(chance.next(below: UInt64(whole.count - 100)))] ^= UInt8(1 << chance.next(below: 8))
            }
            for name in folder.names { unlink(folder[name]) }
            try folder.write(damaged, "a.ledger")
            guard let journal = try? DiskJournal.open(at: path, news: { _ in }) else { continue }
            for job in journal.unfinishedJobs {
                let wanted = try #require(jobs.jobs[job.record.id])
                #expect(job.record == wanted.record)
                #expect(
                    ([wanted.settled, SettledTally(blocks: 0, tally: [])] + wanted.checkpoints).contains(job.settled))
                #expect(job.pieces.allSatisfy { valid[job.record.id]?.contains($0) == true })
                saved += 1
            }
            if !journal.notices.isEmpty { noticed += 1 }
            journal.close()
            #expect(try DiskJournal.open(at: path, news: { _ in }).unfinishedJobs == journal.unfinishedJobs)
        }
        #expect(saved > 50 && noticed > 5)
    }

    /// Creates a ledger with a job that has a settled tally, checkpoints and pieces.
    private func make(_ path: String) throws -> KeptJob {
        let journal = try DiskJournal.open(at: path) { _ in }
        var jobs = KeptJobs()
        let id = KeptJobsTests.job
        func tally(_ blocks: UInt64) -> SettledTally { SettledTally(blocks: blocks, tally: [blocks, blocks * 7]) }
        let changes: [JournalChange] =
            [.accepted(KeptJobsTests.record)]
            + (1...4).flatMap { [.passed(id, tally($0 * 10)), .settled(id, tally($0 * 10 + 5))] }
            + [.done(id, BlockTally(blocks: 50..<60, node: ChangeStream.node(2), tally: [1, 2]))]
        for change in changes { jobs.apply(change) }
        journal.append(changes)
        #expect(journal.close() == nil)
        return try #require(jobs.jobs[id])
    }

    private func change(_ path: String, _ text: StaticString) throws { try Database(path, .writing).execute(text) }

    /// A row has a liar's settled piece and one that is not settled. The coordinator takes the former back and settles
    /// the right one, all in one commit. Then the record of what is settled is damaged.
    @Test func revokedPiecesStayRevoked() throws {
        let folder = try Folder()
        let path = folder["a.ledger"]
        let id = KeptJobsTests.job
        func piece(_ blocks: Range<UInt64>, _ node: UInt64, _ hits: UInt64) -> BlockTally {
            BlockTally(blocks: blocks, node: ChangeStream.node(node), tally: [hits])
        }
        let (lie, truth, later) = (piece(4..<10, 1, 9), piece(4..<10, 2, 3), piece(30..<40, 2, 4))
        let checkpoint = SettledTally(blocks: 4, tally: [1])
        let durable = DispatchSemaphore(value: 0)
        let journal = try DiskJournal.open(at: path) { if case .durable = $0 { durable.signal() } }
        journal.append([.accepted(KeptJobsTests.record), .passed(id, checkpoint), .done(id, lie), .done(id, later)])
        durable.wait()
        journal.append([.settled(id, SettledTally(blocks: 10, tally: [10]))])
        durable.wait()
        journal.append([
            .rewritten(id, checkpoint), .done(id, truth), .done(id, later),
            .settled(id, SettledTally(blocks: 10, tally: [4])),
        ])
        #expect(journal.close() == nil)
        try change(path, "UPDATE progress SET seal = 0")
        let job = try #require(try DiskJournal.open(at: path) { _ in }.unfinishedJobs.first)
        #expect(job.settled == checkpoint && job.pieces == [later])
    }

    @Test func aLedgerIsReadWithoutItsSchema() throws {
        let folder = try Folder()
        let path = folder["a.ledger"]
        let job = try make(path)
        let whole = try folder.octets("a.ledger")
        let schema = try #require(whole.indices.first { whole[$0...].starts(with: Array("CREATE TABLE job".utf8)) })
        for damage in [schema..<(schema + 1), 0..<4096, 0..<16, 68..<72] {
            var octets = whole
            for place in damage { octets[place] = 0x21 }
            for name in folder.names { unlink(folder[name]) }
            try folder.write(octets, "a.ledger")
            let journal = try DiskJournal.open(at: path) { _ in }
            #expect(journal.unfinishedJobs == [job], "\(damage)")
            #expect(
                journal.notices.contains {
                    $0.contains("the damaged file is kept as \(path).damaged; 1 unfinished job was saved")
                })
            #expect(try folder.octets("a.ledger.damaged") == octets)
            journal.close()
        }
    }

    /// The disk is full, or the program is killed, at any step of a repair.
    @Test func aRepairThatFailsLosesNothing() throws {
        let folder = try Folder()
        let path = folder["a.ledger"]
        let job = try make(path)
        var octets = try folder.octets("a.ledger")
        for place in 0..<4096 { octets[place] = 0x21 }
        try folder.write(octets, "a.ledger")
        // No file can be made under this name.
        let obstacle = StoreFile.repaired(path) + ".new"
        #expect(mkdir(obstacle, 0o700) == 0)
        #expect(throws: StoreError.self) { try DiskJournal.open(at: path) { _ in } }
        #expect(try folder.octets("a.ledger") == octets && !folder.names.contains("a.ledger.damaged"))
        rmdir(obstacle)
        let journal = try DiskJournal.open(at: path) { _ in }
        #expect(journal.unfinishedJobs == [job])
        journal.close()
        // It was killed after it had put the damaged file aside.
        #expect(rename(path, StoreFile.repaired(path)) == 0)
        #expect(try DiskJournal.open(at: path) { _ in }.unfinishedJobs == [job])
    }

    @Test func aJobWithDamagedProgressResumesFromItsLastCheckpoint() throws {
        let folder = try Folder()
        let job = try make(folder["a.ledger"])
        try change(folder["a.ledger"], "UPDATE progress SET seal = seal + 1")
        let journal = try DiskJournal.open(at: folder["a.ledger"]) { _ in }
        let found = try #require(journal.unfinishedJobs.first)
        #expect(found.settled == job.checkpoints.last && found.pieces == job.pieces)
        #expect(journal.notices.contains { $0.contains("resumes from block 40, its last checkpoint") })
        journal.close()
    }

    @Test func aTallyWithoutItsJobIsNamed() throws {
        let folder = try Folder()
        _ = try make(folder["a.ledger"])
        try change(folder["a.ledger"], "DELETE FROM job")
        let journal = try DiskJournal.open(at: folder["a.ledger"]) { _ in }
        #expect(journal.unfinishedJobs.isEmpty)
        #expect(
            journal.notices.contains {
                $0.contains("job 00000 cannot be resumed: its first 45 blocks are left, but its parameters are lost")
            })
        journal.close()
    }

    /// Writes a ledger in another process and kills that while the write-ahead log has work that the store lacks: more than a new
    /// job, which is moved into the store at once. Returns the path of the ledger.
    private func killed(_ folder: Folder) throws -> String {
        let path = folder["a.ledger"]
        for _ in 0..<100 {
            for name in folder.names { unlink(folder[name]) }
            let child = try Child("ledger", path, "5", "0")
            var lines = 0
            while let line = child.line(), lines < 4 { if line.hasPrefix("safe ") { lines += 1 } }
            _ = child.kill(after: 0)
            let isMarked = try folder.octets("a.ledger.lock").suffix(9).elementsEqual(" writing\n".utf8)
            if isMarked, try endsWithCommit(folder.octets("a.ledger-wal")), try isWhole(folder.octets("a.ledger")) {
                return path
            }
        }
        Issue.record("the child was never killed while its log had work")
        return path
    }

    /// Whether a write-ahead log has several pages, and its last one ends a transaction that only the log has. The log may
    /// also end with older pages, or with half a transaction.
    private func endsWithCommit(_ log: [UInt8]) -> Bool {
        let (header, frame) = (32, 24 + 4096)
        guard log.count > header + 4 * frame, (log.count - header) % frame == 0 else { return false }
        let last = log.count - frame
        let isNew = log[last + 8..<last + 16].elementsEqual(log[16..<24])
        return isNew && log[last + 4..<last + 8].contains { $0 != 0 }
    }

    /// Whether a store can be read without its log. It cannot if its process was killed while it copied pages from the log
    /// into the store. Then it is damaged once the log is gone, which other tests are about.
    private func isWhole(_ octets: [UInt8]) throws -> Bool {
        let folder = try Folder()
        try folder.write(octets, "a.ledger")
        let journal = try DiskJournal.open(at: folder["a.ledger"]) { _ in }
        defer { journal.close() }
        return journal.notices.isEmpty
    }

    @Test func workThatWasRemovedIsSaidToBeGone() throws {
        for endings in [["-wal"], ["-wal", "-shm"]] {
            let folder = try Folder()
            let path = try killed(folder)
            for ending in endings { unlink(path + ending) }
            let journal = try DiskJournal.open(at: path) { _ in }
            #expect(
                journal.notices.count == 1
                    && journal.notices[0].hasPrefix(
                        "\(path): its write-ahead log \(path)-wal was removed; the work since"),
                "\(journal.notices)")
            // The records of the jobs were already in the store itself.
            #expect(!journal.unfinishedJobs.isEmpty)
            journal.close()
            let again = try DiskJournal.open(at: path) { _ in }
            #expect(again.notices.isEmpty)
            again.close()
        }
    }

    @Test func workThatWasDamagedIsSavedAsFarAsItGoes() throws {
        let folder = try Folder()
        let path = try killed(folder)
        let (file, log, shared) = try (
            folder.octets("a.ledger"), folder.octets("a.ledger-wal"), folder.octets("a.ledger-shm")
        )
        // The log is cut at its end or in the middle, or has a changed bit in its first or second page.
        for (length, flip) in [(log.count - 4120, nil), (log.count / 2, nil), (log.count, 500), (log.count, 4700)] {
            var damaged = Array(log.prefix(length))
            if let flip { damaged[flip] ^= 1 }
            for name in folder.names { unlink(folder[name]) }
            try folder.write(file, "a.ledger")
            try folder.write(damaged, "a.ledger-wal")
            try folder.write(shared, "a.ledger-shm")
            let journal = try DiskJournal.open(at: path) { _ in }
            #expect(journal.notices.contains { $0.contains("has damage since") }, "\(length) \(flip ?? 0)")
            #expect(try folder.octets("a.ledger.damaged-wal") == damaged)
            #expect(!journal.unfinishedJobs.isEmpty)
            journal.close()
        }
    }
}
