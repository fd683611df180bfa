import PotluckCore
import PotluckKit
import PotluckNet
import PotluckRanks
import PotluckSystem

@testable import Potluck

/// Nodes of one session in this process, over real sockets, whose programs with ranks are functions.
final class RankHall: Sendable {
    /// What a rank computes on the node with this name.
    typealias Program = @Sendable (_ laptop: String, RankSeat) throws(RankError) -> [UInt8]

    let sessions: [String: Session]
    /// The guest that launches.
    let visitor: Session
    /// What everybody was shown, by the name of the node that saw it.
    let shows = Guarded<[String: [RankShow]]>([:])
    /// Resumed when a node has seen a program end, and when it has seen one at all.
    private let seen: AsyncStream<String>
    private let began: AsyncStream<Void>
    let lines = Guarded<[String]>([])
    let notes = Guarded<[SessionLaunch.Note]>([])

    private static let ports = Guarded<UInt16>(19_000)

    /// - Parameters:
    ///   - laptops: names and cores. The first one is the server, unless all are peers.
    ///   - decliner: the laptop that runs no plugins.
    init(
        _ laptops: [(name: String, cores: Int)], arePeers: Bool = false, guests: Role = .submits,
        policy: Plugins.Policy = .all, decliner: String? = nil, _ program: @escaping Program
    ) async throws {
        let port = Self.ports.with { port in
            port += 1
            return port
        }
        let options = DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: port)
        var sessions: [String: Session] = [:]
        let (seen, tell) = AsyncStream.makeStream(of: String.self)
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        self.began = began
        for (index, laptop) in laptops.enumerated() {
            let own = Self.program(program, on: laptop.name)
            let policy = laptop.name == decliner ? .none("no plugins here") : policy
            let plugins = Plugins(policy, ranks: { _ in .success(own) }) { _, _ in
                .failure(PluginError("no simulations here"))
            }
            sessions[laptop.name] = try await Session.start(
                "Hall \(port)", name: laptop.name, mode: arePeers ? .peer : index == 0 ? .server : .client,
                access: .open,
                guests: guests, computing: Computing(Simulations([], plugins: plugins), cores: laptop.cores),
                port: .loopback, discovery: options)
        }
        let visitor = try await Session.start(
            "Hall \(port)", name: "vera", mode: .client, access: .open, port: .loopback, discovery: options)
        (self.sessions, self.visitor, self.seen) = (sessions, visitor, seen)
        for (name, session) in sessions {
            Task { [shows] in
                for await event in session.events {
                    guard case .program(_, let show) = event else { continue }
                    shows.with { $0[name, default: []].append(show) }
                    begin.yield()
                    if show.state != .running { tell.yield(name) }
                }
            }
        }
        // The first of its events that matters is that all others are there.
        var present: Set<String> = []
        for await event in visitor.events {
            switch event {
            case .peer(let peer) where peer.state == .connected: present.insert(peer.name)
            case .roster(let entries): present.formUnion(entries.filter(\.isConnected).map(\.name))
            default: break
            }
            if present.isSuperset(of: sessions.keys) { break }
        }
        Task { for await _ in visitor.events {} }
    }

    private static func program(
        _ program: @escaping Program, on laptop: String
    ) -> @Sendable (RankSeat) throws(RankError) -> [UInt8] {
        { (seat) throws(RankError) in try program(laptop, seat) }
    }

    /// Waits until a node has been shown a program.
    func seesAProgram() async {
        for await _ in began { return }
    }

    /// Waits until so many nodes have been shown that a program has ended.
    func ended(at count: Int) async {
        var names: Set<String> = []
        for await name in seen {
            names.insert(name)
            if names.count == count { return }
        }
    }

    func launch(
        _ size: Int?, _ placement: RankPlacement = .byCores, restarts: Int = 0, isSynchronous: Bool = false
    ) -> SessionLaunch {
        let request = SessionLaunch.Request(
            LaunchedProgram(
                name: "test", module: [0], memory: 1 << 20, isSynchronous: isSynchronous, isTraced: true),
            size: size, placement: placement, restarts: restarts)
        return SessionLaunch(
            request, in: visitor,
            onLine: { [lines] line in
                let text = String(decoding: line.octets, as: UTF8.self)
                lines.with { $0.append("\(line.rank)\(line.isError ? "!" : ":") \(text)") }
            }, onNote: { [notes] note in notes.with { $0.append(note) } })
    }

    func close() async {
        await visitor.leave()
        for session in sessions.values { await session.leave() }
    }
}
