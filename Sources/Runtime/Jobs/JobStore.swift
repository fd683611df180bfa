import PotluckJournal
import PotluckModel
import PotluckSystem
import PotluckWire

/// Where the jobs that a node takes are written down, so that they can be gone on with after a crash. It belongs to one node at
/// a time.
///
///     let store = try JobStore.open(at: path)
///     for notice in store.notices { print(notice) }
///     var computing = Computing(simulations, cores: 4)
///     computing.store = store
public final class JobStore: Sendable {
    private let journal: any JobJournal
    /// Takes whoever is to hear the journal's news.
    let listen: @Sendable (@escaping @Sendable (JournalNews) -> Void) -> Void
    private let open: Guarded<Set<JobID>>
    /// How many changes no node has said. A node counts its own, and knows by that what is safe.
    private let unsaid: Guarded<UInt64>

    /// Opens the file, or makes it. One that is damaged is put aside and saved from as well as can be.
    public static func open(at path: String) throws(StoreTrouble) -> JobStore {
        let listener = Guarded<(@Sendable (JournalNews) -> Void)?>(nil)
        let journal = try DiskJournal.open(at: path) { news in listener.with { $0 }?(news) }
        return JobStore(journal) { new in listener.with { $0 = new } }
    }

    init(
        _ journal: any JobJournal, listen: @escaping @Sendable (@escaping @Sendable (JournalNews) -> Void) -> Void
    ) {
        self.journal = journal
        let unsaid = Guarded<UInt64>(0)
        self.unsaid = unsaid
        self.listen = { take in
            listen { news in
                guard case .durable(let number) = news else { return take(news) }
                let others = unsaid.with { $0 }
                if number > others { take(.durable(upTo: number - others)) }
            }
        }
        open = Guarded(Set(journal.unfinishedJobs.map(\.record.id)))
    }

    /// What people should know of how it was found, a line each.
    public var notices: [String] { journal.notices }

    /// Jobs that were under way when the last node with this store ended. One that waits for its time has waited since it was
    /// taken.
    public var unfinishedJobs: [KeptJob] {
        let (open, now) = (open.with { $0 }, WallClock.now)
        return journal.unfinishedJobs.filter { open.contains($0.record.id) }.map { job in
            var job = job
            let taken = job.record.acceptedAt
            if taken > 0, taken < now { job.record = job.record.after(.milliseconds(now - taken)) }
            return job
        }
    }

    func append(_ changes: [JournalChange]) {
        journal.append(changes.map(\.stamped))
        open.with { open in
            for change in changes {
                switch change {
                case .accepted(let record): open.insert(record.id)
                case .forgotten(let id): open.remove(id)
                default: break
                }
            }
        }
    }

    /// How many jobs whoever opens it next would find.
    public var openJobs: Int { open.with(\.count) }

    /// Lets go of a job that was found, before a node goes on with it.
    public func forget(_ id: JobID) { forget([id]) }

    /// Lets go of all jobs that were found, before a node begins.
    public func forgetAll() { forget(journal.unfinishedJobs.map(\.record.id)) }

    private func forget(_ jobs: [JobID]) {
        // First, so that no news counts them as the node's.
        unsaid.with { $0 += UInt64(jobs.count) }
        append(jobs.map { .forgotten($0) })
    }

    /// Writes down what is left. Tells why that was not possible, where it was not.
    @discardableResult
    public func close() -> StoreTrouble? { journal.close() }
}

extension JournalChange {
    /// The engine knows no wall clock; whoever looks at a journal wants to know when.
    fileprivate var stamped: JournalChange {
        guard case .accepted(var record) = self, record.acceptedAt == 0 else { return self }
        record.acceptedAt = WallClock.now
        return .accepted(record)
    }
}
