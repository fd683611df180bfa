import PotluckEngine
import PotluckModel
import PotluckWire

/// What is known of the members with a modified program.
struct Byzantine {
    /// Who sits where, and how far each goes.
    var tempers: [Seat: Forger.Temper] = [:]
    /// The kinds of messages that were forged.
    var kinds: Set<Message.Kind> = []
    /// Jobs that they ordered, invented or claimed.
    var foreign: Set<JobID> = []
    /// Jobs for which one made something up that may count.
    var madeUp: Set<JobID> = []
}

/// Members with a modified program: they hold the code, so they are let in, and then they send whatever the codec can say.
/// Beside that they run an honest engine, so that there are links, jobs and chunks to be absurd about.
extension Room {
    /// One schedule in so many has such a member.
    private static let byzantine = 0.3
    /// Some messages in a row, and seldom a flood of one kind.
    private static let flood = 300
    /// And once in a while one that fills whatever has no bounds.
    private static let deluge = 12_000

    /// Draws who is not what it seems. The first one never is: most jobs are its own.
    func infiltrate() {
        guard absurdity.fraction() < Self.byzantine, laptops.count > 1 else { return }
        let seat = 1 + Int(absurdity.next(below: UInt64(laptops.count - 1)))
        guard laptops[seat].setup.session?.mode != .server else { return }
        let (lies, claims) = (absurdity.fraction() < 0.4, absurdity.fraction() < 0.4)
        byzantine.tempers[seat] = Forger.Temper(lies: lies, claims: claims)
        corrupt(laptops[seat])
        note("\(laptops[seat].name) is Byzantine: \(laptops[seat].forger?.temper ?? Forger.Temper())")
        after(.milliseconds(300) ... .seconds(2)) { $0.misbehave(seat) }
    }

    /// A node that starts again where one was Byzantine is, too.
    func corrupt(_ laptop: Laptop) {
        guard let temper = byzantine.tempers[laptop.seat] else { return }
        laptop.forger = Forger(own: laptop.node, temper: temper, seed: absurdity.next())
    }

    private func misbehave(_ seat: Seat) {
        let isAtPeace = now > .start + Schedule.war
        after(isAtPeace ? .milliseconds(100) ... .seconds(3) : .milliseconds(5) ... .milliseconds(300)) {
            $0.misbehave(seat)
        }
        let laptop = laptops[seat]
        guard laptop.isAwake, laptop.forger != nil else { return }
        if chance(0.02), let (link, cable) = laptop.links.min(by: { $0.value.number < $1.value.number }) {
            // It hangs up.
            note("\(laptop.name) hangs up")
            hangUp(cable, seat)
            laptop.links[link] = nil
            return handle(seat, .session(.closed(link, .lost)))
        }
        if chance(0.02) {
            guard let kind = laptop.forger?.one(of: Message.Kind.allCases) else { return }
            for _ in 0..<(absurdity.fraction() < 0.03 ? Self.deluge : Self.flood) {
                sendForged(laptop, isAtPeace) { $0.forge(kind) }
            }
        } else {
            for _ in 0...pick(0...4) { sendForged(laptop, isAtPeace) { $0.any() } }
        }
    }

    private func sendForged(_ laptop: Laptop, _ isAtPeace: Bool, _ make: (inout Forger) -> Message?) {
        let links = laptop.links.sorted { $0.value.number < $1.value.number }
        guard failure == nil, !links.isEmpty, let message = laptop.forger.flatMap({ _ in make(&laptop.forger!) }) else {
            return
        }
        let octets = message.encoded()
        // What nobody can read is the codec's affair.
        guard octets.count <= Message.maximumLength, let read = (try? Message.decode(octets)) ?? nil else { return }
        // Whoever commands jobs again and again may keep them from ever ending, as a host may.
        if isAtPeace, case .job(.command) = read { return }
        if isAtPeace, case .job(.order) = read { return }
        if let kind = Message.kind(of: octets) { byzantine.kinds.insert(kind) }
        suspect(laptop, read)
        deliverForged(laptop, links[pick(0...links.count - 1)].key, read, octets.count)
    }

    private func deliverForged(_ laptop: Laptop, _ link: SessionLink, _ message: Message, _ octets: Int) {
        if let listener { listener("== \(laptop.name) forges \(message)".prefix(400).description) }
        let node = laptop.node
        var isPart = false
        if case .job(let message) = message { isPart = message.prefersBulk }
        transmit(laptop, link, octets: octets, isBulk: isPart || octets > Network.control) { name in
            // A hello counts with its proof, which nobody can make for somebody else.
            if case .hello(let hello) = message {
                .greeted(name, hello.introduction, by: node)
            } else {
                .received(name, message)
            }
        }
    }

    // MARK: What the laws know of it

    /// Among peers everybody may remove everybody, and turn guests away.
    var hasByzantinePeer: Bool { byzantine.tempers.keys.contains { laptops[$0].setup.session?.mode == .peer } }

    /// What follows from its words is its own affair where nobody honest could know better.
    private func suspect(_ laptop: Laptop, _ message: Message) {
        guard case .job(let message) = message else { return }
        let mayLead = laptop.setup.session?.mode != .client
        switch message {
        // Whoever claims to coordinate a job is believed; docs/SECURITY.md says so.
        case .job(let id, _, _, _), .result(let id, _), .replica(let id, _), .course(let id, _, _), .over(let id),
            .lend(let id, _), .drop(let id, _), .interrupt(let id):
            if mayLead { seize(id) }
        case .picture(let picture): if mayLead { seize(picture.job) }
        case .command(_, let id, _, _): wishes.known[id]?.wasPaused = true
        case .results(let id, let results):
            if results.contains(where: { laptop.forger?.lent[AttemptID(job: id, number: $0.attempt)] != nil }) {
                lie(laptop, id)
            }
        case .offer(let id, let work):
            guard let order = wishes.known[id]?.order else { return }
            let end = order.goal.trials.map(order.experiment.blocks) ?? .max
            if work.contains(where: { $0.blocks.upperBound <= end }) { lie(laptop, id) }
        default: break
        }
    }

    private func lie(_ laptop: Laptop, _ id: JobID) {
        laptop.lies[id, default: 0] += 1
        byzantine.madeUp.insert(id)
    }

    /// From now on nothing is expected of that job but that nobody falls over it.
    func seize(_ id: JobID) { byzantine.foreign.insert(id) }

    /// What its own engine does is nothing to judge, but for the jobs that it coordinates from now on.
    func watch(_ laptop: Laptop, _ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .session(.send(_, .job(.job(let id, _, _, _)), _)), .answer(.taken(let id), _),
                .session(.send(_, .job(.taken(let id, _)), _)):
                seize(id)
            case .news(.goesOn(let id, laptop.node, _)): seize(id)
            default: break
            }
        }
    }

    /// The jobs that honest nodes took for it, and may cancel.
    var foreignJobs: [(seat: Seat, id: JobID)] {
        laptops.filter { $0.forger == nil && $0.isAwake }.flatMap { laptop in
            laptop.leads.filter { byzantine.foreign.contains($0.key) && !$0.value.isOver }.keys.sorted().map {
                (laptop.seat, $0)
            }
        }
    }
}

extension Forger {
    /// Anything at all.
    mutating func any() -> Message? {
        switch below(10) {
        case 0, 1: stale(changed: false)
        case 2: stale(changed: true)
        default: one(of: Message.Kind.allCases).flatMap { forge($0) }
        }
    }
}
