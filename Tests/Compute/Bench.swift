import PotluckCore
import PotluckKit
import PotluckSystem

@testable import PotluckMachine

/// Workers whose outcomes can be awaited, and tasks with known tallies.
final class Bench: Sendable {
    let workers: Workers
    private let signals: AsyncStream<Void>
    private let signalled: Guarded<Int>

    init(cores: Int, priority: Priority = .background) {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let signalled = Guarded(0)
        self.signals = signals
        self.signalled = signalled
        workers = Workers(cores: cores, priority: priority) {
            signalled.with { $0 += 1 }
            signal.yield()
        }
    }

    /// The number of calls of `onOutcomes`.
    var signalCount: Int { signalled.with { $0 } }

    /// Takes outcomes until there are at least `count`.
    func outcomes(_ count: Int) async -> [ChunkOutcome] {
        var taken = workers.takeOutcomes()
        if taken.count >= count { return taken }
        for await _ in signals {
            taken += workers.takeOutcomes()
            if taken.count >= count { break }
        }
        return taken
    }

    static let job = JobID(1)

    static func attempt(_ number: UInt64, of job: JobID = job) -> AttemptID { AttemptID(job: job, number: number) }

    /// A chunk whose tally is the number of computed blocks and the sum of their indices.
    static func task(
        _ number: UInt64, of job: JobID = job, blocks: Range<UInt64> = 0..<1, isFresh: Bool = false,
        isReferee: Bool = false, atBlock: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) -> Workers.ChunkTask {
        task(number, of: job, blocks: blocks, isFresh: isFresh, isReferee: isReferee) { request, _, shouldStop in
            var block = request.blocks.lowerBound
            var slots: [UInt64] = [0, 0]
            while block < request.blocks.upperBound && !shouldStop() {
                atBlock(block)
                slots[0] += 1
                slots[1] += block
                block += 1
            }
            return .done(ChunkReply(end: block, slots: slots))
        }
    }

    static func task(
        _ number: UInt64, of job: JobID = job, blocks: Range<UInt64> = 0..<1, isFresh: Bool = false,
        isReferee: Bool = false, _ body: @escaping ChunkRunner.Body
    ) -> Workers.ChunkTask {
        let experiment = Experiment(
            simulation: SimulationIdentity(name: "blocks", source: "", streams: 1), parameters: [], seed: 1,
            blockSize: 16)
        return Workers.ChunkTask(
            Chunk(attempt: attempt(number, of: job), blocks: blocks), of: experiment, trials: nil, isFresh: isFresh,
            isReferee: isReferee, with: ChunkRunner(body))
    }
}

extension ChunkOutcome {
    /// The end of the computed blocks; nil for a failure.
    var end: UInt64? { if case .done(let result) = self { result.end } else { nil } }
    var tally: [UInt64] { if case .done(let result) = self { result.tally } else { [] } }
}
