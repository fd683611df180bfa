import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// Runs chunks of a prepared plugin. Every chunk has an instance of its own. A plugin that keeps something from one block
/// to the next fails: its results would depend on where chunks end, which differs from run to run.
struct ModuleRunner: Sendable {
    private(set) var worker: PluginWorker
    let configuration: ModuleConfiguration
    let ready: PluginWorker.Ready
    var memory = KeptMemory()
    /// The memory that the module without its lanes leaves behind.
    private let withoutLanes = KeptMemory()

    /// The most blocks in one call, however short they are.
    private static let mostBlocks: UInt64 = 4096

    /// Measures how long a call takes: the thread's own time, or the clock's where a process of its own computes.
    private var clock: clockid_t { worker.native == nil ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC }

    func run(_ request: ChunkRequest, _ shouldStop: () -> Bool) -> ChunkReply {
        var reply = ChunkReply(end: request.blocks.lowerBound, slots: worker.own.empty)
        // The output of each block must be known separately.
        let most = ready.writes == .nothing ? Self.mostBlocks : 1
        let error = attempt(request, most: most, shouldStop, &reply)
        guard let error else { return reply }
        // A fresh instance begins with a single block, so a failure of the first call concerns that block.
        if reply.end == request.blocks.lowerBound || error == .keeps { return failed(error, request, &reply) }
        // Run the remaining blocks one by one to find the block that fails. The blocks before the failed call count.
        let rest = ChunkRequest(
            seed: request.seed, blocks: reply.end..<request.blocks.upperBound, trials: request.trials)
        let again = attempt(rest, most: 1, shouldStop, &reply)
        guard let again else {
            // Each block succeeds by itself.
            reply.failure = SimulationFailure(
                "\(worker.label), seed \(request.seed): \(error.reason), but only after other blocks; the simulation keeps "
                    + "state between blocks")
            return reply
        }
        return failed(again, request, &reply)
    }

    /// Runs the blocks, and now and then runs them again in two parts, each in an instance of its own, and without lanes. Of
    /// a module that cannot tell what it keeps, nothing else finds that if all chunks are computed by one node.
    func checked(_ request: ChunkRequest, _ shouldStop: () -> Bool) -> ChunkReply {
        let before = nanoseconds(of: clock)
        let reply = run(request, shouldStop)
        let taken = nanoseconds(of: clock) - before
        let first = request.blocks.lowerBound
        let hasLanes = worker.comparesLanes && worker.native == nil && worker.module.hasLanes
        guard memory.allows(taken, times: hasLanes ? Self.lanesGain : 1), reply.failure == nil, reply.end > first + 1
        else { return reply }
        let again = hasLanes ? plain ?? self : self
        guard let parts = again.halves(request, reply.end, shouldStop), parts != reply else { return reply }
        // If the lanes give the same in two parts, the trials give something else.
        let areLanes = hasLanes && halves(request, reply.end, shouldStop) == reply
        let what =
            areLanes
            ? SimulationFailure.lanesDiffer
            : "blocks \(first) to \(reply.end - 1) give another tally when they are computed in two parts; "
                + "\(SimulationFailure.keepsSomething) (potluck check)"
        return ChunkReply(
            end: first, slots: worker.own.empty,
            failure: SimulationFailure("\(worker.label), seed \(request.seed): \(what)"))
    }

    /// Trials take at most this many times as long without lanes. Two to four times were measured.
    private static let lanesGain: Int64 = 4

    /// Runs the blocks up to `end` in two parts; nil if they are cut short.
    private func halves(_ request: ChunkRequest, _ end: UInt64, _ shouldStop: () -> Bool) -> ChunkReply? {
        let first = request.blocks.lowerBound
        let middle = first + (end - first) / 2
        var parts = ChunkReply(end: end, slots: worker.own.empty)
        for blocks in [first..<middle, middle..<end] {
            let part = run(ChunkRequest(seed: request.seed, blocks: blocks, trials: request.trials), shouldStop)
            guard part.failure == nil, part.end == blocks.upperBound else { return nil }
            worker.own.merge(part.slots, into: &parts.slots)
            parts.outputs += part.outputs
        }
        return parts
    }

    /// The same in the module without its lanes; nil if that cannot be compiled.
    private var plain: ModuleRunner? {
        guard let module = try? worker.module.withoutLanes() else { return nil }
        var other = self
        other.worker = worker.computing(in: module)
        other.memory = withoutLanes
        return other
    }

    private func failed(_ error: SandboxError, _ request: ChunkRequest, _ reply: inout ChunkReply) -> ChunkReply {
        let place = "seed \(request.seed), block \(reply.end)"
        reply.failure = SimulationFailure("\(worker.label), \(place): \(error.reason)", block: reply.end)
        return reply
    }

    /// Runs blocks, at most `most` in a call, and adds them to the reply. Returns the error, or nil.
    func attempt(
        _ request: ChunkRequest, most: UInt64, _ shouldStop: () -> Bool, _ reply: inout ChunkReply
    ) -> SandboxError? {
        let before = reply
        do throws(SandboxError) {
            if worker.native == nil, reply.end < request.blocks.upperBound {
                try probe(asked(request, reply.end..<reply.end + 1))
            }
            if !memory.isSuspect {
                let isClean = try worker.withChunk(configuration, ready) { chunk throws(SandboxError) in
                    // `withInstance` may call this twice.
                    reply = before
                    return try together(request, most, shouldStop, chunk, &reply)
                }
                if isClean { return nil }
                reply = before
            }
            if worker.native != nil { return inModule.attempt(request, most: most, shouldStop, &reply) }
            try singly(request, shouldStop, &reply)
            return nil
        } catch {
            guard worker.native != nil, case .programEnded = error else { return error }
            // It may have no stack left. Then the module says so, as it does everywhere.
            var again = before
            guard inModule.attempt(request, most: 1, shouldStop, &again) == .tooDeep else { return error }
            reply = again
            return .tooDeep
        }
    }

    /// The same, where the module itself computes.
    var inModule: ModuleRunner {
        var other = self
        other.worker.native = nil
        return other
    }

    /// Throws if a few trials leave something to later ones. A block has an even number of trials, so something that
    /// every second trial leaves to the next one, such as the spare number of a pair, is gone after it. So these
    /// numbers are odd.
    private func probe(_ asked: RunRequest) throws(SandboxError) {
        guard worker.shape == .tally, memory.isUnprobed() else { return }
        for most in Self.odd {
            var few = asked
            few.trials = min(most, (max(1, asked.trials) - 1) | 1)
            try worker.withChunk(configuration, ready) { chunk throws(SandboxError) in
                guard let kept = try chunk.kept() else { return }
                try judge(few, try ask(few, chunk), chunk, kept, isWhole: false)
            }
        }
    }

    /// The numbers of trials that a simulation begins with. They take no time, and each has trials in all lanes.
    private static let odd: [UInt64] = [255, 129]

    /// Runs blocks in one instance. Returns false if they may depend on each other: then none of them counts.
    private func together(
        _ request: ChunkRequest, _ most: UInt64, _ shouldStop: () -> Bool, _ chunk: any Answering,
        _ reply: inout ChunkReply
    ) throws(SandboxError) -> Bool {
        let start = reply.end
        if let child = chunk as? NativeChild, !child.isWarm, start < request.blocks.upperBound {
            // Swift's library prepares much in the first block of a program.
            _ = try ask(asked(request, start..<start + 1), child)
            child.isWarm = true
        }
        let kept = try chunk.kept()
        var batch: UInt64 = 1
        var written = 0
        // The outputs so far are held here, whatever the memory limit of the module. Beyond this much the rest is left to
        // another chunk.
        while reply.end < request.blocks.upperBound && written < Block.mostWritten && !shouldStop() {
            let blocks = min(batch, most, request.blocks.upperBound - reply.end)
            let before = nanoseconds(of: clock)
            let asked = asked(request, reply.end..<reply.end + blocks)
            let answer = try ask(asked, chunk)
            if reply.end == start, worker.native == nil {
                try judge(asked, answer, chunk, kept)
            }
            written += add(answer, blocks, &reply)
            let taken = nanoseconds(of: clock) - before
            let aim = PluginLimits.call.nanoseconds
            batch = taken < aim / 2 ? min(2 * blocks, Self.mostBlocks) : taken > aim ? max(1, blocks / 2) : blocks
        }
        guard let kept, reply.end > start, let now = try chunk.kept() else { return true }
        return now == kept || worker.native == nil && memory.knows(now)
    }

    /// Runs each block in an instance of its own, so that it can find nothing of another.
    private func singly(
        _ request: ChunkRequest, _ shouldStop: () -> Bool, _ reply: inout ChunkReply
    ) throws(SandboxError) {
        // Once it is known that such a plugin only fills its memory again, few blocks are judged.
        let isKnown = memory.isSuspect
        var written = 0
        while reply.end < request.blocks.upperBound && written < Block.mostWritten && !shouldStop() {
            let asked = asked(request, reply.end..<reply.end + 1)
            let answer = try worker.withChunk(configuration, ready) { chunk throws(SandboxError) in
                let kept = try chunk.kept()
                let before = nanoseconds(of: clock)
                let answer = try ask(asked, chunk)
                if !isKnown || memory.allows(nanoseconds(of: clock) - before) {
                    try judge(asked, answer, chunk, kept)
                }
                return answer
            }
            written += add(answer, 1, &reply)
        }
    }

    /// Throws if an instance that has computed a block, and had kept `before`, now remembers it.
    ///
    /// What a block prepares once, such as a table, is there when the same block is computed again, and what each trial
    /// fills again has the same contents. So nothing differs then, unless something is kept. Two lists that take turns are
    /// the same after the third time. `isWhole` means that these are all trials of the block.
    private func judge(
        _ asked: RunRequest, _ answer: RunReply, _ chunk: any Answering, _ before: UInt64?, isWhole: Bool = true
    ) throws(SandboxError) {
        guard let before, let after = try chunk.kept(), after != before, !memory.knows(after) else { return }
        var seen = [after]
        for _ in 0..<2 {
            guard try ask(asked, chunk) == answer, let now = try chunk.kept() else { throw .keeps }
            if seen.contains(now) {
                let isSteady = try isSteady(asked, chunk, after)
                return memory.learn(seen, isSteady: isSteady || !isWhole)
            }
            seen.append(now)
        }
        throw .keeps
    }

    /// Returns whether the block beside this one leaves the same, in an instance of its own. Throws if it gives another tally
    /// in the instance that has computed this one: a value that the first trial decides is the same whenever a block is
    /// repeated.
    private func isSteady(_ asked: RunRequest, _ chunk: any Answering, _ left: UInt64) throws(SandboxError) -> Bool {
        var other = asked
        if let units = ready.units {
            let size = UInt64(ready.blockSize)
            let next = asked.first + asked.blocks
            guard asked.first > 0 || next < units / size else { return true }
            other.first = asked.first > 0 ? asked.first - 1 : next
            (other.blocks, other.trials) = (1, size)
        } else {
            other.first = asked.first &+ asked.blocks
        }
        let after = try ask(other, chunk)
        return try worker.withChunk(configuration, ready) { fresh throws(SandboxError) in
            guard try ask(other, fresh) == after else { throw .keeps }
            return try fresh.kept() == left
        }
    }

    private func asked(_ request: ChunkRequest, _ blocks: Range<UInt64>) -> RunRequest {
        let all = ChunkRequest(
            seed: request.seed, blocks: request.blocks, trials: [request.trials, ready.units].compactMap { $0 }.min())
        return RunRequest(
            shape: worker.shape, seed: request.seed, first: blocks.lowerBound,
            blocks: blocks.upperBound - blocks.lowerBound,
            trials: all.trials(in: blocks, blockSize: UInt64(ready.blockSize)))
    }

    private func ask(_ asked: RunRequest, _ chunk: any Answering) throws(SandboxError) -> RunReply {
        try RunReply(
            try chunk.record("potluck_run", asked.record), to: asked, slots: worker.own.slots, writes: ready.writes)
    }

    /// Adds the answer about some blocks. Returns the length of their output.
    private func add(_ answer: RunReply, _ blocks: UInt64, _ reply: inout ChunkReply) -> Int {
        worker.own.merge(answer.slots, into: &reply.slots)
        reply.end += blocks
        guard ready.writes != .nothing else { return 0 }
        reply.outputs.append(answer.output)
        return answer.output.count
    }
}
