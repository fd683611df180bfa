import PotluckModel
import PotluckWire

/// What is to be done, gathered while an event is handled: effects, and messages to nodes, this one among them.
struct Deeds: Sendable {
    /// What is done only once all that was said to the journal before is safe there.
    enum Promise: Sendable {
        case effect(Effect)
        case mail(JobMessage, to: NodeID)
        /// The job may compute: whoever sees it running will see how it ends.
        case begin(JobID)
        /// It was told what the job came to, so the journal need not keep it much longer.
        case told(JobID)
    }

    /// Whether there is a journal.
    let keepsJournal: Bool
    var effects: [Effect] = []
    var mail: [(to: NodeID, message: JobMessage)] = []
    /// What chunks wrote and is to be fetched.
    var outputs: [(attempt: AttemptID, blob: BlobReference, node: NodeID)] = []
    /// Who is to leave the session.
    var shutOut: [NodeID] = []
    /// For the journal.
    private(set) var changes: [JournalChange] = []
    var promises: [Promise] = []
    /// How these jobs ended was told here, and is not told again by a coordinator that has not heard of it.
    private var ended: [JobID] = []
    /// Those of them that have ended with this event.
    var ending: [JobID] = []
    /// Jobs whose end was told here before this node started: others hear it again, and nobody here is shown anything of them.
    private var silent: [JobID] = []

    init(keepsJournal: Bool) { self.keepsJournal = keepsJournal }

    mutating func send(_ message: JobMessage, to node: NodeID) { mail.append((node, message)) }

    mutating func keep(_ change: JournalChange) { if keepsJournal { changes.append(change) } }

    func hasEnded(_ id: JobID) -> Bool { ended.contains(id) }

    /// Tells how a job ended, unless that was told before. What it came to is told once it is safe.
    mutating func end(_ id: JobID, _ news: Effect, isSafe: Bool = true) {
        guard !ended.contains(id) else { return }
        if ended.count >= JobLimits.jobs { ended.removeFirst() }
        ended.append(id)
        ending.append(id)
        if isSafe { effects.append(news) } else { promises.append(.effect(news)) }
    }

    mutating func silence(_ id: JobID) {
        if silent.count >= JobLimits.jobs { silent.removeFirst() }
        silent.append(id)
        if ended.count >= JobLimits.jobs { ended.removeFirst() }
        ended.append(id)
    }

    func isSilent(_ id: JobID) -> Bool { silent.contains(id) }

    /// Shows it here.
    mutating func publish(_ snapshot: JobSnapshot) {
        if !isSilent(snapshot.id) { effects.append(.publish(snapshot)) }
    }

    mutating func takeChanges() -> [JournalChange] {
        defer { changes = [] }
        return changes
    }
}
