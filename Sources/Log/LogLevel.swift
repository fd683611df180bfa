/// How much an event matters, by syslog's numbers.
public enum LogLevel: UInt8, CaseIterable, Comparable, Sendable, CustomStringConvertible {
    /// Something was asked for and could not be done.
    case error = 3
    /// Something is wrong, and Potluck goes on without it.
    case warning = 4
    /// What an owner of this machine wants to know: a link opened, a job came.
    case notice = 5
    /// What helps to understand a session afterwards.
    case info = 6
    /// What helps to find a mistake.
    case debug = 7

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    public var description: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// Nil for a name that is none.
    public init?(named name: String) {
        guard let level = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = level
    }
}
