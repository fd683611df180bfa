/// Which link. The transport numbers its links in the order in which they opened and uses no number twice.
public struct LinkID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public static func < (a: LinkID, b: LinkID) -> Bool { a.number < b.number }

    public var description: String { "link \(number)" }
}

/// Which attempt to reach a node. Whoever dials chooses the number, and uses none twice.
public struct DialID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public static func < (a: DialID, b: DialID) -> Bool { a.number < b.number }

    public var description: String { "dial \(number)" }
}

/// One place where a node might be reached.
public enum Candidate: Hashable, Sendable {
    case endpoint(Endpoint)
    /// A host's name or a spelled-out address, as people type it after `--connect`.
    case host(String, port: UInt16)
}

/// How a link came about.
public enum LinkOrigin: Hashable, Sendable {
    case dialled(DialID)
    case accepted
}

/// Which of a link's two lanes a message takes. Within a lane messages keep their order; control overtakes bulk.
public enum LinkLane: UInt8, CaseIterable, Sendable {
    /// Short messages that must not wait: at most 64 KiB.
    case control = 0
    /// Everything large: at most 64 MiB. Cut into frames, so that control slips in between.
    case bulk = 1
}

/// GKSession's two ways of sending.
public enum Reliability: Hashable, Sendable {
    /// Arrives, in order, or the link ends.
    case reliable
    /// Dropped where it would have to wait for the peer: the next one is worth more than a late one.
    case unreliable
}

/// What a node says when it ends a link on purpose. The numbers go over the wire; none is used again for something else.
public struct Farewell: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The node leaves the session, or has no more use for this link.
    public static let leaving = Farewell(rawValue: 0)
}

/// Why a link is no more.
public enum LinkEnd: Hashable, Sendable {
    /// This node closed it.
    case closedHere(Farewell)
    /// The peer closed it and said so.
    case closedThere(Farewell)
    /// The connection broke without a word.
    case lost
    /// The connection stands, and nothing came through it for too long.
    case silent
    /// The peer broke the rules of the link; the text says which.
    case misbehaved(String)
    /// The peer did not take what it was sent until too much was waiting.
    case overfull
}

/// Why no candidate led to a link; where several failed, the reason that says most.
public enum DialFailure: Hashable, Sendable {
    /// There was nothing to try, or this node has too many attempts under way.
    case notTried
    case unknownHost(String)
    case unreachable
    case timedOut
    /// Somebody listens there, and it is not Potluck or not one that this node understands.
    case notPotluck
    /// Potluck listens there, of another session.
    case otherSession
    case wrongCode
    /// The node turned us away for now: too many strangers at its door, or too many wrong codes from this address.
    case turnedAway
}

/// Why an accepted connection did not become a link.
public enum Refusal: Hashable, Sendable {
    /// It knows the session and not its code.
    case wrongCode
    /// It had no key of this session: another session's node, or no Potluck at all.
    case noKey
    /// It began and did not finish in time.
    case timedOut
    /// There were too many like it, or its address gave too many wrong codes lately.
    case tooMany
}
