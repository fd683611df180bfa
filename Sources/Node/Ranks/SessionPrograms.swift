import PotluckCore
import PotluckRanks

/// The programs with ranks that a session knows on this node: those that it takes part in, those that it has launched, and
/// those whose frames it passes on.
struct SessionPrograms {
    /// A stream is named by its launch and by the node at its other end.
    struct Key: Hashable {
        let launch: UInt64
        let node: NodeID
    }

    var streams: [Key: RankStream] = [:]
    var sites: [UInt64: RankSite] = [:]
    var attempts: [UInt64: LaunchAttempt] = [:]
    var relays: [UInt64: RankRelay] = [:]
    /// The other guests of the server that can run programs, as it reports them; nil until it has, and for a server and
    /// for peers.
    var guests: [RosterEntry]?
    /// The launches that were forgotten last. Their late frames are dropped.
    private var over: [UInt64] = []
    /// Pictures of programs from others. A program has two a second.
    private var shows: Allowance

    /// The most programs of one node in which this node takes part, or whose frames it passes on. A person launches one.
    static let mostOfOne = 4
    /// The most programs in which this node takes part.
    static let most = 16
    /// The most pictures from others, at once and in a second.
    private static let mostShows = (most: 32, perSecond: 16)

    /// The cores that this node lends.
    private(set) var cores: Int
    let priority: Priority
    let plugins: Plugins

    init(_ computing: Computing, now: Instant) {
        shows = Allowance(Self.mostShows, at: now)
        // A browser runs no ranks.
        cores = computing.device == nil ? computing.cores : 0
        (priority, plugins) = (computing.priority, computing.simulations.plugins)
    }

    /// Sets the number of cores that this node lends. Without cores, as on battery, this node's ranks end.
    mutating func set(cores: Int) {
        self.cores = cores
        guard cores == 0 else { return }
        for site in sites.values {
            site.fail(.ended(why: "a laptop with ranks lends no cores any more, perhaps because it runs on battery"))
        }
    }

    mutating func takesShow(at now: Instant) -> Bool { shows.take(at: now) }

    /// Whether another program of this lead has a place here.
    func hasPlace(for lead: NodeID) -> Bool {
        let orders = streams.keys.count { $0.node == lead && sites[$0.launch] == nil && attempts[$0.launch] == nil }
        return sites.values.count { $0.lead == lead } + orders < Self.mostOfOne && sites.count + orders < Self.most
    }

    func mayRelay(for lead: NodeID) -> Bool { relays.values.count { $0.lead == lead } < Self.mostOfOne }

    /// Forgets a launch, and ends what this node does for it.
    mutating func forget(_ launch: UInt64) {
        for key in streams.keys where key.launch == launch { streams[key] = nil }
        sites.removeValue(forKey: launch)?.end()
        attempts[launch] = nil
        over.append(launch)
        if over.count > Self.mostOver { over.removeFirst() }
    }

    func isOver(_ launch: UInt64) -> Bool { over.contains(launch) }

    /// How many launches are remembered as over. No frame of a launch arrives later than a second after its end, and
    /// fewer launches than this end within a second.
    private static let mostOver = 64

    /// Ends what depended on a link that has ended. If the link led to the node that passes on frames, that node is
    /// lost, and not those behind it.
    mutating func lost(_ link: LinkID) {
        for (key, stream) in streams where stream.route == RankStream.Route(link: link, target: key.node) {
            attempts[key.launch]?.lostRelay()
        }
        lost { _, route in route.link == link }
    }

    /// Ends the streams whose routes are lost. A node's part ends with its lead, and a lead learns which nodes are
    /// lost.
    mutating func lost(where isLost: (Key, RankStream.Route) -> Bool) {
        for (key, stream) in streams where isLost(key, stream.route) {
            if let site = sites[key.launch] {
                if site.lead == key.node { forget(key.launch) } else { site.lost(key.node) }
            } else if let attempt = attempts[key.launch] {
                attempt.lost(key.node)
            } else {
                streams[key] = nil
            }
        }
    }
}
