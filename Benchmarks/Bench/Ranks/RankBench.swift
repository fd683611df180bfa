import Potluck
import PotluckCore
import PotluckNet
import PotluckRanks

/// PotluckBench ranks [short]: messages between the ranks of two nodes, beside the same bytes over a plain link, on loopback.
/// The second node is a process of its own, `PotluckBench ranks node`.
enum RankBench {
    private static let turns = 5_000
    private static let bulk = (messages: 64, octets: 4 << 20)

    static func run(_ arguments: [String]) async throws {
        if arguments.dropFirst().first == "node" {
            let node = try await peer("bob")
            for await _ in node.events {}
            return
        }
        let isShort = arguments.dropFirst().first == "short"
        let rounds = isShort ? 1 : 9
        let turns = isShort ? 100 : turns
        let pair = try await Pair()
        var trips: [(ranks: Double, link: Double)] = []
        var speeds: [(ranks: Double, link: Double)] = []
        for _ in 0..<rounds {
            let trip = try await pair.measure(.roundTrips, turns)
            trips.append((trip * 1e6, await Ends().roundTrip(turns)))
            let seconds = try await pair.measure(.bulk, bulk.messages)
            speeds.append(
                (
                    Double(bulk.messages * bulk.octets) / Double(1 << 20) / seconds,
                    await Ends().bulk(messages: bulk.messages, of: bulk.octets)
                ))
        }
        await pair.close()
        let trip = trips.sorted { $0.ranks / $0.link < $1.ranks / $1.link }[rounds / 2]
        Figure(
            what: "ranks on two nodes: round trip, 8 bytes", value: trip.ranks / trip.link, unit: "times a link's",
            bound: .atMost(2), remark: "\(hundredths(trip.ranks)) and \(hundredths(trip.link)) µs"
        ).report()
        let speed = speeds.sorted { $0.ranks / $0.link < $1.ranks / $1.link }[rounds / 2]
        Figure(
            what: "ranks on two nodes: 4 MiB, one way", value: speed.ranks / speed.link, unit: "of a link's speed",
            bound: .atLeast(0.6), remark: "\(Int(speed.ranks)) and \(Int(speed.link)) MiB/s"
        ).report()
    }

    /// A peer with one core, whose ranks measure what the program's name says.
    static func peer(_ name: String) async throws -> Session {
        let plugins = Plugins(
            ranks: { order in
                guard let subject = Subject(rawValue: order.program.name) else {
                    return .failure(.ended(why: "nothing to measure"))
                }
                return .success(program(subject, Int(order.program.seed)))
            }, load: { _, _ in .failure(PluginError("none")) })
        let computing = Computing(Simulations([], plugins: plugins), cores: 1, priority: .interactive)
        return try await Session.start(
            "Ranks", name: name, mode: .peer, access: .open, guests: .submits, computing: computing, port: .loopback,
            discovery: options)
    }

    static let options = DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: 17_399)

    enum Subject: String {
        case roundTrips, bulk
    }

    /// Rank 0 writes the seconds that it measured.
    private static func program(
        _ subject: Subject, _ count: Int
    ) -> @Sendable (RankSeat) throws(RankError) -> [UInt8] {
        { (seat) throws(RankError) in
            let seconds =
                switch subject {
                case .roundTrips: try roundTrips(seat, count)
                case .bulk: try stream(seat, count)
                }
            return seat.rank == 0 ? Array("\(seconds)".utf8) : []
        }
    }

    /// The median of the round trips, in seconds.
    private static func roundTrips(_ seat: RankSeat, _ turns: Int) throws(RankError) -> Double {
        let other = 1 - seat.rank
        let pattern = RankPattern(source: other, tag: 0, context: 0)
        let message = RankMessage(source: seat.rank, tag: 0, context: 0, octets: [UInt8](repeating: 7, count: 8))
        var times: [Double] = []
        for _ in 0..<turns {
            let begin = boottime()
            if seat.rank == 0 { try seat.send(message, to: other, .standard) }
            _ = try seat.receive(pattern, capacity: 8)
            if seat.rank == 1 { try seat.send(message, to: other, .standard) }
            times.append(boottime() - begin)
        }
        return times.sorted()[turns / 2]
    }

    /// The time that all messages take from rank 0 to rank 1, in seconds.
    private static func stream(_ seat: RankSeat, _ messages: Int) throws(RankError) -> Double {
        let begin = boottime()
        let message = RankMessage(
            source: 0, tag: 0, context: 0, octets: [UInt8](repeating: 7, count: bulk.octets))
        if seat.rank == 0 {
            var requests: [Int32] = []
            for _ in 0..<messages { requests.append(try seat.beginSending(message, to: 1, .standard)) }
            for request in requests { _ = try seat.wait([request]) }
            _ = try seat.receive(RankPattern(source: 1, tag: 1, context: 0), capacity: 1)
        } else {
            for _ in 0..<messages {
                _ = try seat.receive(RankPattern(source: 0, tag: 0, context: 0), capacity: bulk.octets)
            }
            try seat.send(RankMessage(source: 1, tag: 1, context: 0, octets: [1]), to: 0, .standard)
        }
        return boottime() - begin
    }
}

/// Two peers with a core each, one of them in another process, and a guest that launches programs on them.
private final class Pair {
    private let ana: Session
    private let visitor: Session
    private let bob: NodeProcess

    init() async throws {
        bob = try NodeProcess(["ranks", "node"])
        ana = try await RankBench.peer("ana")
        visitor = try await Session.start(
            "Ranks", name: "vera", mode: .client, access: .open, port: .loopback, discovery: RankBench.options)
        Task { [ana] in for await _ in ana.events {} }
        for await event in visitor.events {
            guard case .peer(let peer) = event, peer.name == "bob", peer.state == .connected else { continue }
            break
        }
        Task { [visitor] in for await _ in visitor.events {} }
    }

    /// Runs a program on a rank of each peer. Returns what rank 0 measured, in seconds.
    func measure(_ subject: RankBench.Subject, _ count: Int) async throws -> Double {
        let program = LaunchedProgram(name: subject.rawValue, module: [0], memory: 1 << 20, seed: UInt64(count))
        let request = SessionLaunch.Request(program, size: 2, placement: .perNode(1), restarts: 0)
        let output = try await SessionLaunch(request, in: visitor, onLine: { _ in }, onNote: { _ in }).run()
        guard let seconds = Double(String(decoding: output, as: UTF8.self)) else { fail("nothing was measured") }
        return seconds
    }

    func close() async {
        for session in [ana, visitor] { await session.leave() }
        bob.kill()
    }
}
