import PotluckCore
import PotluckKit

/// Generates runs and queries of a made-up class, always the same for the same seed.
public struct HistoryMix {
    static let start: Int64 = 1_700_000_000_000
    private static let nodes: UInt64 = 8
    var chance: SeededGenerator

    public init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    private mutating func digits(_ count: Int) -> String {
        String(
            unsafeUninitializedCapacity: count
        ) { memory in
            for place in 0..<count {
                let digit = UInt8(truncatingIfNeeded: chance.next(below: 16))
                memory[place] = digit < 10 ? 48 + digit : 87 + digit
            }
            return count
        }
    }

    private mutating func reading(_ name: String) -> Reading {
        let value = Double(chance.next(below: 1_000_000)) * 1e-6
        return Reading(
            name: name, kind: .proportion, value: value, interval: (value - 0.01)...(value + 0.01), exact: 1 / 3.0)
    }

    public mutating func run() -> RunRecord {
        let (doors, trials) = (3 + chance.next(below: 5), 1 + chance.next(below: 1_000_000_000_000))
        let readings = [reading("stay"), reading("switch")]
        let nodes = (0..<Self.nodes).map {
            RecordedNode(name: "laptop \($0)", cores: 4, trials: trials / Self.nodes, rate: 1e6)
        }
        return RunRecord(
            key: digits(32),
            simulation: SimulationIdentity(
                name: chance.next(below: 2) == 0 ? "pi" : "monty-hall", source: digits(64), streams: 1),
            parameters: [
                RecordedParameter(name: "doors", slot: doors, text: "\(doors)", number: Double(doors)),
                RecordedParameter(name: "opened", slot: 1, text: "1", number: 1),
            ], seed: chance.next(), blockSize: 65_536, goal: Goal(trials: trials), trials: trials, tally: [1, 2],
            counts: [RecordedCount(name: "stay", count: 1), RecordedCount(name: "switch", count: 2)],
            readings: readings,
            course: (1...24).map { CoursePoint(trials: $0, readings: readings) }, digest: digits(64),
            completion: .trials,
            startedAt: Self.start + Int64(chance.next(below: 86_400_000 * 300)),
            elapsed: .nanoseconds(Int64(1 + chance.next(below: 3_600_000_000_000))), nodes: nodes,
            origin: RunOrigin(session: "Monty", submitter: "laptop 1"))
    }

    public mutating func query(_ names: Term.Names) throws -> HistoryQuery {
        var query = HistoryQuery()
        query.simulation = "monty-hall"
        query.since = Self.start + 86_400_000 * 298
        query.sort = try Term("rate", among: names)
        query.limit = 20
        let text = "doors>\(3 + chance.next(below: 4)) and trials>=\(chance.next(below: 500_000_000_000))"
        query.choice = .matching(try Condition(text, names: names) { WallClock.moment($0) })
        return query
    }
}
