import PotluckCore
import PotluckEngine

@testable import Potluck

/// A coordinator and its workers, each a complete engine with a real shell and its own threads. The test's thread
/// passes messages from engine to engine, and a test may hold some back. The clock stands still.
final class Workplace {
    private struct Node {
        let id: NodeID
        var engine: Engine
        let shell: JobShell
    }

    /// Seat 0 is the coordinator.
    private var nodes: [Node] = []
    private var mail: [(seat: Int, event: Event)] = []
    private var held: [(seat: Int, event: Event)] = []
    private let reports: AsyncStream<(seat: Int, report: JobShell.Report)>
    private var next: AsyncStream<(seat: Int, report: JobShell.Report)>.Iterator
    private var lastToken: UInt64 = 0
    /// Every effect of the coordinator so far.
    private(set) var effects: [Effect] = []
    /// Returns whether an event is held back for now. The seat is the receiver's.
    var isHeld: (_ seat: Int, _ event: Event) -> Bool = { _, _ in false }

    init(_ all: [Computing]) {
        let (reports, report) = AsyncStream.makeStream(of: (seat: Int, report: JobShell.Report).self)
        self.reports = reports
        next = reports.makeAsyncIterator()
        for (seat, computing) in all.enumerated() {
            let id = NodeID([UInt8](repeating: UInt8(seat + 1), count: NodeID.length))!
            let session = SessionSetup(
                node: id, name: "node \(seat)", cores: computing.cores,
                session: SessionID("Monty")!.hash, mode: .peer, seed: UInt64(seat))
            let setup = EngineSetup(
                node: id, name: session.name, cores: computing.cores, session: session, seed: UInt64(seat))
            nodes.append(
                Node(
                    id: id, engine: Engine(setup, now: .start),
                    shell: JobShell(computing) { report.yield((seat, $0)) }))
        }
        for seat in 1..<max(1, nodes.count) {
            mail.append((0, .session(.opened(.accepted(UInt64(seat)), address: [10, 0, 0, UInt8(seat)]))))
            mail.append((seat, .session(.opened(.accepted(0), address: [10, 0, 0, 100]))))
        }
        deliver()
    }

    func id(_ seat: Int) -> NodeID { nodes[seat].id }

    /// Submits a request of the coordinator's user.
    func want(_ request: JobRequest) {
        lastToken += 1
        mail.append((0, .wanted(request, token: lastToken)))
        deliver()
    }

    /// Sets how many cores a node computes with from now on, as its user would.
    func setCores(_ cores: Int, at seat: Int) {
        nodes[seat].shell.setCores(cores)
        mail.append((seat, .cores(cores)))
        deliver()
    }

    /// Delivers the events that were held back, and holds back no more.
    func release() {
        isHeld = { _, _ in false }
        mail += held
        held = []
        deliver()
    }

    /// Delivers events until `isDone` returns true for the coordinator's effects.
    func live(until isDone: ([Effect]) -> Bool) async {
        while !isDone(effects), let (seat, report) = await next.next() {
            switch report {
            case .event(let event): mail.append((seat, event))
            case .outcomes: mail.append((seat, .computed(nodes[seat].shell.takeOutcomes())))
            }
            deliver()
        }
    }

    private func deliver() {
        while !mail.isEmpty {
            let (seat, event) = mail.removeFirst()
            if isHeld(seat, event) {
                held.append((seat, event))
                continue
            }
            let effects = nodes[seat].engine.handle(event, at: .start)
            nodes[seat].shell.perform(effects)
            if seat == 0 { self.effects += effects }
            for case .session(let effect) in effects { pass(effect, from: seat) }
        }
    }

    private func pass(_ effect: SessionEffect, from seat: Int) {
        func other(_ link: LinkName) -> (seat: Int, link: LinkName) {
            guard seat == 0, case .accepted(let number) = link else { return (0, .accepted(UInt64(seat))) }
            return (Int(number), .accepted(0))
        }
        switch effect {
        case .greet(let link, let introduction):
            let (to, theirs) = other(link)
            mail.append((to, .session(.greeted(theirs, introduction, by: nodes[seat].id))))
        case .send(let link, let message, _):
            let (to, theirs) = other(link)
            mail.append((to, .session(.received(theirs, message))))
        case .close(let link):
            let (to, theirs) = other(link)
            mail.append((to, .session(.closed(theirs, .lost))))
        default: break
        }
    }
}

extension [Effect] {
    /// The results of finished jobs, in the order in which they finished.
    var results: [JobResult] { compactMap { if case .tell(.finished(_, let result, _)) = $0 { result } else { nil } } }
    var failures: [String] { compactMap { if case .tell(.failed(_, let why)) = $0 { "\(why)" } else { nil } } }
    var taken: [JobID] { compactMap { if case .answer(.taken(let id), _) = $0 { id } else { nil } } }
    var liars: [NodeID] { compactMap { if case .tell(.news(.liar(_, let node, _))) = $0 { node } else { nil } } }
}
