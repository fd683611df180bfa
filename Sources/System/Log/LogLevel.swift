/// How important an event is. The raw values are syslog's.
public enum LogLevel: UInt8, CaseIterable, Comparable, Sendable, CustomStringConvertible {
    /// A request could not be carried out.
    case error = 3
    /// Something is wrong, and Potluck continues without it.
    case warning = 4
    /// An event that the owner of this machine wants to know: a link opened, a job arrived.
    case notice = 5
    /// Details that help to understand a session afterwards.
    case info = 6
    /// Details that help to find a bug.
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

    /// Returns nil for an unknown name.
    public init?(named name: String) {
        guard let level = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = level
    }
}
