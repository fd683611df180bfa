import PotluckModel
import PotluckWire

/// A link as the session names it: its own dials by a count, accepted ones by the shell's.
public enum SessionLink: Hashable, Sendable {
    case dialled(UInt64)
    case accepted(UInt64)
}

/// Whom to dial.
public enum DialTarget: Hashable, Sendable {
    /// A node that was seen, at any of these.
    case node(NodeID, [Endpoint])
    /// What the user typed. The shell resolves the name anew each time.
    case address(host: String, port: UInt16)

    func isNode(_ node: NodeID) -> Bool { if case .node(node, _) = self { true } else { false } }
}

/// How a link or the attempt at one ended.
public enum LinkLoss: Hashable, Sendable {
    /// Nobody answered.
    case unreachable
    /// The other side does not have our code.
    case wrongCode
    /// It does not own the ID it claims.
    case unproven
    /// It fell silent, broke, or was closed without a word.
    case lost
}

/// What happens to a session.
public enum SessionEvent: Hashable, Sendable {
    case sighted(NodeChange)
    /// A link is open; both ends know the code. `address` is the other end's, without its port.
    case opened(SessionLink, address: [UInt8])
    /// A hello came whose proof was checked: whoever speaks over this link owns that ID. The engine never sees another.
    case greeted(SessionLink, Introduction, by: NodeID)
    case received(SessionLink, Message)
    /// The link is gone, or the dial failed. Not said of a link that the session closed.
    case closed(SessionLink, LinkLoss)
    case wanted(SessionRequest)
    /// The time asked for by `SessionOutput.wake`; a stale one does no harm.
    case woke
}

/// Who a message is for.
public enum Recipients: Hashable, Sendable {
    case everyone
    case some([NodeID])
}

/// What the user, or the program that embeds a node, wants of a session.
public enum SessionRequest: Hashable, Sendable {
    case send([UInt8], as: Parcel.Form = .octets, to: Recipients, reliably: Bool)
    /// For people's screens. A client's goes through its server.
    case say(String, to: Recipients)
    case accept(NodeID)
    case decline(NodeID)
    case remove(NodeID)
    /// A guest may do this from now on.
    case allow(Role, NodeID)
    /// Of several sessions of one name, the one this node is in.
    case choose(NodeID)
    /// Keep a link to this address.
    case connect(host: String, port: UInt16)
    /// Whether newcomers are taken.
    case available(Bool)
    case leave
}

/// What comes of an event in a session: an effect for the shell, or something that the engine handles itself.
public enum SessionOutput: Hashable, Sendable {
    case effect(SessionEffect)
    /// Send `woke` at that time. It replaces the time asked for before.
    case wake(at: Instant)
    /// A connected peer sent this message about jobs.
    case job(JobMessage, from: NodeID)
}

/// What the shell shall do about an event in a session.
public enum SessionEffect: Hashable, Sendable {
    /// `opened` or `closed` follows.
    case dial(SessionLink, DialTarget)
    /// Sign what only the two ends of this link know, and send a hello with this introduction.
    case greet(SessionLink, Introduction)
    /// Where it may be lost, it is dropped rather than queued.
    case send(SessionLink, Message, reliably: Bool)
    /// After what was sent before.
    case close(SessionLink)
    /// A peer's state changed. One that is `gone` is forgotten with that.
    case changed(Peer)
    /// Somebody wants in; `accept` or `decline` is awaited, and this link lasts as long as they are patient.
    case ask(Peer)
    case deliver([UInt8], as: Parcel.Form, from: NodeID, reliably: Bool)
    case said(String, from: NodeID)
    /// All the session's nodes, as its server sees them.
    case roster([RosterEntry])
    /// What we may do.
    case role(Role)
    /// Several sessions have this name: one node of each. `choose` is awaited, and nothing is joined before.
    case choose([Peer])
    /// Whether to be found by newcomers.
    case announce(Bool)
    case trouble(SessionTrouble)
    /// It is over; nothing comes after.
    case ended(SessionEnd)
}

/// What people should know.
public enum SessionTrouble: Hashable, Sendable {
    /// Another server has our session's name and proved that it knows our code. We stay where we are.
    case otherServer(Peer)
    /// That node of our session's name has another code than this one. Whose is the wrong one does not show.
    case otherCode(Peer)
    /// The same of whoever answers at an address the user gave.
    case otherCodeAt(host: String, port: UInt16)
    /// That one serves an open session of our session's name, and ours has a code: it is left alone.
    case withoutCode(Peer)
    /// That node's program is too old or too new for ours.
    case version(NodeID, name: String)
    case full(NodeID)
    /// It does not take newcomers just now; it will be asked again.
    case unavailable(NodeID)
    /// The address the user gave is this very node.
    case ownAddress(host: String, port: UInt16)
    /// The address the user gave does not answer; it is tried again.
    case unreachable(host: String, port: UInt16)
    /// No such peer has a link now; the message was not sent.
    case notConnected(NodeID)
    /// Too much waits for that peer already; the message was not sent.
    case backlog(NodeID)
    /// Too long; the message was not sent.
    case tooLong(Int, limit: Int)
    /// The peer forgot us meanwhile, and with us this many messages.
    case lost(NodeID, messages: Int)
    /// It does not follow the protocol; its link was closed.
    case protocolBroken(NodeID?, String)
}

/// Why a session is over for us.
public enum SessionEnd: Hashable, Sendable {
    case left
    /// The host removed us.
    case removed
    /// The host said no.
    case declined
}
