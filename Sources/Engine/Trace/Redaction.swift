import PotluckCore

/// Removes from a trace what it must not contain: the contents of messages between users and programs, of which only
/// the length stays, and the tickets that can cancel jobs. Keys and codes never reach the engine.
enum Redaction {
    /// Returns the ticket that replaces the one with this number.
    static func ticket(_ number: UInt64) -> JobTicket {
        let octets = (0..<UInt64(JobTicket.length)).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
        guard let ticket = JobTicket(octets) else { preconditionFailure("a ticket has 16 octets") }
        return ticket
    }

    static func message(_ message: Message, ticket: (JobTicket) -> JobTicket) -> Message {
        switch message {
        case .parcel(var parcel):
            parcel.content = content(parcel.content)
            return .parcel(parcel)
        case .job(.order(let order, let its, let token)): return .job(.order(order, ticket: ticket(its), token: token))
        case .job(.command(let command, let id, let its, let token)):
            return .job(.command(command, id, ticket: its.map(ticket), token: token))
        case .job(.replica(let id, let changes)):
            return .job(.replica(id, changes.map { change($0, ticket: ticket) }))
        case .job(.part(let module, let offset, let octets)):
            return .job(.part(module, offset: offset, octets: blank(octets)))
        case .ranks(var frame):
            frame.content = content(frame.content)
            return .ranks(frame)
        default: return message
        }
    }

    static func change(_ change: JournalChange, ticket: (JobTicket) -> JobTicket) -> JournalChange {
        guard case .accepted(var record) = change else { return change }
        if var taken = try? TakenJob(record.spec) {
            taken.ticket = ticket(taken.ticket)
            record.spec = taken.encoded
        } else {
            record.spec = blank(record.spec)
        }
        return .accepted(record)
    }

    private static func content(_ content: Parcel.Content) -> Parcel.Content {
        switch content {
        case .data(let octets, let form): .data(blank(octets), as: form)
        case .text(let text): .text(blank(text))
        }
    }

    private static func content(_ content: RankFrame.Content) -> RankFrame.Content {
        switch content {
        case .part(let octets, let isLast): .part(blank(octets), isLast: isLast)
        case .show(let octets): .show(blank(octets))
        case .received, .open, .opened, .closed: content
        }
    }

    static func blank(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> { blank(Array(octets))[...] }

    static func blank(_ octets: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: octets.count) }

    static func blank(_ text: String) -> String { String(repeating: "x", count: text.utf8.count) }
}
