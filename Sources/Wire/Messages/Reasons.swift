/// Why a link or a newcomer is turned away. Numbers are append-only; one that a later version added is kept as it is.
public struct DeclineReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// No version that both can speak.
    public static let version = DeclineReason(rawValue: 1)
    /// Another session than the one meant.
    public static let session = DeclineReason(rawValue: 2)
    /// The two modes have nothing to say to each other.
    public static let mode = DeclineReason(rawValue: 3)
    /// The host said no.
    public static let host = DeclineReason(rawValue: 4)
    /// As many nodes as there can be.
    public static let full = DeclineReason(rawValue: 5)
    /// There is another link between the two, and that one is kept.
    public static let duplicate = DeclineReason(rawValue: 6)
    /// Newcomers are not taken just now.
    public static let unavailable = DeclineReason(rawValue: 7)
}

/// What one is held up by.
public struct HoldReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The host is being asked.
    public static let consent = HoldReason(rawValue: 1)
}

/// Why a node goes.
public struct GoodbyeReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The sender leaves the session.
    public static let leaving = GoodbyeReason(rawValue: 1)
    /// The receiver is to leave: the host removed it.
    public static let removed = GoodbyeReason(rawValue: 2)
}
