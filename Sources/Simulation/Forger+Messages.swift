import PotluckCore
import PotluckKit

/// Forged messages of each kind: those of the inventor, and what only fits if several fields agree.
extension Forger {
    /// The kinds of messages that the engine takes. The session's shell takes those about programs with ranks.
    static let kinds = Message.Kind.allCases.filter { $0 != .ranks }
    /// The kinds that only a job's coordinator may send.
    private static let ofCoordinator: Set<Message.Kind> = [
        .job, .interrupt, .lend, .drop, .bound, .picture, .course, .result, .over, .forgotten, .replica,
    ]
    /// The IDs of jobs that never existed. They are few, so that messages about the same job meet.
    private static let invented = (0..<8).map { JobID(0xbad0_0000_0000_0000 | $0) }

    /// Returns a replayed, changed or forged message of any kind.
    mutating func any() -> Message? {
        switch fields.below(10) {
        case 0, 1: stale(changed: false)
        case 2: stale(changed: true)
        default: fields.one(of: Self.kinds).flatMap { forge($0) }
        }
    }

    /// Returns a message seen before, as it was or with some bytes changed; nil if that can no longer be decoded.
    private mutating func stale(changed: Bool) -> Message? {
        guard var octets = fields.one(of: seen), !octets.isEmpty else { return nil }
        if changed {
            for _ in 0...fields.below(3) {
                octets[fields.below(octets.count)] = [0, 1, 0xff, 0x7f, 0x80][fields.below(5)]
            }
        }
        return (try? Message.decode(octets)) ?? nil
    }

    /// Returns a message that a receiver can decode; nil if the made-up values allow none.
    mutating func forge(_ kind: Message.Kind) -> Message? {
        // It makes claims about real jobs only if its temper allows it.
        fields.jobs = temper.claims || !Self.ofCoordinator.contains(kind) ? jobs : Self.invented
        fields.experiments = specs.map(\.experiment) + [experiment(), experiment()]
        switch kind {
        case .hello: return hello()
        case .role: return fields.one(of: Role.allCases).map { .role($0) }
        default: break
        }
        guard let message = fields.value(kind.rawValue, Message.self) else { return nil }
        guard case .job(let job) = message else { return message }
        return adapted(job).map { .job($0) }
    }

    private mutating func hello() -> Message {
        let (low, high) = (fields.number(), fields.number())
        let introduction = Introduction(
            versions: fields.chance(0.7) ? ProtocolVersion.supported : min(low, high)...max(low, high),
            session: SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length)),
            mode: fields.one(of: Mode.allCases) ?? .peer, name: fields.text(atMost: Announcement.maximumName),
            cores: fields.below(Introduction.maximumCores + 1),
            founding: fields.chance(0.5) ? Founding(fields.number()) : nil, dial: fields.number(),
            kind: fields.chance(0.2) ? .browser(at: fields.octets(fields.chance(0.5) ? 4 : 16)) : .program)
        return .hello(
            Hello(
                introduction: introduction, publicKey: fields.octets(Hello.keyLength),
                signature: fields.octets(Hello.signatureLength)))
    }

    private mutating func experiment() -> Experiment {
        VirtualSimulation.experiment(
            fields.one(of: VirtualSimulation.allCases) ?? .even, seed: fields.random.next(),
            blockSize: 1 << UInt64(fields.below(21)), cost: .milliseconds(1))
    }

    private mutating func adapted(_ message: JobMessage) -> JobMessage? {
        switch message {
        case .order(var order, let ticket, let token):
            // Others would wait for nodes that are not there.
            if fields.chance(0.8) { order.nodes = [] }
            if fields.chance(0.5) { order.delay = .zero }
            return .order(order, ticket: ticket, token: token)
        case .job(let id, let spec, let epoch, let known):
            let seen = fields.chance(0.5) ? fields.one(of: specs) : nil
            return .job(id, seen ?? spec, epoch: epoch, known: known)
        case .unresolved: return .unresolved((0...fields.below(8)).map { _ in fields.job() })
        case .forgotten: return .forgotten([fields.job(), Self.invented[fields.below(Self.invented.count)]])
        case .replica(let id, let changes):
            return .replica(id, (fields.chance(0.7) ? [accepted(id)].compactMap(\.self) : []) + changes)
        case .results(let id, let results): return resultsOfLoan(id, results)
        case .failure(let id, let attempt, let block, let text):
            let loan = loan()
            return .failure(loan?.job ?? id, attempt: loan?.number ?? attempt, block: block, text: text)
        default: return message
        }
    }

    private mutating func accepted(_ id: JobID) -> JournalChange? {
        guard case .job(.order(let order, let ticket, _))? = forge(.order) else { return nil }
        let taken = TakenJob(
            order: order, ticket: ticket, submitter: fields.node(), submitterName: fields.text(atMost: 60))
        return .accepted(
            JobRecord(
                id: id, spec: taken.encoded, simulation: Self.mark, submitter: Self.mark, acceptedAt: 1,
                epoch: fields.number(atMost: JobRecord.lastEpoch)))
    }

    private mutating func loan() -> AttemptID? { fields.one(of: lent.keys.sorted()) }

    /// Returns results of one of its loans if its temper allows lies, and of chunks that were never lent otherwise.
    private mutating func resultsOfLoan(_ id: JobID, _ results: [WorkResult]) -> JobMessage {
        var results = results
        let loan = loan()
        for index in results.indices {
            results[index].attempt |= 1 << 62
            guard let loan, temper.lies, fields.chance(0.7) else { continue }
            results[index].attempt = loan.number
            if fields.chance(0.7) { results[index].end = lent[loan]?.upperBound ?? 0 }
        }
        return .results(loan?.job ?? id, results)
    }
}
