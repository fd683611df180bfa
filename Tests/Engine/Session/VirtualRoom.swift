import PotluckCore
import PotluckKit
import PotluckSimulation
import Testing

@testable import PotluckEngine

/// Nodes in a room on a virtual clock. Discovery finds nodes late and forgets them later. Links are slow, break, and
/// end at different times on both sides. Everything follows from the seed.
final class VirtualRoom {
    typealias Seat = Int

    /// A link between two seats. Each seat has its own name for it.
    final class Wire {
        let number: Int
        var ends: [(seat: Seat, start: Int, link: LinkName)]
        var isBroken = false
        /// For each end, the earliest time at which the next message may arrive, because messages arrive in order.
        var lastArrival: [Instant] = [.start, .start]
        init(_ number: Int, _ ends: [(Seat, Int, LinkName)]) {
            self.number = number
            self.ends = ends
        }
    }

    /// A laptop. Its node may crash and be replaced by a new one.
    struct Laptop {
        var machine: SessionMachine
        /// The number of earlier nodes on this laptop. Events that were meant for one of them are dropped.
        var start = 0
        var isRunning = true
        var isAsleep = false
        var missed: [SessionEvent] = []
        var effects: [(at: Instant, effect: SessionEffect)] = []
        var wires: [LinkName: Wire] = [:]
        var accepted: UInt64 = 0
        var seen: [NodeID: NodeEntry] = [:]
        /// Whether connections to it fail.
        var isFirewalled = false
        /// Whether a node of another session answers at its port.
        var hasLostPort = false
        /// Whether its announcements prove that it knows the code.
        var trust = Sighting.Trust.verified
        /// Laptops with different numbers cannot see or reach each other.
        var island = 0
        /// The networks that it is on. Its links use the first one.
        var networks: [UInt8] = [0]
    }

    private(set) var now = Instant.start
    private(set) var laptops: [Laptop] = []
    /// An FNV-1a hash of all events. Computed only if `isTraced`, because formatting the events takes longer than
    /// running them.
    private(set) var trace: UInt64 = 0
    var isTraced = false
    var random: RandomStream
    /// The time that a message takes, in milliseconds.
    var delay: ClosedRange<Int> = 1...5
    /// Called for each effect of a node, to check invariants at every moment.
    var onEffect: (Seat, SessionEffect) -> Void = { _, _ in }
    private var queue = EventQueue<() -> Void>()
    private var wires = 0
    private var nodes: UInt64 = 0

    init(seed: UInt64) { random = RandomStream(seed: seed, block: 7, lane: 0) }

    // MARK: Nodes

    @discardableResult
    func arrive(
        _ mode: Mode, _ name: String = "ana", session: UInt8 = 1, isOpen: Bool = false, founding: UInt64? = nil,
        asks: Bool = false, node: NodeID? = nil, firewalled: Bool = false
    ) -> Seat {
        let setup = SessionSetup(
            node: node ?? newNode(), name: name, cores: 2, session: Self.session(session), mode: mode,
            isOpen: isOpen, founding: mode == .server ? Founding(founding ?? random.next64()) : nil, asks: asks,
            guests: .submits,
            seed: random.next64())
        laptops.append(Laptop(machine: SessionMachine(setup, now: now), isFirewalled: firewalled))
        appear(laptops.count - 1)
        return laptops.count - 1
    }

    static func session(_ number: UInt8) -> SessionHash {
        SessionHash(firstOctetsOf: [UInt8](repeating: number, count: 8))
    }

    private func newNode() -> NodeID {
        nodes += 1
        return NodeID(firstOctetsOf: (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    func node(_ seat: Seat) -> NodeID { laptops[seat].machine.setup.node }

    /// Kills the node; it cannot say goodbye.
    func crash(_ seat: Seat) {
        laptops[seat].isRunning = false
        for wire in laptops[seat].wires.values.sorted(by: { $0.number < $1.number }) { breakWire(wire) }
        vanish(seat, .silent)
    }

    /// Starts a new node on a laptop where one crashed, with the same session, name, founding and approvals but another ID.
    func restart(_ seat: Seat) {
        var setup = laptops[seat].machine.setup
        let old = setup.node
        setup.node = newNode()
        (setup.seed, setup.approved) = (random.next64(), laptops[seat].machine.approved)
        let was = laptops[seat]
        laptops[seat] = Laptop(
            machine: SessionMachine(setup, now: now), start: was.start + 1, isFirewalled: was.isFirewalled,
            island: was.island, networks: was.networks)
        appear(seat)
        for other in laptops.indices where laptops[other].seen[old] != nil {
            after(milliseconds: 100...900) { self.unsee(other, old, .replaced(by: setup.node)) }
        }
    }

    func leave(_ seat: Seat) {
        want(seat, .leave)
        laptops[seat].isRunning = false
        vanish(seat, .left)
    }

    func sleep(_ seat: Seat, _ time: Duration) {
        laptops[seat].isAsleep = true
        for wire in laptops[seat].wires.values.sorted(by: { $0.number < $1.number }) where time > .seconds(3) {
            breakWire(wire)
        }
        let start = laptops[seat].start
        if time > .seconds(6) { vanish(seat, .silent) }
        queue.add(
            {
                guard self.laptops[seat].start == start else { return }
                self.laptops[seat].isAsleep = false
                let missed = self.laptops[seat].missed
                self.laptops[seat].missed = []
                for event in missed { self.handle(seat, event) }
                self.appear(seat)
            }, at: now + time)
    }

    /// Sets the island of each laptop. Laptops on different islands can neither see nor reach each other.
    func islands(_ numbers: [Int]) {
        for (seat, number) in numbers.enumerated() { laptops[seat].island = number }
        for seat in laptops.indices {
            for wire in laptops[seat].wires.values.sorted(by: { $0.number < $1.number }) {
                if laptops[wire.ends[0].seat].island != laptops[wire.ends[1].seat].island { breakWire(wire) }
            }
            for other in laptops.indices where other != seat && laptops[other].isRunning {
                let node = node(other)
                if laptops[seat].island == laptops[other].island {
                    after(milliseconds: 0...1000) { self.see(seat, other) }
                } else {
                    after(milliseconds: 2000...3000) {
                        if self.laptops[seat].island != self.laptops[other].island { self.doubt(seat, node) }
                    }
                    after(milliseconds: 5000...7000) {
                        if self.laptops[seat].island != self.laptops[other].island { self.unsee(seat, node, .silent) }
                    }
                }
            }
        }
    }

    /// Lets a node of another session answer at the laptop's port, or ends this.
    func losePort(_ seat: Seat, _ isLost: Bool = true, trust: Sighting.Trust = .verified) {
        laptops[seat].hasLostPort = isLost
        laptops[seat].trust = trust
    }

    /// Puts a laptop on these networks. Its links use the first one from now on.
    func put(_ seat: Seat, on networks: [UInt8]) {
        laptops[seat].networks = networks
        for other in laptops.indices where other != seat { see(other, seat) }
    }

    func want(_ seat: Seat, _ request: SessionRequest) { handle(seat, .wanted(request)) }

    /// Breaks a random link, as unreliable Wi-Fi does.
    func breakSomeWire() {
        let wires = laptops.flatMap { $0.wires.values }.sorted { $0.number < $1.number }
        if let wire = random.choice(of: wires) { breakWire(wire) }
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

    func after(milliseconds range: ClosedRange<Int>, _ action: @escaping () -> Void) {
        queue.add(
            action, at: now + .microseconds(random.integer(in: range.lowerBound * 1000...range.upperBound * 1000)))
    }

    // MARK: Discovery

    private func appear(_ seat: Seat) {
        for other in laptops.indices where other != seat {
            after(milliseconds: 2...20) { self.see(other, seat) }
            after(milliseconds: 2...20) { self.see(seat, other) }
        }
    }

    private func see(_ seat: Seat, _ other: Seat) {
        guard laptops[seat].isRunning, laptops[other].isRunning, !laptops[other].isAsleep,
            laptops[seat].island == laptops[other].island
        else { return }
        let entry = entry(other)
        let isNew = laptops[seat].seen.updateValue(entry, forKey: entry.node) == nil
        handle(seat, .sighted(isNew ? .appeared(entry) : .changed(entry)))
    }

    /// Marks a node as suspect: discovery does not hear it and asks for it.
    private func doubt(_ seat: Seat, _ node: NodeID) {
        guard laptops[seat].isRunning, var entry = laptops[seat].seen[node] else { return }
        entry.standing = .suspect
        laptops[seat].seen[node] = entry
        handle(seat, .sighted(.changed(entry)))
    }

    func entry(_ seat: Seat) -> NodeEntry {
        let setup = laptops[seat].machine.setup
        let endpoints = addresses(seat).compactMap { Endpoint(octets: $0, port: 7077) }
        return NodeEntry(
            announcement: Announcement(
                node: setup.node, mode: setup.mode, sessionHash: setup.session, session: nil, name: setup.name,
                port: 7077, isOpen: setup.isOpen),
            standing: .present, trust: laptops[seat].trust, sources: [.beacon], host: nil, sameMachine: false,
            endpoints: endpoints, since: .start)
    }

    /// First bytes of outsiders' addresses. At `liars` a node answers that does not know the code. At `silent` a
    /// connection opens and nothing more happens.
    static let liars: UInt8 = 66
    static let silent: UInt8 = 67

    /// Shows an outsider without the code to a laptop, as a server of its session.
    func lie(to seat: Seat, _ network: UInt8, _ number: Int, trust: Sighting.Trust, node: NodeID? = nil) {
        var entry = entry(seat)
        entry.announcement.node = node ?? newNode()
        entry.announcement.mode = .server
        entry.trust = trust
        entry.endpoints = [Endpoint(octets: [network, 0, UInt8(number / 256), UInt8(number % 256)], port: 7077)]
            .compactMap { $0 }
        let isNew = laptops[seat].seen.updateValue(entry, forKey: entry.node) == nil
        handle(seat, .sighted(isNew ? .appeared(entry) : .changed(entry)))
    }

    private func addresses(_ seat: Seat) -> [[UInt8]] {
        laptops[seat].networks.map { [10, $0, UInt8(seat / 256), UInt8(seat % 256)] }
    }

    private func vanish(_ seat: Seat, _ departure: Departure) {
        let node = node(seat)
        for other in laptops.indices where other != seat {
            after(milliseconds: departure == .left ? 1...50 : 5000...7000) {
                let isBack = self.node(seat) == node && self.laptops[seat].isRunning && !self.laptops[seat].isAsleep
                if departure == .left || !isBack { self.unsee(other, node, departure) }
            }
        }
    }

    private func unsee(_ seat: Seat, _ node: NodeID, _ departure: Departure) {
        guard laptops[seat].isRunning, let entry = laptops[seat].seen.removeValue(forKey: node) else { return }
        handle(seat, .sighted(.disappeared(entry, departure)))
    }

    // MARK: Links

    func handle(_ seat: Seat, _ event: SessionEvent) {
        guard laptops[seat].isRunning else { return }
        guard !laptops[seat].isAsleep else { return laptops[seat].missed.append(event) }
        if isTraced { mix("\(seat) \(event)") }
        let start = laptops[seat].start
        for output in laptops[seat].machine.handle(event, at: now) {
            switch output {
            case .effect(let effect):
                laptops[seat].effects.append((now, effect))
                onEffect(seat, effect)
                perform(seat, start, effect)
            case .wake(let at):
                queue.add({ if self.laptops[seat].start == start { self.handle(seat, .woke) } }, at: max(at, now))
            case .job: break
            }
        }
    }

    private func mix(_ text: String) {
        for octet in "\(now.nanoseconds) \(text)".utf8 { trace = (trace ^ UInt64(octet)) &* 0x100_0000_01b3 }
    }

    private func perform(_ seat: Seat, _ start: Int, _ effect: SessionEffect) {
        switch effect {
        case .dial(let link, let target): dial(seat, start, link, target)
        case .greet(let link, let introduction):
            let node = node(seat)
            transmit(seat, link) { .greeted($0, introduction, by: node) }
        case .send(let link, let message, let reliably):
            if !reliably, random.chance(0.2) { return }
            transmit(seat, link) { other in
                guard let read = try? Message.decode(message.encoded()) else {
                    Issue.record("\(message) cannot be read")
                    return .woke
                }
                return .received(other, read)
            }
        case .close(let link):
            transmit(seat, link) { .closed($0, .lost) }
            laptops[seat].wires[link] = nil
        default: break
        }
    }

    private func dial(_ seat: Seat, _ start: Int, _ link: LinkName, _ target: DialTarget) {
        let other: Seat?
        switch target {
        case .node(_, let endpoints):
            other = laptops.indices.first { seat in endpoints.contains { $0.octets == addresses(seat)[0] } }
        case .address(let host, _): other = laptops.indices.first { "laptop\($0)" == host }
        }
        // The address is an outsider's.
        if case .node(_, let endpoints) = target, let octets = endpoints.first?.octets, other == nil {
            switch octets.first {
            case Self.liars: return after(milliseconds: delay) { self.give(seat, start, .closed(link, .wrongCode)) }
            case Self.silent: return
            default: break
            }
        }
        guard let other, laptops[seat].island == laptops[other].island, !laptops[other].isFirewalled,
            !laptops[other].isAsleep
        else {
            // Nobody answers, which a dialling node notices only after a timeout.
            return after(milliseconds: 3000...5000) { self.give(seat, start, .closed(link, .unreachable)) }
        }
        after(milliseconds: delay) {
            guard self.laptops[other].isRunning else { return self.give(seat, start, .closed(link, .unreachable)) }
            guard self.laptops[seat].start == start, self.laptops[seat].isRunning else { return }
            guard self.laptops[seat].machine.setup.isOpen == self.laptops[other].machine.setup.isOpen,
                !self.laptops[other].hasLostPort
            else {
                return self.give(seat, start, .closed(link, .wrongCode))
            }
            self.wires += 1
            self.laptops[other].accepted += 1
            let name = LinkName.accepted(self.laptops[other].accepted)
            let otherStart = self.laptops[other].start
            let wire = Wire(self.wires, [(seat, start, link), (other, otherStart, name)])
            self.laptops[seat].wires[link] = wire
            self.laptops[other].wires[name] = wire
            let from = self.addresses(seat)[0]
            let to = self.addresses(other)[0]
            self.transmit(seat, link) { .opened($0, address: from) }
            self.transmit(other, name) { .opened($0, address: to) }
        }
    }

    private func give(_ seat: Seat, _ start: Int, _ event: SessionEvent) {
        if laptops[seat].start == start { handle(seat, event) }
    }

    /// Sends to the other end, after everything that was sent before.
    private func transmit(_ seat: Seat, _ link: LinkName, _ event: @escaping (LinkName) -> SessionEvent) {
        guard let wire = laptops[seat].wires[link], !wire.isBroken else { return }
        let side = wire.ends[0].seat == seat && wire.ends[0].link == link ? 1 : 0
        let end = wire.ends[side]
        let wait = Duration.microseconds(random.integer(in: delay.lowerBound * 1000...delay.upperBound * 1000))
        let arrival = max(now + wait, wire.lastArrival[side])
        wire.lastArrival[side] = arrival
        queue.add(
            {
                guard !wire.isBroken, self.laptops[end.seat].start == end.start,
                    self.laptops[end.seat].wires[end.link] === wire
                else { return }
                let event = event(end.link)
                if case .closed = event { self.laptops[end.seat].wires[end.link] = nil }
                self.handle(end.seat, event)
            }, at: arrival)
    }

    /// Breaks a link: nothing arrives any more, and each end notices within three seconds.
    private func breakWire(_ wire: Wire) {
        guard !wire.isBroken else { return }
        wire.isBroken = true
        for end in wire.ends {
            after(milliseconds: 0...3000) {
                guard self.laptops[end.seat].start == end.start, self.laptops[end.seat].wires[end.link] === wire else {
                    return
                }
                self.laptops[end.seat].wires[end.link] = nil
                self.handle(end.seat, .closed(end.link, .lost))
            }
        }
    }
}
