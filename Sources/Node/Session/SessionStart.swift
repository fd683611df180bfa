import Glibc
import PotluckCore
import PotluckEngine
import PotluckNet
import PotluckSystem

public typealias DiscoveryOptions = PotluckNet.DiscoveryOptions
public typealias Founding = PotluckCore.Founding
public typealias JoinCode = PotluckSystem.JoinCode
public typealias PortChoice = PotluckNet.PortChoice

/// The rule for joining a session.
public enum Access: Sendable {
    /// Only nodes that know this code can join.
    case code(JoinCode)
    /// Any node can join, and anyone on the network can read along.
    case open

    var isOpen: Bool { if case .open = self { true } else { false } }
}

/// The reason why a session could not be started.
public enum SessionStartError: Error, CustomStringConvertible {
    case badName(String)
    case noKey(CryptoError)
    case noPort(ListenError)

    public var description: String {
        switch self {
        case .badName(let name):
            "invalid name \(Spelling.quoted(name)): use 1 to 63 bytes of printable text"
        case .noKey(let error): error.description
        case .noPort(let failure): failure.description
        }
    }
}

extension Session {
    /// Starts a session or joins one.
    ///
    /// - Parameters:
    ///   - id: the session's name, which its nodes share to find each other.
    ///   - name: this node's name for people; default: the machine's name.
    ///   - founding: identifies a session across restarts of its server, so that clients recognize it; only for servers.
    ///   - asksConsent: whether each newcomer waits for an answer to its `request`.
    ///   - approved: the nodes that the server of this session approved before it restarted.
    ///   - guests: the permissions of guests.
    ///   - computing: the simulations that this node knows and the cores that it uses; default: none.
    ///   - port: the port on which this node accepts links.
    ///   - isHidden: whether announcements omit both names. Nodes that know the session's name still find it.
    ///   - options: how this node finds others.
    ///   - pages: answers browsers on the same port; nil for none.
    ///   - record: receives a line for each event of this node, for `make sim TRACE=`. Texts of users are left out.
    public static func start(
        _ id: String, name: String? = nil, mode: Mode, access: Access, founding: Founding? = nil,
        asksConsent: Bool = false, approved: [NodeID] = [], guests: Role = .watches,
        computing: Computing = Computing(Simulations([]), cores: 0), port: PortChoice = .usual, isHidden: Bool = false,
        discovery options: DiscoveryOptions = DiscoveryOptions(), pages: (any PotluckNet.TextServer)? = nil,
        record: (@Sendable (String) -> Void)? = nil
    ) async throws(SessionStartError) -> Session {
        guard let session = SessionID(id) else { throw .badName(id) }
        let name = name ?? machineName
        guard Announcement.isValid(name: name) else { throw .badName(name) }
        let root = try await root(access, session)
        let identity = Identity()
        let transport = SocketTransport(key: root.link, session: session.hash)
        if let pages { transport.serve(pages) }
        var chance = SystemRandomNumberGenerator()
        let discovery = NetworkDiscovery(
            DiscoverySetup(
                node: identity.node, scope: .session(session.hash), key: root.beacon, knocks: mode != .server,
                seed: chance.next()),
            options: options)
        let setup = SessionSetup(
            node: identity.node, name: name, cores: computing.cores, session: session.hash, mode: mode,
            isOpen: access.isOpen, founding: mode == .server ? founding ?? Founding(chance.next()) : nil,
            asks: asksConsent, approved: approved, guests: guests,
            seed: chance.next())
        do {
            return try start(
                setup, computing: computing, session: session, isHidden: isHidden, port: port, identity: identity,
                transport: transport,
                discovery: discovery,
                clock: BootClock(), record: record)
        } catch {
            discovery.stop()
            throw .noPort(error)
        }
    }

    /// Derives the session's keys. Argon2id blocks a thread for a tenth of a second, and the cooperative pool may have
    /// only one.
    private static func root(_ access: Access, _ session: SessionID) async throws(SessionStartError) -> SessionRoot {
        guard case .code(let code) = access else { return SessionRoot(openTo: session) }
        let result: Result<SessionRoot, CryptoError> = await withCheckedContinuation { continuation in
            BlockingWork.run {
                continuation.resume(
                    returning: Result { () throws(CryptoError) in try SessionRoot(code: code, session: session) })
            }
        }
        switch result {
        case .success(let root): return root
        case .failure(let error): throw .noKey(error)
        }
    }

    private static var machineName: String {
        var text = [CChar](repeating: 0, count: 65)
        let status = gethostname(&text, text.count - 1)
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return status == 0 && Announcement.isValid(name: name) ? name : "node"
    }
}
