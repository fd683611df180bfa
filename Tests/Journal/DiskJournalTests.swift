import Foundation
import PotluckCore
import PotluckJournalTrial
import Synchronization
import Testing

@testable import PotluckMachine

/// A journal on disk has the same content as one in memory, whatever happens to its process.
@Suite struct DiskJournalTests {
    /// Collects a journal's news and can wait for them.
    final class Ear: Sendable {
        private let heard = Mutex<[JournalNews]>([])
        private let signal = DispatchSemaphore(value: 0)

        func hear(_ news: JournalNews) {
            heard.withLock { $0.append(news) }
            signal.signal()
        }

        var all: [JournalNews] { heard.withLock { $0 } }

        /// Returns false after a timeout, which only a failing test reaches.
        func waits(for wanted: (JournalNews) -> Bool) -> Bool {
            while !all.contains(where: wanted) { if signal.wait(timeout: .now() + 120) == .timedOut { return false } }
            return true
        }
    }

    private func open(_ path: String, _ ear: Ear = Ear()) throws -> DiskJournal {
        try DiskJournal.open(at: path) { ear.hear($0) }
    }

    @Test func writtenChangesReadBack() throws {
        for seed in 0..<5 as Range<UInt64> {
            let folder = try Folder()
            var stream = ChangeStream(seed: seed, slots: seed == 0 ? 1000 : 3)
            var jobs = KeptJobs()
            for round in 0..<20 {
                let journal = try open(folder["a.ledger"])
                #expect(journal.unfinishedJobs == jobs.unfinished)
                #expect(journal.notices.isEmpty)
                for _ in 0...round {
                    let changes = (0..<30).map { _ in stream.next() }
                    for change in changes { jobs.apply(change) }
                    journal.append(changes)
                }
                #expect(journal.close() == nil)
            }
        }
    }

    @Test func allThatIsAppendedBecomesSafe() throws {
        let folder = try Folder()
        let ear = Ear()
        let journal = try open(folder["a.ledger"], ear)
        var stream = ChangeStream(seed: 3)
        var last: UInt64 = 0
        for _ in 0..<100 { last = journal.append([stream.next()]) }
        #expect(last == 100)
        #expect(ear.waits { $0 == .durable(upTo: last) })
        journal.close()
        #expect(journal.append([stream.next()]) == last)
        let numbers = ear.all.compactMap { news -> UInt64? in
            if case .durable(let number) = news { number } else { nil }
        }
        #expect(numbers == numbers.sorted())
    }

    @Test func aStoreOfALongJobStaysSmall() throws {
        let folder = try Folder()
        let journal = try open(folder["a.ledger"])
        journal.append([.accepted(KeptJobsTests.record)])
        var block: UInt64 = 0
        for _ in 0..<20_000 {
            let end = block + 1_000_000
            journal.append([
                .done(
                    KeptJobsTests.job,
                    BlockTally(
                        blocks: block..<end, node: ChangeStream.node(1), tally: [UInt64](repeating: end, count: 20))
                ),
                .settled(KeptJobsTests.job, SettledTally(blocks: end, tally: [UInt64](repeating: end, count: 20))),
            ])
            block = end
        }
        journal.close()
        #expect(try folder.octets("a.ledger").count < 100_000)
    }

    @Test func killedAtAnyMomentNothingAcknowledgedIsMissing() throws {
        let folder = try Folder()
        var chance = SeededGenerator(seed: 11)
        var from: UInt64 = 0
        var stream = ChangeStream(seed: 5)
        var jobs = KeptJobs()
        for _ in 0..<Child.kills(12) {
            let child = try Child("ledger", folder["a.ledger"], "5", String(from))
            #expect(child.line() == "open")
            let lines = child.kill(after: UInt32(chance.next(below: 250_000)))
            #expect(lines.allSatisfy { $0.hasPrefix("safe ") }, "\(lines)")
            let safe = lines.compactMap { UInt64($0.dropFirst(5)) }.max() ?? from
            #expect(safe >= from)
            let journal = try open(folder["a.ledger"])
            #expect(journal.notices.isEmpty)
            // The content is exactly that of the first changes, at least of those that were acknowledged.
            var count = from
            while count < safe || jobs.unfinished != journal.unfinishedJobs {
                jobs.apply(stream.next())
                count += 1
                if count > safe + 20_000 { break }
            }
            #expect(jobs.unfinished == journal.unfinishedJobs)
            from = count
            journal.close()
        }
        #expect(from > 0)
    }

    @Test func aSecondProcessIsToldOfTheFirst() throws {
        let folder = try Folder()
        let journal = try open(folder["a.ledger"])
        let trouble = #expect(throws: StoreError.self) { try open(folder["a.ledger"]) }
        #expect(trouble?.kind == .inUse)
        #expect("\(trouble!)".contains("in use by process \(getpid()); stop that first"))
        journal.close()
        try open(folder["a.ledger"]).close()
    }

    @Test func aFullDiskIsSaidAndNothingIsLost() throws {
        let folder = try Folder()
        let path = folder["a.ledger"]
        let lines = try Child("full", path, "9").lines()
        #expect(lines.count == 4)
        #expect(lines.first == "trouble \(path): cannot write; the disk is over its quota or damaged")
        #expect(lines.dropFirst().prefix(2) == ["space", "recovered"])
        let last = lines.last.flatMap { $0.hasPrefix("safe ") ? UInt64($0.dropFirst(5)) : nil }
        var (stream, wanted) = (ChangeStream(seed: 9, slots: 500), KeptJobs())
        for _ in 0..<(last ?? 0) { wanted.apply(stream.next()) }
        let journal = try open(path)
        #expect(journal.unfinishedJobs == wanted.unfinished)
        #expect(last ?? 0 > 100)
        journal.close()
    }
}
