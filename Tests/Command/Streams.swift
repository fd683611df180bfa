import Foundation
import Glibc
import Testing

/// The reading end of a pipe or terminal that a child writes to. A thread takes everything that arrives, because a
/// child whose output is not read blocks and does not even end when it is told to.
final class Reader {
    private let source: Source
    private(set) var text = ""

    init(_ descriptor: Int32) {
        let source = Source(descriptor)
        self.source = source
        Thread.detachNewThread { source.drain() }
    }

    /// Reads until `isThere` returns true for the whole text so far. Returns whether it did in time.
    func sees(_ isThere: (String) -> Bool) -> Bool {
        let deadline = Patience.end
        while !isThere(text) {
            guard let more = source.take(until: deadline) else { return false }
            text += more
        }
        return true
    }

    /// Reads until `isEnough` returns true for the whole text so far. Records a failure if it never does.
    @discardableResult
    func read(at location: SourceLocation = #_sourceLocation, until isEnough: (String) -> Bool) -> String {
        let isEnough = sees(isEnough)
        #expect(isEnough, "\(text.suffix(2000))", sourceLocation: location)
        return text
    }

    /// Reads to the end. Records a failure if it does not come.
    @discardableResult
    func read(at location: SourceLocation = #_sourceLocation) -> String {
        let deadline = Patience.end
        while let more = source.take(until: deadline) { text += more }
        #expect(source.hasEnded, "no end after \(text.suffix(2000))", sourceLocation: location)
        return text
    }
}

/// The bytes that have arrived from a descriptor and have not been taken.
private final class Source: @unchecked Sendable {
    private let descriptor: Int32
    /// Guards the following fields and signals their changes.
    private let change = NSCondition()
    private var octets: [UInt8] = []
    private var isOver = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads until there are no more writers.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            change.withLock {
                // A terminal whose last writer is gone returns an error.
                if count > 0 { octets += buffer[0..<count] } else { isOver = true }
                change.broadcast()
            }
            guard count > 0 else { return }
        }
    }

    /// Whether the writers are gone and everything was taken.
    var hasEnded: Bool { change.withLock { isOver && octets.isEmpty } }

    /// Returns the text that has arrived, and waits for it if there is none. Returns nil at the end and after the
    /// deadline.
    func take(until deadline: Date) -> String? {
        change.withLock {
            while true {
                let count = isOver ? octets.count : Self.whole(octets)
                if count > 0 {
                    defer { octets.removeFirst(count) }
                    return String(decoding: octets[..<count], as: UTF8.self)
                }
                guard !isOver, change.wait(until: deadline) else { return nil }
            }
        }
    }

    /// Returns how many of the bytes are complete characters. The rest of the last one may still be in flight.
    private static func whole(_ octets: [UInt8]) -> Int {
        guard let lead = octets.suffix(4).lastIndex(where: { $0 & 0xc0 != 0x80 }) else { return octets.count }
        let length =
            switch octets[lead] {
            case 0xf0...: 4
            case 0xe0...: 3
            case 0xc0...: 2
            default: 1
            }
        return octets.count - lead < length ? lead : octets.count
    }
}

/// A pipe from a child.
struct Pipe {
    let reader: Reader
    let writer: Int32

    init() {
        let ends = makePipe()
        reader = Reader(ends.reading)
        writer = ends.writing
    }

    /// Returns the writing end of a pipe that nobody reads.
    static func withoutReader() -> Int32 {
        let ends = makePipe()
        close(ends.reading)
        return ends.writing
    }

    /// Closes the tests' own copy of the writing end, which would keep the pipe open.
    func closeWriter() { close(writer) }
}

/// A terminal for a child.
struct PseudoTerminal {
    let reader: Reader
    let name: String
    private let master: Int32
    private static let setLock: UInt = 0x4004_5431  // TIOCSPTLCK
    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN

    init(columns: UInt16, rows: UInt16 = 24) throws {
        // Does what posix_openpt, unlockpt and ptsname do, which Swift does not import.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw Trouble(what: "no pseudo-terminal")
        }
        name = "/dev/pts/\(number)"
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        reader = Reader(master)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Whether typed keys are echoed, as they must be before and after a command.
    var echoes: Bool {
        var attributes = termios()
        return tcgetattr(master, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }
}
