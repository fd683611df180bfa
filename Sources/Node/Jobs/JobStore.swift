import PotluckCore
import PotluckMachine
import PotluckSystem

/// A journal of the jobs that a node coordinates, so that they can be resumed after a crash. Only one node at a time
/// may use it.
///
///     let store = try JobStore.open(at: path)
///     for notice in store.notices { print(notice) }
///     var computing = Computing(simulations, cores: 4)
///     computing.store = store
public final class JobStore: Sendable {
    private let journal: any JobJournal
    /// Sets the function that receives the journal's news.
    let listen: @Sendable (@escaping @Sendable (JournalNews) -> Void) -> Void
    /// The jobs that the journal has: those that it was opened with, and new ones.
    private let open: Guarded<Set<JobID>>
    /// The number of changes that did not come from the node. The node counts only its own changes, so this is
    /// subtracted from the journal's numbers.
    private let unsaid: Guarded<UInt64>

    /// Opens the file at `path`, or creates it. A damaged file is put aside, and as much of it as possible is saved.
    public static func open(at path: String) throws(StoreError) -> JobStore {
        let listener = Guarded(JournalListener())
        let journal = try DiskJournal.open(at: path) { news in listener.with { $0.hear }?(news) }
        return JobStore(journal) { new in listener.with { $0.hear = new } }
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

    /// What users should know about how the file was found, one line each.
    public var notices: [String] { journal.notices }

    /// The jobs that were unfinished when the last node with this store ended. The waiting time of a job counts from
    /// when it was submitted.
    public var unfinishedJobs: [KeptJob] {
        let (open, now) = (open.with { $0 }, WallClock.now)
        return journal.unfinishedJobs.filter { open.contains($0.record.id) }.map { job in
            var job = job
            let taken = job.record.acceptedAt
            if taken > 0, taken < now { job.record = job.record.after(.milliseconds(now - taken)) }
            return job
        }
    }

    /// Appends changes of the node that uses this store.
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

    /// The number of jobs that the next process to open the store would find.
    public var openJobs: Int { open.with(\.count) }

    /// Removes a job that was found. Call it before a node resumes the job.
    public func forget(_ id: JobID) { forget([id]) }

    /// Removes all jobs that were found. Call it before a node starts.
    public func forgetAll() { forget(journal.unfinishedJobs.map(\.record.id)) }

    private func forget(_ jobs: [JobID]) {
        // Count first, so that no news attributes these changes to the node.
        unsaid.with { $0 += UInt64(jobs.count) }
        append(jobs.map { .forgotten($0) })
    }

    /// Writes the remaining changes. Returns why that failed; nil if it did not.
    @discardableResult
    public func close() -> StoreError? { journal.close() }
}

/// Holds the function that receives a journal's news. It has a type of its own because Swift wraps a function in a
/// generic box again on each access, and never unwraps it.
struct JournalListener: Sendable {
    var hear: (@Sendable (JournalNews) -> Void)?
}

extension JournalChange {
    /// Adds the time at which a job was accepted. The engine has no wall clock, but users of a journal want to know it.
    fileprivate var stamped: JournalChange {
        guard case .accepted(var record) = self, record.acceptedAt == 0 else { return self }
        record.acceptedAt = WallClock.now
        return .accepted(record)
    }
}
