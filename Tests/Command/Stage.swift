import Dispatch
import Potluck
import PotluckRanks

/// A laptop whose ranks are functions, and a guest that launches programs on it. Both are in this process.
struct Stage {
    /// Rank 0 computes until it opens. The others wait for rank 0.
    let gate: DispatchSemaphore
    private let laptop: Session
    private let launcher: Session

    init(_ discovery: DiscoveryOptions) async throws {
        let gate = DispatchSemaphore(value: 0)
        let program: @Sendable (RankSeat) throws(RankError) -> [UInt8] = { (seat) throws(RankError) in
            try Self.run(seat, gate)
        }
        let plugins = Plugins(ranks: { _ in .success(program) }) { _, _ in
            .failure(PluginError("no simulations here"))
        }
        laptop = try await Session.start(
            "Monty", name: "ana", mode: .client, access: .open,
            computing: Computing(Simulations([], plugins: plugins), cores: 1), port: .loopback, discovery: discovery)
        launcher = try await Session.start(
            "Monty", name: "vera", mode: .client, access: .open, port: .loopback, discovery: discovery)
        self.gate = gate
        for session in [laptop, launcher] { Task { for await _ in session.events {} } }
    }

    private static func run(_ seat: RankSeat, _ gate: DispatchSemaphore) throws(RankError) -> [UInt8] {
        if seat.size == 1 { try seat.abort(3) }
        guard seat.rank == 0 else {
            return try seat.receive(RankPattern(source: 0, tag: nil, context: 0), capacity: 8).octets
        }
        gate.wait()
        for other in 1..<seat.size {
            try seat.send(
                RankMessage(source: 0, tag: 0, context: 0, octets: [1, 2, 3]), to: other, .standard)
        }
        return [7]
    }

    /// Launches a program called heat. One with a single rank aborts.
    func launch(_ ranks: Int) -> Task<Void, Never> {
        let request = SessionLaunch.Request(
            LaunchedProgram(name: "heat", module: [0], memory: 1 << 20), size: ranks, placement: .byCores, restarts: 0)
        let launch = SessionLaunch(request, in: launcher, onLine: { _ in }, onNote: { _ in })
        return Task { _ = try? await launch.run() }
    }

    func close() async {
        await launcher.leave()
        await laptop.leave()
    }
}
