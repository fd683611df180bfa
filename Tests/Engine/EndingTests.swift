import PotluckKit
import PotluckModel
import PotluckWire
import Testing

@testable import PotluckEngine

/// What the nodes of a session learn of the ends of jobs while their links come and go. The law is: a node that is
/// connected learns the end of every job that it saw, once.
@Suite struct EndingTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let other = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))

    private static let spec = JobSpec(
        experiment: VirtualNode.order(seed: 5, goal: Goal(trials: 1000)).experiment, goal: Goal(trials: 1000))

    private static func result(_ spec: JobSpec = spec) -> JobResult {
        JobResult(
            spec: spec, trials: 1000, tally: VirtualNode.reference(seed: 5, trials: 1000), readings: [],
            completion: .trials, elapsed: .seconds(1), nodes: [])
    }

    private static func picture(_ id: JobID, _ state: JobState) -> JobPicture {
        JobPicture(
            job: id, submitter: "ana", state: state, trials: 0, counts: [], readings: [], elapsed: .zero, rate: nil,
            remaining: .unknown, nodes: [])
    }

    // MARK: What a node remembers of others' jobs

    /// A long job is still shown after any number of later ones, and its result counts.
    @Test(arguments: [1, 60]) func aLongJobIsShownHoweverManyComeAfterIt(open: Int) {
        var remoteJobs = RemoteJobs()
        var turn = Turn(now: .start, keepsJournal: false)
        let long = (1...open).map { JobID(UInt64($0)) }
        for id in long { remoteJobs.job(id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn) }
        for id in (1000..<1300).map({ JobID($0) }) {
            remoteJobs.job(id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn)
            remoteJobs.result(id, Self.result(), from: Self.other, &turn)
        }
        for id in long {
            turn.effects = []
            remoteJobs.picture(Self.picture(id, .running), from: Self.other, &turn)
            remoteJobs.result(id, Self.result(), from: Self.other, &turn)
            #expect(turn.effects.map(\.isEnd) == [false, true], "job \(id.number)")
        }
    }

    /// A coordinator that announces jobs without end costs a bounded memory, and a job that is dropped is told as lost.
    @Test func aCoordinatorCannotFillTheMemory() {
        var remoteJobs = RemoteJobs()
        var turn = Turn(now: .start, keepsJournal: false)
        for id in (1...10_000).map({ JobID($0) }) {
            remoteJobs.job(id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn)
        }
        var count = 0
        _ = remoteJobs.contains { _ in
            count += 1
            return false
        }
        #expect((JobLimits.jobs...4 * JobLimits.jobs).contains(count))
    }

    // MARK: Among peers

    /// A node that has stepped down passes on the end, because others may follow it and not have met the other
    /// coordinator.
    @Test(arguments: [false, true]) func whoSteppedDownPassesOnTheEnd(fails: Bool) throws {
        var room = QueueRoom()
        let id = try room.ordered(VirtualNode.order(seed: 5, goal: Goal(trials: 1000)))
        room.hears(.job(id, Self.spec, epoch: 1 << 16, known: Knowledge.whole), from: 0)
        #expect(room.run(id) == nil && room.nodes[1].results.isEmpty)
        room.hears(fails ? .picture(Self.picture(id, .failed("it traps"))) : .result(id, Self.result()), from: 0)
        #expect(fails ? room.nodes[1].pictures[id] == .failed("it traps") : room.nodes[1].results == [id])
        // Who connects later is told, too.
        room.meets("dan")
        room.hears(.unresolved([id]), from: 2)
        #expect(fails ? room.nodes[2].pictures[id] == .failed("it traps") : room.nodes[2].results == [id])
    }

    /// A node that connects may have continued and ended any job that is open here, also one of this node, which slept.
    @Test func whoConnectsIsAskedAboutEveryOpenJob() throws {
        var room = QueueRoom()
        let own = try room.ordered(VirtualNode.order(seed: 5, goal: Goal(trials: 1_000_000)))
        let others = JobID(7)
        room.hears(.job(others, Self.spec, epoch: 1 << 16), from: 0)
        room.meets("dan")
        #expect(Set(room.nodes[2].unresolved) == [own, others])
    }

    /// Who asks about a job that was continued may follow another coordinator. It is told who ended the job before it is
    /// told how.
    @Test(arguments: [0, 1 << 16] as [UInt64]) func anEndIsToldWithItsClaim(epoch: UInt64) throws {
        var turn = Turn(now: .start, keepsJournal: false)
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
        coordinator.joined(Worker(node: Self.other, name: "bo", cores: 1), &turn)
        let (id, order) = (JobID(7), VirtualNode.order(seed: 5, goal: Goal(trials: 1000)))
        let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
        let taken = TakenJob(order: order, ticket: ticket, submitter: Self.own, submitterName: "ana")
        let result = JobMessage.result(id, Self.result())
        coordinator.remember(result, of: id, taken, Self.spec, epoch: epoch)
        coordinator.asked(about: [id], by: Self.other, &turn) { _ in false }
        let told = turn.promises.compactMap { if case .mail(let message, _) = $0 { message } else { nil } }
        let claim = JobMessage.job(id, Self.spec, epoch: epoch, known: Knowledge.whole)
        #expect(told == (epoch > 0 ? [claim] : []) + [result, .over(id)])
    }

    // MARK: A session

    /// A guest's link is lost for a moment. Meanwhile the jobs end that it saw, and all points of a sweep.
    @Test(arguments: [(4, 0), (9, 0), (16, 0), (1, 8), (16, 300)])
    func aGuestThatWasAwayLearnsHowEachJobEnded(open: Int, later: Int) {
        let room = Classroom(guests: 2, seed: 1)
        room.settle()
        let ordered = (0..<open).map { _ in room.order() }
        room.settle()
        room.cut(0, isNoticed: false)
        for (number, id) in ordered.enumerated() { room.end(id, fails: number % 3 == 1) }
        for _ in 0..<later { room.end(room.order(), fails: false) }
        room.cut(0, isNoticed: true)
        room.connect(0)
        room.settle()
        room.check()
        #expect(room.continued(0) == [], "a job that is over does not continue")
    }

    /// The jobs of a guest that is away for minutes count as lost. It learns all the same how they ended.
    @Test func aGuestThatWasAwayForLongLearnsHowEachJobEnded() {
        let room = Classroom(guests: 1, seed: 1)
        room.settle()
        let ordered = (0..<12).map { _ in room.order() }
        room.settle()
        room.cut(0)
        for _ in 0..<30 { room.settle() }
        #expect(room.lost(0) == Set(ordered))
        for id in ordered { room.end(id, fails: false) }
        room.connect(0)
        room.settle()
        room.check(mayLose: true)
    }

    /// A coordinator keeps a bounded number of ends. Who asks for an older one is told that it is forgotten.
    @Test func aGuestIsToldOfForgottenEnds() {
        let room = Classroom(guests: 1, seed: 1)
        room.settle()
        let seen = room.order()
        room.settle()
        room.cut(0)
        room.end(seen, fails: false)
        for _ in 0..<JobLimits.endings { room.end(room.order(), fails: false) }
        room.connect(0)
        room.settle()
        #expect(room.lost(0) == [seen] && room.forgotten(0) == [seen])
    }

    /// The host's disk is full when jobs end. What it cannot promise yet is not forgotten, however long that lasts.
    @Test(arguments: [1, 15]) func whatWaitsForTheDiskIsNotForgotten(minutes: Int) {
        let room = Classroom(guests: 1, seed: 1, keepsJournal: true)
        room.settle()
        let seen = room.order()
        room.settle()
        room.cut(0)
        room.fillDisk()
        room.end(seen, fails: false)
        room.connect(0)
        for _ in 0..<30 * minutes { room.settle() }
        room.freeDisk()
        room.settle()
        room.check()
        #expect(room.forgotten(0) == [])
    }

    /// Orders, ends, cuts with messages under way, and reconnections in any order.
    @Test(arguments: 0..<40 as Range<UInt64>) func aGuestLearnsTheEndOfEveryJobThatItSaw(seed: UInt64) {
        let room = Classroom(guests: 3, seed: seed)
        room.settle()
        for _ in 0..<300 { room.step() }
        room.endAll()
        for guest in 0..<3 { room.connect(guest) }
        room.settle()
        room.check()
    }
}

extension Effect {
    fileprivate var isEnd: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }
}

/// A host without cores and its guests, on a virtual clock. Messages wait in their links until the test delivers them,
/// and are lost when it cuts the link.
private final class Classroom {
    private final class Node {
        let id: NodeID
        var engine: Engine
        var wake: Instant?
        /// By job, how often its end was told, and in which state it was shown last.
        var ends: [JobID: Int] = [:]
        var seen: [JobID: JobState] = [:]
        var lost: Set<JobID> = []
        var forgotten: Set<JobID> = []
        var continued: Set<JobID> = []

        init(_ id: NodeID, _ engine: Engine) { (self.id, self.engine) = (id, engine) }
    }

    private let host: Node
    private var guests: [Node] = []
    private var now = Instant.start
    private var random: RandomStream
    /// The link of each guest; nil while it has none.
    private var links: [SessionLink?]
    private var lastLink: UInt64 = 0
    /// What is under way to the host and to the guests, by guest.
    private var toHost: [[SessionEvent]]
    private var toGuest: [[SessionEvent]]
    private var tokens: UInt64 = 0
    private var lastTaken: JobID?
    private var open: [JobID] = []
    /// The changes that the host gave its journal.
    private var said: UInt64 = 0
    private var isDiskFull = false

    init(guests count: Int, seed: UInt64, keepsJournal: Bool = false) {
        random = RandomStream(seed: seed, block: 9, lane: 0)
        func node(_ number: UInt8, _ mode: Mode) -> Node {
            let id = NodeID(firstOctetsOf: [UInt8](repeating: number, count: 16))
            let session = SessionSetup(
                node: id, name: "n\(number)", cores: 0,
                session: SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length)), mode: mode,
                founding: mode == .server ? Founding(1) : nil, guests: .watches, seed: UInt64(number))
            let setup = EngineSetup(
                node: id, name: session.name, cores: 0, session: session, seed: UInt64(number),
                keepsJournal: keepsJournal && mode == .server)
            return Node(id, Engine(setup, now: .start))
        }
        host = node(1, .server)
        (links, toHost, toGuest) = ([], [], [])
        for number in 0..<count {
            guests.append(node(UInt8(number) + 2, .client))
            links.append(nil)
            toHost.append([])
            toGuest.append([])
            connect(number)
        }
    }

    func fillDisk() {
        isDiskFull = true
        handle(host, .journal(trouble: "the disk is full"))
    }

    func freeDisk() {
        isDiskFull = false
        handle(host, .journal(trouble: nil))
        handle(host, .durable(said))
    }

    // MARK: Links

    func connect(_ guest: Int) {
        guard links[guest] == nil else { return }
        lastLink += 1
        let link = SessionLink.accepted(lastLink)
        links[guest] = link
        toHost[guest].append(.opened(link, address: [10, 0, 0, UInt8(guest) + 2]))
        toGuest[guest].append(.opened(link, address: [10, 0, 0, 1]))
    }

    /// Loses the link with everything that is under way. Unless `isNoticed`, only the guest has noticed it.
    func cut(_ guest: Int, isNoticed: Bool = true) {
        guard let link = links[guest] else { return }
        func closing(_ events: [SessionEvent]) -> [SessionEvent] {
            events.filter { if case .closed = $0 { true } else { false } } + [.closed(link, .lost)]
        }
        toGuest[guest] = closing(toGuest[guest])
        if isNoticed {
            toHost[guest] = closing(toHost[guest])
            links[guest] = nil
        }
    }

    private func carry(_ effect: SessionEffect, of sender: Node) {
        guard let guest = links.firstIndex(where: { $0 == effect.link }), let link = effect.link else { return }
        let event: SessionEvent
        switch effect {
        case .greet(_, let hello): event = .greeted(link, hello, by: sender.id)
        case .send(_, let message, _): event = .received(link, message)
        case .close: event = .closed(link, .lost)
        default: return
        }
        if sender === host { toGuest[guest].append(event) } else { toHost[guest].append(event) }
    }

    private func deliver(_ guest: Int, toHost isToHost: Bool) {
        if isToHost {
            if !toHost[guest].isEmpty { handle(host, .session(toHost[guest].removeFirst())) }
        } else if !toGuest[guest].isEmpty {
            handle(guests[guest], .session(toGuest[guest].removeFirst()))
        }
    }

    /// Lets two seconds pass in small steps, and delivers everything.
    func settle() {
        for _ in 0..<40 {
            now = now + .milliseconds(50)
            for node in [host] + guests { wakeUp(node) }
            while let guest = guests.indices.first(where: { !toHost[$0].isEmpty || !toGuest[$0].isEmpty }) {
                deliver(guest, toHost: true)
                deliver(guest, toHost: false)
            }
        }
    }

    private func wakeUp(_ node: Node) {
        guard let wake = node.wake, wake <= now else { return }
        node.wake = nil
        handle(node, .woke)
    }

    // MARK: Nodes

    private func handle(_ node: Node, _ event: Event) {
        for effect in node.engine.handle(event, at: now) {
            switch effect {
            case .session(let effect): carry(effect, of: node)
            case .wake(let at): node.wake = at
            case .prepare(let id, _): handle(node, .prepared(id, .ready(VirtualNode.facts)))
            case .read(let request): handle(node, .read(request, []))
            case .record(let changes):
                said += UInt64(changes.count)
                if !isDiskFull { handle(node, .durable(said)) }
            case .answer(.taken(let id), _): lastTaken = id
            case .publish(let snapshot): node.seen[snapshot.id] = snapshot.state
            case .finished(let id, _), .failed(let id, _): node.ends[id, default: 0] += 1
            case .lost(let id): node.lost.insert(id)
            case .news(.forgotten(let id, _, _)): node.forgotten.insert(id)
            case .news(.goesOn(let id, _, _)): node.continued.insert(id)
            default: break
            }
        }
    }

    private func want(_ request: JobRequest) {
        tokens += 1
        handle(host, .wanted(request, token: tokens))
    }

    // MARK: Jobs

    /// Orders a job that waits for its start until it is ended.
    func order() -> JobID {
        var order = VirtualNode.order(seed: tokens, goal: Goal(trials: 1000))
        order.delay = .seconds(3600)
        lastTaken = nil
        want(.order(order, JobTicket([UInt8](repeating: 3, count: JobTicket.length))!))
        guard let id = lastTaken else { preconditionFailure("an order was refused") }
        open.append(id)
        return id
    }

    func hasEnded(_ id: JobID) -> Bool { host.ends[id] != nil }

    func end(_ id: JobID, fails: Bool) {
        open.removeAll { $0 == id }
        if fails { handle(host, .unreadable(id, "it traps")) } else { want(.command(.cancel, id, ticket: nil)) }
    }

    func endAll() { for id in open { end(id, fails: false) } }

    /// Does something at random.
    func step() {
        let guest = random.integer(in: 0...guests.count - 1)
        switch random.integer(in: 0...11) {
        case 0, 1: if open.count < 15 { _ = order() }
        case 2, 3:
            guard !open.isEmpty else { return }
            end(open[random.integer(in: 0...open.count - 1)], fails: random.chance(0.3))
        case 4: cut(guest)
        case 5: connect(guest)
        case 6:
            now = now + .milliseconds(200)
            for node in [host] + guests { wakeUp(node) }
        default: for _ in 0..<8 { deliver(guest, toHost: random.chance(0.5)) }
        }
    }

    func lost(_ guest: Int) -> Set<JobID> { guests[guest].lost }
    func forgotten(_ guest: Int) -> Set<JobID> { guests[guest].forgotten }
    func continued(_ guest: Int) -> Set<JobID> { guests[guest].continued }

    /// Checks that every guest knows the ends of the jobs that it saw, and that none was told twice.
    func check(mayLose: Bool = false) {
        for (number, guest) in guests.enumerated() {
            let missing = guest.seen.keys.filter { host.ends[$0] != nil && guest.ends[$0] == nil }
            #expect(missing.isEmpty, "guest \(number) does not know how \(missing.count) of \(guest.seen.count) ended")
            #expect(guest.ends.values.allSatisfy { $0 == 1 }, "guest \(number) was told an end twice")
            #expect(mayLose || guest.lost.isEmpty, "guest \(number) was told that a job is lost")
            #expect(!guest.engine.remoteJobs.contains { _ in true }, "guest \(number) still waits for a job")
        }
    }
}

extension SessionEffect {
    fileprivate var link: SessionLink? {
        switch self {
        case .greet(let link, _), .send(let link, _, _), .close(let link): link
        default: nil
        }
    }
}
