import Glibc
import PotluckCore
import PotluckSystem

/// The file of a partial run: a line that names its form, the length of the record, the record, the output if it was
/// kept, and the SHA-256 of all that.
public struct PartialFile: Sendable {
    /// Why a file is no partial run. It continues a sentence that begins with the file's name.
    public struct ReadError: Error, Hashable, CustomStringConvertible {
        public let description: String
        /// Whether it was a partial file once.
        public var isDamage = false
        /// Whether the system did not let it be read, which may change without a change of the file.
        public var isPassing = false
    }

    private static let beginning = Array("potluck partial ".utf8)
    /// A version that changes the format in a way that older ones cannot read must use another number.
    private static let form = Array("1\n".utf8)
    private static let lengthOctets = 4
    private static let head = beginning.count + form.count + lengthOctets
    /// The longest record in bytes: 225 tallies of the largest size.
    private static let longestRecord = 512 << 20
    /// Output is read and hashed in pieces of this many bytes, so that a large one needs little memory.
    private static let piece = 1 << 20

    public let path: String
    public let run: PartialRun
    /// Where the output begins in the file.
    private let start: Int
    /// Identifies the file that was checked, so that one that took its place is noticed.
    private let identity: [Int]

    /// Reads a file and checks its hash.
    public init(_ path: String) throws(ReadError) {
        // Opening a pipe that nobody writes to would wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ReadError(description: "is not a file")
        }
        let sum = SHA256.Sum()
        func take(_ count: Int) throws(ReadError) -> [UInt8] {
            guard let octets = Self.read(descriptor, count) else { throw Self.unreadable() }
            guard octets.count == count else { throw Self.truncated }
            sum.add(octets)
            return octets
        }
        let size = Int(status.st_size)
        let begin = try take(min(size, Self.beginning.count))
        guard begin.elementsEqual(Self.beginning) else {
            // A file that ends within its first words may be one that was cut off.
            throw Self.beginning.starts(with: begin) && size < Self.beginning.count
                ? Self.truncated : ReadError(description: "is not a partial file of potluck")
        }
        guard size >= Self.head + SHA256.length else { throw Self.truncated }
        guard try take(Self.form.count) == Self.form else {
            throw ReadError(description: "is of another version of potluck; merge it with that version")
        }
        let length = try take(Self.lengthOctets).reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.longestRecord else { throw Self.altered }
        guard size >= Self.head + length + SHA256.length else { throw Self.truncated }
        let record = try take(length)
        // The hash is checked before anything is decoded, so what follows was written by this program.
        var left = size - Self.head - length - SHA256.length
        while left > 0 {
            let count = min(left, Self.piece)
            _ = try take(count)
            left -= count
        }
        guard let hash = Self.read(descriptor, SHA256.length), hash == sum.hash() else {
            // A file that lost its end lacks output, too, if it has any.
            if let run = try? PartialRun(record), run.output ?? 0 > size - Self.head - length - SHA256.length {
                throw Self.truncated
            }
            throw Self.altered
        }
        do {
            run = try PartialRun(record)
        } catch {
            throw ReadError(description: "cannot be read by this version of potluck: \(error)")
        }
        guard size == Self.head + length + (run.output ?? 0) + SHA256.length else { throw Self.altered }
        self.path = path
        start = Self.head + length
        identity = Self.identity(status)
    }

    private static func identity(_ status: stat) -> [Int] {
        [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
            Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
        ]
    }

    private static let replaced = ReadError(description: "was changed during the merge; merge again")
    private static let truncated = ReadError(description: "is cut off; compute that shard again", isDamage: true)
    private static let altered = ReadError(
        description: "was altered or damaged: its hash does not match; compute that shard again", isDamage: true)

    /// The trouble that the last system call had.
    private static func unreadable() -> ReadError {
        ReadError(description: "cannot be read: \(String(cString: strerror(errno)))", isPassing: true)
    }

    /// Returns fewer bytes at the end of the file, and nil if it cannot be read.
    private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
        var isRead = true
        let octets = [UInt8](writing: count) { buffer, filled in
            while filled < count {
                let got = Glibc.read(descriptor, buffer.baseAddress! + filled, count - filled)
                if got < 0, errno == EINTR { continue }
                isRead = got >= 0
                guard got > 0 else { break }
                filled += got
            }
        }
        return isRead ? octets : nil
    }

    /// Passes the file's bytes to `write`, in pieces. `output` passes the pieces of the output to its argument.
    public static func write(
        _ run: PartialRun, output: (_ take: ([UInt8]) throws -> Void) throws -> Void = { _ in },
        to write: @escaping ([UInt8]) throws -> Void
    ) throws {
        let sum = SHA256.Sum()
        func put(_ octets: [UInt8]) throws {
            sum.add(octets)
            try write(octets)
        }
        let record = run.encoded
        let length = (0..<lengthOctets).reversed().map { UInt8(truncatingIfNeeded: record.count >> (8 * $0)) }
        try put(beginning + form + length + record)
        var count = 0
        try output { octets in
            count += octets.count
            try put(octets)
        }
        precondition(count == run.output ?? 0, "a partial file must have the output that its record names")
        try write(sum.hash())
    }

    /// Passes the output to `body`, in order and in pieces. With `inRows`, a piece has whole rows, and no more of them
    /// than a block has.
    public func output(inRows: Bool = false, _ body: ([UInt8]) throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Self.identity(status) == identity else { throw Self.replaced }
        guard lseek(descriptor, start, SEEK_SET) == start else { throw Self.unreadable() }
        var left = run.output ?? 0
        let row = inRows && run.trials > 0 ? left / Int(clamping: run.trials) : 0
        let rows = row > 0 ? max(1, min(Self.piece / row, Int(clamping: run.job.experiment.blockSize))) : 0
        let most = rows > 0 ? rows * row : Self.piece
        while left > 0 {
            let count = min(left, most)
            guard let octets = Self.read(descriptor, count), octets.count == count else { throw Self.truncated }
            try body(octets)
            left -= count
        }
    }
}
