import PotluckCore
import PotluckKit

/// Generates runs that differ as much as real ones.
enum Runs {
    static func digits(_ count: Int, _ chance: inout SeededGenerator) -> String {
        String((0..<count).map { _ in Array("0123456789abcdef")[Int(chance.next(below: 16))] })
    }

    static func random(_ chance: inout SeededGenerator) -> RunRecord {
        let doors = 3 + chance.next(below: 5)
        let trials = 1 + chance.next(below: 1_000_000_000_000)
        let value = chance.fraction()
        func reading(_ name: String, _ value: Double, _ half: Double) -> Reading {
            Reading(
                name: name, kind: .proportion, value: value, interval: (value - half)...(value + half),
                exact: name == "stay" ? 1 / Double(doors) : nil)
        }
        let histogram = Reading(
            name: "distances", kind: .histogram, value: nil, bins: (0..<12).map { _ in chance.next(below: 1000) },
            range: 0...2.5)
        let isMonty = chance.next(below: 2) == 0
        let readings =
            isMonty
            ? [reading("stay", value, 0.01), reading("switch", 1 - value, 0.01)]
            : [reading("pi", 3 + value, 0.1), histogram]
        let course = (1...4).map { step in
            CoursePoint(
                trials: trials / 4 * UInt64(step),
                readings: readings.map {
                    Reading(name: $0.name, kind: $0.kind, value: $0.value, interval: $0.interval, exact: $0.exact)
                })
        }
        return RunRecord(
            key: digits(32, &chance),
            simulation: SimulationIdentity(
                name: isMonty ? "monty-hall" : "pi", source: digits(64, &chance), streams: 1),
            file: trials % 5 == 1 ? "own/my dice.swift" : nil,
            parameters: isMonty
                ? [
                    RecordedParameter(name: "doors", slot: doors, text: "\(doors)", number: Double(doors)),
                    RecordedParameter(name: "host", slot: 1, text: "forgetful", number: nil),
                ] : [],
            // Determined by the number of trials and not drawn, because stores of earlier versions have the same runs
            // without files.
            files: trials % 5 == 0
                ? RecordedFiles(
                    hash: [1, trials, .max, 1 << 63],
                    inputs: [
                        RecordedInput(name: "a", path: "data/a b.txt", rows: 3, columns: 4),
                        RecordedInput(name: "left-hand", path: "b.csv", rows: 1 << 24, columns: 1),
                    ]) : nil,
            seed: chance.next(), blockSize: 65_536,
            goal: Goal(
                trials: trials, precision: isMonty ? .relative(0.01) : nil, duration: isMonty ? nil : .seconds(9)),
            trials: trials, tally: (0..<6).map { _ in chance.next() },
            counts: isMonty ? [RecordedCount(name: "stay", count: trials / 3)] : [], readings: readings, course: course,
            digest: digits(64, &chance), completion: isMonty ? .trials : .stopped,
            startedAt: 1_700_000_000_000 + Int64(chance.next(below: 86_400_000 * 300)),
            elapsed: .nanoseconds(Int64(chance.next(below: 3_600_000_000_000))),
            nodes: (0...chance.next(below: 4)).map {
                RecordedNode(name: "laptop \($0)", cores: 4, trials: trials / 5, rate: chance.fraction() * 1e9)
            },
            // Determined by the number of trials and not drawn, because stores of version 1 have the same runs without
            // an origin.
            origin: trials % 3 == 0 ? RunOrigin(session: "Monty", submitter: "ana’s laptop") : nil,
            notes: chance.next(below: 3) == 0 ? [RunNote(at: 1_700_000_000_000, text: "in the Lab, “room 3”")] : [])
    }

    static func many(_ count: Int, seed: UInt64) -> [RunRecord] {
        var chance = SeededGenerator(seed: seed)
        return (0..<count).map { _ in random(&chance) }
    }
}
