#if hasFeature(Embedded)
    /// A simulation behind the functions that a module exports. The file that `potluck build` puts beside the author's
    /// hands each call on to this.
    ///
    /// A request lies where `allocate` said, an answer stays until the next call. Both are given as where they are and how
    /// long, in one number.
    public struct SimulationModule<S: Simulation> {
        private let source: StaticString
        private var simulation = S()
        private var request = Memory()
        private var answer = Memory()

        public init(_: S.Type, source: StaticString) { self.source = source }

        /// Memory that is kept, and given up only for more.
        private struct Memory {
            private(set) var start: UnsafeMutablePointer<UInt64>?
            private var capacity = 0

            mutating func reserve(_ slots: Int) -> UnsafeMutablePointer<UInt64> {
                if let start, slots <= capacity { return start }
                start?.deallocate()
                let made = UnsafeMutablePointer<UInt64>.allocate(capacity: slots)
                start = made
                capacity = slots
                return made
            }
        }

        public mutating func allocate(_ octets: UInt32) -> UInt32 {
            let memory = request.reserve(Int(octets &>> 3) + 1)
            return UInt32(truncatingIfNeeded: UInt(bitPattern: memory))
        }

        private mutating func give(_ record: RecordWriter) -> UInt64 {
            let slots = record.slots
            let memory = answer.reserve(slots.count + 1)
            for index in slots.indices { memory[index] = slots[index] }
            return UInt64(UInt(bitPattern: memory)) &<< 32 | UInt64(slots.count &* 8)
        }

        public mutating func describe() -> UInt64 {
            var record = RecordWriter()
            record.describe(S.self, source: source)
            return give(record)
        }

        /// Takes the parameters: how many, and a slot for each. The payload after them is for shapes that have one.
        public mutating func configure(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = slots(address, octets)
            let count = given.isEmpty ? 0 : Int(truncatingIfNeeded: given[0])
            let parameters = Array(given.dropFirst().prefix(max(0, count)))
            let (made, reader) = ParameterReader.make(S.self, given: parameters)
            var record = RecordWriter()
            if parameters.count != count || count != reader.declared.count {
                record.put(ModuleInterface.Verdict.wrongCount.rawValue)
            } else if let refused = reader.refused {
                record.put(ModuleInterface.Verdict.outOfRange.rawValue)
                record.put(refused)
            } else if let problem = made.problem {
                record.put(ModuleInterface.Verdict.conflict.rawValue)
                record.put(problem)
            } else {
                simulation = made
                record.put(ModuleInterface.Verdict.ready.rawValue)
                record.put(made.blockSize)
            }
            return give(record)
        }

        /// Takes shape, seed, first block, number of blocks and number of trials; gives shape, blocks run, whether there
        /// is more, the best, and the tally.
        public mutating func run(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = slots(address, octets)
            precondition(given.count >= 5 && given[0] == ModuleInterface.Shape.tally.rawValue)
            let (seed, first, blocks) = (given[1], given[2], given[3])
            var left = given[4]
            let size = UInt64(simulation.blockSize)
            var tally = S.Tally()
            for index in 0..<blocks {
                let trials = min(left, size)
                simulation.run(block: first &+ index, trials: Int(trials), seed: seed, into: &tally)
                left &-= trials
            }
            var counter = SlotCounter()
            tally.visit(&counter)
            let result = tally.slots(counter.slots)
            var record = RecordWriter()
            record.put(ModuleInterface.Shape.tally.rawValue)
            record.put(blocks)
            record.put(0)
            record.put(0)
            record.put(result.count)
            for slot in result { record.put(slot) }
            // No octets, and nothing that is left to do.
            record.put(0)
            record.put(0)
            return give(record)
        }

        /// Takes a number of trials and their tally.
        public mutating func read(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = slots(address, octets)
            var counter = SlotCounter()
            var tally = S.Tally()
            tally.visit(&counter)
            precondition(given.count == counter.slots + 2 && given[1] == UInt64(counter.slots))
            var record = RecordWriter()
            record.read(simulation, Array(given.dropFirst(2)), trials: given[0])
            return give(record)
        }

        private func slots(_ address: UInt32, _ octets: UInt32) -> UnsafeBufferPointer<UInt64> {
            UnsafeBufferPointer(start: UnsafePointer<UInt64>(bitPattern: UInt(address)), count: Int(octets &>> 3))
        }
    }

    private struct SlotCounter: TallyVisitor {
        var slots = 0

        mutating func field<A: Accumulator>(_: StaticString, _: inout A) {
            A.rules { rule, count in slots += rule.slots * count }
        }
    }
#endif
