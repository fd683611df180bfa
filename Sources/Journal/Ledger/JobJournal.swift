import PotluckModel

/// Where a coordinator's ledger says what happened, so that somebody can go on after a crash. On disk it is a
/// `DiskJournal`, in tests and for `--ephemeral` a `MemoryJournal`: both mean the same `KeptJobs`.
///
///     let journal = try DiskJournal.open(at: path) { news in … }
///     for job in journal.unfinishedJobs { … }              // what was under way when the last one died
///     let number = journal.append([.done(job, piece)])     // at once; the news `.durable(upTo: number)` comes later
///
/// To acknowledge a change means to have seen `.durable` with its number or a higher one. Then it survives `kill -9`; a power
/// cut may take the last moments, never the order: what is lost is always the newest.
public protocol JobJournal: AnyObject, Sendable {
    /// The jobs that were not over when this journal was opened, in order of their IDs. Later changes do not show here.
    var unfinishedJobs: [KeptJob] { get }

    /// Lines for people about what was found at the opening: brought to a new version, damaged and saved in part.
    var notices: [String] { get }

    /// Takes changes, and tells the number of the last one: 1 for the first change since the opening, 2 for the next. Never
    /// waits for a disk. Changes given together are committed together.
    @discardableResult func append(_ changes: [JournalChange]) -> UInt64

    /// Commits what is left and ends; takes as long as one commit. Tells why that was not possible, where it was not: then
    /// what was never acknowledged is lost. Later appends are nothing.
    @discardableResult func close() -> StoreTrouble?
}

/// What a journal has to say, in order, from a thread of its own. Whoever hears it must not wait inside.
public enum JournalNews: Hashable, Sendable {
    /// All changes up to that number are safe.
    case durable(upTo: UInt64)
    /// Nothing can be committed just now: the disk is full, or cannot be written. Nothing is lost: it is tried again every
    /// second, and memory holds no more meanwhile than what the jobs themselves come to. Said once for each new reason.
    case trouble(StoreTrouble)
    /// It works again; all that waited is safe with the `durable` that follows.
    case recovered
}
