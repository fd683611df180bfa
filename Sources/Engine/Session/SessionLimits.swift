/// The limits and timeouts of a session, each with the reason for its value.
public enum SessionLimits {
    // MARK: Time

    /// How long a client looks for sessions before it joins one. A newcomer hears all nodes within 50 ms of its
    /// request, so this shows whether two servers have the same name. Deriving the key takes as long, so nobody waits
    /// for it.
    static let look: Duration = .milliseconds(150)
    /// How long a client holds back a node that said hello, while another node of the same name and code is in sight
    /// without having said hello. That one may be of another session. Most nodes say hello within 50 ms.
    static let rival: Duration = .milliseconds(400)
    /// The node with the higher ID waits this long before it dials. It dials at all because a firewall may block the
    /// other direction.
    static let patience: Duration = .seconds(1)
    /// The timeout of a dial. The transport gives up after 5 s; this is for one that does not.
    static let dialDeadline: Duration = .seconds(8)
    /// A dial to a node in sight is answered within three round trips of a bad Wi-Fi. If a longer one is unanswered
    /// when the node is heard again, it began while the node was out of reach.
    static let stale: Duration = .milliseconds(600)
    /// The timeout of a handshake: two small messages each way, on a network that loses a third of its packets.
    static let handshakeDeadline: Duration = .seconds(5)
    /// A peer whose link is lost stays a member for this time. A roaming Wi-Fi is back in five seconds, a restarted
    /// server in three.
    static let grace: Duration = .seconds(10)
    /// A longer gap between two events means that this laptop slept.
    static let sleep: Duration = .seconds(5)
    /// While a timeout is running the session handles an event at least this often, so that a longer gap means sleep.
    static let pulse: Duration = .seconds(2)
    /// A node that refused this one is dialled again after this time.
    static let retryRefused: Duration = .seconds(10)
    /// The longest time between two wrong codes at an address that the user gave, between which it doubles. The other
    /// node forgets one wrong code a minute, so it never slows this computer down.
    static let longestRetryRefused: Duration = .seconds(65)
    /// Another server of the same name is reported only after this time. Before, it may be this session's own server,
    /// restarted, whose end was not noticed yet.
    static let otherServer: Duration = .seconds(6)
    /// The delay before a roster is sent, so that newcomers that arrive together are in one roster.
    static let rosterInterval: Duration = .milliseconds(200)
    /// The delay for each node in it. A roster goes to every node and names every node; when 500 come back at once,
    /// five rosters a second would keep every laptop busy with reading them.
    static let rosterIntervalPerNode: Duration = .milliseconds(4)
    /// The longest delay of an acknowledgement. It is short enough that no peer's backlog fills up meanwhile.
    static let acknowledgement: Duration = .milliseconds(100)

    // MARK: Sizes

    /// The most nodes in sight and in the session; discovery shows as many.
    static let peers = 1024
    /// The most nodes with a link. The largest room in the design has 100; 500 still work.
    static let connected = 512
    /// The most unverified nodes that are dialled at a time, each at another address. That is enough for a room whose
    /// beacons are blocked to connect one by one, and too few to be used as an attack on another host.
    static let knocks = 8
    /// The most accepted links without a hello. Their nodes know the code, and the transport limits links before that.
    static let newcomers = 128
    /// The most links of one node that have a hello and are not established. A node needs one, and a few more while it
    /// dials again over a bad network. Each link keeps a descriptor.
    static let handshakesPerNode = 8
    /// The most bytes, and the most parcels, that are kept for one peer until it acknowledges them. A peer that reads
    /// nothing costs no more memory.
    static let backlog = 4 << 20
    public static let backlogParcels = 1024
    /// Parcels are acknowledged without delay after this many parcels or bytes.
    static let acknowledgedParcels: UInt64 = 64
    static let acknowledgedOctets = 256 << 10
    /// The most removed nodes whose addresses need consent; the oldest are forgotten first.
    static let removedNodes = 256
    /// The most nodes that the user has approved and that return without a question: as many as can have a link. The
    /// oldest approvals are forgotten first.
    public static let approvedNodes = 512
}
