import Glibc
import PotluckCore
import PotluckSystem

/// Discovery's thread. It waits for datagrams, other threads and timers, passes them to the core, and carries out its
/// effects. The core makes all decisions.
final class DiscoveryLoop {
    /// How often one socket is read before the others get their turn.
    private static let takesPerTurn = 2

    private let log = Log("discovery")
    private let clock: BootClock
    private let options: DiscoveryOptions
    private let queue: DiscoveryEventQueue
    private let feed: ChangeFeed
    private var core: DiscoveryCore
    private var sockets: BeaconSockets?
    private var scanner: InterfaceScanner
    private var interfaces: [NetworkInterface] = []
    private var scanAt = Instant.start
    private var prober = Prober()
    /// The allowance for handling datagrams as soon as they arrive.
    private var prompt: Allowance
    /// Sockets are not polled before this time.
    private var restsUntil = Instant.start

    init(
        _ setup: DiscoverySetup, options: DiscoveryOptions, hasMDNS: Bool, clock: BootClock, queue: DiscoveryEventQueue,
        feed: ChangeFeed
    ) {
        self.clock = clock
        self.options = options
        self.queue = queue
        self.feed = feed
        core = DiscoveryCore(setup, now: clock.now)
        prompt = Allowance(Limits.promptly, at: clock.now)
        scanner = InterfaceScanner(only: options.interface)
        queue.status.with { $0.mdns = hasMDNS ? .absent(reason: "no answer from the Avahi daemon yet") : nil }
    }

    func run() {
        while !queue.isStopped {
            if scanAt <= clock.now { scan() }
            for event in queue.take() { receive(event) }
            for result in prober.finish(now: clock.now) { handle(.probed(result.node, answered: result.answered)) }
            if core.wake <= clock.now { handle(.tick) }
            wait()
        }
        // Handles the last events, such as an announcement that was withdrawn just before the end.
        for event in queue.take() { receive(event) }
        handle(.announce(nil))
    }

    private func receive(_ event: DiscoveryCore.Event) {
        // Sightings are not filtered by interface, because the source looks only at the one to use. It may report a
        // node there before the next scan finds the interface, and does not repeat that.
        if case .observation(.status(let status)) = event {
            log.info("mDNS: \(status)")
            queue.status.with { $0.mdns = status }
        }
        handle(event)
    }

    private func handle(_ event: DiscoveryCore.Event) {
        for effect in core.handle(event, at: clock.now) {
            switch effect {
            case .send(let bytes): sockets?.send(bytes)
            case .probe(let node, let endpoint): prober.start(node, endpoint, now: clock.now)
            case .changed(let change):
                log.debug("\(change)")
                feed.publish(change)
            }
        }
    }

    // MARK: - Waiting

    private func wait() {
        var descriptors = [pollfd(fd: queue.readingEnd, events: Int16(POLLIN), revents: 0)]
        let isResting = restsUntil > clock.now
        for descriptor in isResting ? [] : sockets?.descriptors ?? [] {
            descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        let sources = descriptors.count
        for descriptor in prober.descriptors {
            descriptors.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
        }
        let until = min(core.wake, scanAt, prober.due ?? scanAt, isResting ? restsUntil : scanAt)
        // Rounded up; otherwise the last millisecond would be spent polling. At most the second until the next scan.
        let milliseconds = Int32(clamping: (max(0, (until - clock.now).nanoseconds) + 999_999) / 1_000_000)
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        if descriptors[0].revents != 0 { queue.drainPipe() }
        // Received before any timer is handled, so that a node that has just sent a beacon is not judged silent.
        for item in descriptors[1..<sources] where item.revents != 0 { receive(item.fd) }
    }

    private func receive(_ descriptor: Int32) {
        guard let sockets else { return }
        for _ in 0..<Self.takesPerTurn {
            let count = sockets.receive(descriptor)
            let now = clock.now
            for index in 0..<count {
                if !prompt.take(at: now) { restsUntil = now + Limits.rest }
                if core.drops(sockets.octets(index).span, at: now) { continue }
                guard let datagram = sockets.datagram(index), uses(datagram.interface) else { continue }
                handle(.datagram(datagram.bytes, source: datagram.source, interface: datagram.interface))
            }
            if count < BeaconSockets.most { return }
        }
    }

    // MARK: - Interfaces

    /// Returns whether beacons from this interface are heard. Beacons that come before the scan are dropped, because
    /// others follow.
    private func uses(_ interface: UInt32) -> Bool {
        options.interface == nil || interfaces.contains { $0.index == interface }
    }

    /// Scans the interfaces. Called once a second, because a laptop's networks change.
    private func scan() {
        scanAt = clock.now + .seconds(1)
        openSockets()
        let before = interfaces
        interfaces = scanner.scan() ?? before
        // Also if nothing changed, because a socket that could not be opened before may work now.
        sockets?.use(interfaces)
        if interfaces != before {
            log.info("interfaces: \(interfaces.map(\.name).joined(separator: ", "))")
            handle(.interfaces(interfaces))
        }
        let counters = core.counters
        queue.status.with { status in
            status.interfaces = interfaces
            status.counters = counters
        }
    }

    /// Opens the sockets, or tries again if another program had the port.
    private func openSockets() {
        guard options.usesBeacon else { return }
        do {
            if sockets == nil { sockets = try BeaconSockets(port: options.beaconPort) }
            sockets?.retry()
            let trouble = sockets?.trouble
            report(trouble.map { .absent(reason: $0.reason) } ?? .working)
        } catch {
            report(.absent(reason: error.reason))
        }
    }

    private func report(_ beacon: SourceStatus) {
        let isNew = queue.status.with { status in
            defer { status.beacon = beacon }
            return status.beacon != beacon
        }
        if isNew { log.info("beacon: \(beacon)") }
    }
}
