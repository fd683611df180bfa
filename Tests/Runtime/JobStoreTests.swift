import PotluckCore
import PotluckDoubles
import PotluckMachine
import PotluckSystem
import Testing

@testable import Potluck

@Suite struct JobStoreTests {
    private static func record(_ id: UInt64, delay: Duration = .zero, acceptedAt: Int64 = 1) throws -> JobRecord {
        let experiment = Experiment(
            simulation: SimulationIdentity(name: "a", source: "", streams: 1), parameters: [], seed: 1, blockSize: 16)
        let ticket = try #require(JobTicket([UInt8](repeating: 0, count: JobTicket.length)))
        let node = try #require(NodeID([UInt8](repeating: 1, count: NodeID.length)))
        var order = JobOrder(JobRecipe(experiment: experiment))
        order.delay = delay
        let taken = TakenJob(order: order, ticket: ticket, submitter: node, submitterName: "ana")
        return JobRecord(
            id: JobID(id), spec: taken.encoded, simulation: "a", submitter: "ana", acceptedAt: acceptedAt)
    }

    private static func store(_ records: [JobRecord]) -> (MemoryJournal, JobStore, Guarded<[UInt64]>) {
        let listener = Guarded<(@Sendable (JournalNews) -> Void)?>(nil)
        let journal = MemoryJournal(KeptJobs(records.map { KeptJob($0) }), commitsAtOnce: false) { news in
            listener.with { $0 }?(news)
        }
        let store = JobStore(journal) { new in listener.with { $0 = new } }
        let heard = Guarded<[UInt64]>([])
        store.listen { news in if case .durable(let number) = news { heard.with { $0.append(number) } } }
        return (journal, store, heard)
    }

    /// The journal's confirmations count only the changes that the engine made, and not the jobs that were forgotten
    /// before it started. The engine keeps its promises by this count.
    @Test(arguments: 0..<4) func jobsForgottenBeforeTheStartAreNotConfirmed(forgotten: UInt64) throws {
        let (journal, store, heard) = Self.store(try (1...4).map { try Self.record($0) })
        for id in 0..<forgotten { store.forget(JobID(id + 1)) }
        store.append([.ran(JobID(4), .seconds(1)), .ran(JobID(4), .seconds(2))])
        journal.commit()
        #expect(heard.with { $0 }.last == 2)
        store.append([.ran(JobID(4), .seconds(3))])
        journal.commit()
        #expect(heard.with { $0 }.last == 3)
        #expect(store.unfinishedJobs.count == 4 - Int(forgotten))
    }

    /// A delay counts from the moment when the job was taken, even if the coordinator is killed and restarted
    /// meanwhile.
    @Test func aDelayContinuesAfterARestart() throws {
        let now = WallClock.now
        let records = [
            try Self.record(1, delay: .seconds(3600), acceptedAt: now - 1_800_000),
            try Self.record(2, delay: .seconds(60), acceptedAt: now - 1_800_000),
            try Self.record(3, delay: .seconds(60), acceptedAt: now + 1_800_000),
            try Self.record(4, delay: .seconds(60), acceptedAt: 0),
        ]
        let (_, store, _) = Self.store(records)
        let left = try store.unfinishedJobs.map { try TakenJob($0.record.spec).order.delay }
        #expect(left[0] <= .seconds(1800) && left[0] > .seconds(1000))
        #expect(left[1...] == [.zero, .seconds(60), .seconds(60)])
    }
}
