import PotluckSystem

/// The output of a job's blocks, in memory while it is short and in a file after that. Output that is put again for the
/// same block replaces the earlier one.
final class OutputStore: Sendable {
    /// The place of a block's output in memory or the file, in bytes.
    private struct Place {
        let start: Int
        let count: Int
    }

    private struct State {
        /// By number of the block.
        var places: [UInt64: Place] = [:]
        /// All output until there is a file; empty after that.
        var memory: [UInt8] = []
        var file: SpoolFile?
        /// The number of bytes so far; the next output starts there.
        var end = 0
    }

    /// The limit for output in memory, in bytes. The default is little enough that nobody notices it on a laptop.
    private let mostMemory: Int
    private let folder: String
    private let state = Guarded(State())

    /// Creates a shelf that makes its file in `folder`, if it needs one.
    init(folder: String, mostMemory: Int = 64 << 20) {
        self.folder = folder
        self.mostMemory = mostMemory
    }

    /// Stores the output of a block. May be called on any thread.
    func put(_ octets: [UInt8], of block: UInt64) throws(SpoolFile.SpoolError) {
        let result: Result<Void, SpoolFile.SpoolError> = state.with { state in
            Result { () throws(SpoolFile.SpoolError) in
                if state.file == nil, state.end + octets.count > mostMemory { try spill(&state) }
                if let file = state.file {
                    try file.write(octets, at: state.end)
                } else {
                    state.memory += octets
                }
                state.places[block] = Place(start: state.end, count: octets.count)
                state.end += octets.count
            }
        }
        try result.get()
    }

    /// Passes the output of these blocks to `body`, in order and one block at a time.
    func read(_ blocks: Range<UInt64>, _ body: ([UInt8]) throws -> Void) throws {
        for block in blocks {
            guard let (place, file) = state.with({ state in state.places[block].map { ($0, state.file) } }) else {
                preconditionFailure("block \(block) counts but has no output")
            }
            guard let file else {
                try body(state.with { Array($0.memory[place.start..<place.start + place.count]) })
                continue
            }
            try body(file.read(place.count, at: place.start))
        }
    }

    /// Moves all output from memory to a new file.
    private func spill(_ state: inout State) throws(SpoolFile.SpoolError) {
        let file = try SpoolFile(in: folder)
        try file.write(state.memory, at: 0)
        state.file = file
        state.memory = []
    }
}
