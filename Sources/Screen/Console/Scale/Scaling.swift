import PotluckCore
import PotluckKit

/// What `potluck scale` measured: the times of the same jobs on different numbers of cores or nodes.
package struct Scaling {
    /// The thing that the rows have different numbers of.
    package enum Unit: Sendable {
        case core, task, node

        package var plural: String { "\(self)s" }

        /// Such as `1 core` and `2 cores`.
        package func words(_ count: Int) -> String { count == 1 ? "1 \(self)" : "\(count) \(plural)" }
    }

    /// One set of parameters.
    package struct Point: Equatable, Sendable {
        /// The values of the parameters that take several.
        package let varied: [String]
        package let parameters: [UInt64]

        package init(varied: [String], parameters: [UInt64]) { (self.varied, self.parameters) = (varied, parameters) }
    }

    /// One job on one number of cores or nodes.
    package struct Row {
        package let point: Point
        /// The number of cores or nodes.
        package let count: Int
        /// The seconds of each repetition.
        private(set) var times = Moments()
        /// The digest of every repetition.
        package private(set) var digest: String?

        package init(_ point: Point, count: Int) { (self.point, self.count) = (point, count) }

        /// What each node did in all repetitions, in the order in which the nodes came.
        private var parts: [(name: String, trials: UInt64, effort: SearchEffort)] = []

        /// The part of the trials that each node computed and, for a search, the nodes of its tree that it looked at in a
        /// repetition on average, and the part of them in vain, from 0 to 1.
        package var work: [(name: String, part: Double, expanded: Double?, inVain: Double?)] {
            let all = Double(parts.reduce(0) { $0 + $1.trials })
            return parts.map { part in
                let (expanded, inVain) = (Double(part.effort.expanded), Double(part.effort.inVain))
                return (
                    part.name, all > 0 ? Double(part.trials) / all : 0,
                    isSearch ? expanded / Double(times.count) : nil,
                    isSearch && expanded > 0 ? inVain / expanded : nil
                )
            }
        }

        private var isSearch: Bool { effort != .none }
        /// The nodes of a search's tree that were looked at in all repetitions.
        private var effort = SearchEffort.none

        /// The nodes of a search's tree that a repetition looked at on average; nil for other work.
        package var expanded: Double? { isSearch ? Double(effort.expanded) / Double(times.count) : nil }
        /// The part of them that was in vain, from 0 to 1.
        package var inVain: Double? { isSearch ? Double(effort.inVain) / Double(effort.expanded) : nil }

        /// Adds a repetition. `nodes` are those of a session. Returns false if its result differs from the earlier ones.
        package mutating func add(
            seconds: Double, digest new: String, _ nodes: [NodeRow] = [], effort: SearchEffort = .none
        ) -> Bool {
            times.add(seconds)
            self.effort = self.effort + effort
            for node in nodes where node.trials > 0 {
                if let place = parts.firstIndex(where: { $0.name == node.name }) {
                    parts[place].trials += node.trials
                    parts[place].effort = parts[place].effort + node.effort
                } else {
                    parts.append((node.name, node.trials, node.effort))
                }
            }
            if digest == nil { digest = new }
            return digest == new
        }
    }

    /// A number with half the width of its 95 % interval; nil without repetitions.
    package struct Figure {
        package let value: Double
        package let halfWidth: Double?

        /// Its 95 % interval.
        package var interval: ClosedRange<Double>? { halfWidth.map { value - $0...value + $0 } }

        /// The interval of a quotient of independent figures, to first order.
        package static func / (over: Figure, under: Figure) -> Figure {
            let value = over.value / under.value
            guard let a = over.halfWidth, let b = under.halfWidth else { return Figure(value: value, halfWidth: nil) }
            let (x, y) = (a / over.value, b / under.value)
            return Figure(value: value, halfWidth: value * (x * x + y * y).squareRoot())
        }
    }

    /// The rows of each point stand together, in the order of their numbers of cores or nodes.
    package var rows: [Row]
    package let unit: Unit

    package init(_ points: [Point], _ counts: [Int], of unit: Unit = .core) {
        rows = points.flatMap { point in counts.map { Row(point, count: $0) } }
        self.unit = unit
    }

    package func seconds(_ row: Row) -> Figure? {
        row.times.mean.map { Figure(value: $0, halfWidth: row.times.halfWidth) }
    }

    /// The speed compared with the first number.
    package func speedUp(_ row: Row) -> Figure? {
        guard let first = base(of: row), let before = seconds(first), let after = seconds(row), after.value > 0 else {
            return nil
        }
        return first.count == row.count ? Figure(value: 1, halfWidth: nil) : before / after
    }

    /// The speed-up for each core or node, compared with the first number; nil for tasks, which share the cores.
    package func efficiency(_ row: Row) -> Double? {
        guard unit != .task, let first = base(of: row), let speedUp = speedUp(row) else { return nil }
        return speedUp.value * Double(first.count) / Double(row.count)
    }

    /// How many nodes of a search's tree the first number looked at, for each one that this row did. It is below 1 where
    /// nodes of a session look at parts of the tree before they know how good a solution another one has found.
    package func computation(_ row: Row) -> Double? {
        guard let before = base(of: row)?.expanded, let after = row.expanded, after > 0 else { return nil }
        return before / after
    }

    /// Whether the rows are those of a search.
    package var isSearch: Bool { rows.contains { $0.expanded != nil } }

    /// Whether others of its point are compared with this row.
    package func isFirst(_ row: Row) -> Bool { base(of: row)?.count == row.count }

    private func base(of row: Row) -> Row? { rows.first { $0.point == row.point } }

    /// Two numbers of cores or nodes that computed different results for the same point; nil if there are none.
    package var disagreement: (Row, Row)? {
        for row in rows {
            guard let first = base(of: row), let one = first.digest, let other = row.digest, one != other else {
                continue
            }
            return (first, row)
        }
        return nil
    }
}
