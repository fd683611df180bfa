import PotluckConsole
import PotluckKit
import PotluckModel

/// Has a bit of everything, and a name that is hard to draw.
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
    static let labels = JobLabels(any)

    static func snapshot(
        readings: [Reading], trials: UInt64 = 1_000_000, goal: Goal = Goal(trials: 3_000_000), rate: Double? = 2.5e6,
        elapsed: Duration = .milliseconds(400), remaining: Remaining = .about(.seconds(4)), state: JobState = .running,
        seed: UInt64 = 42
    ) -> JobSnapshot {
        JobSnapshot(
            id: JobID(1), spec: JobSpec(experiment: experiment(seed), layout: any.layout, goal: goal), state: state,
            trials: trials, tally: tally(trials), readings: readings, course: [], elapsed: elapsed, rate: rate,
            remaining: remaining, nodes: [])
    }

    static func result(readings: [Reading], trials: UInt64, completion: Completion, seed: UInt64 = 42) -> JobResult {
        JobResult(
            experiment: experiment(seed), trials: trials, tally: tally(trials), readings: readings,
            completion: completion, elapsed: .milliseconds(400),
            nodes: [NodeRow(name: "here", cores: 2, trials: trials, rate: nil)])
    }

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

/// Numbers for laws over many cases.
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

    /// Any magnitude, now and then something awkward.
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

    mutating func snapshot() -> JobSnapshot {
        let goal = Goal(
            trials: below(2) == 0 ? 1 + next() % Goal.mostTrials : nil,
            precision: pick([nil, .absolute(1e-4), .relative(1e-3)]),
            duration: pick([nil, .milliseconds(1), .seconds(1_000_000)]))
        return Sample.snapshot(
            readings: (0..<below(5)).map { _ in reading() }, trials: next() % Goal.mostTrials, goal: goal,
            rate: pick([nil, 0, number(), 1e9]), elapsed: .milliseconds(Int64(next() >> UInt64(20 + below(40)))),
            remaining: pick([.unknown, .endless, .about(.milliseconds(Int64(next() >> UInt64(20 + below(40)))))]),
            state: pick([.running, .stopping, .done(.trials)]), seed: next())
    }

    mutating func canvas() -> Canvas {
        Canvas(
            columns: 1 + below(pick([20, 100, 300])), rows: pick([nil, 1 + below(40)]), unicode: below(2) == 0,
            colour: below(2) == 0)
    }
}

/// The text without the codes for colour.
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
