import PotluckModel

/// Every number links decide by, and why it is that number.
public enum LinkLimits {
    // MARK: Frames

    /// A frame with its header of four is one TLS record, so that control waits behind one record at most: 1.3 ms at
    /// 100 Mbit/s.
    package static let frameBody = 16_380
    package static let frameHeader = 4
    /// A piece of a message that does not end with it is at least this long, or its header would be a tax.
    package static let leastPiece = 1024

    // MARK: Messages

    /// The greatest control message. A roster of a hundred nodes takes a third of it.
    public static let controlMessage = 64 << 10
    /// The greatest bulk message: the payload of a job. A peer can make us keep one of them half finished, and no more.
    public static let bulkMessage = 64 << 20

    // MARK: Credit

    /// What may be under way in one lane: 256 KiB fill a path of 100 Mbit/s and 20 ms, and keep round trips of control
    /// near 20 ms on a slower one.
    public static let window = 256 << 10
    /// Credit is given back in quarters of the window: seldom enough to cost nothing, early enough never to stop a sender.
    package static let grant = window / 4
    /// Pings, pongs and frames of unknown kinds cost no credit; a peer needs one or two a second.
    package static let freeFrames = (most: 64, perSecond: 32)

    /// TLS's own messages after the handshake: two tickets at most, and a change of keys now and then. OpenSSL deals with each by
    /// itself, and one takes it 30 µs.
    package static let postHandshake = (most: 16, perSecond: 1)

    // MARK: What waits for one peer

    /// Control of a minute for a peer that takes none; then it is not with us any more.
    public static let controlBacklog = 4 << 20
    /// Two of the greatest messages.
    public static let bulkBacklog = 2 * bulkMessage
    /// A sender that paces itself stops above the first and goes on below the second.
    public static let highWater = 1 << 20
    public static let lowWater = 256 << 10
    /// Unsent octets that the kernel takes from us; more would lie there in front of the next control message.
    package static let kernelBacklog: Int32 = 32 << 10

    // MARK: Life

    /// A link on which nothing came for so long is asked. Seldom enough that 500 idle ones cost nothing.
    package static let pingAfter: Duration = .milliseconds(1200)
    /// By the end whose turn it is not: late enough for the other's question to arrive first.
    package static let pingAfterOther: Duration = .milliseconds(1400)
    /// For the answer. TCP repeats what was lost after 200, 600 and 1400 ms; a dead peer is known in 2.8 s.
    package static let answerTime: Duration = .milliseconds(1400)
    /// Longer for a peer whose kernel still acknowledges what we sent before the question: its network is slow, not dead.
    package static let slowSilence: Duration = .seconds(15)
    /// How often its kernel is looked at meanwhile.
    package static let slowCheck: Duration = .milliseconds(250)
    /// How recent such an acknowledgement must be, in milliseconds.
    package static let freshAcknowledgement: UInt32 = 1000
    /// If we come so late to a deadline, this machine slept or choked, and the peer is asked once more before it is judged.
    package static let lateness: Duration = .milliseconds(500)

    // MARK: Deadlines

    /// TCP repeats its SYN after one second and after three.
    package static let connect: Duration = .seconds(4)
    /// A handshake takes two round trips and a millisecond of work.
    package static let handshake: Duration = .seconds(3)
    /// For a name server, connecting and handshakes of all candidates of one dial together.
    package static let dial: Duration = .seconds(8)
    /// For what was sent before a farewell to leave, and for the peer to close its end.
    package static let close: Duration = .seconds(1)

    // MARK: Dialling

    /// The head start of one candidate over the next. RFC 8305 says 250 ms and never under 10; in a room most answer within 5.
    package static let headStart: Duration = .milliseconds(100)
    /// A node has a handful of addresses; a room full of nodes each with sixteen must not use up our descriptors.
    package static let candidates = 16
    package static let dials = 256
    /// Names being looked up at once, each on a thread of its own, because `getaddrinfo` cannot be interrupted.
    package static let lookups = 4
    /// Waiting for one of these threads. People type one name.
    package static let waitingLookups = 64

    // MARK: The door

    /// Connections that have not shown the key yet: a room of a hundred comes back at once within a second.
    package static let strangers = 64
    /// And so many from one address, so that nobody alone keeps the door shut.
    package static let strangersPerAddress = 8
    /// A connection keeps its place at a full door for so long. A handshake in a room takes a tenth of it.
    package static let firmPlace: Duration = .milliseconds(100)
    /// Wrong codes from one address before it is slowed down: somebody who mistypes five words needs three.
    package static let wrongCodes = 10
    /// From then on one attempt in so long, doubled with every further wrong code up to the second.
    package static let slowdown: (first: Duration, last: Duration) = (.seconds(2), .seconds(60))
    /// Strangers turned away that are told of: enough to see what goes on, too few to fill a screen.
    package static let refusalReports = (most: 16, perSecond: 2)
    /// One wrong code is forgiven in this time.
    package static let forgiveness: Duration = .seconds(60)
    /// Addresses remembered for that; those that have been quiet longest make place.
    package static let addresses = 1024
    /// Links of one transport. A session has a hundred nodes, and while nodes come back each may have two.
    package static let links = 1024
    /// Descriptors of the process that are not the transport's: stores, spools, discovery, pipes, local sockets.
    package static let otherDescriptors = 128
    /// And where the system gives fewer than that, so many connections are tried all the same.
    package static let fewestConnections = 16
    /// Connections taken in one turn of the loop, so that a flood of them does not stop the others.
    package static let acceptsPerTurn = 32
    /// Octets read from one link in one turn, for the same reason.
    package static let readPerTurn = 256 << 10
    /// What one read counts for at least: a record of one octet takes as long as one of a kilobyte.
    package static let readCost = 1 << 10
    /// After `accept` failed for want of memory or descriptors, so that the loop does not spin.
    package static let acceptPause: Duration = .milliseconds(100)

    // MARK: Ports

    /// Not taken by anything well known, and easy to remember.
    public static let usualPort: UInt16 = 7077
    /// Nodes on one machine beside each other before any port will do.
    package static let portsTried: UInt16 = 16
}
