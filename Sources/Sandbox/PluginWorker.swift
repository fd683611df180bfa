import Glibc
import PotluckKit
import PotluckModel
import PotluckSystem

/// Runs a plugin's blocks. Every chunk gets an instance of its own, so nothing goes from one to the next, and any number
/// of threads may run some at once.
struct PluginWorker: Sendable {
    let module: Module
    let limits: PluginLimits
    let label: String
    let layout: TallyLayout
    let readings: [(name: String, kind: ReadingKind)]

    /// So many blocks are the most in one call, however short they are.
    private static let mostBlocks: UInt64 = 4096

    func prepare(_ parameters: [UInt64]) -> Result<PreparedSimulation, ParameterError> {
        do throws(SandboxError) {
            let verdict = try module.withInstance(limits) { instance throws(SandboxError) in
                try configure(instance, parameters)
            }
            return verdict.map { blockSize in
                PreparedSimulation(
                    parameters: parameters, blockSize: blockSize, layout: layout,
                    run: { request, shouldStop in run(request, parameters, blockSize: blockSize, shouldStop) },
                    read: { slots, trials in read(slots, trials, parameters) })
            }
        } catch {
            return .failure(.failed(failure(error)))
        }
    }

    private func failure(_ error: SandboxError) -> SimulationFailure { SimulationFailure("\(label): \(error.reason)") }

    private func configure(
        _ instance: Instance, _ parameters: [UInt64]
    ) throws(SandboxError) -> Result<Int, ParameterError> {
        var request = RecordWriter()
        request.put(parameters.count)
        for slot in parameters { request.put(slot) }
        // No payload.
        request.put(0)
        var reader = RecordReader("potluck_configure", try instance.record("potluck_configure", request.slots))
        switch ModuleInterface.Verdict(rawValue: try reader.number()) {
        case .ready:
            let size = try reader.number()
            guard size.nonzeroBitCount == 1, (UInt64(Block.smallest)...UInt64(Block.largest)).contains(size) else {
                throw reader.wrong("blocks of \(size) trials; a block has a power of two of them, 16 to 65536")
            }
            try reader.end()
            return .success(Int(size))
        case .wrongCount: return .failure(.wrongCount)
        case .outOfRange:
            let index = try reader.number()
            guard index < UInt64(parameters.count) else { throw reader.wrong("no such parameter") }
            return .failure(.outOfRange(Int(index)))
        case .conflict: return .failure(.conflict(try reader.line("the problem", most: 500)))
        case nil: throw reader.wrong("neither yes nor no")
        }
    }

    /// An instance that knows the parameters, which it has taken before.
    func withReady<Value>(
        _ parameters: [UInt64], blockSize: Int, _ body: (Instance) throws(SandboxError) -> Value
    ) throws(SandboxError) -> Value {
        try module.withInstance(limits) { instance throws(SandboxError) in
            guard case .success(blockSize) = try configure(instance, parameters) else {
                throw SandboxError.answer(function: "potluck_configure", "another one than before")
            }
            return try body(instance)
        }
    }

    private func read(
        _ slots: [UInt64], _ trials: UInt64, _ parameters: [UInt64]
    ) -> Result<[Reading], SimulationFailure> {
        var request = RecordWriter()
        request.put(trials)
        request.put(slots.count)
        for slot in slots { request.put(slot) }
        do throws(SandboxError) {
            return .success(
                try module.withInstance(limits) { instance throws(SandboxError) in
                    _ = try configure(instance, parameters)
                    let record = try instance.record("potluck_read", request.slots)
                    return try ReadingRecords.readings(record, declared: readings)
                })
        } catch {
            return .failure(failure(error))
        }
    }

    private func run(
        _ request: ChunkRequest, _ parameters: [UInt64], blockSize: Int, _ shouldStop: () -> Bool
    ) -> ChunkReply {
        var reply = ChunkReply(end: request.blocks.lowerBound, slots: layout.empty)
        let error = attempt(request, parameters, blockSize: blockSize, most: Self.mostBlocks, shouldStop, &reply)
        guard let error else { return reply }
        // Which block was it? The others of the call that failed count.
        let rest = ChunkRequest(
            seed: request.seed, blocks: reply.end..<request.blocks.upperBound, trials: request.trials)
        let again = attempt(rest, parameters, blockSize: blockSize, most: 1, shouldStop, &reply)
        guard let again else {
            // By itself each block is fine.
            reply.failure = SimulationFailure(
                "\(label), seed \(request.seed): \(error.reason), but only after other blocks: it keeps something from "
                    + "one block to the next")
            return reply
        }
        let place = "seed \(request.seed), block \(reply.end)"
        reply.failure = SimulationFailure("\(label), \(place): \(again.reason)", block: reply.end)
        return reply
    }

    /// Runs blocks, at most so many in a call, and adds them to the reply; gives what went wrong.
    private func attempt(
        _ request: ChunkRequest, _ parameters: [UInt64], blockSize: Int, most: UInt64, _ shouldStop: () -> Bool,
        _ reply: inout ChunkReply
    ) -> SandboxError? {
        do throws(SandboxError) {
            try withReady(parameters, blockSize: blockSize) { instance throws(SandboxError) in
                var batch: UInt64 = 1
                while reply.end < request.blocks.upperBound && !shouldStop() {
                    let blocks = min(batch, most, request.blocks.upperBound - reply.end)
                    let before = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
                    let asked = RunRequest(
                        shape: .tally, seed: request.seed, first: reply.end, blocks: blocks,
                        trials: request.trials(in: reply.end..<reply.end + blocks, blockSize: UInt64(blockSize)))
                    let answer = try RunReply(
                        try instance.record("potluck_run", asked.record), to: asked, slots: layout.slots)
                    layout.merge(answer.slots, into: &reply.slots)
                    reply.end += blocks
                    let taken = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - before
                    let aim = PluginLimits.call.nanoseconds
                    batch =
                        taken < aim / 2 ? min(2 * blocks, Self.mostBlocks) : taken > aim ? max(1, blocks / 2) : blocks
                }
            }
            return nil
        } catch {
            return error
        }
    }
}

extension ChunkRequest {
    /// How many trials some of its blocks have: the last block of a job may be short.
    func trials(in blocks: Range<UInt64>, blockSize: UInt64) -> UInt64 {
        let full = (blocks.upperBound - blocks.lowerBound) * blockSize
        guard let trials else { return full }
        let (done, overflow) = blocks.lowerBound.multipliedReportingOverflow(by: blockSize)
        return overflow || done >= trials ? 0 : min(full, trials - done)
    }
}

extension PluginWorker {
    /// The first trials of one block, and what was logged on the way, also where it failed.
    func block(
        _ parameters: [UInt64], blockSize: Int, seed: UInt64, block: UInt64, trials: Int
    ) -> (result: Result<[UInt64], SandboxError>, log: String) {
        var log = ""
        do throws(SandboxError) {
            let result = try withReady(parameters, blockSize: blockSize) { instance throws(SandboxError) in
                let asked = RunRequest(shape: .tally, seed: seed, first: block, blocks: 1, trials: UInt64(trials))
                let result: Result<[UInt64], SandboxError>
                do throws(SandboxError) {
                    let record = try instance.record("potluck_run", asked.record)
                    result = .success(try RunReply(record, to: asked, slots: layout.slots).slots)
                } catch {
                    result = .failure(error)
                }
                // What crashed may not be able to say anything any more.
                log = (try? instance.log()) ?? ""
                return result
            }
            return (result, log)
        } catch {
            return (.failure(error), log)
        }
    }
}
