/// Every number a session decides by, and why it is that number.
enum SessionLimits {
    // MARK: Time

    /// A newcomer asks everybody to speak and has heard them all within 50 ms, so this is time enough to see whether two
    /// servers have one name. The key takes as long to derive, so nobody waits.
    static let look: Duration = .milliseconds(150)
    /// How long somebody who said hello waits for another node of our name and code that was heard: it may be of another session
    /// of that name. Most say hello within 50 ms.
    static let rival: Duration = .milliseconds(400)
    /// The node with the higher ID dials only after this long: a firewall may stand in the other's way.
    static let patience: Duration = .seconds(1)
    /// The transport gives a dial up after 5 s; this is for one that forgets.
    static let dialDeadline: Duration = .seconds(8)
    /// A dial to a node in sight is answered within three round trips of a bad Wi-Fi. One that was not began while the node
    /// was out of reach.
    static let stale: Duration = .milliseconds(600)
    /// Two small messages each way, on a network that loses a third of its packets.
    static let handshakeDeadline: Duration = .seconds(5)
    /// A peer whose link is lost keeps its place this long: a Wi-Fi that roams is back in five seconds, a server that is
    /// started again in three.
    static let grace: Duration = .seconds(10)
    /// A longer gap between two events means that this laptop slept.
    static let sleep: Duration = .seconds(5)
    /// While anything is to be judged there is an event at least this often, so that a gap is a gap.
    static let pulse: Duration = .seconds(2)
    /// A node that refused us for good reason is asked again this often.
    static let retryRefused: Duration = .seconds(10)
    /// Another server of the same name is worth a word only when it is not our own one, started anew, whose end we have not
    /// noticed yet.
    static let otherServer: Duration = .seconds(6)
    /// Newcomers that arrive together are told in one roster.
    static let rosterInterval: Duration = .milliseconds(200)
    /// How late a parcel is acknowledged: sooner than anybody's backlog is full.
    static let acknowledgement: Duration = .milliseconds(100)

    // MARK: Sizes

    /// Nodes in sight and in the session; discovery shows as many.
    static let peers = 1024
    /// Nodes with a link at once. The design's largest room is 100; five hundred still work.
    static let connected = 512
    /// Nodes called at once that prove nothing, each at another address: enough for a room whose beacons are blocked to come in
    /// one after the other, and too few to be sent against somebody.
    static let knocks = 8
    /// Links that have not said who they are. They know the code, and the transport bounds them before.
    static let newcomers = 128
    /// One peer's parcels that were not acknowledged. A peer that reads nothing costs this much memory and no more.
    static let backlog = 4 << 20
    static let backlogParcels = 1024
    /// Acknowledged after so many parcels, or octets, without waiting.
    static let acknowledgedParcels: UInt64 = 64
    static let acknowledgedOctets = 256 << 10
    /// Addresses whose nodes need consent because one was removed; the oldest go first.
    static let removedAddresses = 256
}
