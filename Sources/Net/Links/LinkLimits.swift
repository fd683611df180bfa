import PotluckCore

/// The limits of links, each with its reason.
public enum LinkLimits {
    // MARK: Frames

    /// A frame with its header of four bytes is one TLS record. So a control message waits behind
    /// one record at most, which takes 1.3 ms at 100 Mbit/s.
    package static let frameBody = 16_380
    package static let frameHeader = 4
    /// The least length of a piece that does not end its message, so that headers cost little.
    package static let leastPiece = 1024

    // MARK: Messages

    /// The longest control message in bytes. A roster of a hundred nodes takes a third of it.
    static let controlMessage = 64 << 10
    /// The longest bulk message in bytes. A peer can make this node keep at most one unfinished one.
    public static let bulkMessage = 64 << 20
    /// Bytes reserved for a bulk message of several frames. Most of these are parts of longer data, and no longer.
    package static let usualMessage = 132 << 10

    // MARK: Credit

    /// The bytes in flight in one lane. 256 KiB fill a path of 100 Mbit/s and 20 ms, and keep the round
    /// trips of control messages near 20 ms on a slower path.
    static let window = 256 << 10
    /// Credit is returned in quarters of the window: rarely enough to cost nothing,
    /// early enough never to stop a sender.
    package static let grant = window / 4
    /// The most frames that cost no credit: pings, pongs, farewells and unknown
    /// kinds. A peer needs one or two per second.
    package static let freeFrames = (most: 64, perSecond: 32)

    /// The most messages of TLS itself after the handshake: at most two tickets, and a change of keys now and then.
    /// OpenSSL handles each of them internally, which takes 30 µs.
    package static let postHandshake = (most: 16, perSecond: 1)

    // MARK: The queue for one peer

    /// The most bytes of control messages queued: what a minute produces. A peer
    /// that reads none for so long has failed.
    static let controlBacklog = 4 << 20
    /// The most bytes of bulk messages queued: two of the longest.
    public static let bulkBacklog = 2 * bulkMessage
    /// The bytes that a queued message takes besides its content: its buffer's head and spare room, and its place in
    /// the queue. Messages that are passed on for others are counted with it, so that none costs more than its sender
    /// is charged.
    package static let messageItself = 128
    /// Bytes queued. A sender that paces itself stops above the high-water mark and continues below the low-water mark.
    static let highWater = 1 << 20
    static let lowWater = 256 << 10
    /// The most unsent bytes in the kernel's buffer. The next control message has to wait behind them.
    package static let kernelBacklog: Int32 = 32 << 10

    /// The rule that a link breaks by sending more for other nodes than they read.
    package static let tooMuchPassed = "more for another node than that node reads"

    // MARK: Heartbeats

    /// The silence after which the end whose turn it is sends a ping. 500 idle links cost nothing at this rate.
    package static let pingAfter: Duration = .milliseconds(1200)
    /// The same for the other end: late enough for the first end's ping to arrive before.
    package static let pingAfterOther: Duration = .milliseconds(1400)
    /// The time to answer a ping. TCP retransmits after 200, 600 and 1400 ms. A dead peer is detected in 2.8 s.
    package static let answerTime: Duration = .milliseconds(1400)
    /// The longest silence of a peer whose kernel still acknowledges data sent
    /// before the ping: its network is slow, not dead.
    package static let slowSilence: Duration = .seconds(15)
    /// The interval at which such a peer's acknowledgements are checked.
    package static let slowCheck: Duration = .milliseconds(250)
    /// The greatest age of such an acknowledgement, in milliseconds.
    package static let freshAcknowledgement: UInt32 = 1000
    /// If a deadline is handled this late, this machine slept or was overloaded. The
    /// peer then gets another ping before it is judged.
    package static let lateness: Duration = .milliseconds(500)

    // MARK: Deadlines

    /// The time for a TCP connection. TCP retransmits its SYN after one second and after three.
    package static let connect: Duration = .seconds(4)
    /// The time for a handshake, which takes two round trips and a millisecond of computing.
    package static let handshake: Duration = .seconds(3)
    /// The time for name lookups, connections and handshakes of all candidates of one dial.
    package static let dial: Duration = .seconds(8)
    /// The time after a farewell for queued messages to be sent and for the peer to close its end.
    package static let close: Duration = .seconds(1)

    // MARK: Dialling

    /// The head start of one candidate over the next. RFC 8305 recommends 250 ms and at
    /// least 10 ms. In a room most nodes answer within 5 ms.
    package static let headStart: Duration = .milliseconds(100)
    /// The most addresses tried in one dial. A node has a handful; a room of nodes
    /// with many addresses must not use up the descriptors.
    package static let candidates = 16
    package static let dials = 256
    /// The most simultaneous name lookups. Each has its own thread, because `getaddrinfo` cannot be interrupted.
    package static let lookups = 4
    /// The most lookups that wait for a thread. A user types one name.
    package static let waitingLookups = 64

    // MARK: Accepting connections

    /// The most connections that have not shown the key: a room of a hundred nodes reconnects within a second.
    package static let strangers = 64
    /// The most of these from one address, so that one machine cannot keep the others out.
    package static let strangersPerAddress = 8
    /// How long such a connection keeps its place if all places are taken. A handshake in a room takes a tenth of it.
    package static let firmPlace: Duration = .milliseconds(100)
    /// The number of wrong codes from which an address is slowed down. A user who
    /// mistypes the five words needs three attempts.
    package static let wrongCodes = 10
    /// The pause after that many wrong codes. It doubles with every further wrong code, up to the second duration.
    package static let slowdown: (first: Duration, last: Duration) = (.seconds(2), .seconds(60))
    /// The most refused connections that are reported: enough to see what happens, too few to fill a screen.
    package static let refusalReports = (most: 16, perSecond: 2)
    /// One wrong code is forgotten in this time.
    package static let forgiveness: Duration = .seconds(60)
    /// The most addresses remembered for wrong codes. The ones with the oldest wrong code are removed first.
    package static let addresses = 1024
    /// The most links of one transport. A session has a hundred nodes, and while nodes reconnect each may have two.
    package static let links = 1024
    /// Descriptors of the process that the transport does not use: stores, spools, discovery, pipes, local sockets.
    package static let otherDescriptors = 128
    /// The fewest connections that are tried even if the system permits fewer descriptors.
    package static let fewestConnections = 16
    /// The most connections accepted in one turn of the loop, so that a flood of them does not starve the others.
    package static let acceptsPerTurn = 32
    /// The most bytes read from one link in one turn, for the same reason.
    package static let readPerTurn = 256 << 10
    /// The least that one read counts against that limit: a record of one byte takes as long as one of a kilobyte.
    package static let readCost = 1 << 10
    /// The pause after `accept` failed for lack of memory or descriptors, so that the loop does not spin.
    package static let acceptPause: Duration = .milliseconds(100)

    // MARK: Browsers

    /// The most browsers that have shown a ticket: a room of 200, with some to spare.
    static let texts = 256
    /// The most connections without a key where browsers are served, in all and from one address. A browser opens up to
    /// six at once for the page's files, and twenty of a room may share the address of a router. With the browsers that
    /// have shown a ticket, more than a third of all connections is left for links.
    package static let strangersWithTexts = 384
    package static let strangersPerAddressWithTexts = 128
    /// The most bytes that wait for one browser: twice the page, or a few messages.
    package static let textBacklog = 256 << 10
    /// How long a browser may take none of the bytes that wait for it. Wi-Fi has shorter pauses.
    package static let textPatience: Duration = .seconds(20)
    /// The most bytes read from one browser at once, so that it does not delay others.
    package static let textRead = 16 << 10

    // MARK: Ports

    /// The default port. No well-known service uses it, and it is easy to remember.
    public static let usualPort: UInt16 = 7077
    /// The number of ports tried for several nodes on one machine. After these, any free port is used.
    package static let portsTried: UInt16 = 16
}
