import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A host without cores and its guests, on a virtual clock. Messages wait in their links until the test delivers them,
/// and are lost when it cuts the link.
final class Classroom {
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
    private var links: [LinkName?]
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
        let link = LinkName.accepted(lastLink)
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
            case .job(.prepare(let id, _)): handle(node, .prepared(id, .ready(VirtualNode.facts)))
            case .job(.read(let request)): handle(node, .read(request, []))
            case .job(.record(let changes)):
                said += UInt64(changes.count)
                if !isDiskFull { handle(node, .durable(said)) }
            case .answer(.taken(let id), _): lastTaken = id
            case .tell(.snapshot(let snapshot)): node.seen[snapshot.id] = snapshot.state
            case .tell(.finished(let id, _, _)), .tell(.failed(let id, _)): node.ends[id, default: 0] += 1
            case .tell(.lost(let id)): node.lost.insert(id)
            case .tell(.news(.forgotten(let id, _, _))): node.forgotten.insert(id)
            case .tell(.news(.continues(let id, _, _))): node.continued.insert(id)
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
    fileprivate var link: LinkName? {
        switch self {
        case .greet(let link, _), .send(let link, _, _), .close(let link): link
        default: nil
        }
    }
}
