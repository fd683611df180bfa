import PotluckCore

/// The name of a link. The session numbers the links that it dials, the shell those that it accepts.
public enum LinkName: Hashable, Sendable {
    case dialled(UInt64)
    case accepted(UInt64)
}

/// The target of a dial.
public enum DialTarget: Hashable, Sendable {
    /// A node in sight, at any of these endpoints.
    case node(NodeID, [Endpoint])
    /// An address that the user gave. The shell resolves the name for each dial.
    case address(host: String, port: UInt16)

    func isNode(_ node: NodeID) -> Bool { if case .node(node, _) = self { true } else { false } }
}

/// Why a link closed or a dial failed.
public enum LinkLoss: Hashable, Sendable, CaseIterable {
    /// No node answered.
    case unreachable
    /// The other node does not have this session's code.
    case wrongCode
    /// The other node did not prove that it owns its ID.
    case unproven
    /// The link timed out, broke, or was closed without a goodbye.
    case lost
}

/// An input of the session machine.
public enum SessionEvent: Hashable, Sendable {
    case sighted(NodeChange)
    /// A link is open, and both nodes know the code. `address` is the other end's, without its port.
    case opened(LinkName, address: [UInt8])
    /// A hello came over a link, and its proof was checked: the other node owns that ID. The engine sees no other
    /// hellos.
    case greeted(LinkName, Introduction, by: NodeID)
    case received(LinkName, Message)
    /// The link closed or the dial failed. The shell does not report links that the session closed.
    case closed(LinkName, LinkLoss)
    case wanted(SessionRequest)
    /// The time requested by `SessionOutput.wake` has come. A stale wake-up is harmless.
    case woke
}

/// The recipients of a message.
public enum Recipients: Hashable, Sendable {
    case everyone
    case some([NodeID])
}

/// A request about a session from the user or from a program that embeds a node.
public enum SessionRequest: Hashable, Sendable {
    case send([UInt8], as: Parcel.Form = .octets, to: Recipients, reliably: Bool)
    /// Show a text on the recipients' screens. A client sends it through its server.
    case say(String, to: Recipients)
    /// Approve a node: it is admitted now if it asks, and whenever it returns.
    case accept(NodeID)
    case decline(NodeID)
    case remove(NodeID)
    /// Set what a guest may do.
    case allow(Role, NodeID)
    /// Choose between sessions of the same name: join the one that this node is in.
    case choose(NodeID)
    /// Connect to this address, and reconnect when the link is lost.
    case connect(host: String, port: UInt16)
    /// Set whether newcomers are admitted.
    case available(Bool)
    case leave
}

/// An output of the session machine: an effect for the shell, or something that the engine handles itself.
enum SessionOutput: Hashable, Sendable {
    case effect(SessionEffect)
    /// Send `SessionEvent.woke` at this time. It replaces the time requested before.
    case wake(at: Instant)
    /// A connected peer sent this message about jobs.
    case job(JobMessage, from: NodeID)
}

/// An action of a session that the shell carries out.
public enum SessionEffect: Hashable, Sendable {
    /// Open a link. `SessionEvent.opened` or `closed` follows.
    case dial(LinkName, DialTarget)
    /// Send a hello with this introduction and a signature over what only the two ends of this link know.
    case greet(LinkName, Introduction)
    /// Send a message. One that is not reliable is dropped instead of queued.
    case send(LinkName, Message, reliably: Bool)
    /// Close the link after everything sent before.
    case close(LinkName)
    /// A peer's state changed. A peer that is `gone` is forgotten.
    case changed(Peer)
    /// A node asks to join. The session waits for `accept` or `decline` as long as the link lasts.
    case ask(Peer)
    /// The nodes that the user has approved are these now.
    case approved([NodeID])
    case deliver([UInt8], as: Parcel.Form, from: NodeID, reliably: Bool)
    case said(String, from: NodeID)
    /// All nodes of the session, as its server sees them.
    case roster([RosterEntry])
    /// The role of this node changed.
    case role(Role)
    /// Several sessions have this name; the list has one node of each. The session joins none of them before
    /// `SessionRequest.choose`.
    case choose([Peer])
    /// Whether newcomers can find this node.
    case announce(Bool)
    case trouble(SessionTrouble)
    /// The session is over for this node; no more outputs follow.
    case ended(SessionEnd)
}

/// A problem in the session, for the user.
public enum SessionTrouble: Hashable, Sendable {
    /// Another server has the same session name and proved that it knows the code. This node stays in its session.
    case otherServer(Peer)
    /// A node with the same session name has another code. It is unknown which code is wrong.
    case otherCode(Peer)
    /// The node at an address that the user gave has another code.
    case otherCodeAt(host: String, port: UInt16)
    /// That node serves an open session of the same name, and this session has a code. This node does not join it.
    case withoutCode(Peer)
    /// That node's version of the program is too old or too new.
    case version(NodeID, name: String)
    case full(NodeID)
    /// That node admits no newcomers at the moment; this node retries.
    case unavailable(NodeID)
    /// The address that the user gave is this node's own.
    case ownAddress(host: String, port: UInt16)
    /// The address that the user gave does not answer; this node retries.
    case unreachable(host: String, port: UInt16)
    /// The recipient is not connected; the message was not sent.
    case notConnected(NodeID)
    /// Too many messages to that peer are unacknowledged; the message was not sent.
    case backlog(NodeID)
    /// The message is longer than the limit, in bytes; it was not sent.
    case tooLong(Int, limit: Int)
    /// The peer no longer knows this node, and this many messages to it are lost.
    case lost(NodeID, messages: Int)
    /// A node broke the protocol; its link was closed.
    case protocolBroken(NodeID?, String)
}

/// Why a session is over for this node.
public enum SessionEnd: Hashable, Sendable {
    case left
    /// The host removed this node.
    case removed
    /// The host declined this node.
    case declined
}
