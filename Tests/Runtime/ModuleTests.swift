import Foundation
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCore

/// Tests of simulations that one node has and the others receive as modules. A stub stands in for the compiler and the
/// sandbox.
@Suite struct ModuleTests {
    private struct Doublets: Simulation {
        static let name: StaticString = "doublets"
        static let summary: StaticString = "How often do two dice show the same number?"
        var blockSize: Int { 1024 }
        struct Tally: SimulationTally {
            var same = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("same", &same) }
        }
        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            tally.same.add(random.below(6) == random.below(6))
        }
        static var readings: [ReadingRule<Doublets>] { proportion("same", { $0.same }) }
    }

    private static let simulation = AnySimulation(Doublets.self, source: String(repeating: "5", count: 64))
    /// The stub module: long enough for several parts, the last one short.
    private static let octets = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }

    /// Returns plugins that accept only the stub module. `made` counts how often a simulation is made from it.
    private static func plugins(_ policy: Plugins.Policy = .all, _ made: Guarded<Int> = Guarded(0)) -> Plugins {
        Plugins(policy) { octets, label in
            made.with { $0 += 1 }
            return octets == Self.octets && label == "doublets"
                ? .success(simulation) : .failure(PluginError("not a module"))
        }
    }

    private struct Party {
        let server: Session
        let worker: Session
        let submitter: Session
    }

    private func party(
        _ name: String, port: UInt16, server: Plugins, worker: Plugins
    ) async throws -> Party {
        let options = DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: port)
        func session(_ who: String, _ mode: Mode, _ plugins: Plugins, cores: Int) async throws -> Session {
            try await Session.start(
                name, name: who, mode: mode, access: .open, guests: .submits,
                computing: Computing(Simulations([], plugins: plugins), cores: cores, priority: .normal),
                port: .loopback, discovery: options)
        }
        let server = try await session("server", .server, server, cores: 1)
        let worker = try await session("worker", .client, worker, cores: 1)
        let submitter = try await session("submitter", .client, .none, cores: 0)
        for client in [worker, submitter] {
            for await event in client.events {
                if case .peer(let peer) = event, peer.state == .connected { break }
            }
        }
        return Party(server: server, worker: worker, submitter: submitter)
    }

    private func order(trials: UInt64, workers: Int) throws -> JobOrder {
        let experiment = try Self.simulation.experiment(parameters: [], seed: 5)
        return JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: trials)), workers: workers)
    }

    private func result(_ job: JobID, at session: Session) async throws -> JobResult {
        for await event in session.events {
            switch event {
            case .job(.finished(job, let result, _)): return result
            case .job(.failed(job, let why)): throw JobError(why)
            default: break
            }
        }
        throw JobError("the session ended")
    }

    /// A crooked build counts one too many; its module counts right. Where both exist, the module's count wins.
    @Test(arguments: [true, false]) func aBuiltInSimulationIsComparedWithItsModule(_ isCrooked: Bool) throws {
        let honest = Self.simulation
        let native = AnySimulation(
            name: honest.name, summary: honest.summary, source: honest.source, parameters: [], layout: honest.layout,
            readings: []
        ) { parameters, tables in
            Result { () throws(ParameterError) in
                let ready = try honest.prepared(parameters, tables: tables)
                return PreparedSimulation(
                    parameters: parameters, blockSize: ready.blockSize, layout: ready.layout,
                    run: { request, shouldStop in
                        var reply = ready.run(request, shouldStop)
                        if isCrooked { reply.slots[0] += 1 }
                        return reply
                    }, read: { .success(ready.read($0, $1)) })
            }
        }
        let made = Guarded(0)
        func prepared(module: Bool, bundled: Bool) throws -> [UInt64] {
            let plugins = Plugins(.all, bundled: { _ in bundled ? Self.octets : nil }) { _, _ in
                made.with { $0 += 1 }
                return .success(honest)
            }
            let recipe = JobRecipe(
                experiment: try honest.experiment(parameters: [], seed: 5),
                module: module ? BlobReference(ofModule: Self.octets) : nil)
            let store = BlobStore(keptIn: nil, spool: "/var/tmp")
            let (ready, what) = Simulations([native], plugins: plugins).prepared(recipe, store)
            guard case .ready(let facts) = what else { throw JobError("\(what)") }
            #expect(facts.blockSize == 1024)
            return try #require(ready).run(ChunkRequest(seed: 5, blocks: 0..<1, trials: nil)) { false }.slots
        }
        let right = try honest.prepared([]).run(ChunkRequest(seed: 5, blocks: 0..<1, trials: nil)) { false }.slots
        let asBuilt = isCrooked ? [right[0] + 1] : right
        #expect(try prepared(module: true, bundled: true) == right && made.with { $0 } == 1)
        // The module is not loaded when no other node computes the job or when no module is bundled.
        #expect(
            try prepared(module: false, bundled: true) == asBuilt && prepared(module: true, bundled: false) == asBuilt)
        #expect(made.with { $0 } == 1)
    }

    /// A node that is too busy to compile the module is ready nevertheless, and computes natively.
    @Test func aBusyNodeIsReadyWithoutTheComparison() throws {
        let isOver = DispatchSemaphore(value: 0)
        let plugins = Plugins(.all, bundled: { _ in Self.octets }) { _, _ in
            isOver.wait()
            return .failure(PluginError("it took too long"))
        }
        defer { isOver.signal() }
        var simulations = Simulations([Self.simulation], plugins: plugins)
        simulations.patience = .milliseconds(10)
        let recipe = JobRecipe(
            experiment: try Self.simulation.experiment(parameters: [], seed: 5),
            module: BlobReference(ofModule: Self.octets))
        guard case .ready = simulations.prepared(recipe, BlobStore(keptIn: nil, spool: "/var/tmp")).what else {
            Issue.record("it waits for the comparison")
            return
        }
    }

    @Test(.timeLimit(.minutes(60))) func aModuleReachesANodeThatLacksIt() async throws {
        let (here, there) = (Guarded(0), Guarded(0))
        let party = try await party(
            "Modules", port: 17_393, server: Self.plugins(.all, here), worker: Self.plugins(.all, there))
        let alone = try await LocalRun(
            Self.simulation, parameters: [], seed: 5, goal: Goal(trials: 200_000), cores: 1
        ).result
        for _ in 0..<2 {
            // The job starts once both workers have the module.
            let job = try await party.submitter.submit(order(trials: 200_000, workers: 2), module: Self.octets)
            let result = try await result(job, at: party.submitter)
            #expect(result.digest == alone.digest)
            #expect(result.readings == alone.readings)
        }
        // The second job uses the module that was fetched for the first.
        #expect(here.with { $0 } == 1 && there.with { $0 } == 1)
        for session in [party.submitter, party.worker, party.server] { await session.leave() }
    }

    /// A worker that refuses plugins says so, and the others compute the job. A coordinator that refuses them refuses
    /// the job.
    @Test(.timeLimit(.minutes(60))) func aNodeThatRefusesPluginsSaysWhy() async throws {
        let party = try await party(
            "No modules", port: 17_394, server: Self.plugins(), worker: Self.plugins(.none("plugins are off here")))
        // The job is long enough to be still running when the worker reports; nothing is reported of a job that is
        // over.
        let job = try await party.submitter.submit(order(trials: 1 << 50, workers: 1), module: Self.octets)
        for await event in party.server.events {
            guard case .job(.news(.unable(job, _, let name, let why))) = event else { continue }
            #expect(name == "worker" && why == "plugins are off here")
            break
        }
        for await event in party.submitter.events {
            if case .job(.snapshot(let snapshot)) = event, snapshot.id == job, snapshot.trials > 0 { break }
        }
        try await party.submitter.command(.cancel, job)
        #expect(try await result(job, at: party.submitter).trials > 0)
        // A different module under the same name arrives, but it is not valid.
        let other = try await #require(throws: JobError.self) {
            try await party.submitter.submit(order(trials: 1, workers: 1), module: [1, 2, 3])
        }
        #expect(other.description == "doublets: not a module")
        let large = [UInt8](repeating: 0, count: BlobReference.largestModule + 1)
        await #expect(throws: JobError.self) {
            try await party.submitter.submit(order(trials: 1, workers: 1), module: large)
        }
        for session in [party.submitter, party.worker, party.server] { await session.leave() }
    }

    /// The refusal contains the hash, so that the user can copy it into `--allow-plugin`.
    @Test func onlyThoseThatAreAllowed() throws {
        let hash = try #require(BlobHash(SHA256.hash(Self.octets)))
        #expect(Self.plugins(.only([hash])).refusal(of: hash) == nil)
        let other = try #require(BlobHash(SHA256.hash([])))
        let why = try #require(Self.plugins(.only([hash])).refusal(of: other))
        #expect(why.contains("--allow-plugin e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855)"))
        #expect(BlobHash(digits: "\(hash)") == hash)
        for text in ["", "e3", "\(hash)0", "g\("\(hash)".dropFirst())"] { #expect(BlobHash(digits: text) == nil) }
    }

    // MARK: Stored modules

    private let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-shelf-\(UUID().uuidString)")
        .path

    @Test func aKeptModuleIsReadBackAndChecked() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let module = try #require(BlobStore(keptIn: folder, spool: "/tmp").put(module: Self.octets))
        #expect(BlobStore(keptIn: folder, spool: "/tmp").module(module.hash) == Self.octets)
        #expect(BlobStore(keptIn: nil, spool: "/tmp").module(module.hash) == nil)
        // Changes a byte of the stored file.
        let path = "\(folder)/\(module.hash).wasm"
        var changed = Self.octets
        changed[7] ^= 1
        try Data(changed).write(to: URL(filePath: path))
        #expect(chmod(path, 0o600) == 0)
        #expect(BlobStore(keptIn: folder, spool: "/tmp").module(module.hash) == nil)
    }

    @Test func partsAreAModuleOnlyWhenTheyAreTheRightOnes() throws {
        let hash = try #require(BlobHash(SHA256.hash(Self.octets)))
        let module = try #require(BlobReference(hash: hash, size: Self.octets.count))
        let giver = BlobStore(keptIn: nil, spool: "/tmp")
        #expect(giver.put(module: Self.octets) == module)
        var random = RandomStream(seed: 1, block: 0, lane: 0)
        for round in 0..<20 {
            let shelf = BlobStore(keptIn: nil, spool: "/tmp")
            var offsets = Array(stride(from: 0, to: Self.octets.count, by: 15_360))
            random.shuffle(&offsets)
            for offset in offsets {
                var part = giver.part(of: hash, at: offset, atMost: 15_360)
                if round % 2 == 1, offset == offsets[0] { part[random.below(part.count)] ^= 1 }
                shelf.keep(part, of: module, at: offset)
            }
            #expect(try shelf.shelve(module) == (round % 2 == 0))
            #expect(shelf.module(hash) == (round % 2 == 0 ? Self.octets : nil))
            // The parts are removed, so the module cannot be shelved twice.
            #expect(try !shelf.shelve(module))
        }
        #expect(giver.part(of: hash, at: Self.octets.count, atMost: 10).isEmpty)
        #expect(giver.part(of: hash, at: -1, atMost: 10).isEmpty)
    }
}
