import Glibc
import PotluckSystem

/// What the blocks of a job wrote, kept until it is wanted: in memory as long as that is little, then in a file without a name,
/// which is gone when this process is. A block that is put there again replaces what it was.
final class Shelf: Sendable {
    /// Why something could not be kept or had.
    struct Trouble: Error, Hashable {
        let reason: String

        fileprivate init(_ deed: String) { reason = "cannot \(deed): \(String(cString: strerror(errno)))" }
    }

    private struct Place {
        let start: Int
        let count: Int
    }

    private struct State {
        /// By block.
        var places: [UInt64: Place] = [:]
        /// All of it, until there is a file.
        var memory: [UInt8] = []
        var file: Int32?
        var end = 0
    }

    /// What a laptop does not notice.
    private let mostMemory: Int
    private let folder: String
    private let state = Guarded(State())

    /// A file is made in `folder`.
    init(folder: String, mostMemory: Int = 64 << 20) {
        self.folder = folder
        self.mostMemory = mostMemory
    }

    deinit { if let file = state.with({ $0.file }) { close(file) } }

    /// Called on any thread.
    func put(_ octets: [UInt8], of block: UInt64) throws(Trouble) {
        let result: Result<Void, Trouble> = state.with { state in
            Result { () throws(Trouble) in
                if state.file == nil, state.end + octets.count > mostMemory { try spill(&state) }
                if let file = state.file {
                    try Self.write(octets, file, state.end)
                } else {
                    state.memory += octets
                }
                state.places[block] = Place(start: state.end, count: octets.count)
                state.end += octets.count
            }
        }
        try result.get()
    }

    /// What these blocks wrote, in order, in pieces of no more than a block.
    func read(_ blocks: Range<UInt64>, _ body: ([UInt8]) throws -> Void) throws {
        for block in blocks {
            guard let (place, file) = state.with({ state in state.places[block].map { ($0, state.file) } }) else {
                preconditionFailure("block \(block) counts and has left nothing")
            }
            guard let file else {
                try body(state.with { Array($0.memory[place.start..<place.start + place.count]) })
                continue
            }
            try body(Self.read(file, place))
        }
    }

    private func spill(_ state: inout State) throws(Trouble) {
        var template = Array("\(folder)/output.XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw Trouble("make a file in \(folder)") }
        unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        state.file = file
        try Self.write(state.memory, file, 0)
        state.memory = []
    }

    private static func write(_ octets: [UInt8], _ file: Int32, _ start: Int) throws(Trouble) {
        var done = 0
        while done < octets.count {
            let count = octets.withUnsafeBytes { bytes in
                pwrite(file, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(start + done))
            }
            guard count > 0 || count < 0 && errno == EINTR else { throw Trouble("keep what is written") }
            done += max(0, count)
        }
    }

    private static func read(_ file: Int32, _ place: Place) throws(Trouble) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: place.count)
        var done = 0
        while done < octets.count {
            let count = octets.withUnsafeMutableBytes { bytes in
                pread(file, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(place.start + done))
            }
            guard count > 0 || count < 0 && errno == EINTR else { throw Trouble("read what was written") }
            done += max(0, count)
        }
        return octets
    }
}
