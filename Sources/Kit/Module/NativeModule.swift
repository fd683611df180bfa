#if !hasFeature(Embedded)
    /// Answers requests in a native program that was compiled from an author's file, for `potluck run --native`. It
    /// takes and gives the records of a module, but only the records of chunks: the module itself describes the
    /// simulation and reads tallies.
    public struct NativeModule {
        /// A request to the program. Requests begin with this number and the number of slots that follow; answers begin
        /// with the number of slots.
        public enum Call: UInt64, Sendable {
            /// The request and the answer are those of `potluck_configure`.
            case configure = 1
            /// The request and the answer are those of `potluck_run`.
            case run = 2
            /// The request is empty. The answer is a number that changes when a variable of the program changes.
            case kept = 3
        }

        private let simulation: AnySimulation
        private var prepared: PreparedSimulation?

        /// Creates the native module of this simulation.
        public init(_ simulation: AnySimulation) { self.simulation = simulation }

        /// Answers a request. `kept` hashes the variables of the program.
        public mutating func answer(
            _ call: Call, _ request: UnsafeBufferPointer<UInt64>, kept: () -> UInt64
        ) -> [UInt64] {
            switch call {
            case .configure: configure(request).slots
            case .run: run(request).slots
            case .kept: [kept()]
            }
        }

        private mutating func configure(_ given: UnsafeBufferPointer<UInt64>) -> RecordWriter {
            precondition(given.count >= 2 && given[0] <= UInt64(given.count - 2))
            let count = Int(given[0])
            let parameters = Array(given.dropFirst().prefix(count))
            let tables = given.dropFirst(count + 2)
            var record = RecordWriter()
            do throws(ParameterError) {
                let ready = try simulation.prepared(
                    parameters, tables: RecordTables.read(simulation.inputs, from: tables))
                prepared = ready
                record.put(ModuleInterface.Verdict.ready.rawValue)
                record.put(ready.blockSize)
                if simulation.shape != .tally {
                    record.put(ready.units ?? 0)
                    record.put(ready.writes.rawValue)
                }
            } catch {
                record = Self.verdict(error)
            }
            return record
        }

        private static func verdict(_ error: ParameterError) -> RecordWriter {
            var record = RecordWriter()
            switch error {
            case .wrongCount: record.put(ModuleInterface.Verdict.wrongCount.rawValue)
            case .outOfRange(let index):
                record.put(ModuleInterface.Verdict.outOfRange.rawValue)
                record.put(index)
            case .conflict(let problem):
                record.put(ModuleInterface.Verdict.conflict.rawValue)
                record.put(Array(problem.utf8))
            case .wrongTables:
                record.put(ModuleInterface.Verdict.conflict.rawValue)
                record.put("it takes other tables")
            case .failed(let failure):
                record.put(ModuleInterface.Verdict.conflict.rawValue)
                record.put(Array(failure.reason.utf8))
            }
            return record
        }

        private func run(_ given: UnsafeBufferPointer<UInt64>) -> RecordWriter {
            guard let prepared else { preconditionFailure("it is not configured") }
            precondition(given.count >= 5 && given[0] == simulation.shape.rawValue)
            if let search = prepared.search { return Self.search(search, given) }
            let (seed, first, blocks, trials) = (given[1], given[2], given[3], given[4])
            // A request has the trials of its own blocks, of which only the last may be short. A chunk's are the job's.
            let size = UInt64(prepared.blockSize)
            let isWhole = trials == blocks * size
            let reply = prepared.run(
                ChunkRequest(seed: seed, blocks: first..<first + blocks, trials: isWhole ? nil : first * size + trials)
            ) { false }
            precondition(reply.end == first + blocks)
            // The print of an output, which a layout may end with, is not the module's.
            let prints = prepared.layout.fields.last.map { $0.kind == .print ? $0.slots.count : 0 } ?? 0
            var record = RecordWriter()
            record.put(simulation.shape.rawValue)
            record.put(blocks)
            record.put(0)
            record.put(0)
            record.put(prepared.layout.slots - prints)
            for slot in reply.slots.dropLast(prints) { record.put(slot) }
            record.put(Array(reply.outputs.joined()))
            // No work is left.
            record.put(0)
            return record
        }

        private static func search(_ search: PreparedSearch, _ given: UnsafeBufferPointer<UInt64>) -> RecordWriter {
            var record = RecordWriter()
            _ = search.walk { call in
                record = RecordWriter()
                record.put(
                    given,
                    search: { request in
                        guard case .success(let reply) = call(request) else { preconditionFailure("a search failed") }
                        return reply
                    }, show: search.show)
            }
            return record
        }
    }
#endif
