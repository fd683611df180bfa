import PotluckCore
import PotluckKit

@testable import PotluckScreen

/// A simulation with several kinds of fields, and texts that are hard to draw.
struct Sample: Simulation {
    static let name: StaticString = "sample"
    static let summary: StaticString = "Nothing of interest, but with a summary that is longer than any screen is wide."
    @Parameter("doors", "doors to choose from", in: 3...100) var doors = 3
    @Parameter("rate", "a rate", in: 0...1) var rate = 0.25

    struct Tally: SimulationTally {
        var stay = Count(), swap = Count(), spread = Histogram<4>(from: 0, to: 8)
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("stay", &stay)
            visitor.field("switch", &swap)
            visitor.field("spread", &spread)
        }
    }
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {}
    static var readings: [ReadingRule<Sample>] {
        proportion("stay", { $0.stay }, exact: { 1 / Double($0.doors) })
        histogram("spread") { $0.spread }
    }

    static let any = AnySimulation(Sample.self, source: "")
    static let title = JobTitle(simulation: any, parameters: any.standardParameters)

    static func snapshot(
        readings: [Reading], trials: UInt64 = 1_000_000, goal: Goal = Goal(trials: 3_000_000), rate: Double? = 2.5e6,
        elapsed: Duration = .milliseconds(400), remaining: Remaining = .about(.seconds(4)), state: JobState = .running,
        seed: UInt64 = 42, id: UInt64 = 1, submitter: String = "", course: [CoursePoint] = [], nodes: [NodeRow] = []
    ) -> JobSnapshot {
        JobSnapshot(
            spec(goal, seed), course: course,
            JobPicture(
                id: JobID(id), submitter: submitter, state: state, trials: trials,
                counts: title.counts(of: tally(trials)), readings: readings, elapsed: elapsed, rate: rate,
                remaining: remaining, nodes: nodes))
    }

    static func result(
        readings: [Reading], trials: UInt64, completion: Completion, seed: UInt64 = 42, course: [CoursePoint] = [],
        nodes: [NodeRow] = [node(1, "here", cores: 2)]
    ) -> JobResult {
        JobResult(
            spec: spec(Goal(), seed), trials: trials, tally: tally(trials), readings: readings, course: course,
            completion: completion, elapsed: .milliseconds(400), nodes: nodes)
    }

    static func node(
        _ number: UInt8, _ name: String, cores: Int = 4, trials: UInt64 = 0, rate: Double? = nil,
        work: NodeWork = .computing, roundTrip: Duration? = nil, since: Duration = .seconds(75),
        effort: SearchEffort = .none
    ) -> NodeRow {
        NodeRow(
            node: NodeID([UInt8](repeating: number, count: NodeID.length))!, name: name, cores: cores, trials: trials,
            rate: rate, work: work, roundTrip: roundTrip, since: since, effort: effort)
    }

    private static func spec(_ goal: Goal, _ seed: UInt64) -> JobSpec {
        JobSpec(JobRecipe(experiment: experiment(seed), goal: goal), title: title)
    }

    static let digest = String(repeating: "0123456789abcdef", count: 4)

    private static func tally(_ trials: UInt64) -> [UInt64] { [trials / 3, trials - trials / 3, 0, 1, 2, 3, 4, 5] }

    private static func experiment(_ seed: UInt64) -> Experiment {
        Experiment(
            simulation: SimulationIdentity(name: "sample", source: "", streams: 1), parameters: any.standardParameters,
            seed: seed, blockSize: 65_536)
    }

    static let stay = Reading(
        name: "stay", kind: .proportion, value: 0.333612, interval: 0.332688...0.334537, exact: 1.0 / 3)
    static let price = Reading(name: "price", kind: .mean, value: 10.4512, interval: 10.4401...10.4623)
    static let spread = Reading(
        name: "spread", kind: .histogram, value: nil, bins: [0, 10, 40, 20, 1, 5], range: 0...8)
}

/// A generator of random values for tests over many cases.
struct Dice {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func below(_ n: Int) -> Int { Int(next() % UInt64(n)) }

    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    /// Returns a number of any magnitude, sometimes an awkward one.
    mutating func number() -> Double {
        switch below(8) {
        case 0:
            return pick([0, -0.0, 1, -1, .infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e15, 0.5])
        case 1: return Double(bitPattern: next())
        default:
            var value = Double(next() >> 11) * 0x1p-53
            for _ in 0..<below(20) { value *= below(2) == 0 ? 10 : 0.1 }
            return below(2) == 0 ? value : -value
        }
    }

    mutating func reading() -> Reading {
        let name = pick([
            "stay", "switch", "π", "中文中文中文", "e\u{301}\u{301}", "👩‍👩‍👧‍👦", "a very long name of a reading indeed",
            "\u{1b}[31mred\n",
        ])
        let kind = pick([ReadingKind.proportion, .mean, .variance, .derived, .histogram])
        if kind == .histogram {
            let bins = (0..<(2 + below(200))).map { _ in below(3) == 0 ? 0 : next() >> UInt64(below(64)) }
            return Reading(name: name, kind: kind, value: nil, bins: bins, range: -1...1e9)
        }
        let (a, b) = (number(), number())
        return Reading(
            name: name, kind: kind, value: below(6) == 0 ? nil : number(),
            interval: below(4) == 0 || a.isNaN || b.isNaN ? nil : min(a, b)...max(a, b),
            exact: below(2) == 0 ? number() : nil, varies: below(5) > 0, isSpoilt: below(9) == 0)
    }

    mutating func name() -> String {
        pick([
            "ana", "bob", "", "a name of some length, as people give them", String(repeating: "中", count: 63),
            "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "\u{202e}\u{1b}[2J\n", "e\u{301}lan",
        ])
    }

    mutating func duration() -> Duration { .nanoseconds(Int64(next() >> UInt64(1 + below(60)))) }

    mutating func node(_ index: Int) -> NodeRow {
        let work = pick([
            NodeWork.computing, .idle, .preparing, .resting, .silent, .setAside, .unable(name()), .gone, .shutOut,
        ])
        return Sample.node(
            UInt8(truncatingIfNeeded: index), name(), cores: pick([0, 1, 64, .max]),
            trials: pick([0, 1, next(), .max]),
            rate: pick([nil, 0, number(), 1e9]), work: work, roundTrip: pick([nil, duration()]), since: duration())
    }

    mutating func course() -> [CoursePoint] {
        var trials = 1 + next() >> UInt64(20 + below(44))
        return (0..<below(pick([2, 150]))).map { _ in
            trials += next() >> UInt64(20 + below(44))
            return CoursePoint(trials: trials, readings: (0..<below(5)).map { _ in reading() })
        }
    }

    mutating func snapshot(_ id: UInt64 = 1) -> JobSnapshot {
        let goal = Goal(
            trials: below(2) == 0 ? 1 + next() % Goal.mostTrials : nil,
            precision: pick([nil, .absolute(1e-4), .relative(1e-3), .absolute(0), .relative(.infinity)]),
            duration: pick([nil, .zero, .milliseconds(1), .seconds(1_000_000)]))
        let wait = pick([JobWait.simulation, .line(1), .line(.max), .start(duration()), .workers(2, of: 3)])
        return Sample.snapshot(
            readings: (0..<below(5)).map { _ in reading() }, trials: next() % Goal.mostTrials, goal: goal,
            rate: pick([nil, 0, number(), 1e9]), elapsed: pick([.zero, duration()]),
            remaining: pick([.unknown, .endless, .about(duration())]),
            state: pick([
                .waiting(wait), .running, .running, .paused, .stopping, .done(.trials), .done(.stopped),
                .failed(.other(name())),
            ]), seed: next(), id: id, submitter: name(), course: course(),
            nodes: (0..<below(pick([1, 2, 8, 40, 300]))).map { node($0) })
    }

    /// Returns a random picture, with everything that may be awkward to draw.
    mutating func picture() -> ClusterPicture {
        let jobs = (0..<below(pick([1, 2, 6]))).map { snapshot(UInt64($0) + 1) }
        let outcomes = (0..<below(3)).map { index in
            ClusterPicture.Outcome(
                id: JobID(UInt64(index) + pick([1, 100])),
                result: Sample.result(
                    readings: (0..<below(5)).map { _ in reading() }, trials: next() % Goal.mostTrials,
                    completion: pick([.trials, .precision, .duration, .stopped]), course: course(),
                    nodes: (0..<below(40)).map { node($0) }), digest: Sample.digest, isBuiltIn: below(2) == 0)
        }
        var picture = ClusterPicture(
            session: below(4) == 0 ? nil : session(), jobs: jobs, outcomes: outcomes,
            commandable: Set(jobs.map(\.id).filter { _ in below(2) == 0 }), hidesExact: below(2) == 0,
            leaving: pick([.stops, .leaves, .ends, .detaches]), takesKeys: below(3) > 0)
        for launch in 0..<UInt64(below(pick([1, 3, 8]))) {
            _ = picture.programs.take(launch, show(), at: .start + duration())
        }
        return picture
    }

    private mutating func session() -> SessionPicture {
        let states: [PeerState] = [.connected, .suspect, .available, .connecting(.ourUser), .connecting(.link)]
        return SessionPicture(
            title: "Serving \(name()): \(name()), port 7077",
            invitation: pick([
                nil, .open(command: "potluck join \(name())"),
                .words(command: "potluck join Monty", code: "maple-river-candle"),
            ]),
            members: (0..<below(40)).map { _ in
                .init(
                    name: name(), mode: .client, state: pick(states), since: .start, roundTrip: pick([nil, duration()]))
            }, waiting: below(2) == 0 ? ["Waiting for \(name())."] : [],
            questions: below(3) == 0 ? ["ana asks to join: y or n."] : [], answers: pick([nil, .consent, .number]),
            takesOtherWords: below(3) == 0,
            news: (0..<below(20)).map { .init("\(name()) \($0)") })
    }

    mutating func viewState() -> ViewState {
        var state = ViewState()
        state.order = pick(NodeOrder.allCases)
        state.scroll = pick([0, 1, 7, 1000, .max])
        state.job = pick([nil, JobID(1), JobID(2), JobID(77)])
        state.reading = pick([0, 1, 4, .max])
        state.showsHelp = below(5) == 0
        state.revealed = pick([[], [JobID(1)]])
        state.asked = pick([nil, nil, .quit, .cancel(JobID(1)), .cancel(JobID(77))])
        return state
    }

    mutating func canvas() -> Canvas {
        Canvas(
            columns: 1 + below(pick([20, 100, 300])), rows: pick([nil, 1 + below(40)]), unicode: below(2) == 0,
            colour: below(2) == 0)
    }
}

/// Returns the text without colour codes.
func plain(_ text: String) -> String {
    var plain = ""
    var rest = text[...]
    while let escape = rest.firstIndex(of: "\u{1b}") {
        plain += rest[..<escape]
        rest = rest[escape...]
        guard let end = rest.firstIndex(of: "m") else { break }
        rest = rest[rest.index(after: end)...]
    }
    return plain + rest
}
