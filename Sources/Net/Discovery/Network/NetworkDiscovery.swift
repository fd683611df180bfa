import Glibc
import PotluckCore
import PotluckSystem

/// Discovery on the real network, by beacon, mDNS or both, as `DiscoveryOptions` says.
public final class NetworkDiscovery: Discovery {
    /// The current state of the beacon and mDNS.
    public struct Status: Hashable, Sendable {
        /// Nil if it is turned off; the same for `mdns`.
        public var beacon: SourceStatus?
        public var mdns: SourceStatus?
        var interfaces: [NetworkInterface] = []
        public var counters = DiscoveryCounters()

        /// The networks on which no beacon can be sent: a tunnel, or a card without a broadcast address and IPv6.
        var silent: [NetworkInterface] { networks.filter { !$0.carriesBeacons } }

        /// The networks of this machine, without loopback.
        public var networks: [NetworkInterface] {
            interfaces.filter { $0.kind != .loopback && !$0.addresses.isEmpty }
        }

        /// Whether no other machine can hear this one's beacon.
        public var isUnheard: Bool { !networks.isEmpty && silent.count == networks.count }
    }

    private let clock = BootClock()
    private let feed = ChangeFeed()
    private let queue: DiscoveryEventQueue
    private let mdns: (any SightingSource)?
    private let thread: Guarded<SystemThread?>

    /// Starts discovery, with the machine's Avahi daemon if mDNS is on.
    public convenience init(_ setup: DiscoverySetup, options: DiscoveryOptions) {
        self.init(setup, options: options, mdns: AvahiSource(scope: setup.scope, interface: options.interface))
    }

    /// `mdns` is not started if the options turn it off. It must look only at the interface that the options name.
    init(_ setup: DiscoverySetup, options: DiscoveryOptions, mdns: (any SightingSource)?) {
        let queue = DiscoveryEventQueue()
        self.queue = queue
        self.mdns = options.usesMDNS ? mdns : nil
        let loop = DiscoveryLoop(
            setup, options: options, hasMDNS: self.mdns != nil, clock: clock, queue: queue, feed: feed)
        thread = Guarded(SystemThread(for: "discovery") { loop.run() })
        self.mdns?.start { observation in queue.put(.observation(observation)) }
    }

    deinit { stop() }

    public var now: Instant { clock.now }

    public var entries: [NodeEntry] { feed.entries }

    public var status: Status { queue.status.with { $0 } }

    public func changes() -> NodeChanges { NodeChanges(feed) }

    public func announce(_ announcement: Announcement?) {
        queue.put(.announce(announcement))
        // A node without a port accepts no links, so mDNS has nothing to list.
        mdns?.announce(announcement.flatMap { $0.port == 0 ? nil : $0 })
    }

    public func stop() {
        guard
            let thread = thread.with({ thread in
                defer { thread = nil }
                return thread
            })
        else { return }
        // The beacon's goodbyes go first, because mDNS may be slow.
        queue.stop()
        thread.join()
        mdns?.stop()
        feed.finish()
    }
}

/// Events from other threads for discovery's thread, and the pipe that wakes it.
final class DiscoveryEventQueue: Sendable {
    /// The most waiting events. mDNS may report many nodes at once. Further events are dropped, because the thread is
    /// not keeping up and sightings repeat.
    static let limit = 8192

    private let events = Guarded<[DiscoveryCore.Event]>([])
    private let stopped = Guarded(false)
    let status = Guarded(NetworkDiscovery.Status())
    let readingEnd: Int32
    private let writingEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let status = pipe(&ends)
        // Checked first, because the next call may change `errno`.
        precondition(status == 0, "cannot create a pipe for discovery: \(String(cString: strerror(errno)))")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readingEnd = ends[0]
        writingEnd = ends[1]
    }

    deinit {
        close(readingEnd)
        close(writingEnd)
    }

    func put(_ event: DiscoveryCore.Event) {
        let isFirst = events.with { events in
            if events.count < Self.limit { events.append(event) }
            return events.count == 1
        }
        if isFirst { wake() }
    }

    func take() -> [DiscoveryCore.Event] {
        events.with { events in
            defer { events = [] }
            return events
        }
    }

    func stop() {
        stopped.with { $0 = true }
        wake()
    }

    var isStopped: Bool { stopped.with { $0 } }

    private func wake() {
        var octet: UInt8 = 1
        // If the pipe is full, the thread wakes anyway.
        _ = write(writingEnd, &octet, 1)
    }

    /// Empties the pipe. Called by the thread that was woken.
    func drainPipe() {
        var octets = [UInt8](repeating: 0, count: 64)
        while read(readingEnd, &octets, octets.count) > 0 {}
    }
}
