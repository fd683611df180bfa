import PotluckCore
import PotluckEngine

/// The network from one laptop to another, in one direction.
struct Path {
    /// Whether nothing gets through.
    var isCut = false
    var cutSince = Instant.start
    var delay: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(4)
    /// Bytes a second.
    var rate: Int64 = 10_000_000
}

/// A link between two laptops. Each end has its own `LinkName`.
final class Cable {
    struct End {
        let seat: Seat
        let start: Int
        let link: LinkName
        var isOpen = true
        /// For each lane, the arrival time of the latest letter to this end: later letters arrive no earlier.
        var lastArrival: [Instant] = [.start, .start]
        /// The bytes and letters in flight to this end.
        var octets = 0
        var messages = 0
        /// Letters that arrived while the path was cut. They are delivered after it heals, as TCP would retransmit
        /// them.
        var stalled: [Letter] = []
    }

    let number: Int
    var ends: [End]

    init(_ number: Int, _ ends: [End]) {
        self.number = number
        self.ends = ends
    }

    func side(_ seat: Seat, _ link: LinkName) -> Int { ends[0].seat == seat && ends[0].link == link ? 0 : 1 }

    /// Returns the laptop at the other end, or nil if the node there has been replaced since.
    func peer(of laptop: Laptop, _ link: LinkName, in room: SimulatedCluster) -> Laptop? {
        let end = ends[1 - side(laptop.seat, link)]
        let other = room.laptops[end.seat]
        return other.start == end.start ? other : nil
    }
}

/// A message in flight on a cable.
struct Letter {
    let lane: Int
    let octets: Int
    /// The event for the receiver; nil if the sender closed its end.
    let event: ((LinkName) -> SessionEvent)?
}

/// The timeouts and limits of the real links.
enum Network {
    /// The time after which a silent link is closed.
    static let silence: ClosedRange<Duration> = .milliseconds(2800) ... .milliseconds(3400)
    /// The time after which an unanswered dial fails.
    static let noAnswer: ClosedRange<Duration> = .seconds(3) ... .seconds(5)
    /// Unreliable messages are dropped while more bytes than this are in flight.
    static let window = 64 << 10
    /// Messages with more bytes than this take the bulk lane.
    static let control = 16 << 10
    /// The transport closes a link on which more bytes wait than this. Honest nodes never reach it; a Byzantine one may ask
    /// for more than its link carries.
    static let backlog = 4 << 20
    static let backlogMessages = 20_000
    /// The most links of an honest node in a small room. In a large one there may be two to each other node, which both
    /// ends dialled.
    static let mostLinks = 32
    /// The bytes that the transport adds to each message.
    static let overhead = 4
}

extension SimulatedCluster {
    func path(_ from: Seat, _ to: Seat) -> Path { paths[from][to] }

    func change(_ from: Seat, _ to: Seat, _ body: (inout Path) -> Void) { body(&paths[from][to]) }

    /// The cables with at least one end in use, oldest first.
    var openCables: [Cable] {
        let held = laptops.flatMap { $0.network.links.values }.sorted { $0.number < $1.number }
        return held.enumerated().filter { $0 == 0 || held[$0 - 1] !== $1 }.map(\.element)
    }

    private func travel(_ path: Path) -> Duration {
        random.duration(from: path.delay.lowerBound, to: path.delay.upperBound)
    }

    // MARK: Cutting

    /// Cuts the path from one laptop to another. The receiver closes links that stay silent for too long.
    func cut(_ from: Seat, _ to: Seat) {
        guard from != to, !path(from, to).isCut else { return }
        let since = now
        change(from, to) { ($0.isCut, $0.cutSince) = (true, since) }
        for cable in openCables {
            guard let side = cable.ends.firstIndex(where: { $0.seat == to }), cable.ends[1 - side].seat == from else {
                continue
            }
            expectSilence(cable, side) { room in
                let path = room.path(from, to)
                return path.isCut && path.cutSince == since
            }
        }
    }

    func heal(_ from: Seat, _ to: Seat) {
        guard path(from, to).isCut else { return }
        change(from, to) { $0.isCut = false }
        for cable in openCables {
            guard let side = cable.ends.firstIndex(where: { $0.seat == to }), cable.ends[1 - side].seat == from else {
                continue
            }
            release(cable, side)
        }
    }

    /// Closes an end after the silence timeout, if `isSilent` still holds.
    func expectSilence(_ cable: Cable, _ side: Int, while isSilent: @escaping (SimulatedCluster) -> Bool) {
        after(Network.silence) { room in
            guard cable.ends[side].isOpen, isSilent(room) else { return }
            room.lose(cable, side)
        }
    }

    /// Delivers the stalled letters in order; letters that arrive meanwhile queue behind them.
    private func release(_ cable: Cable, _ side: Int) {
        let path = path(cable.ends[1 - side].seat, cable.ends[side].seat)
        after(travel(path)) { room in
            while room.failure == nil, let letter = cable.ends[side].stalled.first {
                guard !room.path(cable.ends[1 - side].seat, cable.ends[side].seat).isCut else { return }
                cable.ends[side].stalled.removeFirst()
                room.deliver(cable, side, letter)
            }
        }
    }

    /// Closes an end and tells its node that the link is lost.
    func lose(_ cable: Cable, _ side: Int) {
        let end = cable.ends[side]
        guard end.isOpen else { return }
        let laptop = laptops[end.seat]
        hangUp(cable, side: side)
        guard laptop.start == end.start, laptop.network.links[end.link] === cable else { return }
        laptop.network.links[end.link] = nil
        handle(end.seat, .session(.closed(end.link, .lost)))
    }

    func hangUp(_ cable: Cable, _ seat: Seat) {
        if let side = cable.ends.firstIndex(where: { $0.seat == seat }) { hangUp(cable, side: side) }
    }

    /// Closes an end. The other end is told after everything sent before, if it gets there.
    func hangUp(_ cable: Cable, side: Int) {
        guard cable.ends[side].isOpen else { return }
        cable.ends[side].isOpen = false
        cable.ends[side].stalled = []
        post(cable, 1 - side, Letter(lane: 0, octets: 0, event: nil))
    }

    // MARK: Sending

    func greet(_ laptop: Laptop, _ link: LinkName, _ introduction: Introduction) {
        let node = laptop.node
        transmit(laptop, link, octets: 200) { .greeted($0, introduction, by: node) }
    }

    func send(_ laptop: Laptop, _ link: LinkName, _ message: Message, reliably: Bool) {
        guard let cable = laptop.network.links[link] else { return }
        let octets = message.encoded()
        guard let read = read(octets, as: message, from: laptop) else { return }
        let side = 1 - cable.side(laptop.seat, link)
        let isCut = path(laptop.seat, cable.ends[side].seat).isCut
        if !reliably, isCut || cable.ends[side].octets > Network.window || chance(0.02) { return }
        laptop.forger?.saw(message, octets)
        var isPart = false
        if case .job(.part) = message { isPart = true }
        transmit(laptop, link, octets: octets.count, isBulk: isPart || octets.count > Network.control) {
            .received($0, read)
        }
    }

    /// Returns a message as its receiver decodes it from `octets`. Returns nil if it cannot be decoded, which breaks a
    /// law unless the sender is Byzantine.
    func read(_ octets: [UInt8], as message: Message, from laptop: Laptop) -> Message? {
        let read: Message?
        do { read = try Message.decode(octets) } catch {
            if laptop.forger == nil { fail(.wire, "\(message) cannot be decoded: \(error)") }
            return nil
        }
        guard let read else {
            fail(.wire, "the receiver skips \(message)")
            return nil
        }
        // Encoding rounds pictures, so the messages may differ, but encoding the decoded message must give the same
        // bytes.
        guard read.encoded() == octets else {
            fail(.wire, "\(message) was decoded as \(read)")
            return nil
        }
        return read
    }

    func transmit(
        _ laptop: Laptop, _ link: LinkName, octets: Int, isBulk: Bool = false,
        _ event: @escaping (LinkName) -> SessionEvent
    ) {
        guard let cable = laptop.network.links[link] else { return }
        let side = cable.side(laptop.seat, link)
        guard cable.ends[side].isOpen else { return }
        post(cable, 1 - side, Letter(lane: isBulk ? 1 : 0, octets: octets + Network.overhead, event: event))
        let end = cable.ends[1 - side]
        if laptop.forger != nil { return }
        if end.octets > Network.backlog || end.messages > Network.backlogMessages {
            // Honest nodes read the messages that they asked for.
            if laptops[end.seat].forger != nil { return after(.zero) { $0.lose(cable, side) } }
            fail(.bounded, "\(end.octets) octets in \(end.messages) messages wait on a link from \(laptop.name)")
        }
    }

    private func post(_ cable: Cable, _ side: Int, _ letter: Letter) {
        guard cable.ends[side].isOpen else { return }
        let path = path(cable.ends[1 - side].seat, cable.ends[side].seat)
        let octets = Int64(letter.octets)
        let sending = Duration.nanoseconds(octets * 1_000_000_000 / path.rate)
        var arrival = now + travel(path) + sending
        if letter.event == nil {
            arrival = max(arrival, cable.ends[side].lastArrival.max() ?? now)
        } else {
            arrival = max(arrival, cable.ends[side].lastArrival[letter.lane] + sending)
            // Short messages overtake long ones. A long one overtakes nothing.
            arrival = max(arrival, cable.ends[side].lastArrival[0])
        }
        cable.ends[side].lastArrival[letter.lane] = arrival
        cable.ends[side].octets += letter.octets
        cable.ends[side].messages += 1
        at(arrival) { $0.arrive(cable, side, letter) }
    }

    private func arrive(_ cable: Cable, _ side: Int, _ letter: Letter) {
        cable.ends[side].octets -= letter.octets
        cable.ends[side].messages -= 1
        let end = cable.ends[side]
        guard end.isOpen else { return }
        // Stalled letters go first.
        if path(cable.ends[1 - side].seat, end.seat).isCut || !end.stalled.isEmpty {
            cable.ends[side].stalled.append(letter)
            return
        }
        deliver(cable, side, letter)
    }

    private func deliver(_ cable: Cable, _ side: Int, _ letter: Letter) {
        let end = cable.ends[side]
        guard end.isOpen else { return }
        let laptop = laptops[end.seat]
        guard laptop.start == end.start, laptop.network.links[end.link] === cable else { return }
        guard let event = letter.event else {
            cable.ends[side].isOpen = false
            cable.ends[side].stalled = []
            laptop.network.links[end.link] = nil
            return handle(end.seat, .session(.closed(end.link, .lost)))
        }
        let arrived = event(end.link)
        if laptop.forger != nil, case .received(_, let message) = arrived {
            laptop.forger?.saw(message, message.encoded())
        }
        handle(end.seat, .session(arrived))
    }

    func close(_ laptop: Laptop, _ link: LinkName) {
        guard let cable = laptop.network.links.removeValue(forKey: link) else { return }
        hangUp(cable, side: cable.side(laptop.seat, link))
    }

    // MARK: Dialling

    func dial(_ laptop: Laptop, _ link: LinkName, _ target: DialTarget) {
        let (seat, start) = (laptop.seat, laptop.start)
        let other = laptops.first { other in
            switch target {
            case .node(_, let endpoints): endpoints.contains(other.endpoint)
            case .address(let host, _): host == other.name
            }
        }
        guard let other, other.seat != seat, !path(seat, other.seat).isCut, !path(other.seat, seat).isCut,
            !other.faults.isFirewalled, !other.faults.isAsleep
        else {
            // No answer comes, and the dial fails after a timeout.
            return after(Network.noAnswer) { $0.unanswered(seat, start, link) }
        }
        let there = other.seat
        let wait = travel(path(seat, there)) + travel(path(there, seat))
        after(wait) { room in
            let (laptop, other) = (room.laptops[seat], room.laptops[there])
            guard laptop.start == start, laptop.isRunning, !laptop.hasEnded else { return }
            guard other.isRunning, !other.hasEnded else { return room.unanswered(seat, start, link) }
            guard !other.faults.isAsleep, !room.path(seat, there).isCut, !room.path(there, seat).isCut else {
                return room.after(Network.noAnswer) { $0.unanswered(seat, start, link) }
            }
            room.connect(laptop, link, other)
        }
    }

    private func unanswered(_ seat: Seat, _ start: Int, _ link: LinkName) {
        guard laptops[seat].start == start, laptops[seat].network.links[link] == nil else { return }
        handle(seat, .session(.closed(link, .unreachable)))
    }

    private func connect(_ laptop: Laptop, _ link: LinkName, _ other: Laptop) {
        cables += 1
        let name = other.network.nextAccepted()
        let cable = Cable(
            cables,
            [
                Cable.End(seat: laptop.seat, start: laptop.start, link: link),
                Cable.End(seat: other.seat, start: other.start, link: name),
            ])
        laptop.network.links[link] = cable
        other.network.links[name] = cable
        let most = max(Network.mostLinks, 2 * laptops.count)
        if laptop.forger == nil, other.forger == nil,
            max(laptop.network.links.count, other.network.links.count) > most
        {
            fail(.bounded, "\(laptop.name) or \(other.name) has more than \(most) links")
        }
        let (to, from) = (other.address, laptop.address)
        post(cable, 0, Letter(lane: 0, octets: 0) { .opened($0, address: to) })
        post(cable, 1, Letter(lane: 0, octets: 0) { .opened($0, address: from) })
    }
}

extension Laptop {
    static let port: UInt16 = 7077

    var endpoint: Endpoint {
        guard let endpoint = Endpoint(octets: address, port: Self.port + UInt16(seat)) else {
            preconditionFailure("an IPv4 address has 4 octets")
        }
        return endpoint
    }
}
