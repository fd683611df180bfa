import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// The session that a command visits, and the ways into it: through a node of it on this machine, or as a guest that
/// computes nothing.
struct GuestSession: Sendable {
    /// The options of all commands that may visit a session.
    static let options = access + reach
    static let access = CodeEntry.options + [SessionArguments.name.declaration]
    static let reach = SessionArguments.connecting + DiscoveryArguments.options

    let id: SessionID
    let directory: StateDirectory
    private let arguments: Arguments
    /// What the nodes nearby announce of the session; nil if a node of it runs here.
    private let around: SessionsAround?

    /// Finds the session that the user means by a name: one that runs on this machine, or one nearby.
    init(_ typed: SessionID, _ arguments: Arguments) async throws {
        directory = try StateDirectory.find(arguments)
        self.arguments = arguments
        if let here = directory.running(typed) {
            (id, around) = (here, nil)
            try checkCode()
        } else {
            let nearby = try await Self.look(for: typed, arguments)
            id = NearbyName.choose(typed, among: nearby.names)
            around = nearby.around(id)
        }
    }

    private static func look(for session: SessionID, _ arguments: Arguments) async throws -> Neighbourhood {
        try await Neighbourhood.look(
            for: session, hasCode: CodeEntry.isGiven(arguments), DiscoveryArguments.read(arguments))
    }

    /// Throws if the command line gives another code than the session on this machine has, which the command uses.
    private func checkCode() throws {
        guard let option = CodeEntry.options.first(where: { arguments.has($0) }),
            let given = try CodeEntry.given(arguments), let access = directory.access(to: id), access.code != given.code
        else { return }
        throw Failure(
            message: "--\(option.name) does not match the session \(id.name) on this machine; leave it out to use "
                + "that session")
    }

    func end() { directory.end() }

    /// Opens a way into the session for jobs with this cargo. Passes on what happens there.
    func client(
        _ cargo: JobCargo, _ tell: @escaping @Sendable (ClientEvent) -> Void
    ) async throws -> any SessionClient {
        if let neighbour = try NeighbourClient(self, cargo, tell) { return neighbour }
        return try await GuestClient(self, cargo, tell)
    }

    /// The line of a submitter while the answer to its order takes long.
    static func preparing(in session: SessionID) -> String {
        "\(session.name) is preparing the simulation; Ctrl-C withdraws the job"
    }

    /// Joins the session as a guest. `known` comes from a node on this machine; nil if there is none. Then the options
    /// give the code, or the user is asked for it.
    func start(through known: SessionAccess? = nil) async throws -> Session {
        try await AddressFile.wait(arguments)
        let access: Access
        if let known {
            access = known.access
        } else if let given = try CodeEntry.given(arguments) {
            access = given
        } else {
            var around = around
            if around == nil { around = try await Self.look(for: id, arguments).around(id) }
            access = try JoinCommand.access(to: id, around ?? SessionsAround())
        }
        var computing = Computing(Simulations(builtIns), cores: 0)
        computing.spool = directory.spool
        let session = try await SessionArguments.start(
            id, mode: .client, access: access, arguments: arguments, computing: computing, port: .usual)
        if let known, known.isHost { Self.connect(session, known.port) }
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

    /// Follows a session until it ends.
    ///
    /// - Parameter say: gets lines for the user: the visitor's waits, arrivals and departures, and troubles.
    @discardableResult
    func follow(
        _ session: Session, say: @escaping @Sendable (String) -> Void, _ tell: @escaping @Sendable (ClientEvent) -> Void
    ) -> Task<Void, Never> {
        var first = SessionScene(session: session, id: id.name, mode: .client, invitation: nil)
        first.namesAt = { session.name(at: $0) }
        say(first.waiting)
        return Task { [first, id] in
            var scene = first
            let clock = BootClock()
            for await event in session.events {
                if case .job(let event) = event { tell(.job(event)) } else { tell(.session(event)) }
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
