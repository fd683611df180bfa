import Glibc
import PotluckModel

/// One TCP connection, from its first octet to its last. Of the transport alone.
final class Connection {
    enum Phase {
        /// On the way to a candidate of a dial.
        case connecting(Dial)
        /// Accepted; its first octet will tell what it wants.
        case unknown
        case shaking(TLSSession, Dial?)
        case open(LinkID, TLSSession)
        /// The link has ended for its owner; what was sent before and the farewell are still on their way.
        case leaving(TLSSession)
        /// All is said. Who hung up first with octets unread would take the last words back.
        case draining
    }

    let tag: UInt32
    let descriptor: Int32
    let remote: Endpoint
    var phase: Phase
    /// When something must have happened; of no meaning while a link is open.
    var deadline: Instant
    /// Whether the doorkeeper counts it.
    var isStranger = false
    /// What is being waited for, in epoll's words.
    var interest: UInt32 = 0

    var core: LinkCore
    /// A record that TLS could not write: to be offered again, unchanged, before anything else.
    var pending: [UInt8] = []
    var pendingStart = 0
    var isDirty = false

    init(tag: UInt32, descriptor: Int32, remote: Endpoint, phase: Phase, deadline: Instant, now: Instant) {
        self.tag = tag
        self.descriptor = descriptor
        self.remote = remote
        self.phase = phase
        self.deadline = deadline
        core = LinkCore(at: now, asksFirst: false)
    }

    deinit { close(descriptor) }

    var link: LinkID? { if case .open(let link, _) = phase { link } else { nil } }

    var tls: TLSSession? {
        switch phase {
        case .shaking(let tls, _), .open(_, let tls), .leaving(let tls): tls
        case .connecting, .unknown, .draining: nil
        }
    }

    var dial: Dial? {
        switch phase {
        case .connecting(let dial): dial
        case .shaking(_, let dial): dial
        case .unknown, .open, .leaving, .draining: nil
        }
    }

    /// When somebody has to look at it.
    var due: Instant { if case .open = phase { core.due } else { deadline } }
}

/// An attempt to reach a node, by all of its candidates.
final class Dial {
    let id: DialID
    var eyeballs: HappyEyeballs
    /// The connections on their way.
    var attempts: Set<UInt32> = []

    init(_ id: DialID, _ candidates: [Candidate], at now: Instant) {
        self.id = id
        eyeballs = HappyEyeballs(candidates, at: now)
    }
}

/// The memory in which octets pass between sockets and links, once for all of them, so that an idle link has none.
final class Scratch {
    let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: TLSSession.readBuffer, alignment: 16)
    let outgoing = UnsafeMutableRawBufferPointer.allocate(
        byteCount: LinkLimits.frameHeader + LinkLimits.frameBody, alignment: 16)

    deinit {
        incoming.deallocate()
        outgoing.deallocate()
    }
}
