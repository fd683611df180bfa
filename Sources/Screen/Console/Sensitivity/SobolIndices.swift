import PotluckKit

/// How much of a reading's variance each parameter explains: its first-order and its total Sobol index.
///
/// A row is two independent points, and the first of them with each parameter in turn taken from the second. The first
/// index is Saltelli's estimate of 2010, the total one Jansen's. The intervals are a jackknife's over groups of rows.
package struct SobolIndices: Sendable {
    /// The values of a row: at its two points, and at the first point with the second one's parameter in each place.
    package struct Row: Sendable {
        package let first: Double
        package let second: Double
        package let mixed: [Double]

        package init(first: Double, second: Double, mixed: [Double]) {
            (self.first, self.second, self.mixed) = (first, second, mixed)
        }
    }

    package struct Index: Sendable, Hashable {
        package let value: Double
        package let halfWidth: Double?
    }

    /// The part of the variance that a parameter explains alone.
    package let first: [Index]
    /// The part of the variance that is left if only this parameter is unknown.
    package let total: [Index]

    /// The number of groups of rows. Student's interval with 31 degrees of freedom is 4 % wider than with the most.
    package static let groups = 32

    /// Sums over rows, from which all indices follow.
    private struct Sums {
        var rows = 0.0
        var values = 0.0
        var squares = 0.0
        /// Of the second point's value times the change that its parameter makes at the first point.
        var products: [Double]
        /// Of the squares of these changes.
        var changes: [Double]

        init(parameters: Int) {
            (products, changes) = ([Double](repeating: 0, count: parameters), [Double](repeating: 0, count: parameters))
        }

        mutating func add(_ row: Row, less middle: Double) {
            let (first, second) = (row.first - middle, row.second - middle)
            rows += 1
            values += first + second
            squares += first * first + second * second
            for (place, mixed) in row.mixed.enumerated() {
                let change = mixed - row.first
                products[place] += second * change
                changes[place] += change * change
            }
        }

        mutating func add(_ other: Sums, sign: Double = 1) {
            rows += sign * other.rows
            values += sign * other.values
            squares += sign * other.squares
            for place in products.indices {
                products[place] += sign * other.products[place]
                changes[place] += sign * other.changes[place]
            }
        }

        /// The first and the total index of each parameter; nil if the values do not vary.
        var indices: [(first: Double, total: Double)]? {
            let variance = squares / (2 * rows) - (values / (2 * rows)) * (values / (2 * rows))
            guard variance > 0 else { return nil }
            return zip(products, changes).map { ($0 / rows / variance, $1 / (2 * rows) / variance) }
        }
    }

    /// Returns nil if the values do not vary. `rows` are a multiple of `groups`, and all have equally many parameters.
    package init?(_ rows: [Row]) {
        let parameters = rows.first?.mixed.count ?? 0
        // The estimates do not depend on this number. The nearer it is to the mean, the less they scatter.
        let middle = rows.reduce(0) { $0 + $1.first + $1.second } / Double(max(1, 2 * rows.count))
        var groups = [Sums](repeating: Sums(parameters: parameters), count: Self.groups)
        for (number, row) in rows.enumerated() { groups[number % Self.groups].add(row, less: middle) }
        var all = Sums(parameters: parameters)
        for group in groups { all.add(group) }
        guard !rows.isEmpty, let indices = all.indices else { return nil }
        let without = groups.map { group in
            var rest = all
            rest.add(group, sign: -1)
            return rest.indices
        }
        func index(_ place: Int, _ part: ((first: Double, total: Double)) -> Double) -> Index {
            let (count, value) = (Double(Self.groups), part(indices[place]))
            var pseudo = Moments()
            for case let rest? in without { pseudo.add(count * value - (count - 1) * part(rest[place])) }
            return Index(value: value, halfWidth: pseudo.count == UInt64(Self.groups) ? pseudo.halfWidth : nil)
        }
        first = indices.indices.map { index($0) { $0.first } }
        total = indices.indices.map { index($0) { $0.total } }
    }
}
