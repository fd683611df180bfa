/// A job as its coordinator accepted it. With this and the ledger, another node can continue the job.
public struct TakenJob: Hashable, Sendable {
    public var order: JobOrder
    public var ticket: JobTicket
    public var submitter: NodeID
    /// The name under which users know that node.
    public var submitterName: String
    /// What people guessed before it began.
    public var guesses = Guesses()

    public init(order: JobOrder, ticket: JobTicket, submitter: NodeID, submitterName: String) {
        self.order = order
        self.ticket = ticket
        self.submitter = submitter
        self.submitterName = submitterName
    }
}
