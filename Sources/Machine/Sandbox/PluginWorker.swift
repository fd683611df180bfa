import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// The parameters and tables of a module, and the record that configures it with them.
struct ModuleConfiguration: Sendable {
    let parameters: [UInt64]
    let record: [UInt64]

    init(parameters: [UInt64], tables: [Table] = []) {
        self.parameters = parameters
        var request = RecordWriter()
        request.put(parameters.count)
        for slot in parameters { request.put(slot) }
        let payload = tables.contains { !$0.isEmpty } ? tables : []
        request.put(payload.reduce(0) { $0 + 8 * (2 + $1.numbers.count) })
        for table in payload {
            request.put(table.rows)
            request.put(table.columns)
            for number in table.numbers { request.put(number) }
        }
        record = request.slots
    }
}

/// Runs a plugin's blocks. Every chunk has an instance of its own, so it takes nothing over from another chunk, and any
/// number of threads may run chunks at once.
struct PluginWorker: Sendable {
    private(set) var module: Module
    let limits: PluginLimits
    let label: String
    let shape: ModuleInterface.Shape
    /// The layout of the tally that the module computes.
    let own: TallyLayout
    let inputs: Int
    let readings: [(name: String, kind: ReadingKind)]
    /// The program that computes chunks in the module's place; nil for the module itself.
    var native: NativeProgram?
    /// Whether chunks compare their lanes with the trials.
    var comparesLanes = true

    /// The layout of the tally that the job counts, which adds a print of the output.
    var layout: TallyLayout { shape == .collect ? own.withPrint : own }

    /// A module's answer to its configuration.
    struct Ready: Equatable {
        let blockSize: Int
        var units: UInt64?
        var writes = OutputKind.nothing
    }

    func prepare(_ configuration: ModuleConfiguration) -> Result<PreparedSimulation, ParameterError> {
        do throws(SandboxError) {
            var start = Best()
            let verdict = try module.withInstance(limits) { instance throws(SandboxError) in
                let verdict = try configure(instance, configuration)
                if shape == .space, case .success = verdict { start = self.start(instance) }
                return verdict
            }
            let ready: Ready
            switch verdict {
            case .success(let answer): ready = answer
            case .failure(let refusal): return .failure(refusal)
            }
            let chunks = ModuleRunner(worker: self, configuration: configuration, ready: ready)
            try chunks.compareNative()
            let firstChunk = FirstChunk()
            let search = shape == .space ? search(configuration, ready, start: start) : nil
            return .success(
                PreparedSimulation(
                    parameters: configuration.parameters, blockSize: ready.blockSize, layout: layout,
                    units: ready.units,
                    writes: ready.writes, search: search,
                    run: { request, shouldStop in
                        if let search { return search.run(request, shouldStop) }
                        let reply = chunks.checked(request, shouldStop)
                        return padded(firstChunk.held(reply, of: request) { flaw(of: reply, request, chunks) })
                    },
                    plain: search == nil ? plainRunner(configuration, ready) : nil,
                    read: { slots, trials in read(slots, trials, configuration) }))
        } catch {
            return .failure(.failed(failure(error)))
        }
    }

    /// The same, computed by another form of the module.
    func computing(in module: Module) -> PluginWorker {
        var other = self
        (other.module, other.native) = (module, nil)
        return other
    }

    /// Adds the print of the output, which is filled in later.
    private func padded(_ reply: ChunkReply) -> ChunkReply {
        var reply = reply
        reply.slots += layout.empty.dropFirst(own.slots)
        return reply
    }

    /// Runs chunks in the module, without lanes; nil if they run like that anyway.
    func plainRunner(_ configuration: ModuleConfiguration, _ ready: Ready) -> PreparedSimulation.Runner? {
        guard native != nil || module.hasLanes else { return nil }
        let memory = KeptMemory()
        return { request, shouldStop in
            let worker: PluginWorker
            do throws(SandboxError) {
                worker = computing(in: try module.withoutLanes())
            } catch {
                return ChunkReply(end: request.blocks.lowerBound, slots: layout.empty, failure: failure(error))
            }
            let chunks = ModuleRunner(worker: worker, configuration: configuration, ready: ready, memory: memory)
            return padded(chunks.run(request, shouldStop))
        }
    }

    func failure(_ error: SandboxError) -> SimulationFailure { SimulationFailure("\(label): \(error.reason)") }

    func configure(
        _ instance: any Answering, _ configuration: ModuleConfiguration
    ) throws(SandboxError) -> Result<Ready, ParameterError> {
        var reader = RecordReader("potluck_configure", try instance.record("potluck_configure", configuration.record))
        switch ModuleInterface.Verdict(rawValue: try reader.number()) {
        case .ready:
            let size = try reader.number()
            let sizes = shape == .tally ? Block.smallest...Block.largest : 1...Block.largestGathered
            guard size.nonzeroBitCount == 1, let blockSize = Int(exactly: size), sizes.contains(blockSize) else {
                throw reader.wrong(
                    "blockSize is \(size); it must be a power of two from \(sizes.lowerBound) to \(sizes.upperBound)")
            }
            var ready = Ready(blockSize: blockSize)
            if shape != .tally {
                let units = try reader.number()
                guard (1...Goal.mostTrials).contains(units) else {
                    throw reader.wrong("\(units) units; there must be from 1 to \(Goal.mostTrials)")
                }
                guard let writes = OutputKind(rawValue: try reader.number()) else {
                    throw reader.wrong("an unknown kind of output")
                }
                guard shape != .space || blockSize == 1 && units == SearchSpace.points && writes == .nothing else {
                    throw reader.wrong("another space than that of searches")
                }
                (ready.units, ready.writes) = (units, writes)
            }
            try reader.end()
            return .success(ready)
        case .wrongCount: return .failure(.wrongCount)
        case .outOfRange:
            let index = try reader.number()
            guard index < UInt64(configuration.parameters.count) else { throw reader.wrong("no such parameter") }
            return .failure(.outOfRange(Int(index)))
        case .conflict: return .failure(.conflict(try reader.line("the problem", most: 500)))
        case nil: throw reader.wrong("an unknown verdict")
        }
    }

    /// Runs `body` with a fresh instance that is configured again, and must answer as it did before.
    func withReady<Value>(
        _ configuration: ModuleConfiguration, _ ready: Ready, isChunk: Bool = false,
        _ body: (Instance) throws(SandboxError) -> Value
    ) throws(SandboxError) -> Value {
        try module.withInstance(limits, isChunk: isChunk) { instance throws(SandboxError) in
            guard case .success(ready) = try configure(instance, configuration) else {
                throw SandboxError.answer(function: "potluck_configure", "a different answer than before")
            }
            return try body(instance)
        }
    }

    /// Runs `body` with a configured instance or native program.
    func withChunk<Value>(
        _ configuration: ModuleConfiguration, _ ready: Ready,
        _ body: (any Answering) throws(SandboxError) -> Value
    ) throws(SandboxError) -> Value {
        guard let native else {
            return try withReady(configuration, ready, isChunk: true) { instance throws(SandboxError) in
                try body(instance)
            }
        }
        return try native.withChild { child throws(SandboxError) in
            guard case .success(ready) = try configure(child, configuration) else {
                throw SandboxError.nativelyDifferent
            }
            return try body(child)
        }
    }

    func read(
        _ slots: [UInt64], _ trials: UInt64, _ configuration: ModuleConfiguration
    ) -> Result<[Reading], SimulationFailure> {
        let request = readRequest(slots, trials)
        do throws(SandboxError) {
            return .success(
                try module.withInstance(limits) { instance throws(SandboxError) in
                    _ = try configure(instance, configuration)
                    let record = try instance.record("potluck_read", request)
                    return try ReadingRecords.readings(record, declared: readings)
                })
        } catch {
            return .failure(failure(error))
        }
    }

    func readRequest(_ slots: [UInt64], _ trials: UInt64) -> [UInt64] {
        var request = RecordWriter()
        request.put(trials)
        request.put(own.slots)
        for slot in slots.prefix(own.slots) { request.put(slot) }
        return request.slots
    }
}

extension ChunkRequest {
    /// The number of trials in some of the request's blocks. The last block of a job may be short.
    func trials(in blocks: Range<UInt64>, blockSize: UInt64) -> UInt64 {
        let full = (blocks.upperBound - blocks.lowerBound) * blockSize
        guard let trials else { return full }
        let (done, overflow) = blocks.lowerBound.multipliedReportingOverflow(by: blockSize)
        return overflow || done >= trials ? 0 : min(full, trials - done)
    }
}

extension Plugin {
    /// Runs one block again. Returns why it fails; nil if it does not.
    public func failure(parameters: [UInt64], tables: [Table], seed: UInt64, block: UInt64) -> SandboxError? {
        let configuration = ModuleConfiguration(parameters: parameters, tables: tables)
        do throws(SandboxError) {
            return try worker.module.withInstance(worker.limits) { instance throws(SandboxError) -> SandboxError? in
                guard case .success(let ready) = try worker.configure(instance, configuration) else { return nil }
                let trials = ChunkRequest(seed: seed, blocks: 0..<1, trials: ready.units).trials(
                    in: block..<block + 1, blockSize: UInt64(ready.blockSize))
                let asked = RunRequest(replaying: block, of: shape, seed: seed, trials: trials)
                let record = try instance.record("potluck_run", asked.record)
                // A block that did not crash may crash when its tally is read.
                if shape != .space {
                    let reply = try RunReply(record, to: asked, slots: worker.own.slots, writes: ready.writes)
                    _ = try instance.record("potluck_read", worker.readRequest(reply.slots, trials))
                }
                return nil
            }
        } catch {
            return error
        }
    }
}

extension PluginWorker {
    /// Runs the first trials of one block. Returns the tally.
    func block(
        _ configuration: ModuleConfiguration, _ ready: Ready, seed: UInt64, block: UInt64, trials: Int
    ) -> Result<[UInt64], SandboxError> {
        do throws(SandboxError) {
            return .success(
                try withReady(configuration, ready) { instance throws(SandboxError) in
                    try run(instance, ready, seed: seed, block: block, trials: trials)
                })
        } catch {
            return .failure(error)
        }
    }

    /// Runs the same without lanes, in which nothing is noted. Returns what the trials note and draw, even if one fails.
    func told(
        _ configuration: ModuleConfiguration, _ ready: Ready, seed: UInt64, block: UInt64, trials: Int
    ) -> String {
        var log = ""
        do throws(SandboxError) {
            let worker = computing(in: try module.withoutLanes())
            try worker.withReady(configuration, ready) { instance throws(SandboxError) in
                // The first call turns the log on.
                _ = try instance.log()
                _ = try? run(instance, ready, seed: seed, block: block, trials: trials)
                // An instance that crashed may be unable to return its log.
                log = (try? instance.log()) ?? ""
            }
        } catch {
            // A module that cannot be run again has told nothing.
        }
        return log
    }

    private func run(
        _ instance: Instance, _ ready: Ready, seed: UInt64, block: UInt64, trials: Int
    ) throws(SandboxError) -> [UInt64] {
        let asked = RunRequest(replaying: block, of: shape, seed: seed, trials: UInt64(trials))
        let record = try instance.record("potluck_run", asked.record)
        return try RunReply(record, to: asked, slots: own.slots, writes: ready.writes).slots
    }
}

extension SimulationFailure {
    /// The message about blocks whose results depend on each other. No single trial is at fault.
    public static let keepsSomething = "the simulation keeps something from one block to the next"
}
