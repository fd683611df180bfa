import Dispatch
import PotluckCatalogue
import PotluckKit
import Testing

@testable import Potluck
@testable import PotluckCore
@testable import PotluckEngine

@Suite struct JobShellTests {
    /// A node steps down while it joins a job's output, and meanwhile computes the same job as a worker for the new
    /// coordinator. When the joining ends, it must not discard what the new attempt needs and writes.
    @Test func aForgottenAttemptIsDiscardedAtOnce() throws {
        let shell = JobShell(Computing(Simulations([]), cores: 0)) { _ in }
        let job = JobID(1)
        let (before, after) = (AttemptID(job: job, number: 1), AttemptID(job: job, number: 2))
        shell.blobs.expect(before)
        _ = try shell.blobs.put([1], of: before)
        let hasJoined = DispatchSemaphore(value: 0)
        shell.carrying.async { hasJoined.wait() }
        shell.perform([.job(.forget(job))])
        let old = try shell.blobs.put([1], of: before)
        shell.blobs.expect(after)
        let new = try shell.blobs.put([2], of: after)
        hasJoined.signal()
        shell.carrying.sync {}
        #expect(try shell.blobs.octets(of: #require(old).hash, atMost: 1) == nil)
        #expect(try shell.blobs.octets(of: #require(new).hash, atMost: 1) == [2])
    }

    // MARK: Chunks and readings

    private struct Ones: Simulation {
        static let name: StaticString = "ones"
        static let summary: StaticString = "One for each trial"
        struct Tally: SimulationTally {
            var ones = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("ones", &ones) }
        }
        func trial(_ random: inout RandomStream, _ tally: inout Tally) { tally.ones.add() }
        static var readings: [ReadingRule<Self>] { proportion("ones") { $0.ones } }
    }

    private static let ones = AnySimulation(Ones.self, source: "")

    /// A shell with a stream of its reports.
    private struct Reporting {
        let shell: JobShell
        let reports: AsyncStream<JobShell.Report>

        init(_ simulation: AnySimulation) {
            let (reports, report) = AsyncStream.makeStream(of: JobShell.Report.self)
            self.reports = reports
            shell = JobShell(Computing(Simulations([simulation]), cores: 0)) { report.yield($0) }
        }

        func prepare(_ ids: [JobID]) async throws -> Experiment {
            let experiment = try JobShellTests.ones.experiment(parameters: [], seed: 5)
            shell.perform(ids.map { .job(.prepare($0, JobRecipe(experiment: experiment))) })
            var missing = Set(ids)
            for await case .event(.prepared(let id, .ready)) in reports {
                missing.remove(id)
                if missing.isEmpty { break }
            }
            return experiment
        }
    }

    /// A referee computes a single block twice, first with a fresh instance and then with one that has computed other
    /// blocks.
    @Test(.timeLimit(.minutes(60))) func aRefereeNeedsNoCores() async throws {
        let reporting = Reporting(Self.ones)
        let experiment = try await reporting.prepare([JobID(1)])
        let chunks = (1...2 as ClosedRange<UInt64>).map {
            Chunk(attempt: AttemptID(job: JobID(1), number: $0), blocks: 0..<1)
        }
        reporting.shell.perform([
            .job(.compute(chunks[0], experiment, trials: nil, as: .referee(isFresh: true))),
            .job(.compute(chunks[1], experiment, trials: nil, as: .referee(isFresh: false))),
        ])
        var outcomes: [ChunkOutcome] = []
        for await case .outcomes in reporting.reports {
            outcomes += reporting.shell.takeOutcomes()
            if outcomes.count == 2 { break }
        }
        #expect(Set(outcomes.map(\.attempt)) == Set(chunks.map(\.attempt)))
    }

    /// A simulation that takes forever to read its tally does not delay other jobs.
    @Test(.timeLimit(.minutes(60))) func aSlowReaderDelaysNobodyElse() async throws {
        let ready = try Self.ones.prepared([])
        let mayGoOn = DispatchSemaphore(value: 0)
        let slow = AnySimulation(
            name: Self.ones.name, summary: "", source: "", parameters: [], layout: Self.ones.layout,
            readings: Self.ones.readings
        ) { _, _ in
            .success(
                PreparedSimulation(
                    parameters: [], blockSize: ready.blockSize, layout: ready.layout,
                    run: { ready.run($0, $1) },
                    read: { tally, trials in
                        if trials == 1 { mayGoOn.wait() }
                        return .success(ready.read(tally, trials))
                    }))
        }
        let reporting = Reporting(slow)
        _ = try await reporting.prepare([JobID(1), JobID(2)])
        let requests = (1...2 as ClosedRange<UInt64>).map {
            ReadRequest(job: JobID($0), tally: [$0], trials: $0, purpose: .picture)
        }
        reporting.shell.perform(requests.map { .job(.read($0)) })
        var read: [JobID] = []
        for await case .event(.read(let request, _)) in reporting.reports {
            read.append(request.job)
            mayGoOn.signal()
            if read.count == 2 { break }
        }
        #expect(read == [JobID(2), JobID(1)])
    }

    /// The first trials of a job are those of a run of so many trials, to the bit.
    @Test(.timeLimit(.minutes(60)), arguments: ["monty-hall", "pi", "birthday"])
    func theFirstTrialsAreThoseOfTheJob(name: String) async throws {
        let simulation = try #require(catalogue.first { $0.name == name })
        let parameters = simulation.standardParameters
        let experiment = try simulation.experiment(parameters: parameters, seed: 5)
        let (reports, report) = AsyncStream.makeStream(of: JobShell.Report.self)
        let shell = JobShell(Computing(Simulations([simulation]), cores: 0)) { report.yield($0) }
        shell.perform([.job(.prepare(JobID(1), JobRecipe(experiment: experiment)))])
        for await case .event(.prepared(_, .ready)) in reports { break }
        for trials in [1, 2, 5, 10, 200] as [UInt64] {
            shell.perform([.job(.read(ReadRequest(job: JobID(1), tally: [], trials: trials, purpose: .opening)))])
            for await case .event(.read(let request, let readings)) in reports {
                let run = try await LocalRun(
                    simulation, parameters: parameters, seed: 5, goal: Goal(trials: trials), cores: 1
                ).result
                #expect(request.trials == trials && request.tally == run.tally && readings == run.readings)
                break
            }
        }
    }

    /// The shell reports what it cannot do. Without the report the engine would wait forever.
    @Test(.timeLimit(.minutes(60))) func theShellReportsUnpreparedJobs() async throws {
        let reporting = Reporting(Self.ones)
        let experiment = try Self.ones.experiment(parameters: [], seed: 5)
        let chunk = Chunk(attempt: AttemptID(job: JobID(1), number: 1), blocks: 3..<4)
        reporting.shell.perform([
            .job(.compute(chunk, experiment, trials: nil, as: .worker)),
            .job(.read(ReadRequest(job: JobID(1), tally: [1], trials: 1, purpose: .picture))),
        ])
        var events: [Event] = []
        for await case .event(let event) in reporting.reports {
            events.append(event)
            if events.count == 2 { break }
        }
        let why = "the simulation is not ready on this node"
        #expect(
            events == [
                .computed([.failed(ChunkFailure(attempt: chunk.attempt, block: 3, text: why))]),
                .unreadable(JobID(1), why),
            ])
    }

    // MARK: Holders of blobs

    /// A fetched blob stays for each request that wants it. A blob that two jobs wrote stays when one of them is
    /// forgotten.
    @Test func eachHolderLetsGoByItself() throws {
        let shell = JobShell(Computing(Simulations([]), cores: 0)) { _ in }
        let store = shell.blobs
        let blob = try #require(try store.put([7, 8], for: .fetched, atMost: 9))
        shell.perform([.answer(.output(blob), token: 1), .answer(.output(blob), token: 2), .job(.discard(blob.hash))])
        shell.carrying.sync {}
        for token: UInt64 in [1, 2] {
            let output = try #require(shell.takeOutput(blob, token))
            #expect(output.count == 2)
        }
        #expect(shell.takeOutput(blob, 3) == nil)
        for job: UInt64 in [1, 2] {
            let file = try store.newFile()
            try file.write([7, 8], at: 0)
            store.put(sealed: file, count: 2, blob.hash, of: JobID(job))
        }
        shell.perform([.job(.unseal(JobID(1), blob.hash)), .job(.discard(blob.hash))])
        shell.carrying.sync {}
        #expect(store.octets(of: blob.hash, atMost: 9) == [7, 8])
        shell.perform([.job(.unseal(JobID(2), blob.hash))])
        shell.carrying.sync {}
        #expect(store.body(of: blob.hash) == nil)
    }
}
