import Glibc
import PotluckCore
import PotluckSystem

/// A journal in a file, written by its own thread in group commits.
///
/// The writer keeps the jobs as a value, and the file's content as another; a commit writes the difference. So a commit
/// costs only its net changes: a piece that is added and settled in between is never written. A disk that is full for
/// an hour costs no more memory than the jobs themselves.
public final class DiskJournal: JobJournal {
    /// The longest time that a change waits for its commit. Commits this rare cost almost nothing, and a crash loses at
    /// most this much beside the chunks in flight.
    static let longestWait = Duration.milliseconds(50)
    /// The time between attempts to write to a disk that fails.
    static let retry = Duration.seconds(1)
    /// The time between checkpoints of the write-ahead log into the store, which bounds the loss if somebody removes
    /// the log. Each checkpoint waits for the disk, so more frequent ones would be noticeable.
    static let settling = Duration.seconds(10)

    public let unfinishedJobs: [KeptJob]
    public let notices: [String]
    private let queue: ChangeQueue
    private let writer: SystemThread
    private let end: Guarded<(isJoined: Bool, trouble: StoreError?)>

    /// Opens the file at `path`, or creates it, and locks it until the journal is closed. A damaged file is put aside,
    /// and its jobs that can be trusted go into a new one. Lost work is computed again.
    public static func open(
        at path: String, news: @escaping @Sendable (JournalNews) -> Void
    ) throws(StoreError) -> DiskJournal {
        var notices: [String] = []
        let (file, jobs) = try LedgerOpening.open(path, notices: &notices)
        return DiskJournal(file, jobs, notices: notices, news: news)
    }

    private init(
        _ file: StoreFile, _ jobs: KeptJobs, notices: [String], news: @escaping @Sendable (JournalNews) -> Void
    ) {
        unfinishedJobs = jobs.unfinished
        self.notices = notices
        let queue = ChangeQueue()
        self.queue = queue
        let end = Guarded<(isJoined: Bool, trouble: StoreError?)>((false, nil))
        self.end = end
        // From now on only the writer's thread uses the connection.
        nonisolated(unsafe) let file = file
        writer = SystemThread(for: "the journal") {
            let writer = JournalWriter(file, jobs, queue: queue, news: news)
            let trouble = writer.run()
            end.with { $0.trouble = trouble }
        }
    }

    @discardableResult
    public func append(_ changes: [JournalChange]) -> UInt64 { queue.append(changes) }

    @discardableResult
    public func close() -> StoreError? {
        queue.close()
        let isFirst = end.with { end in
            defer { end.isJoined = true }
            return !end.isJoined
        }
        if isFirst { writer.join() }
        return end.with { $0.trouble }
    }

    deinit { close() }
}

/// The state and loop of the writer's thread.
private final class JournalWriter {
    private let file: StoreFile
    private let store: LedgerStore
    private let queue: ChangeQueue
    private let news: @Sendable (JournalNews) -> Void
    /// The file's content.
    private var written: KeptJobs
    /// The content that the file should have.
    private var jobs: KeptJobs
    private var changed: Set<JobID> = []
    /// The changed jobs whose results were partly taken back. The old content of their rows must not be found in the
    /// file again.
    private var rewritten: Set<JobID> = []
    private var taken: UInt64 = 0
    private var trouble: StoreError?
    private var nextSettling = ChangeQueue.now

    init(_ file: StoreFile, _ jobs: KeptJobs, queue: ChangeQueue, news: @escaping @Sendable (JournalNews) -> Void) {
        self.file = file
        store = LedgerStore(database: file.database)
        self.queue = queue
        self.news = news
        (written, self.jobs) = (jobs, jobs)
    }

    /// Runs until the journal is closed. Returns why the last commit failed, or nil.
    func run() -> StoreError? {
        var nextCommit = ChangeQueue.now
        while true {
            // While commits fail, retry even without new changes.
            let batch = queue.take(notBefore: nextCommit, evenIfEmpty: trouble != nil)
            var last: JobID?
            for changes in batch.changes {
                for change in changes {
                    jobs.apply(change)
                    if change.job != last { changed.insert(change.job) }
                    if case .rewritten(let id, _) = change { rewritten.insert(id) }
                    last = change.job
                }
                taken += UInt64(changes.count)
            }
            if !batch.changes.isEmpty || trouble != nil { commit() }
            if batch.isClosed {
                file.checkpoint()
                return trouble
            }
            nextCommit = ChangeQueue.now + (trouble == nil ? DiskJournal.longestWait : DiskJournal.retry).nanoseconds
        }
    }

    private func commit() {
        do throws(StoreError) {
            // Nobody else can supply a new job's record, so checkpoint it at once.
            let isNew = changed.contains { written.jobs[$0] == nil && jobs.jobs[$0] != nil }
            try file.database.transaction { () throws(StoreError) in
                try store.write(changed, from: written, to: jobs, rewritten: rewritten)
            }
            file.lock?.says(writing: true)
            written = jobs
            (changed, rewritten) = ([], [])
            if trouble != nil {
                trouble = nil
                news(.recovered)
            }
            news(.durable(upTo: taken))
            if isNew || ChangeQueue.now >= nextSettling {
                // If this fails, the next attempt may succeed.
                try? file.database.execute("PRAGMA wal_checkpoint(PASSIVE)")
                nextSettling = ChangeQueue.now + DiskJournal.settling.nanoseconds
            }
        } catch {
            if error != trouble { news(.trouble(error)) }
            trouble = error
        }
    }
}
