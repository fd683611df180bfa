import PotluckModel

/// Every number discovery decides by, and why it is that number.
package enum Limits {
    // MARK: Silence

    /// Two beacons lost in a row happen 4 % of the time at 20 % loss: reason to ask, not to judge.
    static let silence: Duration = .seconds(2)
    /// How long a silent node is asked. With the two seconds before, a crash is known within 7 s of the last beacon.
    static let patience: Duration = .milliseconds(4800)
    /// Question and answer are both lost with 36 % at 20 % loss: in 19 questions that is 4e-9.
    static let askInterval: Duration = .milliseconds(250)
    /// However late our own timers ran, nobody is judged before being asked this often.
    static let fewestQuestions = 8
    /// Questions unanswered before people are told: a second of asking, so that plain loss does not make the list flicker.
    static let questionsUntilSuspect = 4
    /// Others' questions about the same node spare us ours, but not forever: they may be on the other side of a cut.
    static let sparedQuestions = 2
    /// A longer gap between two events means that this machine slept.
    static let sleep: Duration = .seconds(5)

    /// Whoever needs attention within this time is seen to together: a table full of strangers is not gone through two
    /// thousand times a second, and eight questions fit one datagram.
    static let attention: Duration = .milliseconds(20)

    /// What is looked at as soon as it comes: more than thirty nodes say when they all arrive at once.
    static let promptly = (most: 256, perSecond: 1000)
    /// Beyond that datagrams wait so long and are looked at together: a flood of 15,000 a second would otherwise wake this machine
    /// as often. Sixty of them fit a socket's buffer several times.
    static let rest: Duration = .milliseconds(4)

    // MARK: Speaking

    static let beaconInterval: Duration = .seconds(1)
    /// A tenth either way, or a room that started together would speak together for good.
    static let beaconJitter: Duration = .milliseconds(100)
    /// After the start, for a lost datagram costs a second otherwise.
    static let burst: [Duration] = [.zero, .milliseconds(100), .milliseconds(300)]
    /// An answer waits this long, so that a room does not answer at once, and a newcomer still knows all in 50 ms.
    static let answerDelay: (from: Duration, to: Duration) = (.milliseconds(2), .milliseconds(20))
    /// Answers beyond one a second: a burst for people who arrive together, then eight a second, however much is asked.
    static let answerBurst = 16
    package static let answersPerSecond = 8
    /// A goodbye all of whose copies are lost costs the others seven seconds.
    static let goodbyes = 3

    // MARK: Sizes

    /// Nodes whose tag was checked. A session has a hundred at most; nobody outside it can fill these places.
    package static let verifiedNodes = 1024
    /// Nodes nobody vouches for. Those there keep their place, so that a flood of made-up ones pushes nobody out.
    package static let strangers = 512
    /// And as many from one address, or one machine alone could fill the places.
    static let strangersPerAddress = 128
    /// Nodes without a proof that a newcomer keeps to knock at, as long as nobody proves anything.
    static let knocks = 16
    /// What one address may say without a proof: a laptop has a few nodes, each of which speaks once a second.
    static let strangersWords = (most: 128, perSecond: 64)
    /// What all of them may say together: reading it takes a hundredth of a core.
    static let allStrangersWords = (most: 4096, perSecond: 2048)
    /// Addresses of strangers that are told apart; the others share what one of them has.
    static let strangersAddresses = 1024
    /// An address that said nothing for so long is forgotten, where others need its place.
    static let strangersSilence: Duration = .seconds(10)
    /// News of nodes without a proof: a whole room at once, then as much as somebody can read.
    static let strangersNews = (most: 512, perSecond: 8)
    /// Cable, Wi-Fi, loopback and a bridge, by IPv4 and link-local and global IPv6 each, and some to spare.
    package static let routes = 16
    /// Remembered departures, so that an mDNS cache or a late packet brings nobody back to life.
    static let departedVerified = 1024
    static let departedStrangers = 512
    /// mDNS caches keep a crashed host for 75 minutes.
    static let departedFor: Duration = .seconds(7200)

    /// Our own voice comes back so often in a second at most: a beacon and some answers, by each network.
    static let echoes = 64
    /// Copies of one beacon that are looked at: more than there are ways from one laptop to another, each with a card, a cable and a
    /// bridge by IPv4 and IPv6. Beyond that somebody repeats it.
    static let copies = 64
    /// Beacons remembered as having come first by one route: a minute of them.
    static let firsts = 64

    // MARK: Ages

    /// An address is forgotten when the node was heard elsewhere only for so long: 15 beacons are not lost by chance.
    static let routeAge: Duration = .seconds(15)
    /// By all ways that go to the same place it arrives within this time.
    static let oneBeacon: Duration = .milliseconds(20)
    /// One beacon arrives by several interfaces within this time; later copies are somebody's repetition.
    static let round: Duration = .seconds(2)

    // MARK: Asking mDNS's sightings by TCP

    static let probeInterval: Duration = .seconds(15)
    static let probeRetry: Duration = .seconds(1)
    /// A SYN and its repetition one second later.
    static let probeTimeout: Duration = .milliseconds(1500)
    static let probeAttempts = 3
    /// A node that is listed but does not answer is tried less and less often.
    static let ghostRetry: (first: Duration, last: Duration) = (.seconds(2), .seconds(60))
    /// Nobody shall make a room full of nodes knock at one door: this many a second at most.
    static let probesPerSecond = 20
    static let probeBurst = 20
}

/// A bucket of tokens: so many at once, then so many a second.
struct Allowance: Sendable {
    private let most: Int
    private let perSecond: Int
    private var tokens: Double
    private var filled: Instant

    init(most: Int, perSecond: Int, now: Instant) {
        self.most = most
        self.perSecond = perSecond
        tokens = Double(most)
        filled = now
    }

    /// Takes one, where there is one.
    mutating func take(at now: Instant) -> Bool {
        tokens = min(Double(most), tokens + (now - filled).seconds * Double(perSecond))
        filled = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
