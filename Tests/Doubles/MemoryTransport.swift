import PotluckCore
import PotluckNet
import PotluckSystem

/// The transport of one node on a `MemoryNetwork`. It belongs to the thread that advances the network's clock.
public final class MemoryTransport: Transport, @unchecked Sendable {
    public let address: [UInt8]
    private unowned let network: MemoryNetwork
    private let key: LinkKey
    private let session: SessionHash
    private var report: (@Sendable (TransportEvent) -> Void)?
    private var port: UInt16?
    private var links: [LinkID: MemoryLink] = [:]
    private var dials: [DialNumber: MemoryDial] = [:]
    private var lastLink: UInt64 = 0
    /// Whether it was killed: it receives, sends and reports nothing.
    private var isDead = false

    init(on network: MemoryNetwork, at address: [UInt8], key: LinkKey, session: SessionHash) {
        self.network = network
        self.address = address
        self.key = key
        self.session = session
    }

    public var executor: any SerialExecutor & TaskExecutor { network }

    public func start(_ report: @escaping @Sendable (TransportEvent) -> Void) { perform { self.report = report } }

    /// Each member has its own address, so no port is ever taken.
    public func listen(on port: PortChoice) throws(ListenError) -> UInt16 {
        let chosen = if case .exactly(let port) = port { port } else { LinkLimits.usualPort }
        perform { self.port = chosen }
        return chosen
    }

    public func dial(_ dial: DialNumber, to candidates: [Candidate]) {
        perform {
            guard self.dials[dial] == nil else { return self.emit(.dialFailed(dial, .notTried)) }
            let new = MemoryDial(dial, candidates, at: self.network.now)
            self.dials[dial] = new
            for case .host(let host, _) in candidates { new.eyeballs.notFound(.unknownHost(host)) }
            self.advance(new)
        }
    }

    public func cancel(_ dial: DialNumber) { perform { self.dials[dial] = nil } }

    public func send(_ message: [UInt8], on link: LinkID, lane: LinkLane, reliability: Reliability) {
        perform {
            guard let link = self.links[link] else { return }
            switch link.core.send(message, lane: lane, reliability: reliability) {
            case .waits: self.flush(link)
            case .dropped: break
            case .overfull: self.end(link, .overfull)
            }
        }
    }

    public func pass(_ message: [UInt8], from origin: LinkID, to link: LinkID, lane: LinkLane) {
        perform {
            guard let link = self.links[link] else { return }
            let greediest = link.core.pass(message, from: origin, lane: lane)
            self.flush(link)
            guard let greediest, let its = self.links[greediest] else { return }
            self.end(its, .misbehaved(LinkLimits.tooMuchPassed))
        }
    }

    public func hold(_ link: LinkID, _ held: Bool) {
        perform {
            guard let link = self.links[link] else { return }
            link.core.isHeld = held
            link.core.returnCredit()
            self.flush(link)
        }
    }

    public func close(_ link: LinkID, _ farewell: Farewell) { perform { self.leave(link, farewell) } }

    public func stop(_ farewell: Farewell) {
        perform {
            self.port = nil
            self.dials = [:]
            for link in self.links.keys.sorted() { self.leave(link, farewell) }
            self.emit(.stopped)
            self.report = nil
        }
    }

    /// Kills the node as `kill -9` does: its peers see their connections break, and its owner gets no more reports.
    /// With `silently`, as in a power failure, the peers see nothing.
    public func kill(silently: Bool = false) {
        isDead = true
        port = nil
        dials = [:]
        if !silently {
            for link in links.values.sorted(by: { $0.id < $1.id }) { carry(from: link) { $1.end($0, .lost) } }
        }
        links = [:]
    }

    private func perform(_ body: @escaping @Sendable () -> Void) {
        network.perform { if !self.isDead { body() } }
    }

    private func emit(_ event: TransportEvent) { if !isDead { report?(event) } }

    // MARK: Dialling

    private func advance(_ dial: MemoryDial) {
        guard dials[dial.id] === dial else { return }
        let now = network.now
        while let endpoint = dial.eyeballs.next(at: now) { attempt(endpoint, dial) }
        if dial.eyeballs.isOver(at: now) {
            dials[dial.id] = nil
            return emit(.dialFailed(dial.id, dial.eyeballs.verdict(at: now)))
        }
        network.schedule(at: dial.eyeballs.due) { self.advance(dial) }
    }

    /// Simulates the round trips of TCP and TLS.
    private func attempt(_ endpoint: Endpoint, _ dial: MemoryDial) {
        guard network.canDial(endpoint.octets, from: address) else {
            return later(LinkLimits.connect) { self.fail(dial, .timedOut) }
        }
        let trip = network.travel() + network.travel()
        later(trip) {
            guard self.dials[dial.id] === dial else { return }
            guard self.host(at: endpoint) != nil else { return self.fail(dial, .unreachable) }
            dial.eyeballs.connected(at: self.network.now)
            self.later(trip) { self.shake(endpoint, dial) }
        }
    }

    private func host(at endpoint: Endpoint) -> MemoryTransport? {
        network.members.last { $0.address == endpoint.octets && $0.port == endpoint.port && !$0.isDead }
    }

    private func shake(_ endpoint: Endpoint, _ dial: MemoryDial) {
        guard dials[dial.id] === dial else { return }
        guard let host = host(at: endpoint), network.canDial(endpoint.octets, from: address),
            // The port does not matter.
            let own = Endpoint(octets: address, port: 1024 + UInt16(network.generator.next(below: 60_000)))
        else { return fail(dial, .unreachable) }
        guard host.session == session else {
            host.emit(.refused(own, .noKey))
            return fail(dial, .otherSession)
        }
        guard host.key.octets == key.octets else {
            host.emit(.refused(own, .wrongCode))
            return fail(dial, .wrongCode)
        }
        dials[dial.id] = nil
        let now = network.now
        let here = MemoryLink(nextLink(), LinkCore(at: now, asksFirst: true), of: self)
        let there = MemoryLink(host.nextLink(), LinkCore(at: now, asksFirst: false), of: host)
        here.peer = there
        there.peer = here
        let binding = (0..<32).map { _ in UInt8(truncatingIfNeeded: network.generator.next()) }
        open(here, .dialled(dial.id), endpoint, binding)
        host.open(there, .accepted, own, binding)
    }

    private func fail(_ dial: MemoryDial, _ reason: DialFailure) {
        guard dials[dial.id] === dial else { return }
        dial.eyeballs.failed(reason, at: network.now)
        advance(dial)
    }

    private func nextLink() -> LinkID {
        lastLink += 1
        return LinkID(lastLink)
    }

    private func later(_ time: Duration, _ body: @escaping () -> Void) {
        network.schedule(at: network.now + time) { if !self.isDead { body() } }
    }

    // MARK: Links

    private func open(_ link: MemoryLink, _ origin: LinkOrigin, _ remote: Endpoint, _ binding: [UInt8]) {
        links[link.id] = link
        emit(.opened(link.id, origin, remote: remote, binding: binding))
        watch(link)
    }

    private func watch(_ link: MemoryLink) {
        network.schedule(at: link.core.due) {
            guard self.links[link.id] === link else { return }
            switch link.core.judge(at: self.network.now, slow: { false }) {
            case .alive:
                self.flush(link)
                self.watch(link)
            case .silent: self.end(link, .silent)
            }
        }
    }

    private func flush(_ link: MemoryLink) {
        while true {
            let record = [UInt8](unsafeUninitializedCapacity: LinkLimits.frameHeader + LinkLimits.frameBody) {
                $1 = link.core.fill(UnsafeMutableRawBufferPointer($0))
            }
            if record.isEmpty { break }
            carry(from: link) { $1.receive(record, on: $0) }
        }
        if links[link.id] === link, link.core.takeDrained() { emit(.drained(link.id)) }
    }

    /// Schedules a delivery to the other end, after all earlier ones.
    private func carry(from link: MemoryLink, _ deliver: @escaping (MemoryLink, MemoryTransport) -> Void) {
        guard let peer = link.peer else { return }
        let (a, b) = (address, peer.owner.address)
        link.lastArrival = max(link.lastArrival, network.now + network.travel())
        network.schedule(at: link.lastArrival) { [network] in
            network.deliver(a, b) { deliver(peer, peer.owner) }
        }
    }

    private func receive(_ record: [UInt8], on link: MemoryLink) {
        guard !isDead, let owned = links[link.id], owned === link else { return }
        var news: [LinkCore.News] = []
        var fault: LinkError?
        record.withUnsafeBytes { octets in
            do throws(LinkError) { try link.core.receive(octets, at: network.now, into: &news) } catch { fault = error }
        }
        for item in news where links[link.id] != nil {
            switch item {
            case .message(let message): emit(.received(link.id, message))
            case .roundTrip(let time): emit(.roundTrip(link.id, time))
            case .farewell(let farewell): end(link, .closedThere(farewell))
            }
        }
        if let fault { end(link, .misbehaved(fault.what)) }
        link.core.returnCredit()
        flush(link)
    }

    private func leave(_ id: LinkID, _ farewell: Farewell) {
        guard let link = links.removeValue(forKey: id) else { return }
        link.core.end(farewell)
        flush(link)
        // What the peer's credit does not cover is lost with the connection, including the farewell.
        carry(from: link) { $1.end($0, .lost) }
        emit(.closed(id, .closedHere(farewell)))
    }

    private func end(_ link: MemoryLink, _ reason: LinkEnd) {
        guard links.removeValue(forKey: link.id) != nil else { return }
        carry(from: link) { $1.end($0, .lost) }
        emit(.closed(link.id, reason))
    }
}

/// One end of a link in memory.
final class MemoryLink {
    let id: LinkID
    var core: LinkCore
    unowned let owner: MemoryTransport
    weak var peer: MemoryLink?
    /// When the last record sent arrives. No record overtakes another.
    var lastArrival = Instant.start

    init(_ id: LinkID, _ core: LinkCore, of owner: MemoryTransport) {
        self.id = id
        self.core = core
        self.owner = owner
    }
}

final class MemoryDial {
    let id: DialNumber
    var eyeballs: HappyEyeballs

    init(_ id: DialNumber, _ candidates: [Candidate], at now: Instant) {
        self.id = id
        eyeballs = HappyEyeballs(candidates, at: now)
    }
}
