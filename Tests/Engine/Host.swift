import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A peer with one core and another peer, on a virtual clock. Messages of the other peer are encoded and decoded as on
/// the wire.
struct Host {
    static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    static let other = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))
    static let ticket = JobTicket([UInt8](repeating: 3, count: JobTicket.length))!
    static let link = LinkName.accepted(1)
    private static let session = SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length))
    /// The time that a block costs.
    private static let cost = Duration.milliseconds(1)

    var engine: Engine
    private(set) var now = Instant.start
    private(set) var effects: [Effect] = []
    /// Every chunk that the engine started on the local core.
    private(set) var chunks: [Chunk] = []
    /// Every change that the engine recorded in the journal, in order.
    private(set) var said: [JournalChange] = []
    private var waiting: [Chunk] = []
    private var links: UInt64 = 1
    private var link = Host.link
    private let keepsJournal: Bool
    /// Whether the first trials of a job that begins in slow motion have readings. Otherwise one fails.
    var opens = true
    private var orders: [JobID: JobRecipe] = [:]

    init(keepsJournal: Bool = false, seed: UInt64 = 1) {
        let setup = SessionSetup(node: Self.own, name: "ana", cores: 1, session: Self.session, mode: .peer, seed: 1)
        engine = Engine(
            EngineSetup(
                node: Self.own, name: "ana", cores: 1, session: setup, seed: seed, keepsJournal: keepsJournal),
            now: .start)
        self.keepsJournal = keepsJournal
        meets()
    }

    private mutating func meets() {
        let hello = Introduction(session: Self.session, mode: .peer, name: "bo", cores: 1)
        handle(.session(.opened(link, address: [10, 0, 0, 2])))
        handle(.session(.greeted(link, hello, by: Self.other)))
        handle(.session(.received(link, .welcome(Welcome(version: 1, role: .hosts, row: links)))))
    }

    /// Loses the link for long enough that jobs are taken over, then connects again.
    mutating func losesAndMeets() {
        handle(.session(.closed(link, .lost)))
        for _ in 0..<30 { passes(.milliseconds(100)) }
        links += 1
        link = .accepted(links)
        meets()
        work(atMost: 4)
    }

    /// Receives a message. Drops it if the wire format does not allow it.
    mutating func hears(_ message: JobMessage) {
        guard case .job(let heard)? = try? Message.decode(Message.job(message).encoded()[...]) else { return }
        handle(.session(.received(link, .job(heard))))
    }

    /// Submits an order and returns the job's ID. Fails if the job is refused.
    mutating func orders(_ order: JobOrder) throws -> JobID {
        let before = engine.coordinator.runs.count
        handle(.wanted(.order(order, Self.ticket), token: 1))
        return try #require(engine.coordinator.runs.count > before ? engine.coordinator.runs.last?.id : nil)
    }

    mutating func passes(_ time: Duration) {
        now = now + time
        handle(.woke)
    }

    /// Computes at most `most` chunks, and at most a second of each.
    mutating func work(atMost most: Int) {
        for _ in 0..<most where !waiting.isEmpty {
            let chunk = waiting.removeFirst()
            let done = chunk.blocks.prefix(1000)
            let busy = Self.cost * Int(done.count)
            now = now + busy
            let result = ChunkResult(
                attempt: chunk.attempt, end: done.upperBound, tally: [UInt64(done.count)], busy: busy)
            handle(.computed([.done(result)]))
        }
    }

    mutating func handle(_ event: Event) {
        var events = [event]
        while !events.isEmpty {
            for effect in engine.handle(events.removeFirst(), at: now) {
                effects.append(effect)
                switch effect {
                case .job(.prepare(let id, let recipe)):
                    let plain = VirtualNode.facts
                    let facts = JobFacts(
                        layout: plain.layout, blockSize: recipe.experiment.blockSize, title: plain.title, writes: true)
                    events.append(.prepared(id, .ready(facts)))
                case .job(.compute(let chunk, _, _, _)):
                    chunks.append(chunk)
                    waiting.append(chunk)
                case .job(.drop(let attempts)): waiting.removeAll { attempts.contains($0.attempt) }
                case .job(.forget(let id)), .job(.stepDown(let id)): waiting.removeAll { $0.attempt.job == id }
                case .job(.read(let request)) where request.purpose == .opening && opens:
                    let tally = ReadRequest(job: request.job, tally: [1], trials: request.trials, purpose: .opening)
                    events.append(.read(tally, [Reading(name: "p", kind: .proportion, value: 0.5)]))
                case .job(.read(let request)): events.append(.read(request, []))
                case .job(.record(let changes)): said += changes
                default: break
                }
            }
        }
    }
}
