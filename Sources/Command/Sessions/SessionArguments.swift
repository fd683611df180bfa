import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// The options that commands of sessions share.
enum SessionArguments {
    static let session = Positional("SESSION", "the session's name")
    static let name = Option(
        "name", "NAME", "this node's name", in: .session, default: "the machine's name", nodeName)
    static let port = Option(
        "port", "PORT", "accept connections on this TCP port only", in: .network, default: "7077 or the next free port",
        DiscoveryArguments.port)
    static let hidden = Flag(
        "hidden", "do not announce the session's and this node's names; others must know the session's name",
        in: .session)
    static let json = CommonOptions.jsonLines
    static let connect = Option(
        "connect", "HOST:PORT", "connect to this address directly", in: .network, repeats: true, address)

    /// The options of all commands whose node may connect to addresses.
    static let connecting = [connect.declaration, AddressFile.given.declaration]

    static func nodeName(_ text: String) throws(ValueError) -> String {
        guard Announcement.isValid(name: text) else {
            throw ValueError("not a name of 1 to 63 bytes of printable text")
        }
        return text
    }

    /// The options of all commands that run a node.
    static let options =
        CodeEntry.options + [
            name.declaration, hidden.declaration, json.declaration,
        ]
        + LogArguments.options + StateDirectory.options

    /// Parses a host name or address with a port. IPv6 addresses need brackets.
    static func address(_ text: String) throws(ValueError) -> HostPort {
        guard let address = HostPort(text) else {
            throw ValueError("not an address; use one like 10.0.0.1:7077, [fe80::1%eth0]:7077 or laptop.local:7077")
        }
        return address
    }

    /// Starts a node with the options of the command line. Throws an error of one line. `typed` is the name that the user
    /// typed when asked.
    static func start(
        _ id: SessionID, mode: Mode, name typed: String? = nil, access: Access, arguments: Arguments,
        founding: Founding? = nil,
        asks: Bool = false, approved: [NodeID] = [], guests: Role = .watches, computing: Computing, port: PortChoice,
        page: SessionPage? = nil
    ) async throws -> Session {
        let options = try DiscoveryArguments.read(arguments)
        let filed = try AddressFile.read(arguments)
        let addresses = try arguments.all(connect) + filed
        let name = try typed ?? arguments[name] ?? Machine.name
        let record = try RecordFile.open(arguments)
        let session: Session
        do throws(SessionStartError) {
            session = try await Session.start(
                id.name, name: name, mode: mode, access: access, founding: founding, asksConsent: asks,
                approved: approved,
                guests: guests, computing: computing, port: port, isHidden: arguments[hidden], discovery: options,
                pages: page?.gateway, record: record)
        } catch {
            throw Failure(message: error.description)
        }
        page?.lender.begin(session, computing)
        for address in addresses { await session.connect(host: address.host, port: address.port) }
        try AddressFile.follow(arguments, since: filed, session)
        return session
    }
}

/// An address to connect to, as the user typed it.
struct HostPort: Equatable {
    let host: String
    let port: UInt16

    /// The most bytes of a host; no host name is longer.
    private static let longest = 255

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard (1...Self.longest).contains(host.utf8.count), !host.contains(where: \.isWhitespace), !host.contains("\0")
        else { return nil }
        self.host = String(host)
        self.port = port
    }
}
