#if !hasFeature(Embedded)
    /// A simulation or gathering without its type, as the catalogue holds it. The author's module creates it, so the
    /// compiler specialises the author's plain code there without `public` or `@inlinable`.
    public struct AnySimulation: Sendable {
        /// The name that users type.
        public let name: String
        /// A description of one line.
        public let summary: String
        /// The SHA-256 of the source, 64 hexadecimal digits.
        public let source: String
        /// The declared parameters, in order.
        public let parameters: [ParameterDescription]
        /// The layout of the tally. For a gathering its last field is the output's print.
        public let layout: TallyLayout
        /// The readings' names and kinds, in order.
        public let readings: [(name: String, kind: ReadingKind)]
        /// How the results of blocks are joined.
        public let shape: ModuleInterface.Shape
        /// The tables that it reads from files.
        public let inputs: [Input]
        /// Checks parameters and tables, and returns a simulation that is ready to run.
        private let prepare: Preparer

        /// Checks the slots of the parameters and the tables. Returns the simulation that is ready to run, or what is
        /// wrong.
        public typealias Preparer =
            @Sendable (_ parameters: [UInt64], _ tables: [Table]) -> Result<PreparedSimulation, ParameterError>

        /// Erases a simulation.
        @inlinable
        public init<S: Simulation>(_: S.Type, source: String) {
            self.init(erasing: S.self, source: source, shape: .tally, inputs: S.inputs) { simulation, tables in
                if let problem = simulation.prepare(tables) { return .failure(.conflict(problem.description)) }
                let simulation = simulation
                let blockSize = simulation.blockSize
                precondition(
                    blockSize.nonzeroBitCount == 1 && (Block.smallest...Block.largest).contains(blockSize),
                    "blockSize must be a power of two from 16 to 65536")
                return .success(
                    PreparedWork(blockSize: blockSize, units: nil, writes: .nothing) { layout in
                        { request, shouldStop in
                            var tally = S.Tally()
                            let end = simulation.run(request, into: &tally, until: shouldStop)
                            return ChunkReply(end: end, slots: tally.slots(layout.slots))
                        }
                    })
            }
        }

        /// Erases a gathering. `kernel` may install a faster way to compute blocks.
        @inlinable
        public init<G: Gathering>(_: G.Type, source: String, kernel: BlockKernel<G> = .none) {
            self.init(erasing: G.self, source: source, shape: .collect, inputs: G.inputs) { gathering, tables in
                kernel.install(&gathering)
                if let problem = gathering.prepare(tables) { return .failure(.conflict(problem.description)) }
                let gathering = gathering
                let blockSize = gathering.blockSize
                precondition(
                    blockSize.nonzeroBitCount == 1 && (1...Block.largestGathered).contains(blockSize),
                    "blockSize must be a power of two from 1 to 1048576")
                precondition(gathering.units > 0, "a gathering must have at least one unit")
                let together = UInt64(max(1, kernel.unitsAtOnce(gathering) / blockSize))
                precondition(together == 1 || gathering.writes == .rows, "only rows can be cut into blocks")
                return .success(
                    PreparedWork(blockSize: blockSize, units: gathering.units, writes: gathering.writes) { layout in
                        { request, shouldStop in
                            gathering.run(request, layout, blocksAtOnce: together, until: shouldStop)
                        }
                    })
            }
        }

        /// Erases a search.
        @inlinable
        public init<S: Search>(_: S.Type, source: String) {
            self.init(erasing: S.self, source: source, shape: .space, inputs: S.inputs) { search, tables in
                if let problem = search.prepare(tables) { return .failure(.conflict(problem.description)) }
                let search = search
                let prepared = PreparedSearch(
                    walk: { body in
                        body { .success(search.run($0)) }
                        return nil
                    }, show: { search.shown($0) }, start: search.run(.start).best)
                return .success(
                    PreparedWork(
                        blockSize: 1, units: SearchSpace.points, writes: .nothing, search: prepared
                    ) { _ in { request, shouldStop in prepared.run(request, shouldStop) } })
            }
        }

        /// The parts that depend on parameters: the block size, the number of units, the output and how to run chunks.
        @usableFromInline
        struct PreparedWork {
            let blockSize: Int
            let units: UInt64?
            let writes: OutputKind
            let search: PreparedSearch?
            let runner: (TallyLayout) -> PreparedSimulation.Runner

            @usableFromInline
            init(
                blockSize: Int, units: UInt64?, writes: OutputKind, search: PreparedSearch? = nil,
                runner: @escaping (TallyLayout) -> PreparedSimulation.Runner
            ) {
                self.blockSize = blockSize
                self.units = units
                self.writes = writes
                self.search = search
                self.runner = runner
            }
        }

        @usableFromInline
        init<W: Work>(
            erasing _: W.Type, source: String, shape: ModuleInterface.Shape, inputs: [Input],
            ready: @escaping @Sendable (inout W, [Table]) -> Result<PreparedWork, ParameterError>
        ) {
            let own = TallyLayout(of: W.Tally.self)
            let layout = shape == .collect ? own.withPrint : own
            let declared = ParameterReader.make(W.self).reader.declared
            name = W.name.description
            summary = W.summary.description
            self.source = source
            self.layout = layout
            self.shape = shape
            self.inputs = inputs
            parameters = declared
            readings = W.readings.map { ($0.name.description, $0.kind) }
            prepare = { values, tables in
                guard values.count == declared.count else { return .failure(.wrongCount) }
                var (work, reader) = ParameterReader.make(W.self, given: values)
                if let refused = reader.refused { return .failure(.outOfRange(refused)) }
                if let problem = W.Tally.flaw ?? work.problem { return .failure(.conflict(problem.description)) }
                return ready(&work, tables).map { [work] prepared in
                    PreparedSimulation(
                        parameters: values, blockSize: prepared.blockSize, layout: layout, units: prepared.units,
                        writes: prepared.writes, search: prepared.search, run: prepared.runner(layout),
                        read: { slots, trials in
                            precondition(slots.count == layout.slots, "the slots do not fit the tally")
                            let tally = W.Tally(slots: slots)
                            return .success(W.readings.map { $0.read(work, tally, trials: trials) })
                        })
                }
            }
        }

        /// Creates a simulation from a module's declarations. They must match what `prepare` takes and returns.
        public init(
            name: String, summary: String, source: String, parameters: [ParameterDescription], layout: TallyLayout,
            readings: [(name: String, kind: ReadingKind)], shape: ModuleInterface.Shape = .tally, inputs: [Input] = [],
            prepare: @escaping Preparer
        ) {
            (self.name, self.summary, self.source) = (name, summary, source)
            self.parameters = parameters
            self.layout = layout
            self.readings = readings
            self.shape = shape
            self.inputs = inputs
            self.prepare = prepare
        }

        /// The slots of the default parameters.
        public var standardParameters: [UInt64] { parameters.map(\.standard) }

        /// Returns the simulation with these parameters, ready to run. `tables` has
        /// one table for each input, or is empty.
        public func prepared(_ parameters: [UInt64], tables: [Table] = []) throws(ParameterError) -> PreparedSimulation
        {
            guard tables.isEmpty || tables.count == inputs.count else { throw .wrongTables }
            let given = inputs.enumerated().map { (tables.isEmpty ? .empty : tables[$0]).given(to: $1) }
            return try prepare(parameters, given).get()
        }

        /// Returns the same simulation with what `change` makes of it whenever it is prepared, such as another way to compute
        /// the same blocks.
        public func changed(
            _ change: @escaping @Sendable (PreparedSimulation, [Table]) -> PreparedSimulation
        ) -> AnySimulation {
            AnySimulation(
                name: name, summary: summary, source: source, parameters: parameters, layout: layout,
                readings: readings, shape: shape, inputs: inputs
            ) { values, tables in
                Result { () throws(ParameterError) in change(try prepared(values, tables: tables), tables) }
            }
        }
    }

    /// Why a simulation refused its parameters.
    public enum ParameterError: Error, Equatable, Sendable {
        /// The number of values differs from the number of parameters.
        case wrongCount
        /// The index of a parameter that is outside its range.
        case outOfRange(Int)
        /// Each parameter is valid, but their combination is not.
        case conflict(String)
        /// The number of tables differs from the number of inputs.
        case wrongTables
        /// The simulation failed before it could check the parameters.
        case failed(SimulationFailure)
    }

    /// Why a module's simulation cannot continue: one sentence with its name and the cause.
    public struct SimulationFailure: Error, Hashable, Sendable {
        /// The sentence, for people.
        public let reason: String
        /// The block that failed; nil if the failure was not in a block.
        public let block: UInt64?

        /// Creates a failure, of a block or outside of blocks.
        public init(_ reason: String, block: UInt64? = nil) {
            self.reason = reason
            self.block = block
        }
    }

    /// A simulation with its parameters, ready to run chunks and to read tallies.
    public struct PreparedSimulation: Sendable {
        /// Runs the blocks of a chunk and asks `shouldStop` before each one.
        public typealias Runner = @Sendable (ChunkRequest, _ shouldStop: () -> Bool) -> ChunkReply

        /// The slots of the parameters' values.
        public let parameters: [UInt64]
        /// The number of trials or units in a block; 1 for a search.
        public let blockSize: Int
        /// The layout of the tally.
        public let layout: TallyLayout
        /// The total number of trials, if the parameters fix it.
        public let units: UInt64?
        /// The kind of output that blocks write.
        public let writes: OutputKind
        /// How to search its space; nil unless it is a search.
        public internal(set) var search: PreparedSearch?
        /// Runs blocks until the last one, until `shouldStop` returns true between two blocks, or until a block fails.
        /// For work with output, the returned tally does not contain the output's print yet.
        public let run: Runner
        /// Runs the blocks with the author's trials, if `run` has a faster way, which must give the same. Otherwise nil.
        public let plain: Runner?
        private let reader: Reader

        /// Computes the readings of a tally of `trials` trials.
        public typealias Reader =
            @Sendable (_ slots: [UInt64], _ trials: UInt64) -> Result<[Reading], SimulationFailure>

        /// Creates a prepared simulation from its two operations, `run` and `read`, and what they need.
        public init(
            parameters: [UInt64], blockSize: Int, layout: TallyLayout, units: UInt64? = nil,
            writes: OutputKind = .nothing, search: PreparedSearch? = nil, run: @escaping Runner, plain: Runner? = nil,
            read: @escaping Reader
        ) {
            self.parameters = parameters
            self.blockSize = blockSize
            self.layout = layout
            self.units = units
            self.writes = writes
            self.search = search
            (self.run, self.plain, reader) = (run, plain, read)
        }

        /// Returns the same simulation, whose blocks `run` computes.
        public func computed(by run: @escaping Runner) -> PreparedSimulation {
            PreparedSimulation(
                parameters: parameters, blockSize: blockSize, layout: layout, units: units, writes: writes,
                search: search, run: run, plain: plain ?? self.run, read: reader)
        }

        /// Returns the readings of a tally of `trials` trials.
        public func readings(of slots: [UInt64], trials: UInt64) throws(SimulationFailure) -> [Reading] {
            try reader(slots, trials).get()
        }

        /// Returns the same readings, or none if reading fails.
        public func read(_ slots: [UInt64], _ trials: UInt64) -> [Reading] {
            (try? readings(of: slots, trials: trials)) ?? []
        }
    }

    /// The blocks of a chunk, for a worker thread to run.
    public struct ChunkRequest: Sendable, Equatable {
        /// The seed of the job.
        public var seed: UInt64
        /// The numbers of the blocks to run.
        public var blocks: Range<UInt64>
        /// The number of trials of the whole job, if it is fixed. The last block may be short.
        public var trials: UInt64?
        /// What a search begins with; without meaning for other work.
        public var bound: SearchBound

        /// Creates a request. `trials` is nil for a job without a fixed number of trials.
        public init(seed: UInt64, blocks: Range<UInt64>, trials: UInt64?, bound: SearchBound = SearchBound()) {
            self.seed = seed
            self.blocks = blocks
            self.trials = trials
            self.bound = bound
        }
    }

    /// The result of a chunk.
    public struct ChunkReply: Sendable, Equatable {
        /// The block after the last one that ran.
        public var end: UInt64
        /// The tally of the blocks that ran.
        public var slots: [UInt64]
        /// The output of each block, for work with output.
        public var outputs: [[UInt8]]
        /// Why the block at `end` failed; nil if it did not.
        public var failure: SimulationFailure?
        /// The nodes of the tree that a search looked at; 0 for other work.
        public var expanded: UInt64 = 0

        /// Creates a reply for blocks up to but not including `end`.
        public init(
            end: UInt64, slots: [UInt64], outputs: [[UInt8]] = [], failure: SimulationFailure? = nil
        ) {
            self.end = end
            self.slots = slots
            self.outputs = outputs
            self.failure = failure
        }
    }

    extension Simulation {
        @inlinable
        func run(_ request: ChunkRequest, into tally: inout Tally, until shouldStop: () -> Bool) -> UInt64 {
            let size = blockSize
            var block = request.blocks.lowerBound
            while block < request.blocks.upperBound && !shouldStop() {
                let done = block.multipliedReportingOverflow(by: UInt64(size))
                let left =
                    request.trials.map { done.overflow || $0 < done.partialValue ? 0 : $0 - done.partialValue } ?? .max
                let trials = Int(min(left, UInt64(size)))
                run(block: block, trials: trials, seed: request.seed, into: &tally)
                block &+= 1
            }
            return block
        }
    }

    extension Gathering {
        /// Runs the blocks of a chunk, and several of them in one call if `blocksAtOnce` is more than 1.
        @inlinable
        func run(
            _ request: ChunkRequest, _ layout: TallyLayout, blocksAtOnce: UInt64 = 1, until shouldStop: () -> Bool
        ) -> ChunkReply {
            var tally = Tally()
            var outputs: [[UInt8]] = []
            var written = 0
            var block = request.blocks.lowerBound
            while block < request.blocks.upperBound && written < Block.mostWritten && !shouldStop() {
                let end = block &+ min(blocksAtOnce, request.blocks.upperBound &- block)
                let units = units(of: block..<end, atMost: request.trials)
                var output = Output()
                if !units.isEmpty {
                    var random = RandomStream(seed: request.seed, block: block, first: units.lowerBound)
                    self.block(units, &random, &output, &tally)
                }
                if writes != .nothing {
                    written += output.octets.count
                    outputs += end &- block == 1 ? [output.octets] : cut(output, units, block..<end)
                }
                block = end
            }
            return ChunkReply(end: block, slots: layout.filled(from: tally), outputs: outputs)
        }

        /// Cuts rows into the outputs of their blocks.
        @inlinable
        func cut(_ output: Output, _ units: Range<UInt64>, _ blocks: Range<UInt64>) -> [[UInt8]] {
            let row = output.octets.count / max(1, units.count)
            return blocks.map { block in
                let own = self.units(of: block).clamped(to: units)
                let start = Int(own.lowerBound &- units.lowerBound) * row
                return Array(output.octets[start..<start + own.count * row])
            }
        }

        /// Returns the units of some blocks, of which there is at least one, without those beyond the job's trials.
        @inlinable
        func units(of blocks: Range<UInt64>, atMost trials: UInt64?) -> Range<UInt64> {
            let start = units(of: blocks.lowerBound).lowerBound
            let end = min(units(of: blocks.upperBound - 1).upperBound, trials ?? .max)
            return start..<max(start, end)
        }
    }

    extension TallyLayout {
        /// Returns the slots of a tally, followed by empty slots for the fields that only this layout has.
        @inlinable
        func filled<T: SimulationTally>(from tally: T) -> [UInt64] {
            var slots = empty
            slots.withUnsafeMutableBufferPointer { memory in
                guard let start = memory.baseAddress else { return }
                var writer = WritingVisitor(slots: SlotWriter(start))
                var copy = tally
                copy.visit(&writer)
            }
            return slots
        }
    }
#endif
