/// Says what happens in one part of the program: `let log = Log("discovery")`, then `log.warning("…")`.
///
/// One event is one line, whatever a stranger's bytes in it would like it to be. A message that nobody wants costs a
/// comparison and is not put together.
public struct Log: Sendable {
    public let part: StaticString
    private let destination: LogDestination

    public init(_ part: StaticString, to destination: LogDestination = .standard) {
        self.part = part
        self.destination = destination
    }

    public func error(_ message: @autoclosure () -> String) { say(.error, message) }
    public func warning(_ message: @autoclosure () -> String) { say(.warning, message) }
    public func notice(_ message: @autoclosure () -> String) { say(.notice, message) }
    public func info(_ message: @autoclosure () -> String) { say(.info, message) }
    public func debug(_ message: @autoclosure () -> String) { say(.debug, message) }

    private func say(_ level: LogLevel, _ message: () -> String) {
        guard level <= destination.level else { return }
        destination.take(LogEvent(level: level, part: part, message: message()))
    }
}

/// One event, on its way to a sink.
public struct LogEvent: Sendable {
    public let level: LogLevel
    public let part: StaticString
    public let message: String

    public init(level: LogLevel, part: StaticString, message: String) {
        self.level = level
        self.part = part
        self.message = message
    }

    /// The line without the time: `warning discovery: the Avahi daemon left`.
    public var plain: String { "\(level) \(part): \(Self.visible(message))" }

    /// The line as systemd's journal takes it from stderr: `<4>discovery: the Avahi daemon left`. The journal has its own
    /// clock.
    public var journal: String { "<\(level.rawValue)>\(part): \(Self.visible(message))" }

    /// Control characters as escapes, so that nobody's name can begin a new line or colour the terminal.
    static func visible(_ message: String) -> String {
        guard message.unicodeScalars.contains(where: isHidden) else { return message }
        return message.unicodeScalars.reduce(into: "") { text, scalar in
            text += isHidden(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }

    /// Besides control characters, those that reorder a line or break it.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
