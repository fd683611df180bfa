import PotluckCore
import PotluckEngine
import PotluckKit

/// A room of nodes on a virtual clock, in one thread: real engines, a discovery with delays, links that are slow, stall
/// and break, and cores that take time. Everything follows from the seed.
///
/// `+Network` has the links, `+Discovery` the sightings, `+Compute` the cores, `+Blobs` modules and outputs, `+People`
/// the users' requests, `+Screens` what they see, `+Idle` who has nothing to do, `+Faults` the faults, `+Byzantine` the modified programs, and `Laws` the laws that must always
/// hold.
final class SimulatedCluster {
    typealias Action = (SimulatedCluster) -> Void

    let seed: UInt64
    /// The time of the room, which no node knows.
    private(set) var now = Instant.start
    var laptops: [Laptop] = []
    var random: SeededGenerator
    /// The generator for rare extremes. A separate one, so that adding an extreme leaves the rest of each schedule
    /// unchanged.
    var absurdity: SeededGenerator
    var byzantine = Byzantine()
    /// The paths from each seat to each other.
    var paths: [[Path]] = []
    var cables = 0
    var laws = Laws()
    var wishes = Wishes()
    /// Orders that were taken before any node prepared their job, with the submitter's seat and start.
    var pendingOrders: [JobID: (JobOrder, JobTicket, Seat, Int)] = [:]
    /// The role of clients.
    var guests = Role.submits
    var truths: [TruthKey: Truth] = [:]
    /// Gets a line for each event and effect; nil if not wanted, because formatting takes longer than simulating.
    let listener: ((String) -> Void)?
    private(set) var hash = TraceHash()
    var events = 0
    private var queue = EventQueue<Action>()
    /// The fault of the simulator itself, to check that the laws detect it.
    var sabotage: Schedule.Sabotage?
    /// The records of nodes that have ended. Nil if no node is recorded.
    var records: [String]?
    /// The first broken law; nothing happens after it.
    private(set) var failure: Failure?

    struct TruthKey: Hashable {
        let seed: UInt64
        let blockSize: UInt64
    }

    init(seed: UInt64, listener: ((String) -> Void)? = nil) {
        self.seed = seed
        self.listener = listener
        random = SeededGenerator(seed: seed)
        absurdity = SeededGenerator(seed: ~seed)
    }

    // MARK: Time

    func at(_ time: Instant, _ action: @escaping Action) { queue.add(action, at: max(time, now)) }

    func after(_ time: Duration, _ action: @escaping Action) { queue.add(action, at: now + time) }

    func after(_ range: ClosedRange<Duration>, _ action: @escaping Action) {
        after(random.duration(from: range.lowerBound, to: range.upperBound), action)
    }

    func run(until end: Instant, orUntil isDone: () -> Bool = { false }) {
        while failure == nil, let next = queue.nextTime, next <= end, !isDone(), let (at, action) = queue.next() {
            now = at
            action(self)
        }
        if failure == nil, !isDone() { now = max(now, end) }
    }

    // MARK: Chance

    func chance(_ part: Double) -> Bool { random.fraction() < part }

    func pick(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next(below: UInt64(range.count)))
    }

    func newNode() -> NodeID { NodeID(firstOctetsOf: random.octets(NodeID.length)) }

    // MARK: Events

    func handle(_ seat: Seat, start: Int, _ event: Event) {
        if laptops[seat].start == start { handle(seat, event) }
    }

    func handle(_ seat: Seat, _ event: Event) {
        let laptop = laptops[seat]
        guard laptop.isRunning, failure == nil else { return }
        guard !laptop.faults.isAsleep else { return laptop.faults.miss(event) }
        let local = laptop.clock.local(now)
        events += 1
        if let listener { listener("\(stamp) \(laptop.name) <- \(brief(event))") }
        var effects = laptop.engine.handle(event, at: local)
        let isLast = laptop.faults.cut(&effects)
        if let line = laptop.record?.writer.line(event, at: local, effects: effects) { laptop.record?.text += line }
        hash.mix(UInt64(seat))
        hash.mix(local.nanoseconds)
        for effect in effects { hash.mix(effect) }
        if let listener {
            for effect in effects { listener("\(stamp) \(laptop.name)    -> \(brief(effect))") }
        }
        check(laptop, event, effects, local)
        for effect in effects { perform(laptop, effect) }
        if isLast, laptop.isRunning, !laptop.hasEnded { crash(seat, powerFails: false) }
    }

    func note(_ line: @autoclosure () -> String) {
        if let listener { listener("\(stamp) == \(line())") }
    }

    func fail(_ law: Failure.Law, _ what: String) {
        guard failure == nil else { return }
        failure = Failure(law: law, what: what, at: now)
        note("broken law “\(law.rawValue)”: \(what)")
    }

    private var stamp: String {
        let micros = now.nanoseconds / 1000
        let (whole, part) = micros.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(part)
        return "\(whole).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }

    /// Returns a description without type names, at most 400 characters.
    private func brief(_ thing: Any) -> String {
        var short = ""
        var word = ""
        func isName(_ character: Swift.Character) -> Bool { character.isLetter || character.isNumber }
        for character in String(describing: thing) {
            if isName(character) {
                word.append(character)
            } else if character == ".", word.first?.isUppercase == true {
                word = ""
            } else {
                short += word
                short.append(character)
                word = ""
            }
        }
        short += word
        return short.count > 400 ? short.prefix(400) + "…" : short
    }

    // MARK: Effects

    func perform(_ laptop: Laptop, _ effect: Effect) {
        switch effect {
        case .session(let effect): perform(laptop, effect)
        case .job(let effect): perform(laptop, effect)
        case .tell(let event): tell(laptop, event)
        case .answer(let answer, let token): answered(laptop, answer, token)
        case .wake(let at): wake(laptop, at)
        }
    }

    private func perform(_ laptop: Laptop, _ effect: JobEffect) {
        switch effect {
        case .prepare(let id, let recipe): prepare(laptop, id, recipe)
        case .readPart(let hash, let offset, let node): readPart(laptop, hash, offset, for: node)
        case .keepPart(let blob, let offset, let octets): keepPart(laptop, blob, offset, octets)
        case .shelve(let blob): shelve(laptop, blob)
        case .collect(let attempt, let blocks, let tally, let blob): collect(laptop, attempt, blocks, tally, blob)
        case .seal(let id, let end): seal(laptop, id, end)
        case .discard(let hash): discard(laptop, hash)
        case .unseal(let id, let hash): unseal(laptop, id, hash)
        case .compute(let chunk, let experiment, let trials, let duty):
            compute(laptop, ChunkTask(chunk: chunk, experiment: experiment, trials: trials, duty: duty))
        case .bound(let id, let best): bound(laptop, id, best)
        case .interrupt(let id): interrupt(laptop, id)
        case .drop(let attempts): drop(laptop, attempts)
        case .forget(let id):
            laptop.storage.shelf.release(all: id)
            stepDown(laptop, id)
        case .stepDown(let id): stepDown(laptop, id)
        case .read(let request): read(laptop, request)
        case .record(let changes): record(laptop, changes)
        }
    }

    private func tell(_ laptop: Laptop, _ event: JobEvent) {
        show(laptop, event)
        switch event {
        case .finished(let id, let result, _): finished(laptop, id, result)
        case .failed(let id, let failure): failed(laptop, id, failure.description)
        case .lost(let id): lost(laptop, id)
        case .snapshot, .news: break
        }
    }

    private func perform(_ laptop: Laptop, _ effect: SessionEffect) {
        switch effect {
        case .dial(let link, let target): dial(laptop, link, target)
        case .greet(let link, let introduction): greet(laptop, link, introduction)
        case .send(let link, let message, let reliably): send(laptop, link, message, reliably: reliably)
        case .close(let link): close(laptop, link)
        case .changed(let peer): changed(laptop, peer)
        case .ended(let end): ended(laptop, end)
        case .ask(let peer):
            after(.milliseconds(300)) { [start = laptop.start, seat = laptop.seat] room in
                room.forgive(peer.node, at: room.laptops[seat])
                room.handle(seat, start: start, .session(.wanted(.accept(peer.node))))
            }
        case .trouble(let trouble):
            if case .protocolBroken(let node, let what) = trouble, !isByzantine(node),
                node != nil || byzantine.tempers.isEmpty,
                laptop.forger == nil
            {
                fail(.session, "\(laptop.name) says that a node broke the protocol: \(what)")
            }
        case .choose(let peers):
            guard let peer = peers.first else { return }
            after(.milliseconds(300)) { [start = laptop.start, seat = laptop.seat] room in
                room.handle(seat, start: start, .session(.wanted(.choose(peer.node))))
            }
        case .deliver, .said, .roster, .role, .announce, .approved: break
        }
    }

    private func wake(_ laptop: Laptop, _ at: Instant) {
        if sabotage == .deafTimers { return }
        laptop.wakeNumber += 1
        let number = laptop.wakeNumber
        let (seat, start) = (laptop.seat, laptop.start)
        // A timer is never early, and often slightly late.
        let moment = laptop.clock.moment(at) + .microseconds(Int64(random.next(below: 500)))
        self.at(moment) { room in
            let laptop = room.laptops[seat]
            guard laptop.start == start, laptop.wakeNumber == number else { return }
            room.handle(seat, .woke)
        }
    }

    private func changed(_ laptop: Laptop, _ peer: Peer) {
        if case .gone(let parting) = peer.state {
            laptop.observed.peers[peer.node] = nil
            if parting == .removed { removed(laptop, peer.node) }
        } else {
            guard laptop.observed.peers[peer.node]?.state != peer.state else { return }
            laptop.observed.peers[peer.node] = Laptop.KnownPeer(state: peer.state, since: now)
            if peer.state == .connected { beat(laptop, peer.node, first: true) }
        }
    }

    private func ended(_ laptop: Laptop, _ end: SessionEnd) {
        laptop.hasEnded = true
        for (_, cable) in laptop.network.links.sorted(by: { $0.value.number < $1.value.number }) {
            hangUp(cable, laptop.seat)
        }
        laptop.network.links = [:]
        if end == .left { return }
        if end == .removed, !laptop.observed.lies.isEmpty { return }
        if laptop.forger != nil || end != .left && hasByzantinePeer { return }
        fail(.session, "the session ended for \(laptop.name): \(end)")
    }

    /// Reports the round trip to a peer, as heartbeats measure it: 1.2 s after it connects, and every five seconds from
    /// then on.
    private func beat(_ laptop: Laptop, _ node: NodeID, first: Bool) {
        let (seat, start) = (laptop.seat, laptop.start)
        after(first ? .milliseconds(1200) : .seconds(5)) { room in
            let laptop = room.laptops[seat]
            guard laptop.start == start, laptop.isAwake, laptop.observed.peers[node]?.state == .connected else {
                return
            }
            guard let other = room.laptops.first(where: { $0.node == node }) else { return }
            let there = room.path(seat, other.seat)
            let back = room.path(other.seat, seat)
            if !there.isCut, !back.isCut {
                room.handle(seat, .roundTrip(node, (there.delay.lowerBound + back.delay.lowerBound)))
            }
            room.beat(laptop, node, first: false)
        }
    }
}

/// A broken law.
public struct Failure: Sendable, Hashable {
    public enum Law: String, Sendable, CaseIterable {
        case exact = "a result is exact"
        case stop = "a job ends where a run on one machine would"
        case progress = "a job progresses while a node can compute it"
        case ends = "every job ends"
        case told = "every submitter hears how the job ended"
        case bounded = "everything that waits is bounded"
        case wake = "a wake-up handles everything that is due"
        case storm = "an event has few effects"
        case honest = "no honest node is shut out"
        case liar = "lies of a node that is always audited do not count"
        case named = "a failure is reported with its cause"
        case answered = "every request is answered, once"
        case roles = "guests do only what their role allows"
        case session = "honest nodes keep the protocol and stay in the session"
        case wire = "every message can be decoded"
        case paused = "a paused job lends nothing"
        case rest = "a job pauses only if a user paused it or nothing can be written"
        case modules = "a module arrives whole, and each part of it once"
        case kept = "a confirmed order or cancellation is on disk"
        case shown = "the screens of a connected node show what coordinators know"
        case learned = "who is connected learns the end of every job that it saw"
        case reason = "a job that waits says for what"
        case searched = "a search that is stopped keeps what screens showed"
        case idle = "an idle node and a job that could use it do not coexist for more than a second"
    }

    public let law: Law
    public let what: String
    public let at: Instant
}
