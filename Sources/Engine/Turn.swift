import PotluckCore

/// One call of `Engine.handle`: its time, and the effects, mail and changes so far.
///
/// At the end of the call only effects are left: mail, outputs, changes and promises have been delivered.
struct Turn: Sendable {
    /// Something that is done only when the journal has written every earlier change.
    enum Promise: Sendable {
        case effect(Effect)
        case mail(JobMessage, to: NodeID)
        /// The answer to a command of a user.
        case answer(CommandAnswer)
        /// The job may compute, because no crash can lose it any more.
        case begin(JobID)
        /// The job's result was told, so the journal need not keep the job much longer.
        case told(JobID)
    }

    /// The answer to a command, for the node whose user gave it.
    struct CommandAnswer: Sendable {
        let job: JobID
        let node: NodeID
        let isOwn: Bool
        let token: UInt64
    }

    let now: Instant
    /// Whether this node has a journal.
    let keepsJournal: Bool
    /// The effects for the shell, in order.
    var effects: [Effect] = []
    /// Messages to nodes, including this one.
    var mail: [(to: NodeID, message: JobMessage)] = []
    /// Outputs of chunks that are to be fetched.
    var outputs: [(attempt: AttemptID, blob: BlobReference, node: NodeID)] = []
    /// Nodes that are to be removed from the session.
    var shutOut: [NodeID] = []
    /// Changes for the journal.
    private(set) var changes: [JournalChange] = []
    var promises: [Promise] = []
    /// The jobs whose end was told by now.
    private(set) var reportedEnds: ReportedEnds
    /// The jobs whose end was told in this turn.
    private(set) var ending: [JobID] = []

    init(now: Instant, keepsJournal: Bool, reportedEnds: ReportedEnds = ReportedEnds()) {
        self.now = now
        self.keepsJournal = keepsJournal
        self.reportedEnds = reportedEnds
    }

    /// Whether only effects are left.
    var isDelivered: Bool {
        mail.isEmpty && outputs.isEmpty && shutOut.isEmpty && changes.isEmpty && promises.isEmpty
    }

    mutating func send(_ message: JobMessage, to node: NodeID) { mail.append((node, message)) }

    mutating func act(_ effect: JobEffect) { effects.append(.job(effect)) }

    mutating func tell(_ event: JobEvent) { effects.append(.tell(event)) }

    mutating func answer(_ answer: JobAnswer, token: UInt64) { effects.append(.answer(answer, token: token)) }

    /// Tells a worker to drop attempts, together with those of the message before. One event may end thousands of them.
    mutating func drop(_ id: JobID, _ attempts: [UInt64], at node: NodeID) {
        var attempts = attempts
        if case let (last, .drop(job, before))? = mail.last, last == node, job == id {
            mail.removeLast()
            attempts = before + attempts
        }
        send(.drop(id, attempts: attempts), to: node)
    }

    /// Answers a command. `trouble` says why its effect is not on disk; nil if it is.
    mutating func tell(_ answer: CommandAnswer, trouble: String?) {
        let why = trouble.map {
            "done, but not on disk: the journal cannot be written: \($0); if this node ends before that is mended, the job "
                + "continues as before"
        }
        if answer.isOwn {
            self.answer(why.map { .refused($0) } ?? .taken(answer.job), token: answer.token)
        } else if let why {
            send(.refused(why, token: answer.token), to: answer.node)
        } else {
            send(.taken(answer.job, token: answer.token), to: answer.node)
        }
    }

    mutating func keep(_ change: JournalChange) { if keepsJournal { changes.append(change) } }

    func hasEnded(_ id: JobID) -> Bool { reportedEnds.contains(id) }

    /// Tells how a job ended, unless that was told before. If not `isSafe`, the end is told only when the journal has
    /// written it.
    mutating func end(_ id: JobID, _ event: JobEvent, isSafe: Bool = true) {
        guard reportedEnds.add(id) else { return }
        ending.append(id)
        if isSafe { tell(event) } else { promises.append(.effect(.tell(event))) }
    }

    mutating func silence(_ id: JobID) { reportedEnds.silence(id) }

    func isSilent(_ id: JobID) -> Bool { reportedEnds.isSilent(id) }

    /// Shows a job to the user of this node.
    mutating func publish(_ snapshot: JobSnapshot) {
        if !isSilent(snapshot.id) { tell(.snapshot(snapshot)) }
    }

    mutating func takeChanges() -> [JournalChange] {
        defer { changes = [] }
        return changes
    }
}

/// The jobs whose end the user of this node was told, so that a coordinator that does not know it cannot tell it again.
struct ReportedEnds: Sendable {
    /// The newest last.
    private var ended: [JobID] = []
    /// The jobs whose end was told before this node started. Others hear it again; the user is shown nothing more of
    /// them.
    private var silent: [JobID] = []

    func contains(_ id: JobID) -> Bool { ended.contains(id) }

    func isSilent(_ id: JobID) -> Bool { silent.contains(id) }

    /// Returns false if the job's end was told before.
    mutating func add(_ id: JobID) -> Bool {
        guard !ended.contains(id) else { return false }
        Self.append(id, to: &ended)
        return true
    }

    mutating func silence(_ id: JobID) {
        Self.append(id, to: &silent)
        Self.append(id, to: &ended)
    }

    private static func append(_ id: JobID, to list: inout [JobID]) {
        if list.count >= JobLimits.reportedEnds { list.removeFirst() }
        list.append(id)
    }
}
