import PotluckCore
import PotluckKit

/// Sample messages about jobs: one of each kind with all its fields, and any number of random ones.
package enum JobSamples {
    package static let id = JobID(0x0102_0304_0506_0708)
    package static let ticket = JobTicket((0..<16).map { UInt8(0x70 + $0) })!
    package static let experiment = Experiment(
        simulation: SimulationIdentity(name: "monty-hall", source: "c0ffee", streams: 1), parameters: [3, 1],
        seed: 300, blockSize: 65_536)
    package static let title = JobTitle(
        summary: "Stay or switch?", parameters: [.init(label: "doors", value: "3", isStandard: true)],
        counts: [.init(name: "stay", slot: 0), .init(name: "switch", slot: 1)])
    package static let module = BlobReference(hash: BlobHash((0..<32).map { UInt8(0x20 + $0) })!, size: 20_000)!
    package static let spec = JobSpec(JobRecipe(experiment: experiment, goal: Goal(trials: 1_000_000)), title: title)
    package static let stay = Reading(
        name: "stay", kind: .proportion, value: 0.25, interval: 0.125...0.5, exact: 1.5, varies: true)
    package static let spread = Reading(
        name: "x", kind: .histogram, value: nil, varies: false, isSpoilt: true, bins: [0, 2, 1], range: 0...1)
    package static let row = NodeRow(
        node: Samples.node(0), name: "ana", cores: 8, trials: 65_536, rate: 2, work: .computing,
        roundTrip: .milliseconds(1), since: .seconds(2))
    package static let picture = JobPicture(
        id: id, submitter: "ana", state: .running, trials: 200, counts: [50, 150], readings: [stay],
        elapsed: .seconds(1), rate: 200, remaining: .about(.seconds(3)), nodes: [row])
    package static let result = JobResult(
        spec: spec, trials: 1_000_000, tally: [1, 2], readings: [stay, spread],
        course: [CoursePoint(trials: 16, readings: [stay])], completion: .trials, elapsed: .seconds(1), nodes: [row])

    package static let order = {
        var order = JobOrder(
            JobRecipe(experiment: experiment, goal: Goal(precision: .absolute(0.5), duration: .seconds(1))), workers: 2)
        (order.delay, order.nodes) = (.seconds(5), ["ana", "Bö"])
        return order
    }()

    package static let messages: [JobMessage] = [
        .order(order, ticket: ticket, token: 7),
        .command(.cancel, id, ticket: ticket, token: 8), .command(.pause, id, ticket: nil, token: 0),
        .taken(id, token: 7), .refused("the line is full", token: 7), .job(id, spec), .ready(id),
        .unable(id, "no such simulation"), .cores(4), .cores(0),
        .lend(id, [LentChunk(attempt: 5, blocks: 16..<32), LentChunk(attempt: 6, blocks: 32..<40)]),
        .lend(id, []), .drop(id, attempts: [9, 10, 2]), .interrupt(id),
        .results(id, [WorkResult(attempt: 5, end: 32, tally: [1, 2], busy: .milliseconds(300))]),
        .failure(id, attempt: 5, block: 20, text: "out of memory"), .picture(picture),
        .course(id, index: 3, CoursePoint(trials: 28, readings: [stay])), .result(id, result), .over(id),
        .job(id, spec, epoch: 65_536),
        .offer(id, [OfferedWork(blocks: 16..<32, tally: [1, 2], busy: .milliseconds(300))]),
        .replica(id, changes),
        .order(JobOrder(JobRecipe(experiment: experiment, goal: Goal(), module: module)), ticket: ticket, token: 7),
        .job(id, JobSpec(JobRecipe(experiment: experiment, goal: Goal(), module: module), title: title)),
        .fetch(module.hash, offset: 0), .fetch(module.hash, offset: 15_360),
        .part(module.hash, offset: 15_360, octets: [0, 97, 115, 109]), .lacking(module.hash, "it is not kept any more"),
        .order(
            JobOrder(JobRecipe(experiment: experiment, goal: Goal(), payload: module, collects: true)), ticket: ticket,
            token: 7),
        .job(
            id, JobSpec(JobRecipe(experiment: experiment, goal: Goal(), payload: module, collects: true), title: title)),
        .results(id, [WorkResult(attempt: 5, end: 32, tally: [1, 2], busy: .milliseconds(300), output: module)]),
        .result(
            id,
            JobResult(
                spec: JobSpec(JobRecipe(experiment: experiment, goal: Goal()), title: title), trials: 1_000_000,
                tally: [1, 2],
                readings: [], completion: .trials, elapsed: .seconds(1), nodes: [], output: module)),
        .fetch(module.hash, offset: 1 << 30),
        .improved(id, Best(key: -55, point: 1 << 40)), .bound(id, Best(key: 3323, point: 0)),
        .lend(
            id,
            [
                LentChunk(attempt: 5, blocks: 16..<32, bound: SearchBound(Best(key: 3323, point: 7))),
                LentChunk(attempt: 6, blocks: 32..<40, bound: SearchBound(Best(), isFixed: true)),
            ]),
        .results(
            id,
            [
                WorkResult(
                    attempt: 5, end: 32, tally: [1, 2], busy: .milliseconds(300),
                    effort: SearchEffort(expanded: 1000, inVain: 7))
            ]),
        .course(id, index: 3, CoursePoint(trials: 28, readings: [stay], elapsed: .milliseconds(200))),
        .picture(
            JobPicture(
                id: id, submitter: "ana", state: .running, trials: 200, elapsed: .seconds(1),
                nodes: [
                    NodeRow(
                        node: Samples.node(0), name: "ana", cores: 8, trials: 65_536, rate: nil,
                        effort: SearchEffort(expanded: 1000, inVain: 7))
                ], best: Best(key: 3323, point: 7))),
        .unresolved([id, JobID(1)]), .forgotten([id]), .forgotten([]),
        .withdraw(ticket, token: 7), .list(token: 7), .listed(token: 0),
    ]

    package static let record = JobRecord(
        id: id, spec: [1, 2, 3], simulation: "monty-hall", submitter: "ana", acceptedAt: 1_700_000_000_000, epoch: 3)
    /// One change of each kind.
    package static let changes: [JournalChange] = [
        .accepted(record), .rewritten(id, SettledTally(blocks: 16, tally: [1, 2])),
        .done(id, BlockTally(blocks: 32..<40, node: Samples.node(0), tally: [3, 4])),
        .settled(id, SettledTally(blocks: 40, tally: [5, 6])), .passed(id, SettledTally(blocks: 19, tally: [7, 8])),
        .judged(id, end: 40), .ran(id, .seconds(1)), .stands(id, .paused), .forgotten(id),
        .credited(
            id, [Credit(node: Samples.node(0), name: "ana", trials: 5, effort: SearchEffort(expanded: 7, inVain: 2))]),
    ]

    package static let states: [JobState] =
        [
            .waiting(.simulation), .waiting(.line(3)), .waiting(.start(.seconds(4))), .waiting(.workers(1, of: 3)),
            .running, .paused, .stopping, .failed("it traps"),
            .failed(.block(BlockFailure(block: 3, seed: 7, text: "out of memory"))),
        ] + [Completion.trials, .precision, .duration, .stopped].map { .done($0) }

    package static let works: [NodeWork] = [
        .computing, .idle, .preparing, .resting, .silent, .setAside, .unable("too old"), .gone, .shutOut,
    ]
}

/// Generates random messages that an engine could send.
package struct AnyJobMessage {
    package var random: RandomStream

    package init(random: RandomStream) { self.random = random }

    package mutating func number() -> UInt64 { random.next64() >> UInt64(random.next() % 64) }
    package mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt32(bound)) }
    package mutating func text() -> String { String("Grüße — 骰子 🎲".prefix(below(14))) }
    package mutating func some<Value>(_ value: Value) -> Value? { below(2) == 0 ? value : nil }
    package mutating func real() -> Double {
        let value = Double(bitPattern: random.next64())
        return value.isNaN ? -0.0 : value
    }
    package mutating func range() -> ClosedRange<Double> {
        let (a, b) = (real(), real())
        return min(a, b)...max(a, b)
    }
    package mutating func slots(_ most: Int) -> [UInt64] { (0..<below(most)).map { _ in number() } }
    package mutating func duration() -> Duration { .nanoseconds(Int64(number() % 300_000_000_000_000_000)) }
    package mutating func rate() -> Double { Double(number()) / 8 }
    package mutating func epoch() -> UInt64 { number() % (JobRecord.lastEpoch + 1) }
    package mutating func job() -> JobID { JobID(number() | 1) }

    package mutating func blocks() -> Range<UInt64> {
        let first = number() % (JobMessage.mostBlocks - 1)
        return first..<first + 1 + number() % (JobMessage.mostBlocks - first)
    }

    package mutating func experiment() -> Experiment {
        Experiment(
            simulation: SimulationIdentity(
                name: "n" + text(), source: some("0123456789abcdef") ?? "", streams: random.next()),
            parameters: slots(JobMessage.mostParameters), seed: number(), blockSize: 16 << UInt64(below(13)))
    }

    package mutating func goal() -> Goal {
        let limit = Double(random.next() | 1) / 1e9
        let precision: Precision? = some(below(2) == 0 ? .absolute(limit) : .relative(limit))
        return Goal(trials: some(1 + number() % Goal.mostTrials), precision: precision, duration: some(duration()))
    }

    package mutating func module() -> BlobReference {
        let hash = BlobHash((0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) })!
        return BlobReference(hash: hash, size: 1 + below(BlobReference.largestModule))!
    }

    package mutating func spec(_ module: BlobReference? = nil) -> JobSpec {
        let parameters = (0..<below(4)).map { _ in
            JobTitle.Parameter(label: text(), value: text(), isStandard: below(2) == 0)
        }
        let counts = (0..<below(4)).map { _ in JobTitle.Count(name: text(), slot: below(JobMessage.mostSlots)) }
        return JobSpec(
            JobRecipe(
                experiment: experiment(), goal: goal(), module: module,
                payload: module == nil ? nil : some(self.module()), collects: module != nil && below(2) == 0),
            title: JobTitle(summary: text(), parameters: parameters, counts: counts))
    }

    package mutating func reading(bins: Bool = true) -> Reading {
        Reading(
            name: text(), kind: ReadingKind(rawValue: UInt8(1 + below(5)))!, value: some(real()),
            interval: some(range()), exact: some(real()), varies: below(2) == 0, isSpoilt: below(2) == 0,
            bins: bins ? slots(9) : [], range: some(range()))
    }

    package mutating func point() -> CoursePoint {
        CoursePoint(
            trials: number(), readings: (0..<below(4)).map { _ in reading(bins: false) }, elapsed: some(duration()))
    }

    package mutating func row() -> NodeRow {
        NodeRow(
            node: Samples.node(UInt8(below(256))), name: text(), cores: below(4097), trials: number(),
            rate: some(rate()), work: JobSamples.works[below(JobSamples.works.count)], roundTrip: some(duration()),
            since: duration(), effort: effort(), recomputed: some(number()))
    }

    package mutating func picture() -> JobPicture {
        let remaining: [Remaining] = [.endless, .unknown, .about(duration())]
        return JobPicture(
            id: job(), submitter: text(), state: JobSamples.states[below(JobSamples.states.count)], trials: number(),
            counts: slots(5), readings: (0..<below(4)).map { _ in reading() }, elapsed: duration(), rate: some(rate()),
            remaining: remaining[below(3)], nodes: (0..<below(4)).map { _ in row() }, isReadSlowly: below(2) == 0,
            hidesExact: below(2) == 0, best: some(Best(key: 5, point: number() % SearchSpace.points)))
    }

    package mutating func result() -> JobResult {
        let completions: [Completion] = [.trials, .precision, .duration, .stopped]
        return JobResult(
            spec: spec(), trials: number(), tally: slots(40), readings: (0..<below(4)).map { _ in reading() },
            course: (0..<below(4)).map { _ in point() }, completion: completions[below(4)], elapsed: duration(),
            nodes: (0..<below(4)).map { _ in row() }, output: some(module()), hidesExact: below(2) == 0)
    }

    package mutating func work() -> WorkResult {
        WorkResult(
            attempt: number(), end: number() % (JobMessage.mostBlocks + 1), tally: slots(20), busy: duration(),
            output: some(module()), effort: effort())
    }

    private mutating func effort() -> SearchEffort { SearchEffort(expanded: number(), inVain: number()) }

    private mutating func settled() -> SettledTally {
        SettledTally(blocks: number() % JobMessage.mostBlocks, tally: slots(9))
    }

    private mutating func credits() -> [Credit] {
        (0..<below(4)).map { _ in
            Credit(
                node: Samples.node(UInt8(below(9))), name: text(), trials: number(), effort: effort(),
                recomputed: some(number()))
        }
    }

    private mutating func change(_ job: JobID) -> JournalChange {
        switch below(10) {
        case 0:
            .accepted(
                JobRecord(
                    id: job, spec: [UInt8](repeating: 7, count: below(99)), simulation: text(), submitter: text(),
                    acceptedAt: Int64(number() >> 1), epoch: epoch()))
        case 1: .rewritten(job, settled())
        case 2: .done(job, BlockTally(blocks: blocks(), node: Samples.node(UInt8(below(9))), tally: slots(9)))
        case 3: .settled(job, settled())
        case 4: .passed(job, settled())
        case 5: .judged(job, end: number() % JobMessage.mostBlocks)
        case 6: .ran(job, duration())
        case 7: .stands(job, JobStanding.allCases[below(JobStanding.allCases.count)])
        case 8: .credited(job, credits())
        default: .forgotten(job)
        }
    }

    private mutating func best() -> Best {
        below(4) == 0 ? Best() : Best(key: Int64(bitPattern: number() / 2), point: number() % SearchSpace.points)
    }

    package mutating func next() -> JobMessage {
        switch below(28) {
        case 0:
            var order = JobOrder(spec(below(2) == 0 ? nil : module()).recipe, workers: below(257))
            order.delay = .nanoseconds(Int64(number() % 86_400_000_000_000))
            order.nodes = (0..<below(4)).map { _ in text() }
            (order.hidesExact, order.takesBrowsers) = (below(2) == 0, below(2) == 0)
            return .order(order, ticket: JobSamples.ticket, token: number())
        case 1: return .command(JobCommand.allCases[below(5)], job(), ticket: some(JobSamples.ticket), token: number())
        case 2: return .taken(job(), token: number())
        case 3: return .refused(text(), token: number())
        case 4:
            return .job(
                job(), spec(below(2) == 0 ? nil : module()), epoch: some(epoch()) ?? 0,
                known: number() % (JobMessage.mostBlocks + 1))
        case 5: return .ready(job())
        case 6: return .unable(job(), text())
        case 7: return .cores(below(4097))
        case 8:
            let isOfSearch = below(2) == 0
            return .lend(
                job(),
                (0..<below(9)).map { _ in
                    LentChunk(
                        attempt: number(), blocks: blocks(),
                        bound: isOfSearch ? SearchBound(best(), isFixed: below(2) == 0) : nil)
                })
        case 9: return .drop(job(), attempts: slots(9))
        case 10: return .interrupt(job())
        case 11: return .results(job(), (0..<below(5)).map { _ in work() })
        case 12: return .failure(job(), attempt: number(), block: number() % JobMessage.mostBlocks, text: text())
        case 13: return .picture(picture())
        case 14: return .course(job(), index: below(JobMessage.mostCourse), point())
        case 15:
            return .offer(
                job(), (0..<below(5)).map { _ in OfferedWork(blocks: blocks(), tally: slots(20), busy: duration()) })
        case 16:
            let job = job()
            return .replica(job, (0..<below(9)).map { _ in change(job) })
        case 17: return .fetch(module().hash, offset: below(BlobReference.largestModule))
        case 18:
            let octets = (0...below(300)).map { _ in UInt8(truncatingIfNeeded: below(256)) }
            return .part(module().hash, offset: below(BlobReference.largestModule), octets: octets)
        case 19: return .lacking(module().hash, text())
        case 20: return .improved(job(), best())
        case 21: return .bound(job(), best())
        case 22: return .unresolved((0..<below(9)).map { _ in job() })
        case 23: return .forgotten((0..<below(9)).map { _ in job() })
        case 24: return .withdraw(JobSamples.ticket, token: number())
        case 25: return .list(token: number())
        case 26: return .listed(token: number())
        default: return below(2) == 0 ? .over(job()) : .result(job(), result())
        }
    }
}
