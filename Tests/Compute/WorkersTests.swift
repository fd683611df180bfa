import Foundation
import PotluckCore
import PotluckKit
import PotluckSystem
import Testing

@testable import PotluckMachine

@Suite(.timeLimit(.minutes(60))) struct WorkersTests {
    @Test func chunksAreComputed() async {
        let bench = Bench(cores: 2)
        bench.workers.compute((1...100).map { Bench.task($0, blocks: $0..<$0 + 3) })
        let outcomes = await bench.outcomes(100)
        #expect(Set(outcomes.map(\.attempt.number)) == Set(1...100))
        for outcome in outcomes {
            let number = outcome.attempt.number
            #expect(outcome.end == number + 3 && outcome.tally == [3, 3 * number + 3])
        }
    }

    /// A built-in simulation gives the same result as without workers.
    @Test func aSimulationRuns() async throws {
        let simulation = try AnySimulation(Coin.self, source: "").prepared([])
        let experiment = Experiment(
            simulation: SimulationIdentity(name: "coin", source: "", streams: 1), parameters: [], seed: 5,
            blockSize: UInt64(simulation.blockSize))
        let bench = Bench(cores: 1)
        let chunk = Chunk(attempt: Bench.attempt(1), blocks: 2..<4)
        bench.workers.compute(
            Workers.ChunkTask(chunk, of: experiment, trials: 200_000, with: ChunkRunner(simulation)))
        let reply = simulation.run(ChunkRequest(seed: 5, blocks: 2..<4, trials: 200_000)) { false }
        #expect(await bench.outcomes(1).map(\.tally) == [reply.slots])
    }

    @Test func aFailureIsAnOutcome() async {
        let bench = Bench(cores: 1)
        bench.workers.compute(
            Bench.task(7, blocks: 3..<9) { _, isFresh, _ in .failed(block: 5, text: isFresh ? "fresh" : "used") })
        bench.workers.compute(
            Bench.task(8, blocks: 3..<9, isFresh: true) { _, isFresh, _ in
                .failed(block: 6, text: isFresh ? "fresh" : "used")
            })
        #expect(
            await bench.outcomes(2) == [
                .failed(ChunkFailure(attempt: Bench.attempt(7), block: 5, text: "used")),
                .failed(ChunkFailure(attempt: Bench.attempt(8), block: 6, text: "fresh")),
            ])
    }

    /// An interrupted chunk finishes its current block and computes no other.
    @Test func anInterruptedChunkEndsAtTheNextBlock() async {
        let bench = Bench(cores: 1)
        bench.workers.compute([
            Bench.task(1, blocks: 10..<1_000_000) { [workers = bench.workers] in
                if $0 == 12 { workers.interrupt(Bench.job) }
            },
            Bench.task(2, blocks: 20..<30), Bench.task(3, of: JobID(2), blocks: 5..<9),
        ])
        let ends = await bench.outcomes(3).map { [$0.attempt.number, $0.end] }
        // The second chunk was in the queue and ends with nothing. The third belongs to another job.
        #expect(ends == [[1, 13], [2, 20], [3, 9]])
        bench.workers.compute(Bench.task(4, blocks: 0..<8))
        #expect(await bench.outcomes(1).map(\.end) == [8])
    }

    @Test func aDroppedChunkHasNoOutcome() async {
        let last = Guarded<UInt64>(0)
        let isDropped = Guarded(false)
        let bench = Bench(cores: 1)
        bench.workers.compute([
            Bench.task(1),
            Bench.task(2, blocks: 10..<1_000_000) { [workers = bench.workers] block in
                last.with { $0 = block }
                guard block == 12 else { return }
                workers.drop([1, 2, 3].map { Bench.attempt($0) })
                workers.interrupt(Bench.job)
                isDropped.with { $0 = true }
            },
            Bench.task(3), Bench.task(3, of: JobID(2), blocks: 0..<4),
        ])
        while !isDropped.with({ $0 }) { await Task.yield() }
        // The first chunk had an outcome, which was dropped before anyone took it.
        #expect(await bench.outcomes(1).map(\.attempt) == [Bench.attempt(3, of: JobID(2))])
        #expect(last.with { $0 } == 12)
        bench.workers.drop(all: Bench.job)
        bench.workers.compute(Bench.task(5))
        #expect(await bench.outcomes(1).map(\.attempt.number) == [5])
    }

    /// What a search looked at for a chunk that was dropped is told with the next result of its job, once.
    @Test func aDroppedSearchIsToldAsInVain() async {
        let bench = Bench(cores: 1)
        func search(_ number: UInt64, of job: JobID = Bench.job, expanded: UInt64, then: @escaping @Sendable () -> Void)
            -> Workers.ChunkTask
        {
            Bench.task(number, of: job) { request, _, _ in
                then()
                var reply = ChunkReply(end: request.blocks.upperBound, slots: [0, 0])
                reply.expanded = expanded
                return .done(reply)
            }
        }
        bench.workers.compute([
            search(1, expanded: 5) { [workers = bench.workers] in workers.drop([Bench.attempt(1)]) },
            search(2, of: JobID(2), expanded: 7) {}, search(3, expanded: 11) {}, search(4, expanded: 13) {},
        ])
        let efforts = await bench.outcomes(3).map { outcome in
            if case .done(let result) = outcome { result.effort } else { SearchEffort.none }
        }
        #expect(
            efforts == [
                SearchEffort(expanded: 7), SearchEffort(expanded: 16, inVain: 5), SearchEffort(expanded: 13),
            ])
    }

    /// A trial that hangs shows only when its time is up. Its chunk may have been taken back long before.
    @Test func aDroppedChunkThatFailsSaysSo() async {
        for isForgotten in [false, true] {
            let bench = Bench(cores: 1)
            bench.workers.compute([
                Bench.task(1) { [workers = bench.workers] (_: ChunkRequest, _: Bool, _: () -> Bool) in
                    workers.drop([Bench.attempt(1)])
                    if isForgotten { workers.drop(all: Bench.job) }
                    workers.drop([Bench.attempt(1)])
                    return .failed(block: 0, text: "too long")
                },
                Bench.task(2, of: JobID(2)),
            ])
            let numbers = await bench.outcomes(isForgotten ? 1 : 2).map(\.attempt.number)
            #expect(numbers == (isForgotten ? [2] : [1, 2]))
        }
    }

    /// Without cores, only chunks that a caller waits for are computed.
    @Test func withoutCoresTheRefereeStillComputes() async {
        let bench = Bench(cores: 0)
        bench.workers.compute([
            Bench.task(1, blocks: 0..<4), Bench.task(2, blocks: 0..<4, isFresh: true, isReferee: true),
        ])
        #expect(await bench.outcomes(1).map { [$0.attempt.number, $0.end] } == [[2, 4]])
        bench.workers.compute([Bench.task(3, blocks: 0..<5, isReferee: true), Bench.task(4, of: JobID(2))])
        #expect(await bench.outcomes(1).map { [$0.attempt.number, $0.end] } == [[3, 5]])
        bench.workers.interrupt(Bench.job)
        #expect(await bench.outcomes(1).map { [$0.attempt.number, $0.end] } == [[1, 0]])
        bench.workers.setCores(1)
        #expect(await bench.outcomes(1).map(\.attempt) == [Bench.attempt(4, of: JobID(2))])
    }

    /// As many chunks run at once as there are cores: each of them waits for all the others.
    @Test func coresChange() async {
        let bench = Bench(cores: 0)
        var number: UInt64 = 0
        for cores in [1, 4, 2, 5, 0, 3] {
            bench.workers.setCores(cores)
            let meeting = Meeting(of: cores)
            bench.workers.compute(
                (0..<cores).map { Bench.task(number + UInt64($0)) { _ in meeting.waitForAll() } })
            number += 10
            #expect(await bench.outcomes(cores).count == cores)
        }
        bench.workers.setCores(1)
        // Surplus threads may still be ending when the first chunk begins, but they take no more chunks.
        let together = Guarded((now: 0, most: 0))
        bench.workers.compute(
            (0..<200).map {
                Bench.task(100 + $0) { _ in
                    together.with { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    together.with { $0.now -= 1 }
                }
            })
        #expect(await bench.outcomes(200).count == 200)
        #expect(together.with { $0.most } == 1)
    }

    /// `onOutcomes` is called once, however many chunks end before the outcomes are taken.
    @Test func outcomesThatNobodyTookAreToldOnce() async {
        let bench = Bench(cores: 1)
        let seen = Guarded(0)
        bench.workers.compute((1...1000).map { Bench.task($0) })
        bench.workers.compute(Bench.task(1001) { [weak bench] _ in seen.with { $0 = bench?.signalCount ?? 0 } })
        while seen.with({ $0 }) == 0 { await Task.yield() }
        #expect(seen.with { $0 } == 1)
        #expect(await bench.outcomes(1001).count == 1001)
        #expect(bench.signalCount <= 2)
    }

    /// An outcome does not wait for the end of a long chunk after it.
    @Test func outcomesAreToldWithinABlock() async {
        let bench = Bench(cores: 1)
        let seen = Guarded((taken: 0, signals: 0))
        bench.workers.compute([
            Bench.task(1),
            Bench.task(2) { [weak bench] _ in seen.with { $0.taken = bench?.workers.takeOutcomes().count ?? 0 } },
            Bench.task(3, blocks: 0..<2) { [weak bench] in
                if $0 == 1 { seen.with { $0.signals = bench?.signalCount ?? 0 } }
            },
        ])
        while seen.with({ $0.signals }) == 0 { await Task.yield() }
        #expect(await bench.outcomes(2).map(\.attempt.number) == [2, 3])
        #expect(seen.with { $0.taken } == 1)
        #expect(seen.with { $0.signals } == 2)
    }

    /// An outcome is reported even if the following chunk is dropped.
    @Test func outcomesAreToldBeforeAThreadWaits() async {
        let bench = Bench(cores: 1)
        bench.workers.compute([
            Bench.task(1), Bench.task(2) { [weak bench] _ in _ = bench?.workers.takeOutcomes() },
            Bench.task(3) { [weak bench] _ in bench?.workers.drop([Bench.attempt(3)]) },
        ])
        while bench.signalCount < 2 { await Task.yield() }
        #expect(bench.workers.takeOutcomes().map(\.attempt.number) == [2])
    }

    /// A surplus thread ends as soon as it asks for work, even if there is some.
    @Test func threadsTooManyLeave() {
        var state = WorkState()
        state.setCores(3)
        let places = state.missingThreads()
        state.setCores(1)
        state.add([Bench.task(1)])
        let steps = places.map { place in
            switch state.next(for: place) {
            case .leave?: "leave"
            case .run?: "run"
            case nil: "wait"
            }
        }
        #expect(steps == ["leave", "leave", "run"])
        state.setCores(2)
        #expect(state.missingThreads().count == 1)
    }

    @Test(arguments: Priority.allCases) func threadsGiveWay(priority: Priority) async {
        let bench = Bench(cores: 1, priority: priority)
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        let before = getpriority(process, 0)
        bench.workers.compute(
            Bench.task(1) { request, _, _ in
                let nice = getpriority(process, 0)
                return .done(ChunkReply(end: request.blocks.upperBound, slots: [UInt64(bitPattern: Int64(nice))]))
            })
        let nice: Int32 = max(before, [0, 5, 10, 19][Priority.allCases.firstIndex(of: priority)!])
        #expect(await bench.outcomes(1).map(\.tally) == [[UInt64(bitPattern: Int64(nice))]])
        // Other threads are not affected.
        #expect(getpriority(process, 0) == before)
    }

    /// Releasing the workers ends their threads, even within a chunk.
    @Test func theEndOfTheWorkersEndsTheThreads() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        do {
            let workers = Workers(cores: 1) {}
            workers.compute(
                Bench.task(1) { request, _, shouldStop in
                    begin.finish()
                    while !shouldStop() { sched_yield() }
                    end.finish()
                    return .done(ChunkReply(end: request.blocks.lowerBound, slots: []))
                })
            for await _ in begun {}
        }
        for await _ in ended {}
    }
}

/// A barrier: `waitForAll` returns once all participants have called it.
private final class Meeting: Sendable {
    private let missing: Monitor<Int>

    init(of count: Int) { missing = Monitor(count) }

    func waitForAll() {
        missing.with { $0 -= 1 }
        missing.wakeAll()
        missing.wait { $0 <= 0 ? () : nil }
    }
}

private struct Coin: Simulation {
    static let name: StaticString = "coin"
    static let summary: StaticString = "heads or tails"

    struct Tally: SimulationTally {
        var heads = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("heads", &heads) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        if random.next() % 2 == 0 { tally.heads.add() }
    }

    static var readings: [ReadingRule<Self>] { proportion("heads") { $0.heads } }
}
