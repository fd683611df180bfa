import PotluckCore

/// All limits of discovery, with their reasons.
package enum Limits {
    // MARK: Silence

    /// The silence after which a node is asked. At 20 % loss, two beacons in a row are lost in 4 % of cases, which is a
    /// reason to ask but not to judge.
    static let silence: Duration = .seconds(2)
    /// How long a silent node is asked before it is dropped. With the two seconds before, a crash is known within 7 s
    /// of the last beacon.
    static let patience: Duration = .milliseconds(4800)
    /// The time between two questions. At 20 % loss, a question or its answer is lost in 36 % of cases, and all of 19
    /// in 4e-9.
    static let askInterval: Duration = .milliseconds(250)
    /// The fewest questions before a node is dropped, however late this machine's timers ran.
    static let fewestQuestions = 8
    /// The unanswered questions before a node is shown as suspect: one second of asking, so that plain loss does not
    /// make the list flicker.
    static let questionsUntilSuspect = 4
    /// The most questions in a row that other nodes' questions replace. Not more, because the others may be on the far
    /// side of a network split.
    static let sparedQuestions = 2
    /// A gap between two events longer than this means that the machine slept.
    static let sleep: Duration = .seconds(5)

    /// Nodes that are due within this time are handled together. So a table full of strangers is not searched two
    /// thousand times a second, and eight questions fit into one datagram.
    static let attention: Duration = .milliseconds(20)

    /// The datagrams that are handled as soon as they arrive: more than thirty nodes send when they all start at once.
    static let promptly = (most: 256, perSecond: 1000)
    /// Beyond `promptly`, datagrams wait this long and are handled together. A flood of 15,000 a second would otherwise
    /// wake this machine as often. It brings sixty datagrams in this time, and a socket's buffer holds several times as
    /// many.
    static let rest: Duration = .milliseconds(4)

    // MARK: Speaking

    static let beaconInterval: Duration = .seconds(1)
    /// The jitter, a tenth of the interval in each direction. Without it, nodes that started together would always send
    /// together.
    static let beaconJitter: Duration = .milliseconds(100)
    /// The beacons after the start. Several, because a lost one would otherwise cost a second.
    static let burst: [Duration] = [.zero, .milliseconds(100), .milliseconds(300)]
    /// The delay of an answer. Nodes do not all answer at once, and a newcomer still knows all of them within 50 ms.
    static let answerDelay: (from: Duration, to: Duration) = (.milliseconds(2), .milliseconds(20))
    /// The answers besides the regular beacons, however many are asked for: a burst for nodes that arrive together,
    /// then eight a second.
    static let answerBurst = 16
    package static let answersPerSecond = 8
    /// The copies of a goodbye. If all are lost, the others notice only after seven seconds.
    static let goodbyes = 3

    // MARK: Sizes

    /// The most verified nodes. A session has at most a hundred; nobody outside it can fill these places.
    package static let verifiedNodes = 1024
    /// The most unverified nodes. Those in the table keep their places, so that a flood of made-up ones displaces none.
    package static let strangers = 512
    /// The most unverified nodes from one address, so that one machine alone cannot fill the places.
    static let strangersPerAddress = 128
    /// The most unverified nodes that a newcomer with a key keeps to dial, as long as it sees no verified one.
    static let knocks = 16
    /// The unverified datagrams that are read from one address: a laptop has a few nodes, each of which sends once a
    /// second.
    static let strangersWords = (most: 128, perSecond: 64)
    /// The unverified datagrams that are read from all addresses: this costs a hundredth of a core.
    static let allStrangersWords = (most: 4096, perSecond: 2048)
    /// The most addresses with an allowance of their own. All others share one.
    static let strangersAddresses = 1024
    /// The silence after which an address may lose its allowance to another one.
    static let strangersSilence: Duration = .seconds(10)
    /// The reported changes of unverified nodes: a whole room at once, then as many as a person can read.
    static let strangersNews = (most: 512, perSecond: 8)
    /// The most routes of a node: cable, Wi-Fi, loopback and a bridge, each by IPv4 and by link-local and global IPv6,
    /// and some spare.
    package static let routes = 16
    /// The most departures remembered, so that an mDNS cache or a late packet does not bring a node back.
    static let departedVerified = 1024
    static let departedStrangers = 512
    /// How long a departure is remembered: mDNS caches keep a crashed host for 75 minutes.
    static let departedFor: Duration = .seconds(7200)

    /// The own beacons that are handled per second when they come back: a beacon and some answers, on each network.
    static let echoes = 64
    /// The copies of one beacon that are handled: more than there are routes between two laptops that each have Wi-Fi,
    /// a cable and a bridge, by IPv4 and IPv6. Further copies are replays.
    static let copies = 64
    /// The beacons counted as having arrived first by one route: a minute of them.
    static let firsts = 64

    // MARK: Ages

    /// The time after which an address is forgotten if the node was heard only elsewhere: 15 beacons are not lost by
    /// chance.
    static let routeAge: Duration = .seconds(15)
    /// The time within which copies of a beacon arrive by all routes to the same address.
    static let oneBeacon: Duration = .milliseconds(20)
    /// The time within which copies of a beacon arrive on all interfaces. Later copies are replays.
    static let round: Duration = .seconds(2)

    // MARK: Probing nodes that only mDNS lists

    static let probeInterval: Duration = .seconds(15)
    static let probeRetry: Duration = .seconds(1)
    /// Time for a SYN and its retransmission after one second.
    package static let probeTimeout: Duration = .milliseconds(1500)
    static let probeAttempts = 3
    /// The intervals of probing a node that is listed but does not answer; they double.
    static let ghostRetry: (first: Duration, last: Duration) = (.seconds(2), .seconds(60))
    /// The most probes a second, so that an attacker cannot make a room full of nodes flood one address.
    static let probesPerSecond = 20
    static let probeBurst = 20
}
