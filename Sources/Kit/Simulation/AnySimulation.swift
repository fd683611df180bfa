#if !hasFeature(Embedded)
    /// A simulation whose type no longer matters: what a registry holds. Made in the author's module, so that the author's
    /// plain code is specialised there without `public` or `@inlinable`.
    public struct AnySimulation: Sendable {
        public let name: String
        public let summary: String
        /// The SHA-256 of the source, 64 hexadecimal digits.
        public let source: String
        public let parameters: [ParameterDescription]
        public let layout: TallyLayout
        /// The readings' names and kinds, in order.
        public let readings: [(name: String, kind: ReadingKind)]
        private let prepare: @Sendable ([UInt64]) -> Result<PreparedSimulation, ParameterError>

        /// `kernel` may give a faster way to run full blocks for some parameters.
        @inlinable
        public init<S: Simulation>(
            _: S.Type, source: String, kernel: @escaping @Sendable (S) -> LaneKernel<S>? = { (_: S) in nil }
        ) {
            self.init(erasing: S.self, source: source) { simulation, layout in
                let kernel = kernel(simulation)
                return { request, shouldStop in
                    var tally = S.Tally()
                    let end = simulation.run(request, kernel: kernel, into: &tally, until: shouldStop)
                    return ChunkReply(end: end, slots: tally.slots(layout.slots))
                }
            }
        }

        @usableFromInline
        init<S: Simulation>(
            erasing _: S.Type, source: String,
            runner: @escaping @Sendable (S, TallyLayout) -> PreparedSimulation.Runner
        ) {
            let layout = TallyLayout(of: S.Tally.self)
            let declared = ParameterReader.make(S.self).reader.declared
            name = S.name.description
            summary = S.summary.description
            self.source = source
            self.layout = layout
            parameters = declared
            readings = S.readings.map { ($0.name.description, $0.kind) }
            prepare = { values in
                guard values.count == declared.count else { return .failure(.wrongCount) }
                let (simulation, reader) = ParameterReader.make(S.self, given: values)
                if let refused = reader.refused { return .failure(.outOfRange(refused)) }
                if let problem = simulation.problem { return .failure(.conflict(problem.description)) }
                let blockSize = simulation.blockSize
                precondition(
                    blockSize.nonzeroBitCount == 1 && (Block.smallest...Block.largest).contains(blockSize),
                    "a block has a power of two of trials, 16 to 65536")
                return .success(
                    PreparedSimulation(
                        parameters: values, blockSize: blockSize, layout: layout, run: runner(simulation, layout),
                        read: { slots, trials in
                            precondition(slots.count == layout.slots, "slots of another tally")
                            let tally = S.Tally(slots: slots)
                            return .success(S.readings.map { $0.read(simulation, tally, trials: trials) })
                        }))
            }
        }

        /// One that is no Swift type here: a module's. What it declares must be what `prepare` takes and gives.
        public init(
            name: String, summary: String, source: String, parameters: [ParameterDescription], layout: TallyLayout,
            readings: [(name: String, kind: ReadingKind)],
            prepare: @escaping @Sendable (_ parameters: [UInt64]) -> Result<PreparedSimulation, ParameterError>
        ) {
            self.name = name
            self.summary = summary
            self.source = source
            self.parameters = parameters
            self.layout = layout
            self.readings = readings
            self.prepare = prepare
        }

        /// The slots of the parameters nobody set.
        public var standardParameters: [UInt64] { parameters.map(\.standard) }

        /// The simulation with its parameters, ready to run.
        public func prepared(_ parameters: [UInt64]) throws(ParameterError) -> PreparedSimulation {
            try prepare(parameters).get()
        }
    }

    /// Why parameters cannot be run with.
    public enum ParameterError: Error, Equatable, Sendable {
        case wrongCount
        /// The index of one that is outside its range.
        case outOfRange(Int)
        /// Each is right, together they are not.
        case conflict(String)
        /// The simulation could not even be asked.
        case failed(SimulationFailure)
    }

    /// Why a simulation that is not part of this program cannot go on: one sentence, with its name and the cause.
    public struct SimulationFailure: Error, Hashable, Sendable {
        public let reason: String
        /// The block that it could not run, where that is what it failed at.
        public let block: UInt64?

        public init(_ reason: String, block: UInt64? = nil) {
            self.reason = reason
            self.block = block
        }
    }

    /// A simulation with its parameters.
    public struct PreparedSimulation: Sendable {
        public typealias Runner = @Sendable (ChunkRequest, _ shouldStop: () -> Bool) -> ChunkReply

        public let parameters: [UInt64]
        public let blockSize: Int
        public let layout: TallyLayout
        /// Runs blocks until the last, until asked to stop, between blocks, or until one fails.
        public let run: Runner
        private let reader: Reader

        public typealias Reader =
            @Sendable (_ slots: [UInt64], _ trials: UInt64) -> Result<[Reading], SimulationFailure>

        public init(
            parameters: [UInt64], blockSize: Int, layout: TallyLayout, run: @escaping Runner, read: @escaping Reader
        ) {
            self.parameters = parameters
            self.blockSize = blockSize
            self.layout = layout
            self.run = run
            reader = read
        }

        /// What a tally of so many trials says.
        public func readings(of slots: [UInt64], trials: UInt64) throws(SimulationFailure) -> [Reading] {
            try reader(slots, trials).get()
        }

        /// The same where nothing can be done about a failure: then there are none.
        public func read(_ slots: [UInt64], _ trials: UInt64) -> [Reading] {
            (try? readings(of: slots, trials: trials)) ?? []
        }
    }

    /// Blocks to run.
    public struct ChunkRequest: Sendable, Equatable {
        public var seed: UInt64
        public var blocks: Range<UInt64>
        /// All of the job's trials, where it has an end: its last block may be short.
        public var trials: UInt64?

        public init(seed: UInt64, blocks: Range<UInt64>, trials: UInt64?) {
            self.seed = seed
            self.blocks = blocks
            self.trials = trials
        }
    }

    /// What came of them.
    public struct ChunkReply: Sendable, Equatable {
        /// The block after the last one that was run.
        public var end: UInt64
        /// The tally of those.
        public var slots: [UInt64]
        /// Why the block at `end` could not be run, where it could not.
        public var failure: SimulationFailure?

        public init(end: UInt64, slots: [UInt64], failure: SimulationFailure? = nil) {
            self.end = end
            self.slots = slots
            self.failure = failure
        }
    }

    /// Runs the same number of trials in all sixteen lanes of a block side by side, with the same result as the plain trial.
    ///
    /// It is given the lanes' states as four times sixteen words: the first words of all lanes, then the second, and so on.
    public typealias LaneKernel<S: Simulation> =
        @Sendable (
            _ states: UnsafeMutablePointer<UInt32>, _ trialsPerLane: Int, _ tally: inout S.Tally
        ) -> Void

    extension Simulation {
        @inlinable
        func run(
            _ request: ChunkRequest, kernel: LaneKernel<Self>?, into tally: inout Tally, until shouldStop: () -> Bool
        ) -> UInt64 {
            let size = blockSize
            var block = request.blocks.lowerBound
            while block < request.blocks.upperBound && !shouldStop() {
                let done = block.multipliedReportingOverflow(by: UInt64(size))
                let left =
                    request.trials.map { done.overflow || $0 < done.partialValue ? 0 : $0 - done.partialValue } ?? .max
                if left >= UInt64(size), let kernel {
                    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4 * RandomStream.lanes) { states in
                        for lane in 0..<RandomStream.lanes {
                            let state = RandomStream(seed: request.seed, block: block, lane: lane).state
                            for word in 0..<4 { states[word &* RandomStream.lanes &+ lane] = state[word] }
                        }
                        kernel(states.baseAddress!, size / RandomStream.lanes, &tally)
                    }
                } else {
                    run(block: block, trials: Int(min(left, UInt64(size))), seed: request.seed, into: &tally)
                }
                block &+= 1
            }
            return block
        }
    }
#endif
