import PotluckCore
import PotluckEngine

/// The state of the members with a modified program.
struct Byzantine {
    /// The temper of each such member, by seat.
    var tempers: [Seat: Forger.Temper] = [:]
    /// The kinds of messages that were forged.
    var kinds: Set<Message.Kind> = []
    /// The jobs that they ordered, invented or claimed. No law applies to these.
    var foreign: Set<JobID> = []
    /// The jobs for which a member made up results that may count.
    var madeUp: Set<JobID> = []
}

/// Members with a modified program. They have the code, so they are admitted, and then they send every message that the
/// codec can express. They also run an honest engine, so that there are links, jobs and chunks to forge messages about.
extension SimulatedCluster {
    /// The probability that a schedule has such a member.
    private static let byzantine = 0.3
    /// The number of messages in a flood of one kind.
    private static let flood = 300
    /// The number of messages in a rare, larger flood, which would fill any unbounded table.
    private static let deluge = 12_000

    /// Draws the Byzantine member, if any. It is never the first laptop, which submits most jobs.
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

    /// Makes a node Byzantine if its laptop is. Called at the start and after every restart.
    func corrupt(_ laptop: Laptop) {
        guard let temper = byzantine.tempers[laptop.seat] else { return }
        laptop.forger = Forger(own: laptop.node, temper: temper, seed: absurdity.next())
    }

    private func misbehave(_ seat: Seat) {
        let isAtPeace = now > .start + wishes.war
        after(isAtPeace ? .milliseconds(100) ... .seconds(3) : .milliseconds(5) ... .milliseconds(300)) {
            $0.misbehave(seat)
        }
        let laptop = laptops[seat]
        guard laptop.isAwake, laptop.forger != nil else { return }
        if chance(0.02), let (link, cable) = laptop.network.links.min(by: { $0.value.number < $1.value.number }) {
            // It closes a link.
            note("\(laptop.name) closes a link")
            hangUp(cable, seat)
            laptop.network.links[link] = nil
            return handle(seat, .session(.closed(link, .lost)))
        }
        if chance(0.02) {
            guard let kind = laptop.forger?.fields.one(of: Forger.kinds) else { return }
            for _ in 0..<(absurdity.fraction() < 0.03 ? Self.deluge : Self.flood) {
                sendForged(laptop, isAtPeace) { $0.forge(kind) }
            }
        } else {
            for _ in 0...pick(0...4) { sendForged(laptop, isAtPeace) { $0.any() } }
        }
    }

    private func sendForged(_ laptop: Laptop, _ isAtPeace: Bool, _ make: (inout Forger) -> Message?) {
        let links = laptop.network.links.sorted { $0.value.number < $1.value.number }
        guard failure == nil, !links.isEmpty, let message = laptop.forger.flatMap({ _ in make(&laptop.forger!) }) else {
            return
        }
        let octets = message.encoded()
        // Messages that cannot be decoded are tested with the codec.
        guard octets.count <= Message.maximumLength, let read = (try? Message.decode(octets)) ?? nil else { return }
        // Repeated commands and orders could keep jobs from ever ending, as those of a real host can.
        if isAtPeace, case .job(.command) = read { return }
        if isAtPeace, case .job(.order) = read { return }
        if let kind = Message.kind(of: octets) { byzantine.kinds.insert(kind) }
        suspect(laptop, read)
        deliverForged(laptop, links[pick(0...links.count - 1)].key, read, octets.count)
    }

    private func deliverForged(_ laptop: Laptop, _ link: LinkName, _ message: Message, _ octets: Int) {
        if let listener { listener("== \(laptop.name) forges \(message)".prefix(400).description) }
        let node = laptop.node
        var isPart = false
        if case .job(let message) = message { isPart = message.prefersBulk }
        transmit(laptop, link, octets: octets, isBulk: isPart || octets > Network.control) { name in
            // A hello carries a proof of the node ID, which cannot be forged.
            if case .hello(let hello) = message {
                .greeted(name, hello.introduction, by: node)
            } else {
                .received(name, message)
            }
        }
    }

    // MARK: Exemptions from the laws

    /// A host admits a node again that it has exposed as a liar. Its results so far do not count, and later ones may
    /// contain lies that nobody has noticed.
    func forgive(_ node: NodeID, at host: Laptop) {
        guard let liar = laptops.first(where: { $0.node == node }) else { return }
        for id in wishes.jobs where host.observed.leads[id]?.isOver == false {
            if laws.caught[id]?.remove(node) != nil { liar.observed.lies[id] = nil }
        }
    }

    /// Whether a Byzantine member is a peer. Peers may remove each other and turn guests away.
    var hasByzantinePeer: Bool { byzantine.tempers.keys.contains { laptops[$0].setup.session?.mode == .peer } }

    /// Records which jobs a forged message may affect, where an honest node cannot know better.
    private func suspect(_ laptop: Laptop, _ message: Message) {
        guard case .job(let message) = message else { return }
        let mayLead = laptop.setup.session?.mode != .client
        switch message {
        // A node that claims to coordinate a job is believed; docs/SECURITY.md says so.
        case .job(let id, _, _, _), .result(let id, _), .replica(let id, _), .course(let id, _, _), .over(let id),
            .lend(let id, _), .drop(let id, _), .interrupt(let id), .bound(let id, _):
            if mayLead { seize(id) }
        case .picture(let picture): if mayLead { seize(picture.id) }
        case .command(_, let id, _, _): wishes.known[id]?.wasPaused = true
        case .results(let id, let results):
            if results.contains(where: { laptop.forger?.lent[AttemptID(job: id, number: $0.attempt)] != nil }) {
                lie(laptop, id)
            }
        case .improved(let id, _): lie(laptop, id)
        case .offer(let id, let work):
            guard let order = wishes.known[id]?.order else { return }
            let end = order.goal.trials.map(order.experiment.blocks) ?? .max
            if work.contains(where: { $0.blocks.upperBound <= end }) { lie(laptop, id) }
        default: break
        }
    }

    private func lie(_ laptop: Laptop, _ id: JobID) {
        laptop.observed.lies[id, default: 0] += 1
        byzantine.madeUp.insert(id)
    }

    /// Exempts a job from the laws. The only demand left is that it must not crash a node.
    func seize(_ id: JobID) { byzantine.foreign.insert(id) }

    /// Records the jobs that a Byzantine member coordinates. Its other effects are not checked.
    func watch(_ laptop: Laptop, _ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .session(.send(_, .job(.job(let id, _, _, _)), _)), .answer(.taken(let id), _),
                .session(.send(_, .job(.taken(let id, _)), _)):
                seize(id)
            case .tell(.news(.continues(let id, laptop.node, _))): seize(id)
            default: break
            }
        }
    }

    /// The unfinished jobs of Byzantine members that honest nodes coordinate and may cancel.
    var foreignJobs: [(seat: Seat, id: JobID)] {
        laptops.filter { $0.forger == nil && $0.isAwake }.flatMap { laptop in
            laptop.observed.leads.filter { byzantine.foreign.contains($0.key) && !$0.value.isOver }.keys.sorted().map {
                (laptop.seat, $0)
            }
        }
    }
}
