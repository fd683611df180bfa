import PotluckCore
import PotluckEngine

@testable import Potluck

/// A coordinator and its workers on a virtual clock. Each is a complete engine with a real shell, stores and threads.
/// Time advances only when no shell owes an answer, so the same seed gives the same course however fast the threads
/// are.
final class ShellRoom {
    private struct Node {
        let id: NodeID
        var engine: Engine
        let shell: JobShell
        var wake: Instant?
    }

    /// An answer that a shell owes for an effect.
    private enum Owed: Hashable {
        case preparation(JobID)
        case readings(ReadRequest)
        case part(BlobHash, Int, NodeID)
        case shelving(BlobHash)
        case collecting(AttemptID)
        case sealing(JobID)
        case outcome(AttemptID)

        var job: JobID? {
            switch self {
            case .preparation(let id), .sealing(let id): id
            case .readings(let request): request.job
            case .collecting(let attempt), .outcome(let attempt): attempt.job
            case .part, .shelving: nil
            }
        }
    }

    /// The key of `debts`, which counts the equal answers that a node owes.
    private struct Debt: Hashable {
        let seat: Int
        let owed: Owed
    }

    /// The virtual time that a block costs a core, and that a reading takes.
    let blockCost: Duration
    let reading: Duration

    private var nodes: [Node] = []
    private var debts: [Debt: Int] = [:]
    private var coming: [(at: Instant, seat: Int, event: Event)] = []
    private let reports: AsyncStream<(seat: Int, report: JobShell.Report)>
    private var next: AsyncStream<(seat: Int, report: JobShell.Report)>.Iterator
    private(set) var now = Instant.start
    /// Every effect of the coordinator so far.
    private(set) var effects: [Effect] = []
    /// The largest number of pictures that waited for readings at once.
    private(set) var mostUnread = 0
    private var unread = 0

    /// Seat 0 is the coordinator.
    init(_ all: [Computing], blockCost: Duration, reading: Duration) {
        (self.blockCost, self.reading) = (blockCost, reading)
        let (reports, report) = AsyncStream.makeStream(of: (seat: Int, report: JobShell.Report).self)
        self.reports = reports
        next = reports.makeAsyncIterator()
        for (seat, computing) in all.enumerated() {
            let id = NodeID(firstOctetsOf: [UInt8](repeating: UInt8(seat + 1), count: NodeID.length))
            let session = SessionSetup(
                node: id, name: "node \(seat)", cores: computing.cores,
                session: SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length)), mode: .peer,
                seed: UInt64(seat))
            let setup = EngineSetup(
                node: id, name: session.name, cores: computing.cores, session: session, seed: UInt64(seat))
            nodes.append(
                Node(
                    id: id, engine: Engine(setup, now: .start),
                    shell: JobShell(computing) { report.yield((seat, $0)) }))
        }
        for seat in nodes.indices.dropFirst() {
            handle(0, .session(.opened(.accepted(UInt64(seat)), address: [10, 0, 0, UInt8(seat)])))
            handle(seat, .session(.opened(.accepted(0), address: [10, 0, 0, 100])))
        }
    }

    func id(_ seat: Int) -> NodeID { nodes[seat].id }

    func order(_ order: JobOrder) {
        guard let ticket = JobTicket([UInt8](repeating: 1, count: JobTicket.length)) else { return }
        handle(0, .wanted(.order(order, ticket), token: 1))
    }

    /// Runs the nodes until `isDone` returns true for the coordinator's effects, or until the virtual time reaches
    /// `limit`.
    func live(until limit: Duration, or isDone: ([Effect]) -> Bool) async {
        while !isDone(effects) {
            await settleDebts()
            let wake = nodes.indices.compactMap { seat in
                nodes[seat].wake.map { (at: $0, seat: seat, event: Event.woke) }
            }
            guard let first = (coming + wake).min(by: { $0.at < $1.at }), first.at <= .start + limit else { return }
            now = max(now, first.at)
            if first.event == .woke {
                nodes[first.seat].wake = nil
            } else if let index = coming.firstIndex(where: { $0.at == first.at }) {
                coming.remove(at: index)
            }
            handle(first.seat, first.event)
        }
    }

    // MARK: Shells

    /// Waits until every shell has answered, then handles the answers in an order that does not depend on threads.
    private func settleDebts() async {
        var settled: [(seat: Int, event: Event)] = []
        while !debts.isEmpty, let (seat, report) = await next.next() {
            switch report {
            case .event(let event):
                pay(seat, event)
                settled.append((seat, event))
            case .outcomes:
                for outcome in nodes[seat].shell.takeOutcomes() {
                    pay(seat, .outcome(outcome.attempt))
                    settled.append((seat, .computed([inTime(outcome)])))
                }
            }
        }
        for (seat, event) in settled.sorted(by: { ($0.seat, "\($0.event)") < ($1.seat, "\($1.event)") }) {
            coming.append((now + cost(of: event), seat, event))
        }
    }

    /// Returns the outcome with the virtual cost of a block in place of its real time.
    private func inTime(_ outcome: ChunkOutcome) -> ChunkOutcome {
        guard case .done(let result) = outcome else { return outcome }
        return .done(
            ChunkResult(
                attempt: result.attempt, end: result.end, tally: result.tally, busy: blockCost, output: result.output))
    }

    private func cost(of event: Event) -> Duration {
        switch event {
        case .computed: blockCost
        case .read: reading
        default: .microseconds(10)
        }
    }

    private func owe(_ seat: Int, _ owed: Owed) { debts[Debt(seat: seat, owed: owed), default: 0] += 1 }

    private func pay(_ seat: Int, _ owed: Owed) {
        let debt = Debt(seat: seat, owed: owed)
        guard let count = debts[debt] else { return }
        debts[debt] = count > 1 ? count - 1 : nil
    }

    private func pay(_ seat: Int, _ event: Event) {
        switch event {
        case .prepared(let id, _): pay(seat, .preparation(id))
        case .read(let request, _): pay(seat, .readings(request))
        case .partRead(let hash, let offset, _, let node): pay(seat, .part(hash, offset, node))
        case .shelved(let hash, _): pay(seat, .shelving(hash))
        case .collected(let attempt, _): pay(seat, .collecting(attempt))
        case .sealed(let id, _): pay(seat, .sealing(id))
        default: break
        }
    }

    // MARK: Engines

    private func handle(_ seat: Int, _ event: Event) {
        if seat == 0, case .read(let request, _) = event, request.purpose == .picture { unread -= 1 }
        let effects = nodes[seat].engine.handle(event, at: now)
        if seat == 0 { self.effects += effects }
        for effect in effects {
            switch effect {
            case .wake(let at): nodes[seat].wake = at
            case .session(let effect): pass(effect, from: seat)
            case .job(.prepare(let id, _)): owe(seat, .preparation(id))
            case .job(.read(let request)):
                owe(seat, .readings(request))
                if seat == 0, request.purpose == .picture { unread += 1 }
                mostUnread = max(mostUnread, unread)
            case .job(.readPart(let hash, let offset, let node)): owe(seat, .part(hash, offset, node))
            case .job(.shelve(let blob)): owe(seat, .shelving(blob.hash))
            case .job(.collect(let attempt, _, _, _)): owe(seat, .collecting(attempt))
            case .job(.seal(let id, _)): owe(seat, .sealing(id))
            case .job(.compute(let chunk, _, _, _)): owe(seat, .outcome(chunk.attempt))
            case .job(.drop(let attempts)):
                for attempt in attempts { debts[Debt(seat: seat, owed: .outcome(attempt))] = nil }
            case .job(.forget(let id)), .job(.stepDown(let id)):
                for debt in debts.keys where debt.seat == seat && debt.owed.job == id { debts[debt] = nil }
            default: break
            }
        }
        nodes[seat].shell.perform(effects)
    }

    private func pass(_ effect: SessionEffect, from seat: Int) {
        func other(_ link: LinkName) -> (seat: Int, link: LinkName) {
            guard seat == 0, case .accepted(let number) = link else { return (0, .accepted(UInt64(seat))) }
            return (Int(number), .accepted(0))
        }
        switch effect {
        case .greet(let link, let introduction):
            let (to, theirs) = other(link)
            coming.append((now, to, .session(.greeted(theirs, introduction, by: nodes[seat].id))))
        case .send(let link, let message, _):
            let (to, theirs) = other(link)
            coming.append((now, to, .session(.received(theirs, message))))
        case .close(let link):
            let (to, theirs) = other(link)
            coming.append((now, to, .session(.closed(theirs, .lost))))
        default: break
        }
    }
}
