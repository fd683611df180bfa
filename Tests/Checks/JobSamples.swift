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
        .guesses(id, [Guess(page: 7, value: 0.25, by: "ana"), Guess(page: .max, value: 0, by: "")]),
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

/// Makes up messages that an engine could send.
package struct AnyJobMessage {
    private static let kinds = Message.Kind.allCases.filter { $0.rawValue > Message.Kind.role.rawValue && $0 != .ranks }
    private var fields: FieldInventor

    package init(seed: UInt64) {
        fields = FieldInventor(random: SeededGenerator(seed: seed)) { random in
            String("Grüße — 骰子 🎲".prefix(Int(random.next(below: 15))))
        }
    }

    package mutating func next() -> JobMessage {
        while true {
            let kind = Self.kinds[fields.below(Self.kinds.count)]
            if case .job(let message)? = fields.value(kind.rawValue, Message.self) { return message }
        }
    }
}
