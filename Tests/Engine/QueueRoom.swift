import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A peer that coordinates and lends no cores, and nodes with one core each, on a virtual clock.
struct QueueRoom {
    static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let session = SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length))
    /// The time that a block takes.
    private static let cost = Duration.milliseconds(5)

    /// A node that computes.
    struct Node {
        let id: NodeID
        let name: String
        let link: LinkName
        /// The chunks in hand, the first of which is being computed, and when that began.
        var hand: [(job: JobID, chunk: LentChunk)] = []
        var began = Instant.start
        /// The jobs that it has prepared.
        var ready: Set<JobID> = []
        var cores = 1
        /// The last picture of each job that it was sent.
        var pictures: [JobID: JobState] = [:]
        /// The jobs whose result it was sent, and those about which it was asked.
        var results: Set<JobID> = []
        var unresolved: [JobID] = []
    }

    var engine: Engine
    private(set) var now = Instant.start
    var nodes: [Node] = []
    /// The answers to this node's own requests, and to those of the others, by token.
    private(set) var answers: [UInt64: JobAnswer] = [:]
    private(set) var published: [JobID: JobState] = [:]
    /// The jobs whose exact answers the last snapshot hides.
    private(set) var hidden: Set<JobID> = []
    private(set) var failed: [JobID: String] = [:]
    /// Orders with this seed can be computed by no node but the coordinator.
    static let browsersOnly: UInt64 = 1 << 40
    /// Whether preparations never end.
    var preparesForEver = false
    private(set) var specs: [JobID: JobSpec] = [:]
    /// The questions which jobs are open, and the answers to those of other nodes, by the index of the node.
    private(set) var questions: [(index: Int, token: UInt64)] = []
    private(set) var listed: [(index: Int, token: UInt64)] = []
    private var wake: Instant?
    private var tokens: UInt64 = 0

    init(_ names: [String] = ["bo", "cy"]) {
        let setup = SessionSetup(node: Self.own, name: "ana", cores: 0, session: Self.session, mode: .peer, seed: 1)
        engine = Engine(
            EngineSetup(node: Self.own, name: "ana", cores: 0, session: setup, seed: 1), now: .start)
        for name in names { meets(name) }
    }

    /// Another peer connects.
    mutating func meets(_ name: String) {
        let number = UInt8(nodes.count + 2)
        let node = Node(
            id: NodeID(firstOctetsOf: [UInt8](repeating: number, count: 16)), name: name,
            link: .accepted(UInt64(number)))
        nodes.append(node)
        handle(.session(.opened(node.link, address: [10, 0, 0, number])))
        let hello = Introduction(session: Self.session, mode: .peer, name: name, cores: 1)
        handle(.session(.greeted(node.link, hello, by: node.id)))
        handle(.session(.received(node.link, .welcome(Welcome(version: 1, role: .hosts, row: 1)))))
    }

    // MARK: Users

    static func ticket(_ number: UInt64) -> JobTicket {
        JobTicket((0..<UInt64(JobTicket.length)).map { UInt8(truncatingIfNeeded: number &+ $0) })!
    }

    /// Orders a job at this node, or at another one. Returns the token, whose ticket is `ticket(token)`.
    @discardableResult
    mutating func orders(_ order: JobOrder, at node: Int? = nil) -> UInt64 {
        tokens += 1
        let ticket = Self.ticket(tokens)
        if let node {
            hears(.order(order, ticket: ticket, token: tokens), from: node)
        } else {
            handle(.wanted(.order(order, ticket), token: tokens))
        }
        return tokens
    }

    /// Orders a job and returns its ID. Fails if it was not taken.
    mutating func ordered(_ order: JobOrder, at node: Int? = nil) throws -> JobID {
        let token = orders(order, at: node)
        guard case .taken(let id)? = answers[token] else { throw Missing() }
        return id
    }

    struct Missing: Error {}

    @discardableResult
    mutating func commands(
        _ command: JobCommand, _ id: JobID, ticket: JobTicket? = nil, at node: Int? = nil
    ) -> JobAnswer? {
        tokens += 1
        if let node {
            hears(.command(command, id, ticket: ticket, token: tokens), from: node)
        } else {
            handle(.wanted(.command(command, id, ticket: ticket), token: tokens))
        }
        return answers[tokens]
    }

    /// Ends the preparation of a job that takes long.
    mutating func prepare(_ id: JobID) { handle(.prepared(id, .ready(VirtualNode.facts))) }

    /// Withdraws the latest order with a ticket.
    mutating func withdraws(_ ticket: JobTicket, at node: Int) -> JobAnswer? {
        tokens += 1
        hears(.withdraw(ticket, token: tokens), from: node)
        return answers[tokens]
    }

    /// Asks for all open jobs at this node. Returns the token.
    mutating func lists() -> UInt64 {
        tokens += 1
        handle(.wanted(.jobs, token: tokens))
        return tokens
    }

    mutating func setCores(_ cores: Int, of index: Int) {
        nodes[index].cores = cores
        hears(.cores(cores), from: index)
        guard cores == 0 else { return }
        interrupt(index) { _ in true }
    }

    mutating func loses(_ index: Int) { handle(.session(.closed(nodes[index].link, .lost))) }

    // MARK: Time

    func run(_ id: JobID) -> JobRun? { engine.coordinator.runs.first { $0.id == id } }

    func state(_ id: JobID) -> JobState? { run(id)?.state }

    private func end(_ node: Node) -> Instant? {
        node.hand.first.map { node.began + Self.cost * Int($0.chunk.blocks.count) }
    }

    mutating func passes(_ time: Duration) {
        let limit = now + time
        while true {
            let ends = nodes.compactMap(end)
            guard let next = ([wake].compactMap { $0 } + ends).min(), next <= limit else { break }
            now = max(now, next)
            if let index = nodes.firstIndex(where: { end($0).map { $0 <= next } ?? false }) {
                let (job, chunk) = nodes[index].hand.removeFirst()
                nodes[index].began = now
                bring(job, chunk, upTo: chunk.blocks.upperBound, from: index)
            } else {
                wake = nil
                handle(.woke)
            }
        }
        now = limit
    }

    // MARK: What nodes do

    mutating func hears(_ message: JobMessage, from index: Int) {
        guard case .job(let heard)? = try? Message.decode(Message.job(message).encoded()[...]) else {
            Issue.record("\(message) is not fit for the wire")
            return
        }
        handle(.session(.received(nodes[index].link, .job(heard))))
    }

    private mutating func bring(_ job: JobID, _ chunk: LentChunk, upTo end: UInt64, from index: Int) {
        guard let spec = specs[job] else { return }
        var hits: UInt64 = 0
        for block in chunk.blocks.lowerBound..<end {
            let left = spec.goal.trials.map { $0 - block * VirtualNode.blockSize } ?? .max
            hits += VirtualNode.hits(
                seed: spec.experiment.seed, block: block, trials: min(left, VirtualNode.blockSize))
        }
        let busy = Self.cost * Int(end - chunk.blocks.lowerBound)
        let result = WorkResult(attempt: chunk.attempt, end: end, tally: [hits], busy: busy)
        hears(.results(job, [result]), from: index)
    }

    /// Returns the chunks of some jobs with what is done of them.
    private mutating func interrupt(_ index: Int, _ condition: (JobID) -> Bool) {
        let hand = nodes[index].hand
        nodes[index].hand.removeAll { condition($0.job) }
        let began = nodes[index].began
        nodes[index].began = now
        for (place, (job, chunk)) in hand.enumerated() where condition(job) {
            let done = place == 0 ? UInt64((now - began).nanoseconds / Self.cost.nanoseconds) + 1 : 0
            bring(job, chunk, upTo: min(chunk.blocks.upperBound, chunk.blocks.lowerBound + done), from: index)
        }
    }

    private mutating func takes(_ message: JobMessage, at index: Int) {
        switch message {
        case .job(let id, let spec, _, _):
            guard spec.experiment.seed & Self.browsersOnly == 0 else {
                return hears(.unable(id, "browsers compute no searches"), from: index)
            }
            nodes[index].ready.insert(id)
            hears(.ready(id), from: index)
        case .lend(let id, let chunks):
            if nodes[index].hand.isEmpty { nodes[index].began = now }
            nodes[index].hand += chunks.map { (id, $0) }
        case .drop(let id, let attempts): drops(index) { $0 == id && attempts.contains($1.attempt) }
        case .over(let id):
            nodes[index].ready.remove(id)
            drops(index) { job, _ in job == id }
        case .interrupt(let id): interrupt(index) { $0 == id }
        case .picture(let picture): nodes[index].pictures[picture.id] = picture.state
        case .result(let id, _): nodes[index].results.insert(id)
        case .unresolved(let jobs): nodes[index].unresolved += jobs
        case .taken(let id, let token): answers[token] = .taken(id)
        case .refused(let why, let token): answers[token] = .refused(why)
        case .list(let token): questions.append((index, token))
        case .listed(let token): listed.append((index, token))
        default: break
        }
    }

    private mutating func drops(_ index: Int, _ condition: (JobID, LentChunk) -> Bool) {
        let first = nodes[index].hand.first?.chunk.attempt
        nodes[index].hand.removeAll { condition($0.job, $0.chunk) }
        if nodes[index].hand.first?.chunk.attempt != first { nodes[index].began = now }
    }

    private mutating func handle(_ event: Event) {
        var sent: [(index: Int, message: JobMessage)] = []
        var events = [event]
        while !events.isEmpty || !sent.isEmpty {
            if events.isEmpty {
                let (index, message) = sent.removeFirst()
                takes(message, at: index)
                continue
            }
            for effect in engine.handle(events.removeFirst(), at: now) {
                switch effect {
                case .session(.send(let link, .job(let message), _)):
                    if case .job(let id, let spec, _, _) = message { specs[id] = spec }
                    if let index = nodes.firstIndex(where: { $0.link == link }) { sent.append((index, message)) }
                case .job(.prepare(let id, _)):
                    if !preparesForEver { events.append(.prepared(id, .ready(VirtualNode.facts))) }
                case .job(.read(let request)): events.append(.read(request, []))
                case .wake(let time): wake = time
                case .tell(.snapshot(let snapshot)):
                    published[snapshot.id] = snapshot.state
                    hidden.remove(snapshot.id)
                    if snapshot.hidesExact { hidden.insert(snapshot.id) }
                case .tell(.failed(let id, let why)): failed[id] = "\(why)"
                case .answer(let answer, let token): answers[token] = answer
                default: break
                }
            }
        }
    }
}
