import PotluckCore

/// A request of another command to a node on the same machine.
enum ControlRequest: Equatable, Sendable {
    case say(String, to: String?)
    case kick(String)
    /// Pause, resume or cancel a job, given by the beginning of its number or its simulation; nil means the only job.
    case command(JobCommand, String?)
    /// Submit a job and watch it. Includes the module, if there is one, for nodes that lack the simulation, and the
    /// path of a file with the input tables.
    case order(JobOrder, JobTicket, [UInt8]?, tables: String? = nil)
    /// Watch all jobs.
    case watch
    /// Continue the jobs of lost coordinators.
    case takeOver
    /// Tell the session's name.
    case name
    /// Tell how another command of this user gets into the session (`WayIn`).
    case access
    /// Let this guest start programs and jobs.
    case allow(NodeID)
    /// Tell the address of the page, after making new tickets if `isNew`.
    case page(isNew: Bool, isForViewing: Bool)

    /// The longest request in characters. The largest is an order with 256 names and a module, both in hexadecimal.
    static let maximumLength = 128 << 10 + 2 * BlobReference.largestModule

    /// Three lines: the kind, its argument, and the rest.
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
        case .name: "name\n\n"
        case .access: "access\n\n"
        case .allow(let node): "allow\n\(node.octets.hexadecimal)\n"
        case .page(let isNew, let isForViewing): "page\n\(isNew ? "new" : "")\n\(isForViewing ? "view" : "")"
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
        case "name" where parts[2].isEmpty && parts[1].isEmpty: self = .name
        case "access" where parts[2].isEmpty && parts[1].isEmpty: self = .access
        case "allow":
            guard parts[2].isEmpty, let node = [UInt8](hexadecimal: parts[1]).flatMap({ NodeID($0) }) else {
                return nil
            }
            self = .allow(node)
        case "page" where ["", "new"].contains(parts[1]) && ["", "view"].contains(parts[2]):
            self = .page(isNew: parts[1] == "new", isForViewing: parts[2] == "view")
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

/// The answer of a node to a `ControlRequest`.
enum ControlAnswer: Equatable, Sendable {
    case done(String)
    case refused(String)
    /// Frames with events of jobs follow. The text is the number of the submitted job, or empty.
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
