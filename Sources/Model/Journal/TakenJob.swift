/// A job as its coordinator took it: with this and its ledger somebody else can go on with it.
public struct TakenJob: Hashable, Sendable {
    public var order: JobOrder
    public var ticket: JobTicket
    public let submitter: NodeID
    /// What people know that node by.
    public let submitterName: String

    public init(order: JobOrder, ticket: JobTicket, submitter: NodeID, submitterName: String) {
        self.order = order
        self.ticket = ticket
        self.submitter = submitter
        self.submitterName = submitterName
    }
}
