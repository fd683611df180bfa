import PotluckCore
import PotluckNet
import PotluckSimulation
import Testing

@testable import PotluckEngine

/// After a restart of their server all guests are soon connected again, within the limits of the real doorkeeper.
@Suite struct CrowdTests {
    /// In a room every guest has its own address. Behind a router, or on one machine, all have the same.
    @Test(arguments: [(30, true), (30, false), (100, true), (100, false)])
    func guestsReconnectSoonAfterARestart(guests: Int, haveOneAddress: Bool) throws {
        for seed: UInt64 in 1...(guests > 50 ? 1 : 3) {
            let crowd = Crowd(guests, haveOneAddress: haveOneAddress, seed: seed)
            #expect(crowd.comes(within: .seconds(10)) != nil, "seed \(seed)")
            crowd.killServer()
            crowd.run(.seconds(2))
            crowd.startServer()
            let time = try #require(crowd.comes(within: .seconds(10)), "seed \(seed): \(crowd.connected) are back")
            #expect(time <= .seconds(guests > 50 ? 5 : 3), "seed \(seed)")
        }
    }

    /// Five hundred guests are nearly as many as a session takes.
    @Test(arguments: [true, false]) func fiveHundredAreBackInTenSeconds(haveOneAddress: Bool) {
        let crowd = Crowd(500, haveOneAddress: haveOneAddress, seed: 1)
        crowd.areQuick = true
        #expect(crowd.comes(within: .seconds(20)) != nil, "\(crowd.connected) came")
        crowd.areQuick = false
        crowd.killServer()
        crowd.run(.seconds(2))
        crowd.startServer()
        #expect(crowd.comes(within: .seconds(10)) != nil, "\(crowd.connected) are back")
    }
}

/// A server, its guests, the door between them with all that it allows, and the one thread behind it. On a virtual clock.
private final class Crowd {
    /// The CPU time of a handshake at each end, ten times that of a laptop.
    private static let handshake = Duration.milliseconds(8)
    /// The CPU time of an event at the server, with five hundred members.
    private static let event = Duration.microseconds(200)
    /// The time from the server's start until it listens. It derives its key from five words.
    private static let derivation = Duration.milliseconds(400)
    private static let cores = 2
    private static let port: UInt16 = 7077
    private static let session = SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length))

    private final class Link {
        let guest: Int
        let name: LinkName
        let tag: UInt32
        let start: Int
        var accepted: LinkName?
        var isOpen = true
        init(_ guest: Int, _ name: LinkName, tag: UInt32, start: Int) {
            (self.guest, self.name, self.tag, self.start) = (guest, name, tag, start)
        }
    }

    private(set) var now = Instant.start
    /// Whether nothing costs time. The first arrival of the guests is not what the tests measure.
    var areQuick = false
    private var random: SeededGenerator
    private var queue = EventQueue<() -> Void>()
    private var guests: [SessionMachine] = []
    private var server: SessionMachine
    private var serverStart = 0
    private var isListening = false
    private let founding = Founding(1)
    private let haveOneAddress: Bool
    private var door = Doorkeeper()
    private var tags: UInt32 = 0
    private var links: [UInt32: Link] = [:]
    /// The links by the server's name for them, and by each guest's.
    private var accepted: [LinkName: Link] = [:]
    private var dialled: [Int: [LinkName: Link]] = [:]
    /// When each core of the shared machine is free, and when the server's thread is.
    private var idle = [Instant](repeating: .start, count: Crowd.cores)
    private var serverIdle = Instant.start
    private var back: Set<Int> = []

    init(_ count: Int, haveOneAddress: Bool, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        self.haveOneAddress = haveOneAddress
        server = SessionMachine(
            SessionSetup(
                node: Self.node(0, 0), name: "Monty", cores: 0, session: Self.session, mode: .server,
                founding: founding, guests: .watches, seed: seed), now: .start)
        for number in 0..<count {
            guests.append(
                SessionMachine(
                    SessionSetup(
                        node: Self.node(number + 1, 0), name: "guest \(number)", cores: 1, session: Self.session,
                        mode: .client, guests: .watches, seed: random.next()), now: .start))
        }
        startServer()
    }

    var connected: Int { back.count }

    private static func node(_ number: Int, _ start: Int) -> NodeID {
        NodeID(
            firstOctetsOf: (0..<16).map {
                UInt8(truncatingIfNeeded: ($0 % 2 == 0 ? number : number >> 8) &* 31 + start)
            })
    }

    private func address(_ guest: Int) -> [UInt8] {
        haveOneAddress ? [127, 0, 0, 1] : [10, 0, UInt8(guest / 250), UInt8(guest % 250 + 1)]
    }

    // MARK: Time

    func run(_ time: Duration) {
        let end = now + time
        while let next = queue.nextTime, next <= end, let (at, action) = queue.next() {
            now = at
            action()
        }
        now = end
    }

    /// Runs until all guests are connected. Returns how long that took; nil if it takes longer than `time`.
    func comes(within time: Duration) -> Duration? {
        let (begun, end) = (now, now + time)
        while back.count < guests.count {
            guard let next = queue.nextTime, next <= end, let (at, action) = queue.next() else { return nil }
            now = at
            action()
        }
        return now - begun
    }

    private func at(_ time: Instant, _ action: @escaping () -> Void) { queue.add(action, at: max(time, now)) }

    private func delay() -> Duration { random.duration(from: .milliseconds(1), to: .milliseconds(5)) }

    /// Some core does it as soon as it can. Tells when it is done.
    private func compute(_ cost: Duration) -> Instant {
        if areQuick { return now }
        let core = idle.indices.min { idle[$0] < idle[$1] } ?? 0
        idle[core] = max(now, idle[core]) + cost
        return idle[core]
    }

    /// The server's one thread does it, after all that came before.
    private func serve(_ cost: Duration, _ action: @escaping () -> Void) {
        if !areQuick { serverIdle = max(compute(cost), serverIdle + cost) }
        let start = serverStart
        at(areQuick ? now : serverIdle) { if self.serverStart == start, self.isListening { action() } }
    }

    // MARK: The server

    func killServer() {
        isListening = false
        serverStart += 1
        back = []
        for link in links.values.sorted(by: { $0.tag < $1.tag }) { hangUp(link, .lost) }
        (links, accepted, door) = ([:], [:], Doorkeeper())
    }

    func startServer() {
        var setup = server.setup
        let old = setup.node
        setup.node = Self.node(0, serverStart)
        let new = setup
        let start = serverStart
        at(now + Self.derivation) {
            guard self.serverStart == start else { return }
            self.server = SessionMachine(new, now: self.now)
            self.isListening = true
            for guest in self.guests.indices {
                let before = start > 0 ? self.entry(old) : nil
                self.at(self.now + self.random.duration(from: .milliseconds(2), to: .milliseconds(900))) {
                    if let before { self.handle(guest, .sighted(.disappeared(before, .replaced(by: new.node)))) }
                    self.handle(guest, .sighted(.appeared(self.entry(new.node))))
                }
            }
        }
    }

    private func entry(_ node: NodeID) -> NodeEntry {
        NodeEntry(
            announcement: Announcement(
                node: node, mode: .server, sessionHash: Self.session, session: nil, name: "Monty", port: Self.port,
                isOpen: false),
            standing: .present, trust: .verified, sources: [.beacon], host: nil, sameMachine: false,
            endpoints: [Endpoint(octets: [10, 1, 1, 1], port: Self.port)].compactMap { $0 }, since: .start)
    }

    private func tellServer(_ event: SessionEvent) {
        guard isListening else { return }
        let start = serverStart
        for output in server.handle(event, at: now) {
            if case .wake(let time) = output {
                at(time) { if self.serverStart == start { self.tellServer(.woke) } }
            }
            guard case .effect(let effect) = output else { continue }
            switch effect {
            case .greet(let name, let introduction):
                let node = server.setup.node
                if let link = accepted[name] { toGuest(link) { .greeted($0, introduction, by: node) } }
            case .send(let name, let message, _):
                if let link = accepted[name] { toGuest(link) { .received($0, message) } }
            case .close(let name): if let link = accepted[name] { hangUp(link, .lost) }
            default: break
            }
        }
    }

    // MARK: A guest

    private func handle(_ guest: Int, _ event: SessionEvent) {
        for output in guests[guest].handle(event, at: now) {
            if case .wake(let time) = output { at(time) { self.handle(guest, .woke) } }
            guard case .effect(let effect) = output else { continue }
            switch effect {
            case .dial(let name, _): dial(guest, name)
            case .greet(let name, let introduction):
                let node = guests[guest].setup.node
                if let link = dialled[guest]?[name] { toServer(link) { .greeted($0, introduction, by: node) } }
            case .send(let name, let message, _):
                if let link = dialled[guest]?[name] { toServer(link) { .received($0, message) } }
            case .close(let name): if let link = dialled[guest]?[name] { hangUp(link, nil) }
            case .changed(let peer):
                if peer.state == .connected { back.insert(guest) } else { back.remove(guest) }
            default: break
            }
        }
    }

    private func dial(_ guest: Int, _ name: LinkName) {
        at(now + delay()) {
            guard self.isListening else { return self.give(guest, name, .unreachable) }
            self.tags += 1
            let link = Link(guest, name, tag: self.tags, start: self.serverStart)
            // It is the kernel's until the server's thread has the time.
            self.serve(.microseconds(50)) { self.knock(link) }
        }
    }

    private func knock(_ link: Link) {
        switch door.admit(link.tag, from: address(link.guest), at: now) {
        case .refused: return give(link.guest, link.name, .unreachable)
        case .admitted(let gone):
            if let gone = gone.flatMap({ links.removeValue(forKey: $0) }) {
                gone.isOpen = false
                give(gone.guest, gone.name, .unreachable)
            }
        }
        links[link.tag] = link
        let deadline = now + LinkLimits.handshake
        // Two round trips, and both ends compute.
        let shaken = compute(Self.handshake) + delay() + delay()
        at(shaken) {
            self.serve(Self.handshake) {
                guard link.isOpen else { return }
                guard self.now <= deadline else { return self.hangUp(link, .unreachable) }
                self.door.leave(link.tag, .knewTheCode, at: self.now)
                let accepted = LinkName.accepted(UInt64(link.tag))
                link.accepted = accepted
                self.accepted[accepted] = link
                self.dialled[link.guest, default: [:]][link.name] = link
                self.toGuest(link) { .opened($0, address: [10, 1, 1, 1]) }
                self.tellServer(.opened(accepted, address: self.address(link.guest)))
            }
        }
    }

    private func give(_ guest: Int, _ name: LinkName, _ loss: LinkLoss) {
        at(now + delay()) { self.handle(guest, .closed(name, loss)) }
    }

    // MARK: Links

    private func toGuest(_ link: Link, _ event: @escaping (LinkName) -> SessionEvent) {
        // In order: nothing here takes less time than what was sent before it.
        at(now + .milliseconds(3)) { if link.isOpen { self.handle(link.guest, event(link.name)) } }
    }

    private func toServer(_ link: Link, _ event: @escaping (LinkName) -> SessionEvent) {
        at(now + .milliseconds(3)) {
            self.serve(Self.event) {
                if link.isOpen, let name = link.accepted { self.tellServer(event(name)) }
            }
        }
    }

    /// The nodes that did not do it hear of it.
    private func hangUp(_ link: Link, _ loss: LinkLoss?) {
        guard link.isOpen else { return }
        link.isOpen = false
        dialled[link.guest]?[link.name] = nil
        links[link.tag] = nil
        if let name = link.accepted { accepted[name] = nil } else { door.leave(link.tag, .nothing, at: now) }
        if let loss {
            give(link.guest, link.name, loss)
        } else if let name = link.accepted {
            at(now + delay()) { self.tellServer(.closed(name, .lost)) }
        }
    }
}
