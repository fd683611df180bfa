/// The number of a link. A transport numbers its links in the order in which they open and never reuses a number.
public struct LinkID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public static func < (a: LinkID, b: LinkID) -> Bool { a.number < b.number }

    public var description: String { "link \(number)" }
}

/// The number of an attempt to reach a node. The caller chooses the number and never reuses one.
public struct DialNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public static func < (a: DialNumber, b: DialNumber) -> Bool { a.number < b.number }

    public var description: String { "dial \(number)" }
}

/// One address to try in a dial.
public enum Candidate: Hashable, Sendable {
    case endpoint(Endpoint)
    /// A host name or an IP address, as users type it after `--connect`.
    case host(String, port: UInt16)
}

/// Which side opened a link.
public enum LinkOrigin: Hashable, Sendable {
    case dialled(DialNumber)
    case accepted
}

/// The two lanes of a link. Messages keep their order within a lane, and control messages overtake bulk messages.
public enum LinkLane: UInt8, CaseIterable, Sendable {
    /// Short messages that must not wait: at most 64 KiB.
    case control = 0
    /// Large messages: at most 64 MiB. They are cut into frames, so that control messages can go in between.
    case bulk = 1
}

/// How reliably a message is sent, as in GKSession.
public enum Reliability: Hashable, Sendable {
    /// The message arrives, in order, or the link ends.
    case reliable
    /// The message is dropped if it would have to wait, because the next one is worth more than a late one.
    case unreliable
}

/// Why a node closes a link on purpose. The numbers are part of the wire protocol: never reuse one.
public struct Farewell: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The node leaves the session or does not need this link any more.
    public static let leaving = Farewell(rawValue: 0)
}

/// Why a link ended.
public enum LinkEnd: Hashable, Sendable {
    /// This node closed it.
    case closedHere(Farewell)
    /// The peer closed it and told this node.
    case closedThere(Farewell)
    /// The connection broke without a farewell.
    case lost
    /// The connection is open, but nothing arrived for too long.
    case silent
    /// The peer broke the rules of the link. The text says which rule.
    case misbehaved(String)
    /// The peer did not read, and too much was queued for it.
    case overfull
}

/// Why no candidate of a dial became a link. If several failed, this is the most informative reason.
public enum DialFailure: Hashable, Sendable {
    /// There was no candidate, or too many attempts are under way.
    case notTried
    case unknownHost(String)
    case unreachable
    case timedOut
    /// Something listens there, but not Potluck, or not a version that this node understands.
    case notPotluck
    /// Potluck listens there, for another session.
    case otherSession
    case wrongCode
    /// The node refused for now: too many unknown connections, or too many wrong codes from this address.
    case turnedAway
}

/// Why an accepted connection did not become a link.
public enum Refusal: Hashable, Sendable {
    /// It knows the session but not its code.
    case wrongCode
    /// It has no key of this session: it belongs to another session or is not Potluck.
    case noKey
    /// It started the handshake and did not finish in time.
    case timedOut
    /// There were too many connections like it, or its address sent too many wrong codes lately.
    case tooMany
}
