import Glibc
import PotluckCore

/// One TCP connection, from connecting to closing. Only the transport uses it.
final class Connection {
    enum Phase {
        /// Connecting to a candidate of a dial.
        case connecting(Dial)
        /// Accepted. Its first byte will show the protocol.
        case unknown
        case shaking(TLSSession, Dial?)
        case open(LinkID, TLSSession)
        /// A browser's, which a `TextServer` answers.
        case text(TextFlow)
        /// The link has ended for its owner. Earlier messages and the farewell are still being sent.
        case leaving(TLSSession)
        /// Everything was sent. Closing a socket with unread bytes would discard the last data sent.
        case draining
    }

    let tag: UInt32
    let descriptor: Int32
    let remote: Endpoint
    var phase: Phase
    /// When the current phase must be over. Not used while a link is open.
    var deadline: Instant
    /// Whether the doorkeeper counts it.
    var isStranger = false
    /// The epoll events that are watched.
    var interest: UInt32 = 0

    var core: LinkCore
    /// The rest of a record that TLS could not write. It must be written again, unchanged, before anything else.
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
        case .connecting, .unknown, .text, .draining: nil
        }
    }

    var dial: Dial? {
        switch phase {
        case .connecting(let dial): dial
        case .shaking(_, let dial): dial
        case .unknown, .open, .text, .leaving, .draining: nil
        }
    }

    /// Whether only the rest is being sent.
    var isLeaving: Bool {
        switch phase {
        case .leaving, .draining: true
        case .text(let flow): flow.isClosing
        case .connecting, .unknown, .shaking, .open: false
        }
    }

    /// When the connection must be checked.
    var due: Instant { if case .open = phase { core.due } else { deadline } }
}

/// An attempt to reach a node at one of its candidates.
final class Dial {
    let id: DialNumber
    var eyeballs: HappyEyeballs
    /// The tags of the connections under way.
    var attempts: Set<UInt32> = []

    init(_ id: DialNumber, _ candidates: [Candidate], at now: Instant) {
        self.id = id
        eyeballs = HappyEyeballs(candidates, at: now)
    }
}

/// Buffers between sockets and links, shared by all connections, so that an idle link needs none.
final class Scratch {
    let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: TLSSession.readBuffer, alignment: 16)
    let outgoing = UnsafeMutableRawBufferPointer.allocate(
        byteCount: LinkLimits.frameHeader + LinkLimits.frameBody, alignment: 16)

    deinit {
        incoming.deallocate()
        outgoing.deallocate()
    }
}
