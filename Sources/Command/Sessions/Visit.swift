import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// Joins a session as a guest that computes nothing.
enum Visit {
    /// The options of all commands that may visit a session.
    static let options = access + reach
    static let access = CodeEntry.options + [SessionArguments.name.declaration]
    static let reach = SessionArguments.connecting + DiscoveryArguments.options

    /// `way` comes from a node on this machine; nil if there is none. Otherwise the options give the code, or the user
    /// is asked for it.
    static func start(
        _ id: SessionID, _ arguments: Arguments, _ directory: StateDirectory, through way: WayIn? = nil
    ) async throws -> Session {
        try await AddressFile.wait(arguments)
        let access: Access
        if let way {
            access = way.access
        } else if let given = try CodeEntry.given(arguments) {
            access = given
        } else {
            access = try await JoinCommand.access(to: id, DiscoveryArguments.read(arguments))
        }
        var computing = Computing(Simulations(builtIns), cores: 0)
        computing.spool = directory.spool
        let session = try await SessionArguments.start(
            id, mode: .client, access: access, arguments: arguments, computing: computing, port: .usual)
        if let way, way.isHost { connect(session, way.port) }
        return session
    }

    /// How long discovery has to find a node of this machine.
    private static let patience = Duration.seconds(2)

    /// Connects to a node of this machine where discovery does not find it.
    private static func connect(_ session: Session, _ port: UInt16) {
        Task {
            try? await Task.sleep(for: patience)
            guard await !session.peers.contains(where: { $0.state == .connected }) else { return }
            await session.connect(host: "127.0.0.1", port: port)
        }
    }

    /// News of a visitor's session, for the command that joined it.
    enum News: Sendable {
        case event(Session.Event)
        /// Whether there is a link to another node.
        case link(Bool)
        /// The session has ended for this command.
        case ended(why: String)
    }

    /// Follows a session until it ends.
    ///
    /// - Parameter say: gets lines for the user: the visitor's waits, arrivals and departures, and troubles.
    @discardableResult
    static func follow(
        _ session: Session, _ id: SessionID, say: @escaping @Sendable (String) -> Void,
        _ tell: @escaping @Sendable (News) -> Void
    ) -> Task<Void, Never> {
        var first = SessionScene(session: session, id: id.name, mode: .client, invitation: nil)
        first.namesAt = { session.name(at: $0) }
        say(first.waiting)
        return Task { [first] in
            var scene = first
            let clock = BootClock()
            for await event in session.events {
                tell(.event(event))
                let news = scene.apply(event, at: clock.now)
                // The reason of the end repeats this trouble.
                if case .trouble(let trouble) = event, scene.otherWords(trouble) != nil, !scene.wasConnected {
                    tell(.ended(why: SessionController.wrongCode(id)))
                    continue
                }
                if let news { say(news.text) }
                switch event {
                case .peer: tell(.link(scene.hasLink))
                case .ended(.removed): tell(.ended(why: "the host of \(id.name) removed this node"))
                case .ended(.declined): tell(.ended(why: "the host of \(id.name) declined this node"))
                default: break
                }
            }
        }
    }

    /// Prints a line to stderr.
    static func say(_ text: String) {
        try? Output.say(text, to: STDERR_FILENO)
    }
}
