import Glibc
import PotluckModel
import PotluckSystem

/// A journal in a file, written by a thread of its own in group commits.
///
/// The writer holds what the jobs have come to, as a value, and beside it what the file says; a commit writes the
/// difference. So a group costs what it changed in the end (a piece that came and was settled meanwhile is never written),
/// and a disk that is full for an hour costs no more memory than the jobs themselves.
public final class DiskJournal: JobJournal {
    /// What was appended waits this long at most before it is committed: seldom enough to cost nothing, often enough that a
    /// crash costs no more than this beyond what was under way.
    public static let longestWait = Duration.milliseconds(50)
    /// How often a disk that takes nothing is tried again.
    static let retry = Duration.seconds(1)
    /// How often what was committed is brought from the file beside the store into the store: whoever removes that file takes no more
    /// with it. Each time waits for the disk, which more often would be felt.
    static let settling = Duration.seconds(10)

    public let unfinishedJobs: [KeptJob]
    public let notices: [String]
    private let inbox: Inbox
    private let writer: SystemThread
    private let end: Guarded<(isJoined: Bool, trouble: StoreTrouble?)>

    /// Opens the file, makes it where it is missing, and locks it for as long as this process has it open. One that is damaged
    /// is put aside, and what of it can be trusted goes into a new one: what is lost is only computed again.
    public static func open(
        at path: String, news: @escaping @Sendable (JournalNews) -> Void
    ) throws(StoreTrouble) -> DiskJournal {
        var notices: [String] = []
        let (file, jobs) = try LedgerOpening.open(path, notices: &notices)
        return DiskJournal(file, jobs, notices: notices, news: news)
    }

    private init(
        _ file: StoreFile, _ jobs: KeptJobs, notices: [String], news: @escaping @Sendable (JournalNews) -> Void
    ) {
        unfinishedJobs = jobs.unfinished
        self.notices = notices
        let inbox = Inbox()
        self.inbox = inbox
        let end = Guarded<(isJoined: Bool, trouble: StoreTrouble?)>((false, nil))
        self.end = end
        // The connection goes to the writer's thread and stays there.
        nonisolated(unsafe) let file = file
        writer = SystemThread(for: "the journal") {
            let writer = JournalWriter(file, jobs, inbox: inbox, news: news)
            let trouble = writer.run()
            end.with { $0.trouble = trouble }
        }
    }

    @discardableResult
    public func append(_ changes: [JournalChange]) -> UInt64 { inbox.append(changes) }

    @discardableResult
    public func close() -> StoreTrouble? {
        inbox.close()
        let isFirst = end.with { end in
            defer { end.isJoined = true }
            return !end.isJoined
        }
        if isFirst { writer.join() }
        return end.with { $0.trouble }
    }

    deinit { close() }
}

/// What the writer's thread does.
private final class JournalWriter {
    private let file: StoreFile
    private let store: LedgerStore
    private let inbox: Inbox
    private let news: @Sendable (JournalNews) -> Void
    /// What the file says.
    private var written: KeptJobs
    /// What it should say.
    private var jobs: KeptJobs
    private var changed: Set<JobID> = []
    private var taken: UInt64 = 0
    private var trouble: StoreTrouble?
    private var nextSettling = Inbox.now

    init(_ file: StoreFile, _ jobs: KeptJobs, inbox: Inbox, news: @escaping @Sendable (JournalNews) -> Void) {
        self.file = file
        store = LedgerStore(database: file.database)
        self.inbox = inbox
        self.news = news
        (written, self.jobs) = (jobs, jobs)
    }

    /// Until the journal is closed. Tells why the last commit failed, if it did.
    func run() -> StoreTrouble? {
        var nextCommit = Inbox.now
        while true {
            // In trouble it is tried again without news, too.
            let batch = inbox.take(notBefore: nextCommit, evenIfEmpty: trouble != nil)
            var last: JobID?
            for changes in batch.changes {
                for change in changes {
                    jobs.apply(change)
                    if change.job != last { changed.insert(change.job) }
                    last = change.job
                }
                taken += UInt64(changes.count)
            }
            if !batch.changes.isEmpty || trouble != nil { commit() }
            if batch.isClosed {
                file.settle()
                return trouble
            }
            nextCommit = Inbox.now + (trouble == nil ? DiskJournal.longestWait : DiskJournal.retry).nanoseconds
        }
    }

    private func commit() {
        do throws(StoreTrouble) {
            // What a job is can be had from nobody else, so it does not wait for the next time.
            let isNew = changed.contains { written.jobs[$0] == nil && jobs.jobs[$0] != nil }
            try file.database.transaction { () throws(StoreTrouble) in
                try store.write(changed, from: written, to: jobs)
            }
            file.lock?.says(writing: true)
            written = jobs
            changed = []
            if trouble != nil {
                trouble = nil
                news(.recovered)
            }
            news(.durable(upTo: taken))
            if isNew || Inbox.now >= nextSettling {
                // Where this does not work, the next time may.
                try? file.database.execute("PRAGMA wal_checkpoint(PASSIVE)")
                nextSettling = Inbox.now + DiskJournal.settling.nanoseconds
            }
        } catch {
            if error != trouble { news(.trouble(error)) }
            trouble = error
        }
    }
}
