import Glibc
import Synchronization

/// Where events are written, and the least important level that is written.
public final class LogDestination: Sendable {
    public typealias Sink = @Sendable (LogEvent) -> Void

    /// Writes to stderr, in the journal's format if stderr is connected to it. The level is POTLUCK_LOG or `notice`.
    public static let standard = fromEnvironment()

    private let limit: Atomic<UInt8>
    private let sink: Guarded<Sink>

    public init(level: LogLevel, sink: @escaping Sink) {
        limit = Atomic(level.rawValue)
        self.sink = Guarded(sink)
    }

    /// The least important level that is written.
    public var level: LogLevel {
        get { LogLevel(rawValue: limit.load(ordering: .relaxed)) ?? .notice }
        set { limit.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Sends events to another sink from now on, for example one that prints above a live display.
    func redirect(to sink: @escaping Sink) { self.sink.with { $0 = sink } }

    /// Appends events to an open file from now on, each with its time.
    public func append(to descriptor: Int32) {
        redirect { Self.write("\(Self.timestamp()) \($0.plain)", to: descriptor) }
    }

    /// Writes one event at a time, from any thread.
    func write(_ event: LogEvent) { sink.with { $0(event) } }

    private static func fromEnvironment() -> LogDestination {
        let named = getenv("POTLUCK_LOG").map { String(cString: $0) }
        let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
        let journal = stream.map { leads(STDERR_FILENO, to: $0) } ?? false
        let destination = LogDestination(level: named.flatMap(LogLevel.init) ?? .notice) { event in
            write(journal ? event.journal : "\(timestamp()) \(event.plain)", to: STDERR_FILENO)
        }
        if let named, LogLevel(named: named) == nil {
            let levels = LogLevel.allCases.map(\.description).joined(separator: ", ")
            Log("log", to: destination).warning("POTLUCK_LOG is '\(named)' but must be one of \(levels)")
        }
        return destination
    }

    /// Returns whether `descriptor` is the stream that systemd names in JOURNAL_STREAM, as device and inode. The
    /// variable alone is not enough: a child process inherits it even if its stderr is connected elsewhere.
    package static func leads(_ descriptor: Int32, to stream: String) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Returns the current time in UTC: `2026-11-20T10:52:34.123Z`.
    private static func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return text(of: now)
    }

    package static func text(of time: timespec) -> String {
        var seconds = time.tv_sec
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let date = [digits(parts.tm_year + 1900, 4), digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2)]
        let clock = [digits(parts.tm_hour, 2), digits(parts.tm_min, 2), digits(parts.tm_sec, 2)]
        let milliseconds = digits(time.tv_nsec / 1_000_000, 3)
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":")).\(milliseconds)Z"
    }

    /// Drops what cannot be written, because there is nowhere to report that.
    private static func write(_ line: String, to descriptor: Int32) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
