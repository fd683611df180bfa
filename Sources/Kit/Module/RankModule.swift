#if hasFeature(Embedded)
    /// The implementation of the functions that the module of a program with ranks exports. `potluck launch` generates a
    /// file beside the author's that forwards each call to it.
    ///
    /// Requests and answers are records, as in `SimulationModule`. Each rank has an instance of the module of its own.
    public struct RankModule<P: RankProgram> {
        private let source: StaticString
        private var program = P()
        private var request = RecordMemory()
        private var answer = RecordMemory()

        /// Creates the module of a program. `source` is the SHA-256 of the author's file in hexadecimal digits.
        public init(_: P.Type, source: StaticString) { self.source = source }

        /// Returns the address of memory for a request of this many bytes.
        public mutating func allocate(_ octets: UInt32) -> UInt32 { request.allocate(octets) }

        /// Returns the program's description: its names, parameters and inputs.
        public mutating func describe() -> UInt64 {
            var record = RecordWriter()
            record.describe(P.self, source: source)
            return answer.give(record)
        }

        /// Takes the number of parameters, a slot for each, the payload's length, and the payload: rows, columns and
        /// numbers of each input.
        public mutating func configure(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = RecordMemory.slots(address, octets)
            let count = given.isEmpty ? 0 : Int(truncatingIfNeeded: given[0])
            let parameters = Array(given.dropFirst().prefix(max(0, count)))
            let (made, reader) = ParameterReader.make(P.self, given: parameters)
            var record = RecordWriter()
            if parameters.count != count || count != reader.declared.count {
                record.put(ModuleInterface.Verdict.wrongCount.rawValue)
            } else if let refused = reader.refused {
                record.put(ModuleInterface.Verdict.outOfRange.rawValue)
                record.put(refused)
            } else {
                var ready = made
                let tables = RecordTables.read(P.inputs, from: given.dropFirst(count + 2))
                if let problem = made.problem ?? ready.prepare(tables) {
                    record.put(ModuleInterface.Verdict.conflict.rawValue)
                    record.put(problem)
                } else {
                    program = ready
                    record.put(ModuleInterface.Verdict.ready.rawValue)
                }
            }
            return answer.give(record)
        }

        /// Runs the rank. Takes shape, seed, the number of arguments and the text of each. Returns shape, exit code and
        /// output.
        public mutating func main(_ address: UInt32, _ octets: UInt32) -> UInt64 {
            let given = RecordMemory.slots(address, octets)
            precondition(given.count >= 3 && given[0] == ModuleInterface.Shape.ranks.rawValue)
            let world = World(port: ModulePort(), seed: given[1], arguments: Self.texts(given.dropFirst(2)))
            var output = Output()
            program.run(Communicator(world), &output)
            var record = RecordWriter()
            record.put(ModuleInterface.Shape.ranks.rawValue)
            record.put(0)
            record.put(output.octets)
            return answer.give(record)
        }

        /// Reads the number of texts, and the bytes of each.
        private static func texts(_ given: Slice<UnsafeBufferPointer<UInt64>>) -> [String] {
            var rest = given
            var texts: [String] = []
            for _ in 0..<(rest.popFirst() ?? 0) {
                let count = Int(rest.popFirst() ?? 0)
                precondition(count >= 0 && rest.count * 8 >= count)
                texts.append(
                    String(
                        decoding: (0..<count).map { octet in
                            UInt8(truncatingIfNeeded: rest[rest.startIndex + octet / 8] &>> UInt64(8 * (octet % 8)))
                        }, as: UTF8.self))
                rest = rest.dropFirst((count + 7) / 8)
            }
            return texts
        }
    }
#endif
