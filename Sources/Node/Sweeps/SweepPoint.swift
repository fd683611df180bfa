import PotluckCore
import PotluckKit
import PotluckSystem

/// One set of parameters of a sweep, with its seed.
package struct SweepPoint {
    /// The most points. A table of more is unreadable, and each is a run in the history.
    package static let most = 10_000

    /// The texts of the parameters that distinguish the points.
    package let varied: [String]
    /// The parameters as they were given.
    package let given: [(name: String, value: String)]
    package let parameters: [UInt64]
    package let seed: UInt64
    package let goal: Goal

    package init(
        varied: [String], given: [(name: String, value: String)], parameters: [UInt64], seed: UInt64, goal: Goal
    ) {
        (self.varied, self.given, self.parameters) = (varied, given, parameters)
        (self.seed, self.goal) = (seed, goal)
    }

    /// A point's seed: the first eight bytes of the SHA-256 of the sweep's seed and the point's parameters, each as
    /// eight bytes, without the highest eleven bits. All numbers begin with their lowest byte. So a point has the same
    /// result in every sweep with this seed, and a seed is exact in programs whose numbers are all real.
    package static func seed(from seed: UInt64, _ parameters: [UInt64]) -> UInt64 {
        number(([seed] + parameters).octets) & (1 << 53 - 1)
    }

    private static func number(_ octets: [UInt8]) -> UInt64 {
        SHA256.hash(octets).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func numbers(of limit: WidthLimit) -> [UInt64] {
        switch limit {
        case .absolute(let width): [1, width.bitPattern]
        case .relative(let part): [2, part.bitPattern]
        }
    }

    /// The number of a sweep. It covers all that determines the results. A sweep that ends by the clock has no such
    /// number, so it gets a new one.
    package static func sweep(of simulation: SimulationIdentity, _ points: [SweepPoint], _ tables: [Table]) -> JobID {
        var numbers = [UInt64(points.count)] + (tables.isEmpty ? [] : [number(tables.payload)])
        for point in points {
            let goal = point.goal
            numbers += point.parameters + [point.seed, goal.trials ?? 0]
            switch goal.precision {
            case .every(let limit): numbers += self.numbers(of: limit)
            case .named(let limits):
                numbers += [3, UInt64(limits.count)]
                for each in limits { numbers += [number(Array(each.reading.utf8))] + self.numbers(of: each.limit) }
            case nil: numbers.append(0)
            }
        }
        if points.contains(where: { $0.goal.duration != nil }) { numbers.append(UInt64.random(in: 0...UInt64.max)) }
        return JobID(number(Array("\(simulation.name) \(simulation.source) ".utf8) + numbers.octets))
    }
}
