/// Logs the events of one part of the program: `let log = Log("discovery")`, then `log.warning("…")`.
///
/// An event is always a single line, whatever untrusted bytes it contains. A message below
/// the current level costs one comparison and is not composed.
public struct Log: Sendable {
    public let part: StaticString
    private let destination: LogDestination

    public init(_ part: StaticString, to destination: LogDestination = .standard) {
        self.part = part
        self.destination = destination
    }

    public func error(_ message: @autoclosure () -> String) { say(.error, message) }
    public func warning(_ message: @autoclosure () -> String) { say(.warning, message) }
    func notice(_ message: @autoclosure () -> String) { say(.notice, message) }
    public func info(_ message: @autoclosure () -> String) { say(.info, message) }
    public func debug(_ message: @autoclosure () -> String) { say(.debug, message) }

    private func say(_ level: LogLevel, _ message: () -> String) {
        guard level <= destination.level else { return }
        destination.write(LogEvent(level: level, part: part, message: message()))
    }
}

/// One event.
public struct LogEvent: Sendable {
    let level: LogLevel
    public let part: StaticString
    public let message: String

    /// The line without the time: `warning discovery: the Avahi daemon left`.
    var plain: String { "\(level) \(part): \(Self.visible(message))" }

    /// The line in the format that systemd's journal reads from stderr:
    /// `<4>discovery: the Avahi daemon left`. The journal adds the time.
    var journal: String { "<\(level.rawValue)>\(part): \(Self.visible(message))" }

    /// Escapes control characters, so that a name cannot start a new line or colour the terminal.
    static func visible(_ message: String) -> String {
        guard message.unicodeScalars.contains(where: isHidden) else { return message }
        return message.unicodeScalars.reduce(into: "") { text, scalar in
            text += isHidden(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }

    /// Returns true for control characters, and for characters that reorder or break a line.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
