import PotluckKit

/// What `potluck scale` measured: the times of the same jobs on different numbers of cores.
package struct Scaling {
    /// One set of parameters.
    package struct Point: Equatable, Sendable {
        /// The values of the parameters that take several.
        package let varied: [String]
        package let parameters: [UInt64]

        package init(varied: [String], parameters: [UInt64]) { (self.varied, self.parameters) = (varied, parameters) }
    }

    /// One job on one number of cores.
    package struct Row {
        package let point: Point
        package let cores: Int
        /// The seconds of each repetition.
        private(set) var times = Moments()
        /// The digest of every repetition.
        package private(set) var digest: String?

        package init(_ point: Point, cores: Int) { (self.point, self.cores) = (point, cores) }

        /// Adds a repetition. Returns false if its result differs from the earlier ones.
        package mutating func add(seconds: Double, digest new: String) -> Bool {
            times.add(seconds)
            if digest == nil { digest = new }
            return digest == new
        }
    }

    /// A number with half the width of its 95 % interval; nil without repetitions.
    package struct Figure {
        package let value: Double
        package let halfWidth: Double?

        /// The interval of a quotient of independent figures, to first order.
        package static func / (over: Figure, under: Figure) -> Figure {
            let value = over.value / under.value
            guard let a = over.halfWidth, let b = under.halfWidth else { return Figure(value: value, halfWidth: nil) }
            let (x, y) = (a / over.value, b / under.value)
            return Figure(value: value, halfWidth: value * (x * x + y * y).squareRoot())
        }
    }

    /// The rows of each point stand together, in the order of their numbers of cores.
    package var rows: [Row]

    package init(_ points: [Point], cores: [Int]) {
        rows = points.flatMap { point in cores.map { Row(point, cores: $0) } }
    }

    package func seconds(_ row: Row) -> Figure? {
        row.times.mean.map { Figure(value: $0, halfWidth: row.times.halfWidth) }
    }

    /// The speed compared with the first number of cores.
    package func speedUp(_ row: Row) -> Figure? {
        guard let first = base(of: row), let before = seconds(first), let after = seconds(row), after.value > 0 else {
            return nil
        }
        return first.cores == row.cores ? Figure(value: 1, halfWidth: nil) : before / after
    }

    /// The speed-up for each core, compared with the first number of cores.
    package func efficiency(_ row: Row) -> Double? {
        guard let first = base(of: row), let speedUp = speedUp(row) else { return nil }
        return speedUp.value * Double(first.cores) / Double(row.cores)
    }

    private func base(of row: Row) -> Row? { rows.first { $0.point == row.point } }

    /// Two numbers of cores that computed different results for the same point; nil if there are none.
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
