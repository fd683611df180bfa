import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckSystem

/// The simulation that the modules of `Tests/Sandbox/Hostile` claim to be. The coordinator has it built in, so it need
/// not load the modules that it gives to others.
struct Bait: Simulation {
    static let name: StaticString = "opple"
    static let summary: StaticString = "?"

    @Parameter("n", "", in: 0...9) var n = 3
    var blockSize: Int { 16 }

    struct Tally: SimulationTally {
        var c = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("c", &c) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { tally.c.add(true) }

    static var readings: [ReadingRule<Bait>] { proportion("r", { $0.c }) }

    /// The simulation with the identity of the given module.
    static func simulation(of module: [UInt8]) -> AnySimulation {
        AnySimulation(Bait.self, source: SHA256.hash(module).hexadecimal)
    }
}

/// Serves a session and gives its guests modules that they should refuse.
actor BaitServer {
    private let session: Session
    private let guests: Int
    private let files: [(path: String, octets: [UInt8])]
    private var jobs: [JobID: String] = [:]
    private var refusals: [JobID: Int] = [:]
    private var connected: Set<NodeID> = []

    init(_ name: String, _ access: Access, guests: Int, files: [(path: String, octets: [UInt8])]) async throws {
        self.guests = guests
        self.files = files
        session = try await Session.start(
            name, name: "bait", mode: .server, access: access,
            computing: Computing(Simulations(files.map { Bait.simulation(of: $0.octets) }), cores: 0))
    }

    func run() async throws {
        for await event in session.events {
            switch event {
            case .peer(let peer):
                guard peer.state == .connected, connected.insert(peer.node).inserted, connected.count == guests else {
                    break
                }
                try await order()
            case .job(.news(.unable(let job, _, let name, let why))):
                Rogue.say("unable", ["file": jobs[job] ?? "", "name": name, "why": "\(why)"])
                refusals[job, default: 0] += 1
                // Otherwise the job would wait for a node that can compute it.
                if refusals[job] == guests { try? await session.command(.cancel, job) }
            case .job(.failed(let job, let why)): Rogue.say("failed", ["file": jobs[job] ?? "", "why": "\(why)"])
            case .job(.finished(let job, let result, _)) where result.trials > 0:
                Rogue.say("result", ["file": jobs[job] ?? ""])
            default: break
            }
        }
    }

    private func order() async throws {
        for (path, octets) in files {
            let simulation = Bait.simulation(of: octets)
            let experiment = try simulation.experiment(parameters: simulation.standardParameters, seed: 1)
            let order = JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: 100_000)))
            jobs[try await session.submit(order, module: octets)] = path
        }
    }

    /// Returns the content of a file; nil if it cannot be read.
    static func octets(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var octets = [UInt8](repeating: 0, count: BlobReference.largestModule)
        let count = fread(&octets, 1, octets.count, file)
        return Array(octets.prefix(count))
    }
}
