import PotluckCore
import PotluckDoubles
import PotluckJournalTrial
import PotluckMachine
import Testing

/// The effect of changes on jobs.
@Suite struct KeptJobsTests {
    static let job = JobID(7)
    static let record = JobRecord(id: job, spec: [1, 2], simulation: "pi", submitter: "ana", acceptedAt: 0)

    private func jobs(_ changes: JournalChange...) -> KeptJobs {
        var jobs = KeptJobs()
        for change in [.accepted(Self.record)] + changes { jobs.apply(change) }
        return jobs
    }

    private func piece(_ blocks: Range<UInt64>, _ node: UInt64 = 1) -> BlockTally {
        BlockTally(blocks: blocks, node: ChangeStream.node(node), tally: [blocks.upperBound])
    }

    @Test func noBlockIsInTwoPlaces() {
        for seed in 0..<20 as Range<UInt64> {
            var stream = ChangeStream(seed: seed)
            var jobs = KeptJobs()
            for _ in 0..<100 {
                for _ in 0..<20 { jobs.apply(stream.next()) }
                for job in jobs.jobs.values {
                    let ranges = [0..<job.settled.blocks] + job.pieces.map(\.blocks)
                    let areApart = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
                    #expect(areApart)
                    #expect(!job.pieces.contains { $0.blocks.isEmpty })
                }
            }
            #expect(jobs.jobs.count > 1)
        }
    }

    @Test func everyChangeTwiceInARowIsTheChangeOnce() {
        for seed in 0..<20 as Range<UInt64> {
            var stream = ChangeStream(seed: seed)
            var (once, twice) = (KeptJobs(), KeptJobs())
            for _ in 0..<1000 {
                let change = stream.next()
                once.apply(change)
                twice.apply(change)
                twice.apply(change)
                #expect(once == twice)
            }
        }
    }

    @Test func settledBlocksReplacePieces() {
        let jobs = jobs(
            .done(Self.job, piece(0..<4)), .done(Self.job, piece(6..<9)), .done(Self.job, piece(12..<13)),
            .settled(Self.job, SettledTally(blocks: 8, tally: [5])))
        // 6 ..< 9 overlaps the settled blocks and would count some of them twice.
        #expect(jobs.jobs[Self.job]?.pieces == [piece(12..<13)])
        #expect(jobs.jobs[Self.job]?.settled.tally == [5])
    }

    @Test func aRewriteForgetsEarlierProgress() {
        let jobs = jobs(
            .done(Self.job, piece(3..<4)), .settled(Self.job, SettledTally(blocks: 2, tally: [5])),
            .passed(Self.job, SettledTally(blocks: 2, tally: [5])),
            .rewritten(Self.job, SettledTally(blocks: 1, tally: [3])), .done(Self.job, piece(1..<2, 2)))
        let job = jobs.jobs[Self.job]
        #expect(job?.settled == SettledTally(blocks: 1, tally: [3]))
        #expect(job?.pieces == [piece(1..<2, 2)])
        #expect(job?.checkpoints.isEmpty == true)
    }

    /// The changes of a kept job produce this job again.
    @Test(arguments: 0..<20) func changesOfAKeptJobRebuildIt(seed: UInt64) {
        var stream = ChangeStream(seed: seed)
        var jobs = KeptJobs()
        for _ in 0..<300 { jobs.apply(stream.next()) }
        for job in jobs.unfinished {
            var again = KeptJobs()
            for change in job.changes { again.apply(change) }
            #expect(again.unfinished == [job])
        }
    }

    @Test func anEndedJobIgnoresChanges() {
        let over = jobs(.stands(Self.job, .cancelled), .done(Self.job, piece(0..<1)), .stands(Self.job, .running))
        #expect(over.unfinished.isEmpty)
        #expect(over.jobs[Self.job]?.pieces.isEmpty == true)
        #expect(jobs(.forgotten(Self.job)).jobs.isEmpty)
    }

    /// The order may change with an epoch, because its priority does.
    @Test func theOrderOfTheHighestEpochStays() {
        func record(_ epoch: UInt64, _ spec: UInt8) -> JobRecord {
            JobRecord(id: Self.job, spec: [spec], simulation: "pi", submitter: "ana", acceptedAt: 0, epoch: epoch)
        }
        let jobs = jobs(.accepted(record(3, 7)), .accepted(record(3, 8)), .accepted(record(2, 9)))
        #expect(jobs.jobs[Self.job]?.record.epoch == 3)
        #expect(jobs.jobs[Self.job]?.record.spec == [8])
    }

    @Test func theJournalInMemoryKeepsCommittedChanges() {
        var stream = ChangeStream(seed: 1)
        let journal = MemoryJournal(commitsAtOnce: false) { _ in }
        var safe = KeptJobs()
        for _ in 0..<50 {
            let changes = (0..<7).map { _ in stream.next() }
            journal.append(changes)
            #expect(journal.safe == safe)
            journal.commit()
            for change in changes { safe.apply(change) }
            #expect(journal.safe == safe)
        }
        #expect(MemoryJournal(journal.safe) { _ in }.unfinishedJobs == safe.unfinished)
    }
}
