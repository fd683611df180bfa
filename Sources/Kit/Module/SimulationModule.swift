#if hasFeature(Embedded)
    /// The implementation of the functions that a module exports. `potluck build` generates a
    /// file beside the author's that forwards each call to it.
    ///
    /// The caller writes a request to the memory that `allocate` returned. An answer stays valid until the next call. A
    /// returned number holds an answer's address in its upper 32 bits and its length in bytes in its lower 32 bits.
    public struct SimulationModule<S: Work> {
        private let source: StaticString
        private let shape: WorkShape<S>
        private var simulation = S()
        private var request = RecordMemory()
        private var answer = RecordMemory()

        private init(source: StaticString, _ shape: WorkShape<S>) {
            self.source = source
            self.shape = shape
        }

        /// Creates the module of a simulation. `source` is the SHA-256 of the author's file in hexadecimal digits.
        public init(_: S.Type, source: StaticString) where S: Simulation { self.init(source: source, .tally) }
        /// Creates the module of a gathering.
        public init(_: S.Type, source: StaticString) where S: Gathering { self.init(source: source, .collect) }
        /// Creates the module of a search.
        public init(_: S.Type, source: StaticString) where S: Search { self.init(source: source, .space) }

        /// Returns the address of memory for a request of this many bytes.
        public mutating func allocate(_ octets: UInt32) -> UInt32 { request.allocate(octets) }

        private mutating func give(_ record: RecordWriter) -> UInt64 { answer.give(record) }

        /// Returns the simulation's description: its names, parameters, tally, readings and inputs.
        public mutating func describe() -> UInt64 {
            var record = RecordWriter()
            record.describe(S.self, source: source, shape: shape.number, inputs: shape.inputs)
            return give(record)
        }

        /// Takes the number of parameters, a slot for each, the payload's length, and the
        /// payload: rows, columns and numbers of each input.
        public mutating func configure(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = RecordMemory.slots(address, octets)
            let count = given.isEmpty ? 0 : Int(truncatingIfNeeded: given[0])
            let parameters = Array(given.dropFirst().prefix(max(0, count)))
            let (made, reader) = ParameterReader.make(S.self, given: parameters)
            var record = RecordWriter()
            if parameters.count != count || count != reader.declared.count {
                record.put(ModuleInterface.Verdict.wrongCount.rawValue)
            } else if let refused = reader.refused {
                record.put(ModuleInterface.Verdict.outOfRange.rawValue)
                record.put(refused)
            } else {
                var ready = made
                let tables = RecordTables.read(shape.inputs, from: given.dropFirst(count + 2))
                if let problem = S.Tally.flaw ?? made.problem ?? shape.prepare(&ready, tables) {
                    record.put(ModuleInterface.Verdict.conflict.rawValue)
                    record.put(problem)
                } else {
                    simulation = ready
                    record.put(ModuleInterface.Verdict.ready.rawValue)
                    record.put(ready.blockSize)
                    shape.describe(ready, &record)
                }
            }
            return give(record)
        }

        /// Takes shape, seed, first block, number of blocks and number of trials. Returns shape, blocks run, whether
        /// there is more, the best result, the tally, and the output.
        public mutating func run(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = RecordMemory.slots(address, octets)
            precondition(given.count >= 5 && given[0] == shape.number.rawValue)
            if let search = shape.search { return give(search(simulation, given)) }
            let (seed, first, blocks) = (given[1], given[2], given[3])
            var left = given[4]
            let size = UInt64(simulation.blockSize)
            var tally = S.Tally()
            var output = Output()
            for index in 0..<blocks {
                let trials = min(left, size)
                shape.run(simulation, first &+ index, trials, seed, &output, &tally)
                left &-= trials
            }
            RandomStream.running = RunningTrial()
            let result = tally.slots(S.Tally.slotCount)
            var record = RecordWriter()
            record.put(shape.number.rawValue)
            record.put(blocks)
            record.put(0)
            record.put(0)
            record.put(result.count)
            for slot in result { record.put(slot) }
            record.put(output.octets)
            // No work is left.
            record.put(0)
            return give(record)
        }

        /// Returns a number that changes when anything that outlives a call changes. The latest answer is invalid then:
        /// its memory is not the simulation's.
        public mutating func kept() -> UInt64 {
            request.release()
            answer.release()
            return keptMemory()
        }

        /// Takes a number of trials and their tally. Returns the readings.
        public mutating func read(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = RecordMemory.slots(address, octets)
            let slots = S.Tally.slotCount
            precondition(given.count == slots + 2 && given[1] == UInt64(slots))
            var record = RecordWriter()
            record.read(simulation, Array(given.dropFirst(2)), trials: given[0])
            return give(record)
        }
    }

    /// A hash of the variables of the module and of all memory in use.
    @_extern(c, "potluck_kept_memory") private func keptMemory() -> UInt64

    /// The operations that differ between the shapes of work.
    private struct WorkShape<S: Work> {
        let number: ModuleInterface.Shape
        let inputs: [Input]
        /// Returns what is wrong; nil if nothing is.
        let prepare: (inout S, [Table]) -> StaticString?
        /// Appends the part of `configure`'s answer that this shape adds.
        let describe: (S, inout RecordWriter) -> Void
        let run:
            (
                _ work: S, _ block: UInt64, _ trials: UInt64, _ seed: UInt64, _ output: inout Output,
                _ tally: inout S.Tally
            ) -> Void
        /// Answers `run` for a search; nil for other shapes.
        var search: ((_ work: S, _ request: UnsafeBufferPointer<UInt64>) -> RecordWriter)?
    }

    extension WorkShape where S: Simulation {
        static var tally: WorkShape {
            WorkShape(
                number: .tally, inputs: S.inputs, prepare: { $0.prepare($1) }, describe: { _, _ in },
                run: { simulation, block, trials, seed, _, tally in
                    simulation.run(block: block, trials: Int(trials), seed: seed, into: &tally)
                })
        }
    }

    extension WorkShape where S: Gathering {
        static var collect: WorkShape {
            WorkShape(
                number: .collect, inputs: S.inputs,
                prepare: { $0.prepare($1) },
                describe: { gathering, record in
                    record.put(gathering.units)
                    record.put(gathering.writes.rawValue)
                },
                run: { gathering, block, units, seed, output, tally in
                    gathering.run(block: block, most: units, seed: seed, output: &output, into: &tally)
                })
        }
    }

    extension WorkShape where S: Search {
        static var space: WorkShape {
            WorkShape(
                number: .space, inputs: S.inputs, prepare: { $0.prepare($1) },
                describe: { _, record in
                    record.put(SearchSpace.points)
                    record.put(OutputKind.nothing.rawValue)
                },
                run: { _, _, _, _, _, _ in },
                search: { search, given in
                    var record = RecordWriter()
                    record.put(search, given)
                    return record
                })
        }
    }
#endif
