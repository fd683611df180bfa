import PotluckCore

/// A durable record of a coordinator's ledger, so that its jobs can be resumed after a crash. `DiskJournal` is in a
/// file, and the tests have one in memory. Both give the same `KeptJobs`.
///
///     let journal = try DiskJournal.open(at: path) { news in … }
///     for job in journal.unfinishedJobs { … }              // the jobs that were under way when the last process died
///     let number = journal.append([.done(job, piece)])     // returns at once; the news `.durable(upTo: number)` follows
///
/// A change is acknowledged once `.durable` arrives with its number or a higher one. It then survives `kill -9`. A
/// power cut may lose the last moments, but only the newest changes and never their order.
public protocol JobJournal: AnyObject, Sendable {
    /// The jobs that were not over when the journal was opened, in order of ID. Later changes do not appear here.
    var unfinishedJobs: [KeptJob] { get }

    /// Lines for users about the opening of the journal: a migration, damage, saved jobs.
    var notices: [String] { get }

    /// Adds changes. Returns the number of the last one, counted from 1 since the journal was opened. Never waits for a
    /// disk. Changes of one call are committed together.
    @discardableResult func append(_ changes: [JournalChange]) -> UInt64

    /// Commits the remaining changes and closes the journal, which takes as long as one commit. Returns why that
    /// failed, or nil; after a failure the changes without acknowledgement are lost. Later calls of `append` have no
    /// effect.
    @discardableResult func close() -> StoreError?
}

/// News of a journal, in order, from a thread of its own. The receiver must not block.
public enum JournalNews: Hashable, Sendable {
    /// All changes up to this number are durable.
    case durable(upTo: UInt64)
    /// The journal cannot commit at the moment, because the disk is full or cannot be written. No change is lost: the
    /// journal retries every second, and uses no more memory meanwhile than the jobs themselves. Sent once for each new
    /// reason.
    case trouble(StoreError)
    /// The journal can commit again. The `durable` that follows covers all changes that waited.
    case recovered
}
