/// Why a node declines a link or a newcomer. Numbers are append-only. A number of a later version is kept unchanged.
public struct DeclineReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The two nodes support no common version.
    public static let version = DeclineReason(rawValue: 1)
    /// The two nodes belong to different sessions.
    public static let session = DeclineReason(rawValue: 2)
    /// The modes of the two nodes cannot connect, as two clients cannot.
    public static let mode = DeclineReason(rawValue: 3)
    /// The host refused.
    public static let host = DeclineReason(rawValue: 4)
    /// The session has the maximum number of nodes.
    public static let full = DeclineReason(rawValue: 5)
    /// The two nodes have another link, which is kept.
    public static let duplicate = DeclineReason(rawValue: 6)
    /// The session accepts no newcomers at the moment.
    public static let unavailable = DeclineReason(rawValue: 7)
}

/// Why an answer is delayed.
public struct HoldReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The host is being asked.
    public static let consent = HoldReason(rawValue: 1)
}

/// Why a node says goodbye.
public struct GoodbyeReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The sender leaves the session.
    public static let leaving = GoodbyeReason(rawValue: 1)
    /// The host removed the receiver, which must leave.
    public static let removed = GoodbyeReason(rawValue: 2)
}
