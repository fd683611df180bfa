import PotluckCore
import PotluckKit

/// Forged messages of each kind.
extension Forger {
    /// The kinds of messages that the engine takes. The session's shell takes those about programs with ranks.
    static let kinds = Message.Kind.allCases.filter { $0 != .ranks }

    /// Returns a message that a receiver can decode; nil if the made-up values allow none. The switch covers the
    /// codec's kinds, so that the compiler reports every new kind here.
    mutating func forge(_ kind: Message.Kind) -> Message? {
        switch kind {
        case .hello, .welcome, .decline, .hold, .goodbye, .data, .text, .received, .roster, .role: ofSession(kind)
        case .order, .command, .withdraw, .taken, .refused, .list, .listed: ofWish(kind)
        case .job, .interrupt, .lend, .drop, .bound, .picture, .course, .result, .over, .forgotten, .replica:
            ofCoordinator(kind)
        case .ready, .unable, .cores, .results, .improved, .failure, .offer, .unresolved: ofWorker(kind)
        case .fetch, .part, .lacking: ofBlob(kind)
        case .ranks: nil
        }
    }

    /// Returns a message seen before, as it was or with some bytes changed; nil if that can no longer be decoded.
    mutating func stale(changed: Bool) -> Message? {
        guard var octets = one(of: seen), !octets.isEmpty else { return nil }
        if changed {
            for _ in 0...below(3) { octets[below(octets.count)] = [0, 1, 0xff, 0x7f, 0x80][below(5)] }
        }
        return (try? Message.decode(octets)) ?? nil
    }

    // MARK: Sessions

    private mutating func introduction() -> Introduction {
        let (low, high) = (number(), number())
        let session = SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length))
        return Introduction(
            versions: chance(0.7) ? ProtocolVersion.supported : min(low, high)...max(low, high), session: session,
            mode: Mode.allCases[below(Mode.allCases.count)], name: text(),
            cores: Int(number(atMost: UInt64(Introduction.maximumCores))), founding: some(Founding(number())),
            dial: number(), kind: chance(0.2) ? .browser(at: octets(chance(0.5) ? 4 : 16)) : .program)
    }

    private mutating func ofSession(_ kind: Message.Kind) -> Message? {
        switch kind {
        case .hello:
            return .hello(
                Hello(
                    introduction: introduction(), publicKey: octets(Hello.keyLength),
                    signature: octets(Hello.signatureLength)))
        case .welcome:
            return .welcome(
                Welcome(
                    version: number(), role: Role.allCases[below(Role.allCases.count)], row: number(),
                    receivedRow: number(), received: number()))
        case .decline: return .decline(DeclineReason(rawValue: number()))
        case .hold: return .hold(HoldReason(rawValue: number()))
        case .goodbye: return .goodbye(GoodbyeReason(rawValue: number()))
        case .received: return .received(number())
        case .role: return .role(Role.allCases[below(Role.allCases.count)])
        case .roster:
            return .roster(
                (0..<below(9)).map { _ in
                    RosterEntry(
                        node: node(), mode: Mode.allCases[below(Mode.allCases.count)], name: mode(), cores: below(4097),
                        isConnected: chance(0.5), isBrowser: chance(0.5))
                })
        default:
            let content: Parcel.Content = kind == .text ? .text(text()) : .data(octets(below(2000)))
            return .parcel(
                Parcel(
                    content, number: some(number()), origin: some(node()),
                    recipients: (0..<below(4)).map { _ in node() }))
        }
    }

    private mutating func mode() -> String { String(text().prefix(Announcement.maximumName)) }

    // MARK: Requests

    private mutating func ofWish(_ kind: Message.Kind) -> Message? {
        guard let ticket = JobTicket(octets(JobTicket.length)) else { return nil }
        switch kind {
        case .order:
            var order = JobOrder(
                JobRecipe(
                    experiment: experiment(), goal: goal(),
                    module: chance(0.3) ? blob(atMost: BlobReference.largestModule) : nil,
                    payload: chance(0.3) ? blob(atMost: BlobReference.largestPayload) : nil, collects: chance(0.3)))
            order.workers = below(JobOrder.mostWorkers + 1)
            order.delay = some(duration(atMost: 86_400_000_000_000)) ?? .zero
            order.nodes = chance(0.2) ? [text()] : []
            order.takesBrowsers = chance(0.8)
            return .job(.order(order, ticket: ticket, token: number()))
        case .command:
            let command = [JobCommand.pause, .resume, .cancel][below(3)]
            return .job(.command(command, job(), ticket: some(ticket), token: number()))
        case .withdraw: return .job(.withdraw(ticket, token: number()))
        case .taken: return .job(.taken(job(), token: number()))
        case .list: return .job(.list(token: number()))
        case .listed: return .job(.listed(token: number()))
        default: return .job(.refused(text(), token: number()))
        }
    }

    // MARK: Messages of coordinators

    private mutating func ofCoordinator(_ kind: Message.Kind) -> Message? {
        // Uses a real job only if its temper allows it.
        let id = temper.claims ? job() : invented()
        switch kind {
        case .job: return .job(.job(id, spec(), epoch: number(), known: number(atMost: JobMessage.mostBlocks)))
        case .interrupt: return .job(.interrupt(id))
        case .lend:
            return .job(.lend(id, (0...below(20)).map { _ in LentChunk(attempt: number(), blocks: blocks()) }))
        case .drop: return .job(.drop(id, attempts: (0...below(20)).map { _ in number() }))
        case .bound: return .job(.bound(id, best()))
        case .picture: return .job(.picture(picture(id)))
        case .course: return .job(.course(id, index: Int(number(atMost: UInt64(JobMessage.mostCourse - 1))), point()))
        case .result:
            let completions: [Completion] = [.trials, .precision, .duration, .stopped]
            return .job(
                .result(
                    id,
                    JobResult(
                        spec: spec(), trials: number(), tally: tally(), readings: (0..<below(3)).map { _ in reading() },
                        course: (0..<below(3)).map { _ in point() }, completion: completions[below(4)],
                        elapsed: duration(), nodes: (0..<below(3)).map { _ in row() },
                        output: blob(atMost: BlobReference.largest))))
        case .over: return .job(.over(id))
        case .forgotten: return .job(.forgotten([id, invented()]))
        default: return .job(.replica(id, (chance(0.7) ? [.accepted(record(id))] : []) + changes(of: id)))
        }
    }

    /// Returns the ID of a job that never existed. A few IDs repeat, so that messages about the same job meet.
    private mutating func invented() -> JobID { JobID(0xbad0_0000_0000_0000 | UInt64(below(chance(0.8) ? 8 : 4096))) }

    private mutating func picture(_ id: JobID) -> JobPicture {
        let states: [JobState] = [
            .waiting(.simulation), .waiting(.line(below(1 << 16), behind: JobAhead(id: id, name: text()))),
            .waiting(.workers(below(4), of: below(9), among: [text()])), .running, .paused, .stopping, .failed(text()),
            .done(.trials),
        ]
        return JobPicture(
            id: id, submitter: text(), state: states[below(states.count)], trials: number(), counts: tally(),
            readings: (0..<below(3)).map { _ in reading() }, elapsed: duration(), rate: some(real().magnitude),
            remaining: chance(0.5) ? .endless : .about(duration()), nodes: (0..<below(3)).map { _ in row() },
            best: chance(0.3) ? best() : nil)
    }

    private mutating func record(_ id: JobID) -> JobRecord {
        var spec = octets(below(99))
        if chance(0.9), let ticket = JobTicket(octets(JobTicket.length)) {
            let wanted = self.spec()
            let order = JobOrder(wanted.recipe)
            spec = TakenJob(order: order, ticket: ticket, submitter: node(), submitterName: text()).encoded
        }
        return JobRecord(
            id: id, spec: spec, simulation: text(), submitter: text(), acceptedAt: Int64(number(atMost: 1 << 62)),
            epoch: number())
    }

    private mutating func changes(of id: JobID) -> [JournalChange] {
        (0..<below(6)).map { _ in
            let settled = SettledTally(blocks: number(atMost: JobMessage.mostBlocks), tally: tally())
            switch below(9) {
            case 0: return .rewritten(id, settled)
            case 1, 2: return .done(id, BlockTally(blocks: blocks(), node: node(), tally: tally()))
            case 3: return .settled(id, settled)
            case 4: return .passed(id, settled)
            case 5: return .judged(id, end: number(atMost: JobMessage.mostBlocks))
            case 6: return .ran(id, duration())
            case 7:
                let credits = (0..<below(4)).map { _ in
                    Credit(
                        node: node(), name: text(), trials: number(atMost: .max),
                        effort: SearchEffort(expanded: number(atMost: .max), inVain: number(atMost: .max)),
                        recomputed: some(number()))
                }
                return .credited(id, credits)
            default: return chance(0.8) ? .stands(id, JobStanding.allCases[below(5)]) : .forgotten(id)
            }
        }
    }

    // MARK: Messages of workers

    private mutating func ofWorker(_ kind: Message.Kind) -> Message? {
        switch kind {
        case .ready: return .job(.ready(job()))
        case .unresolved: return .job(.unresolved((0...below(8)).map { _ in job() }))
        case .unable: return .job(.unable(job(), text()))
        case .cores: return .job(.cores(Int(number(atMost: UInt64(Introduction.maximumCores)))))
        case .results:
            let results = (0...below(4)).map { _ in result() }
            return .job(.results(results[0].job, results.map(\.result)))
        case .improved: return .job(.improved(job(), best()))
        case .failure:
            let attempt = one(of: lent.keys.sorted { ($0.job, $0.number) < ($1.job, $1.number) })
            return .job(
                .failure(
                    attempt?.job ?? job(), attempt: attempt?.number ?? number(),
                    block: number(atMost: JobMessage.mostBlocks - 1), text: text()))
        default:
            let work = (0...below(4)).map { _ in
                OfferedWork(blocks: blocks(), tally: tally(), busy: duration())
            }
            return .job(.offer(job(), work))
        }
    }

    private mutating func best() -> Best {
        chance(0.2) ? Best() : Best(key: Int64(bitPattern: number()), point: number(atMost: SearchSpace.points - 1))
    }

    /// Returns a result of one of its loans if its temper allows lies, and of a chunk that was never lent otherwise.
    private mutating func result() -> (job: JobID, result: WorkResult) {
        let known = one(of: lent.keys.sorted { ($0.job, $0.number) < ($1.job, $1.number) })
        let blocks = known.flatMap { lent[$0] }
        let isOfLent = temper.lies && chance(0.7)
        let attempt = isOfLent ? known?.number ?? 0 : number() | 1 << 62
        let end = isOfLent && chance(0.7) ? blocks?.upperBound ?? 0 : number(atMost: JobMessage.mostBlocks)
        let output = chance(0.3) ? blob(atMost: BlobReference.largestOutput) : nil
        return (
            known?.job ?? job(),
            WorkResult(attempt: attempt, end: end, tally: tally(), busy: duration(), output: output, effort: effort())
        )
    }

    // MARK: Blobs

    private mutating func ofBlob(_ kind: Message.Kind) -> Message? {
        guard let hash = hash() else { return nil }
        let offset = Int(number(atMost: UInt64(BlobReference.largest)))
        switch kind {
        case .fetch: return .job(.fetch(hash, offset: offset))
        case .part: return .job(.part(hash, offset: offset, octets: octets(1 + below(300))))
        default: return .job(.lacking(hash, text()))
        }
    }
}
