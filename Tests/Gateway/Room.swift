import PotluckDoubles
import PotluckKit
import PotluckScreen
import PotluckSystem

@testable import Potluck
@testable import PotluckCore
@testable import PotluckNet

/// A gateway without sockets on a virtual clock, and the pages that connect to it.
final class Room {
    /// What the gateway does with its connections.
    final class Wire: TextChannels, @unchecked Sendable {
        var sent: [TextID: [UInt8]] = [:]
        var closed: Set<TextID> = []
        var admitted: Set<TextID> = []
        var answered: [TextID] = []
        /// The connections that take nothing. What is sent to them waits.
        var slow: Set<TextID> = []
        var waiting: [TextID: [UInt8]] = [:]
        var places = 256

        func send(_ parts: [[UInt8]], on id: TextID) -> Bool {
            guard !closed.contains(id) else { return false }
            let octets = Array(parts.joined())
            guard !slow.contains(id) else {
                waiting[id, default: []] += octets
                return false
            }
            sent[id, default: []] += octets
            return true
        }

        func close(_ id: TextID) { closed.insert(id) }

        func admit(_ id: TextID) -> Bool {
            guard admitted.subtracting(closed).count < places else { return false }
            return admitted.insert(id).inserted
        }

        func answered(_ id: TextID) { answered.append(id) }
    }

    /// A page with its connection.
    final class Page {
        let id: TextID
        let remote: Endpoint
        var side: PageSide
        var arrivals: [PageSide.Arrival] = []

        init(_ id: TextID, _ remote: Endpoint, _ ticket: PageTicket, device: DeviceSecret?) {
            (self.id, self.remote) = (id, remote)
            side = PageSide(ticket, device: device)
        }

        var messages: [JSON] { arrivals.compactMap { if case .message(let json) = $0 { json } else { nil } } }
        func messages(_ kind: String) -> [JSON] { messages.filter { $0["is"]?.asString == kind } }
        var code: UInt16? { arrivals.compactMap { if case .closed(let code) = $0 { code } else { nil } }.last }
        var you: String? { messages("welcome").last?["you"]?.asString }
    }

    let wire = Wire()
    let tickets = PageTickets(view: .random(), lend: .random(), host: .random())
    let hub: PageHub
    var changes: [ViewerChange] { reported.changes }
    var now = Instant.start
    var guesses: [Guess] { reported.guesses.with { $0 } }
    /// What the host's page asked for.
    var requests: [HostRequest] { reported.requests.with { $0 } }
    private let reported = Reported()
    private var last: UInt32 = 0
    static let local = Endpoint(octets: [10, 0, 0, 1], port: 7077)!
    static let host = "10.0.0.1:7077"
    static let device = DeviceSecret([UInt8](repeating: 4, count: 16))

    private final class Reported: @unchecked Sendable {
        var changes: [ViewerChange] = []
        let guesses = Guarded<[Guess]>([])
        let requests = Guarded<[HostRequest]>([])
    }

    init(hidesExact: Bool = false, workers: (any PageWorkers)? = nil, limits: GatewayLimits = GatewayLimits()) {
        let site = Site([
            PageFile(name: "index.html", octets: Array("<p>".utf8)),
            PageFile(name: "page.js", octets: [UInt8](repeating: 0x31, count: 90_000)),
        ])
        hub = PageHub(
            .init(
                session: "Monty", name: "host", version: "1", site: site, hidesExact: hidesExact, workers: workers,
                guessed: { [reported] guess, _ in reported.guesses.with { $0.append(guess) } },
                asked: { [reported] request, _ in reported.requests.with { $0.append(request) } }, limits: limits),
            tickets, wire, draw: { [UInt8](repeating: 9, count: $0) },
            report: { [reported] in reported.changes.append($0) })
        hub.show([PageMember(name: "host", cores: 4, kind: .laptop)], waiting: [])
    }

    // MARK: Pages

    /// `device` is the secret of the page's browser. Only the host's ticket needs one.
    func connect(
        _ right: PageRight = .view, from address: UInt8 = 2, ticket: PageTicket? = nil,
        device: DeviceSecret? = Room.device
    ) -> Page {
        last += 1
        let remote = Endpoint(octets: [10, 0, 0, address], port: UInt16(50_000 + last))!
        let page = Page(TextID(last), remote, ticket ?? tickets[right]!, device: device)
        hub.opened(page.id, from: remote, at: Self.local, now: now)
        return page
    }

    func send(_ octets: [UInt8], from page: Page) throws {
        hub.received(octets, on: page.id, now: now)
        try read(page)
    }

    func say(_ message: PageMessage, from page: Page) throws { try send(page.side.say(message), from: page) }

    func read(_ page: Page) throws { page.arrivals += try page.side.read(wire.sent.removeValue(forKey: page.id) ?? []) }

    /// Opens the socket and joins.
    func join(
        _ name: String, _ right: PageRight = .view, client: UInt8? = nil, from address: UInt8 = 2,
        ticket: PageTicket? = nil, device: DeviceSecret? = Room.device
    ) throws -> Page {
        let page = connect(right, from: address, ticket: ticket, device: device)
        try send(PageSide.handshake(host: Self.host), from: page)
        try send(page.side.hello, from: page)
        try send(page.side.join(name, client: client ?? UInt8(truncatingIfNeeded: last)), from: page)
        return page
    }

    /// Lets time pass, as the loop does.
    func pass(_ time: Duration, _ pages: [Page] = []) throws {
        let end = now + time
        while let due = hub.turn(at: now), due <= end, due > now { now = due }
        now = end
        _ = hub.turn(at: now)
        for page in pages { try read(page) }
    }

    /// The connection takes everything again.
    func drain(_ page: Page) throws {
        wire.slow.remove(page.id)
        wire.sent[page.id, default: []] += wire.waiting.removeValue(forKey: page.id) ?? []
        hub.drained(page.id, now: now)
        try read(page)
    }
}

/// A job whose answer is one half.
enum Samples {
    static let job = JobID(0x0123_4567_89ab_cdef)

    static func reading(_ value: Double = 0.25) -> Reading {
        Reading(name: "chance", kind: .proportion, value: value, interval: 0.125...0.75, exact: 0.5)
    }

    static func spec(_ goal: Goal = Goal(trials: 1000)) -> JobSpec {
        JobSpec(
            JobRecipe(
                experiment: Experiment(
                    simulation: SimulationIdentity(name: "coin", source: "x", streams: 1), parameters: [3], seed: 1,
                    blockSize: 16), goal: goal),
            title: JobTitle(
                summary: "tosses a coin", parameters: [.init(label: "sides", value: "2", isStandard: true)]))
    }

    static func outcome(_ id: JobID, _ result: JobResult, digest: String = "d") -> ClusterPicture.Outcome {
        ClusterPicture.Outcome(id: id, result: result, digest: digest, isBuiltIn: true)
    }

    static func row(_ trials: UInt64, _ name: String = "host") -> NodeRow {
        NodeRow(node: .nobody, name: name, cores: 4, trials: trials, rate: 12)
    }

    static func snapshot(
        _ trials: UInt64 = 100, of id: JobID = job, state: JobState = .running, points: Int = 0,
        hidesExact: Bool = false,
        readings: [Reading] = [reading()], nodes: [NodeRow] = [row(100)], guesses: [Guess] = []
    ) -> JobSnapshot {
        JobSnapshot(
            spec(), course: course(points), guesses: guesses,
            JobPicture(
                id: id, submitter: "ana", state: state, trials: trials, readings: readings, elapsed: .seconds(2),
                rate: 50, remaining: .about(.seconds(18)), nodes: nodes, hidesExact: hidesExact))
    }

    static func course(_ points: Int, of value: Double = 0.25) -> [CoursePoint] {
        (0..<points).map { CoursePoint(trials: UInt64(16 << $0), readings: [reading(value)]) }
    }

    static func result(
        hidesExact: Bool = false, points: Int = 0, readings: [Reading] = [reading(0.5)]
    ) -> JobResult {
        JobResult(
            spec: spec(), trials: 1000, tally: [500], readings: readings, course: course(points),
            completion: .trials, elapsed: .seconds(20), nodes: [row(1000)], hidesExact: hidesExact)
    }
}
