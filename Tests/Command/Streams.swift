import Foundation
import Glibc
import Testing

/// The reading end of something a child writes to. A thread takes all that comes: a child whose lines nobody takes stands still
/// at the next one, and does not even end when it is told to.
final class Reader {
    private let source: Source
    private(set) var text = ""

    init(_ descriptor: Int32) {
        let source = Source(descriptor)
        self.source = source
        Thread.detachNewThread { source.drain() }
    }

    /// Reads until `isThere` is true of all that was read: whether it came to be.
    func sees(_ isThere: (String) -> Bool) -> Bool {
        let deadline = Patience.end
        while !isThere(text) {
            guard let more = source.take(until: deadline) else { return false }
            text += more
        }
        return true
    }

    /// Reads until `isEnough` is true of all that was read; where it never is, the test has failed.
    @discardableResult
    func read(at location: SourceLocation = #_sourceLocation, until isEnough: (String) -> Bool) -> String {
        let isEnough = sees(isEnough)
        #expect(isEnough, "\(text.suffix(2000))", sourceLocation: location)
        return text
    }

    /// Reads until there is no more.
    @discardableResult
    func read() -> String {
        let deadline = Patience.end
        while let more = source.take(until: deadline) { text += more }
        return text
    }
}

/// What has come from a descriptor and is not taken yet.
private final class Source: @unchecked Sendable {
    private let descriptor: Int32
    /// Guards what follows, and says that it has changed.
    private let change = NSCondition()
    private var octets: [UInt8] = []
    private var isOver = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Until nobody writes any more.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            change.withLock {
                // A terminal whose last writer is gone answers with an error.
                if count > 0 { octets += buffer[0..<count] } else { isOver = true }
                change.broadcast()
            }
            guard count > 0 else { return }
        }
    }

    /// What there is; waits for it. Nil where nothing more comes, or not by then.
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

    /// How many of them are whole characters: the last one's rest may still be on its way.
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

    /// The writing end of a pipe that nobody reads.
    static func withoutReader() -> Int32 {
        let ends = makePipe()
        close(ends.reading)
        return ends.writing
    }

    /// The tests' own copy of the writing end, which would keep the pipe open.
    func closeWriter() { close(writer) }
}

/// A terminal with a child before it.
struct PseudoTerminal {
    let reader: Reader
    let name: String
    private let master: Int32
    private static let setLock: UInt = 0x4004_5431  // TIOCSPTLCK
    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN

    init(columns: UInt16, rows: UInt16 = 24) throws {
        // What posix_openpt, unlockpt and ptsname do, which Swift does not import.
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

    /// Whether keys are shown, as they are before and after.
    var echoes: Bool {
        var attributes = termios()
        return tcgetattr(master, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }
}
