import PotluckModel
import PotluckWire

/// What is to be done, gathered while an event is handled: effects, and messages to nodes, this one among them.
struct Deeds: Sendable {
    /// What is done only once all that was said to the journal before is safe there.
    enum Promise: Sendable {
        case effect(Effect)
        case mail(JobMessage, to: NodeID)
        case change(JournalChange)
    }

    /// Whether there is a journal.
    let keepsJournal: Bool
    var effects: [Effect] = []
    var mail: [(to: NodeID, message: JobMessage)] = []
    /// Who is to leave the session.
    var shutOut: [NodeID] = []
    /// For the journal.
    private(set) var changes: [JournalChange] = []
    var promises: [Promise] = []

    init(keepsJournal: Bool) { self.keepsJournal = keepsJournal }

    mutating func send(_ message: JobMessage, to node: NodeID) { mail.append((node, message)) }

    mutating func keep(_ change: JournalChange) { if keepsJournal { changes.append(change) } }

    mutating func takeChanges() -> [JournalChange] {
        defer { changes = [] }
        return changes
    }
}
