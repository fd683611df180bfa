import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckRanks

/// A program with ranks on virtual nodes: real worlds and a real lead, with streams of random delays between them.
/// Everything follows from the seed.
///
/// `+Steps` has the steps of ranks, `+Lead` the reports and decisions, and `+Laws` the laws that must hold.
final class RankStage {
    let setting: Setting
    let map: RankMap
    var worlds: [RankWorld]
    var players: [RankPlayer]
    var lead: RankLead
    var ledger: RankLedger
    var streams: RankStreams
    var random: RandomStream
    var forger: RankForger?
    /// Whether each node takes part: it has not been lost, and its part has not ended early.
    var isUp: [Bool]
    /// Letters on their way, and the bytes of messages in them.
    var flying = (letters: 0, octets: 0)
    /// How many bytes each rank has told each node that it has received of messages that came at once.
    var told: [[Int]]
    /// The states of each checkpoint that was passed.
    var passed: [[[UInt8]]] = []
    /// How the program has ended; nil as long as it has not.
    var end: RankEnd?
    /// The first broken law.
    private(set) var failure: RankLawError?
    private(set) var tally = Tally()
    private(set) var hash = TraceHash()
    private(set) var now = Instant.start
    private var queue = EventQueue<Event>()

    /// The program that a stage plays, and its conditions.
    struct Setting {
        let script: RankScript
        let map: RankMap
        /// Whether there is a lead. Otherwise all ranks are on one node.
        let isLed: Bool
        let rooms: RankRooms
        /// The states of the ranks at the checkpoint at which they begin; nil if they start at their beginning.
        var states: [[UInt8]]?
        /// The event at which a node is lost; nil if none is.
        var loss: Int?
        /// Whether copies of the worlds and of the lead get forged letters and reports.
        var isForged = false
        var sabotage: RankSchedule.Sabotage?
        var listener: ((String) -> Void)?
    }

    struct Tally {
        var events = 0
        var letters = 0
        var forged = 0
    }

    enum Event {
        /// A rank does its next step, or a part of it.
        case step(Int)
        case letter(RankLetter, from: Int, to: Int)
        /// A node looks whether it has a report.
        case look(Int)
        /// Something comes to the lead.
        case item(Item, from: Int)
        case decision(RankLead.Decision, to: Int)
    }

    enum Item {
        case ready
        case state(rank: Int, [UInt8])
        case report(RankReport)
        case lost
    }

    /// The most events of a stage. A program has some hundred steps, so one with more loops.
    private static let mostEvents = 100_000
    /// The longest times in nanoseconds until a rank's next step, until a thread that is woken runs, and until a node that
    /// is quiet reports.
    private static let scales = [1, 50, 2000, 40_000]
    private let pauses: (step: Int, wake: Int, report: Int)

    init(_ setting: Setting, seed: UInt64) {
        random = RandomStream(seed: seed, block: 0, lane: 0)
        self.setting = setting
        map = setting.map
        worlds =
            setting.isLed
            ? (0..<setting.map.nodes).map { RankWorld(setting.map, node: $0, rooms: setting.worldRooms) }
            : [RankWorld(size: setting.map.size, rooms: setting.worldRooms)]
        players = (0..<setting.map.size).map { rank in
            RankPlayer(rank, setting.script.ranks[rank], setting.states?[rank])
        }
        lead = RankLead(setting.map, setting.leadLimits)
        ledger = RankLedger(size: setting.map.size)
        isUp = Array(repeating: true, count: setting.map.nodes)
        told = Array(repeating: Array(repeating: 0, count: setting.map.nodes), count: setting.map.size)
        pauses = (
            Self.scales[random.below(Self.scales.count)], Self.scales[random.below(Self.scales.count)],
            Self.scales[random.below(Self.scales.count)]
        )
        streams = RankStreams(places: setting.map.nodes + 1, RandomStream(seed: seed, block: 1, lane: 0))
        if setting.isForged { forger = RankForger(RandomStream(seed: seed, block: 2, lane: 0)) }
    }

    func run() {
        for node in worlds.indices {
            if setting.isLed { send(.ready, from: node) } else { begin(node) }
        }
        while failure == nil, end == nil, let (at, event) = queue.next() {
            now = at
            tally.events += 1
            note(event)
            do throws(RankLawError) {
                if tally.events == setting.loss { lose(random.below(map.nodes)) }
                guard tally.events < Self.mostEvents else { throw RankLawError(.ends, "\(tally.events) events") }
                try handle(event)
                try checkBytes()
                try forge()
            } catch { failure = error }
        }
        if failure == nil, end == nil { failure = RankLawError(.ends, "nothing happens any more, and nobody said so") }
    }

    private func handle(_ event: Event) throws(RankLawError) {
        switch event {
        case .step(let rank): if isUp[map.places[rank]] { try play(rank) }
        case .letter(let letter, let from, let to): try deliver(letter, from: from, to: to)
        case .look(let node): look(node)
        case .item(let item, let node): try lead(item, from: node)
        case .decision(.begin, let node): begin(node)
        case .decision(.pass, let node):
            if isUp[node] { try act(node) { (world) throws(RankError) in try world.passCheckpoint() } }
        case .decision(.end, _): break
        }
    }

    private func begin(_ node: Int) { for rank in map.ranks(of: node) { go(rank) } }

    /// A node is lost. Another one tells the lead.
    private func lose(_ node: Int) {
        isUp[node] = false
        send(.lost, from: (node + 1) % map.nodes)
    }

    // MARK: time

    func go(_ rank: Int) { queue.add(.step(rank), at: now + .nanoseconds(random.below(pauses.step))) }

    func send(_ item: Item, from node: Int) {
        guard let item = spoil(item) else { return }
        queue.add(.item(item, from: node), at: streams.arrival(from: node, to: map.nodes, at: now))
    }

    func send(_ decision: RankLead.Decision) {
        for node in worlds.indices {
            queue.add(.decision(decision, to: node), at: streams.arrival(from: map.nodes, to: node, at: now))
        }
    }

    /// Does something with a node's world, and takes the consequences. Returns nil if the node's part has ended by
    /// that.
    @discardableResult
    func act<Result>(
        _ node: Int, _ body: (inout RankWorld) throws(RankError) -> Result
    ) throws(RankLawError) -> Result? {
        let result: Result
        do throws(RankError) { result = try body(&worlds[node]) } catch {
            isUp[node] = false
            try ended(node, error)
            return nil
        }
        for (other, letter) in worlds[node].takeLetters() { try post(letter, from: node, to: other) }
        for rank in worlds[node].takeWoken() {
            guard players[rank].phase.isWaiting else { throw RankLawError(.woken, "rank \(rank) did not wait") }
            queue.add(.step(rank), at: now + .nanoseconds(random.below(pauses.wake)))
        }
        if setting.isLed, worlds[node].isQuiet {
            let isMeeting = map.ranks(of: node).allSatisfy {
                players[$0].phase == .isAtCheckpoint || players[$0].phase == .ended
            }
            queue.add(.look(node), at: now + .nanoseconds(isMeeting ? 0 : random.below(pauses.report)))
        }
        return result
    }

    private func post(_ letter: RankLetter, from node: Int, to other: Int) throws(RankLawError) {
        tally.letters += 1
        switch letter {
        case .ask(let source, let number):
            if let id = ledger.message(source, number) {
                ledger.noteAsked(id)
                try checkRoom(ledger.sent[id].receiver)
            }
        case .received(let rank, let octets): told[rank][other] += octets
        case .message, .offer, .octets, .taken: break
        }
        for letter in spoil(letter) {
            flying.letters += 1
            flying.octets += letter.weight
            queue.add(
                .letter(letter, from: node, to: other), at: streams.arrival(from: node, to: other, at: now))
        }
    }

    private func deliver(_ letter: RankLetter, from node: Int, to other: Int) throws(RankLawError) {
        flying.letters -= 1
        flying.octets -= letter.weight
        guard isUp[other] else { return }
        switch letter {
        case .message(let message, let receiver, _):
            if let id = ledger.message(message.source, message.number) {
                try ledger.arrive(id, isEager: true)
                try checkEager(receiver, from: node)
            }
        case .offer(let envelope, _, _):
            if let id = ledger.message(envelope.source, envelope.number) { try ledger.arrive(id) }
        case .ask, .octets, .taken, .received: break
        }
        try act(other) { (world) throws(RankError) in try world.deliver(letter, from: node) }
        forger?.saw(letter, from: node, to: other)
    }

    private func note(_ event: Event) {
        setting.listener?("\(now.nanoseconds) \(event)")
        hash.mix(now.nanoseconds)
        switch event {
        case .step(let rank): hash.mix(UInt64(rank))
        case .letter(let letter, let from, let to):
            hash.mix(UInt64(from))
            hash.mix(UInt64(to))
            hash.mix(UInt64(letter.weight))
        case .look(let node): hash.mix(UInt64(node))
        case .item(_, let node): hash.mix(UInt64(node))
        case .decision(_, let node): hash.mix(UInt64(node))
        }
    }

    /// Sends forged letters to a copy of a world, and forged reports to a copy of the lead.
    private func forge() throws(RankLawError) {
        guard forger != nil, random.chance(0.1) else { return }
        let node = random.below(map.nodes)
        tally.forged += try forger?.attack(worlds[node], node, setting.sabotage) ?? 0
        tally.forged += try forger?.attack(lead, map, setting.stateLimits) ?? 0
    }
}

/// How a program has ended.
struct RankEnd {
    /// Nil if all ranks have ended.
    let fault: RankError?
    /// A hash of what each step of each rank received.
    let slots: [[UInt64]]
    /// The states at which it can begin again; nil if it must start over.
    let states: [[UInt8]]?
}

extension RankLetter {
    /// Bytes of the message in it.
    var weight: Int {
        switch self {
        case .message(let message, _, _): message.cost
        case .octets(let octets, let source, _, _):
            RankMessage(source: source, tag: 0, context: 0, octets: octets).cost
        case .offer, .ask, .taken, .received: 0
        }
    }
}
