import PotluckCore

/// Users' requests as messages, whose wire encoding they have in a trace. A request for an output has fields of its own.
extension JobRequest {
    func message(_ token: UInt64) -> JobMessage {
        switch self {
        case .order(let order, let ticket): .order(order, ticket: ticket, token: token)
        case .command(let command, let id, let ticket): .command(command, id, ticket: ticket, token: token)
        case .withdraw(let ticket): .withdraw(ticket, token: token)
        case .jobs: .list(token: token)
        // No message asks for it, so an answer stands for it.
        case .takeOver, .output: .taken(JobID(1), token: token)
        }
    }
}

extension Event {
    /// Returns nil for a message that stands for no request.
    init?(asking message: Message) {
        switch message {
        case .job(.order(let order, let ticket, let token)): self = .wanted(.order(order, ticket), token: token)
        case .job(.command(let command, let id, let ticket, let token)):
            self = .wanted(.command(command, id, ticket: ticket), token: token)
        case .job(.withdraw(let ticket, let token)): self = .wanted(.withdraw(ticket), token: token)
        case .job(.list(let token)): self = .wanted(.jobs, token: token)
        case .job(.taken(_, let token)): self = .wanted(.takeOver, token: token)
        default: return nil
        }
    }
}
