import PotluckModel
import PotluckWire

/// What other commands ask of a node that runs on this machine.
enum ControlRequest: Equatable, Sendable {
    case say(String, to: String?)
    case kick(String)
    /// Something is to be done to a job: by the beginning of its number, or to the only one there is.
    case command(JobCommand, String?)
    /// A job is wanted, and will be looked at; with the module that computes it where it is not built in, and the path of a file
    /// with the tables that it takes.
    case order(JobOrder, JobTicket, [UInt8]?, tables: String? = nil)
    /// All jobs are to be looked at.
    case watch
    /// The jobs of coordinators that are gone are to be gone on with.
    case takeOver

    /// The longest text a session carries is 4096 octets; an order of 256 names with a module has the most.
    static let maximumLength = 128 << 10 + 2 * BlobReference.largestModule

    /// Three lines: what, whom, and all the rest is text.
    var text: String {
        switch self {
        case .say(let text, let name): "say\n\(name ?? "")\n\(text)"
        case .kick(let name): "kick\n\(name)\n"
        case .command(let command, let job): "\(command)\n\(job ?? "")\n"
        case .order(let order, let ticket, let module, let tables):
            "order\n\((module ?? []).hexadecimal) \(Array((tables ?? "").utf8).hexadecimal)\n"
                + Message.job(.order(order, ticket: ticket, token: 1)).encoded().hexadecimal
        case .watch: "watch\n\n"
        case .takeOver: "takeover\n\n"
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        switch parts[0] {
        case "say": self = .say(parts[2], to: parts[1].isEmpty ? nil : parts[1])
        case "kick" where parts[2].isEmpty && !parts[1].isEmpty: self = .kick(parts[1])
        case "watch" where parts[2].isEmpty && parts[1].isEmpty: self = .watch
        case "takeover" where parts[2].isEmpty && parts[1].isEmpty: self = .takeOver
        case "order":
            let files = parts[1].split(separator: " ", omittingEmptySubsequences: false)
            guard files.count == 2, let octets = [UInt8](hexadecimal: parts[2]),
                let module = [UInt8](hexadecimal: files[0]), let tables = [UInt8](hexadecimal: files[1]),
                let message = try? Message.decode(octets), case .job(.order(let order, let ticket, _)) = message
            else { return nil }
            self = .order(
                order, ticket, module.isEmpty ? nil : module,
                tables: tables.isEmpty ? nil : String(decoding: tables, as: UTF8.self))
        default:
            guard let command = JobCommand.allCases.first(where: { "\($0)" == parts[0] }), parts[2].isEmpty else {
                return nil
            }
            self = .command(command, parts[1].isEmpty ? nil : parts[1])
        }
    }
}

/// What came of it, for whoever asked.
enum ControlAnswer: Equatable, Sendable {
    case done(String)
    case refused(String)
    /// Messages about jobs follow; the text is the number of the one that was ordered.
    case streams(String)

    var text: String {
        switch self {
        case .done(let text): "done\n\(text)"
        case .refused(let text): "refused\n\(text)"
        case .streams(let text): "streams\n\(text)"
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("done", 2): self = .done(parts[1].escapedForScreen(keeping: ["\n"]))
        case ("refused", 2): self = .refused(parts[1].escapedForScreen(keeping: ["\n"]))
        case ("streams", 2): self = .streams(parts[1].escapedForScreen)
        default: return nil
        }
    }
}
