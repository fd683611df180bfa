import Potluck
import PotluckDiscovery
import PotluckModel
import PotluckRanks

/// PotluckBench ranks [short]: messages between the ranks of two nodes, beside the same bytes over a plain link. All ends are
/// in this process, on loopback.
enum RankBench {
    private static let turns = 5_000
    private static let bulk = (messages: 64, octets: 4 << 20)

    static func run(_ arguments: [String]) async throws {
        let isShort = arguments.dropFirst().first == "short"
        let rounds = isShort ? 1 : 5
        let turns = isShort ? 100 : turns
        let pair = try await Pair()
        var trips: [(ranks: Double, link: Double)] = []
        var speeds: [(ranks: Double, link: Double)] = []
        for _ in 0..<rounds {
            let trip = try await pair.launch { (seat) throws(RankFault) in try roundTrips(seat, turns) }
            trips.append((trip * 1e6, await Ends().roundTrip(turns)))
            let seconds = try await pair.launch { (seat) throws(RankFault) in try stream(seat) }
            speeds.append(
                (
                    Double(bulk.messages * bulk.octets) / Double(1 << 20) / seconds,
                    await Ends().bulk(messages: bulk.messages, of: bulk.octets)
                ))
        }
        await pair.close()
        let trip = trips.sorted { $0.ranks / $0.link < $1.ranks / $1.link }[rounds / 2]
        line(
            "round trip of 8 bytes, median", "\(hundredths(trip.ranks)) µs", "link \(hundredths(trip.link)) µs",
            "\(hundredths(trip.ranks / trip.link)) times, wanted ≤ 2")
        let speed = speeds.sorted { $0.ranks / $0.link < $1.ranks / $1.link }[rounds / 2]
        line(
            "messages of 4 MiB, one way", "\(Int(speed.ranks)) MiB/s", "link \(Int(speed.link)) MiB/s",
            "\(hundredths(speed.ranks / speed.link)) of it, wanted ≥ 0.6")
    }

    /// The median of the round trips, in seconds.
    private static func roundTrips(_ seat: RankSeat, _ turns: Int) throws(RankFault) -> Double {
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
    private static func stream(_ seat: RankSeat) throws(RankFault) -> Double {
        let begin = boottime()
        let message = RankMessage(
            source: 0, tag: 0, context: 0, octets: [UInt8](repeating: 7, count: bulk.octets))
        if seat.rank == 0 {
            var requests: [Int32] = []
            for _ in 0..<bulk.messages { requests.append(try seat.beginSending(message, to: 1, .standard)) }
            for request in requests { _ = try seat.wait([request]) }
            _ = try seat.receive(RankPattern(source: 1, tag: 1, context: 0), capacity: 1)
        } else {
            for _ in 0..<bulk.messages {
                _ = try seat.receive(RankPattern(source: 0, tag: 0, context: 0), capacity: bulk.octets)
            }
            try seat.send(RankMessage(source: 1, tag: 1, context: 0, octets: [1]), to: 0, .standard)
        }
        return boottime() - begin
    }

    private static func line(_ cells: String...) { printLine(cells, widths: [34, 16, 28, 0]) }
}

/// Two peers with a core each, and a guest that launches programs on them.
private final class Pair: Sendable {
    typealias Measure = @Sendable (RankSeat) throws(RankFault) -> Double

    private let peers: [Session]
    private let visitor: Session
    private let program = Slot()

    /// The program that the peers run next.
    private final class Slot: @unchecked Sendable {
        // It is set before a launch, and read after the launch has reached the peers.
        var measure: Measure = { _ in 0 }
        var seconds = 0.0
    }

    init() async throws {
        let options = DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: 17_399)
        let slot = program
        let run: @Sendable (RankSeat) throws(RankFault) -> [UInt8] = { (seat) throws(RankFault) in
            let seconds = try slot.measure(seat)
            if seat.rank == 0 { slot.seconds = seconds }
            return []
        }
        let plugins = Plugins(ranks: { _ in .success(run) }, load: { _, _ in .failure(PluginRefusal("none")) })
        let computing = Computing(Simulations([], plugins: plugins), cores: 1, priority: .interactive)
        var peers: [Session] = []
        for name in ["ana", "bob"] {
            peers.append(
                try await Session.start(
                    "Ranks", name: name, mode: .peer, access: .open, guests: .submits, computing: computing,
                    port: .loopback, discovery: options))
        }
        visitor = try await Session.start(
            "Ranks", name: "vera", mode: .client, access: .open, port: .loopback, discovery: options)
        self.peers = peers
        for session in peers + [visitor] { Task { for await _ in session.events {} } }
    }

    /// Runs a program on a rank of each peer. Returns what rank 0 measured.
    func launch(_ measure: @escaping Measure) async throws -> Double {
        program.measure = measure
        let request = SessionLaunch.Request(
            LaunchedProgram(name: "measure", module: [0], memory: 1 << 20), size: 2, placement: .perNode(1), restarts: 0)
        _ = try await SessionLaunch(request, in: visitor, onLine: { _, _ in }, onNote: { _ in }).run()
        return program.seconds
    }

    func close() async { for session in peers + [visitor] { await session.leave() } }
}
