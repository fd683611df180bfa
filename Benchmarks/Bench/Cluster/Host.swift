import Glibc
import Potluck
import PotluckCore
import PotluckKit
import Synchronization

/// The coordinator, which starts the processes of its workers.
final class Host: Sendable {
    private let session: Session
    private let kind: Kind
    private let children: [pid_t]
    private let results = Mutex<[JobID: JobResult]>([:])
    private let active = Mutex<[JobID: Int]>([:])
    private let said = Mutex<[(at: Duration, remaining: Duration)]>([])
    private let connected = Mutex(0)

    init(_ kind: Kind, workers: Int, processes: Int) async throws {
        self.kind = kind
        var options = DiscoveryOptions()
        options.interface = "lo"
        (options.usesMDNS, options.usesBeacon) = (false, false)
        var computing = Computing(Simulations([kind.simulation]), cores: 0)
        if kind == .nothing { computing.mostBlocks = 1 }
        session = try await Session.start(
            "Bench", name: "host", mode: .server, access: .open,
            computing: computing, discovery: options)
        let port = session.port
        children = (0..<processes).map { _ in
            Self.start(["workers", "\(workers / processes)", kind.rawValue, "\(port)"])
        }
        Task { [self] in
            for await event in session.events {
                switch event {
                case .peer(let peer) where peer.state == .connected: connected.withLock { $0 += 1 }
                case .job(.finished(let id, let result, _)): results.withLock { $0[id] = result }
                case .job(.snapshot(let snapshot)):
                    active.withLock { $0[snapshot.id] = snapshot.nodes.count { $0.work == .computing } }
                    if snapshot.state == .running, case .about(let remaining) = snapshot.remaining {
                        said.withLock { $0.append((snapshot.elapsed, remaining)) }
                    }
                default: break
                }
            }
        }
        while connected.withLock({ $0 }) < workers { await pass(.milliseconds(50)) }
    }

    private static func start(_ words: [String]) -> pid_t {
        var argv: [UnsafeMutablePointer<CChar>?] =
            ([CommandLine.arguments[0], "cluster"] + words).map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var child: pid_t = 0
        guard posix_spawn(&child, "/proc/self/exe", nil, nil, &argv, environ) == 0 else {
            fail("cannot start workers")
        }
        return child
    }

    func begin(trials: UInt64) async throws -> JobID {
        let experiment = try kind.simulation.experiment(parameters: [], seed: 1)
        return try await session.submit(JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: trials))))
    }

    func run(trials: UInt64) async throws -> JobResult {
        let job = try await begin(trials: trials)
        while true {
            if let result = results.withLock({ $0[job] }) {
                guard result.tally == [trials / Kind.blockSize] else {
                    fail("blocks are missing or counted twice")
                }
                return result
            }
            await pass(.milliseconds(20))
        }
    }

    func active(_ job: JobID) -> Int { active.withLock { $0[job] ?? 0 } }

    /// The estimates of the remaining time, and the times at which they were made.
    func foretold() -> [(at: Duration, remaining: Duration)] { said.withLock { $0 } }

    func pass(_ time: Duration) async { try? await Task.sleep(for: time) }

    func end() async {
        for child in children { kill(child, SIGKILL) }
        for child in children { waitpid(child, nil, 0) }
        await session.leave()
        await pass(.milliseconds(300))
    }
}

/// The workers: many nodes with one core each, in one process.
enum Guests {
    static func work(_ count: Int, _ kind: Kind, port: UInt16) async throws {
        var options = DiscoveryOptions()
        options.interface = "lo"
        // Discovery is not measured here.
        (options.usesMDNS, options.usesBeacon) = (false, false)
        var sessions: [Session] = []
        for number in 1...count {
            let session = try await Session.start(
                "Bench", name: "guest \(number)", mode: .client, access: .open,
                computing: Computing(Simulations([kind.simulation]), cores: 1, priority: .normal), discovery: options)
            await session.connect(host: "127.0.0.1", port: port)
            Task { for await _ in session.events {} }
            sessions.append(session)
        }
        while !sessions.isEmpty { try await Task.sleep(for: .seconds(3600)) }
    }
}
