import PotluckCore
import PotluckKit

/// The numbers of the charts of runs as comma-separated values (RFC 4180): each number has a row of its own.
///
/// A reading with a value has a row for each point of its course, with the trials until then. A curve has one for each time.
/// A histogram has one for each bin, from and to infinity for what lies outside, and a map one for each cell and one without a
/// range for what lies outside.
package enum FigureCSV {
    private static let before = ["id", "simulation"]
    private static let after = ["reading", "trials", "x_low", "x_high", "y_low", "y_high", "value", "low", "high"]

    /// A run of a sweep needs no number: its parameters tell which point it is.
    package static func text(_ runs: [(id: Int64?, run: RunRecord)]) -> String {
        var parameters: [String] = []
        for run in runs {
            for name in run.run.given.map(\.name) where !parameters.contains(name) { parameters.append(name) }
        }
        let heads = parameters.map { (before + after).contains($0) ? "parameter.\($0)" : $0 }
        return runs.reduce(into: RecordCSV.row(before + heads + after)) { text, each in
            let run = each.run
            let values = parameters.map { name in run.given.first { $0.name == name }?.text ?? "" }
            let cells = [each.id.map { "\($0)" } ?? "", run.simulation.name] + values
            for row in rows(of: run) { text += RecordCSV.row(cells + row.cells) }
        }
    }

    private struct Row {
        let reading: String
        var trials: UInt64?
        var x: (low: Double, high: Double)?
        var y: (low: Double, high: Double)?
        let value: Double?
        var interval: ClosedRange<Double>?

        var cells: [String] {
            [reading, trials.map { "\($0)" } ?? ""]
                + [x?.low, x?.high, y?.low, y?.high, value, interval?.lowerBound, interval?.upperBound].map(
                    RecordCSV.number)
        }
    }

    private static func rows(of run: RunRecord) -> [Row] {
        run.readings.enumerated().flatMap { place, reading -> [Row] in
            let trials = run.isSearch ? nil : run.trials
            switch reading.kind {
            case .series:
                return reading.curve.map { point in
                    let time = Double(point.time)
                    return Row(
                        reading: reading.name, trials: trials, x: (time, time), value: point.value,
                        interval: point.interval)
                }
            case .histogram: return bins(reading, trials)
            case .histogram2D: return cells(reading, trials)
            default: return course(of: place, reading, run)
            }
        }
    }

    /// The points of the course, and the result if it is none of them.
    private static func course(of place: Int, _ reading: Reading, _ run: RunRecord) -> [Row] {
        var rows = run.course.filter { $0.readings.indices.contains(place) }.map { point in
            let shown = point.readings[place]
            return Row(
                reading: reading.name, trials: run.isSearch ? nil : point.trials, value: shown.value,
                interval: shown.shownInterval)
        }
        if run.course.last.map({ $0.trials != run.trials }) ?? true {
            rows.append(
                Row(
                    reading: reading.name, trials: run.isSearch ? nil : run.trials, value: reading.value,
                    interval: reading.shownInterval))
        }
        return rows
    }

    private static func bins(_ reading: Reading, _ trials: UInt64?) -> [Row] {
        guard let range = reading.range, reading.bins.count > 2 else { return [] }
        let edges = edges(of: range, reading.bins.count - 2)
        return reading.bins.enumerated().map { place, count in
            let low = place == 0 ? nil : edges[place - 1]
            let high = place <= reading.bins.count - 2 ? edges[place] : nil
            return Row(
                reading: reading.name, trials: trials, x: (low ?? -.infinity, high ?? .infinity), value: Double(count))
        }
    }

    private static func cells(_ reading: Reading, _ trials: UInt64?) -> [Row] {
        guard let cells = reading.cells else { return [] }
        let (x, y) = (edges(of: cells.x, cells.columns), edges(of: cells.y, cells.rows))
        let inside = (0..<cells.rows).flatMap { row in
            (0..<cells.columns).map { column in
                Row(
                    reading: reading.name, trials: trials, x: (x[column], x[column + 1]), y: (y[row], y[row + 1]),
                    value: Double(cells[column, row]))
            }
        }
        return inside + [Row(reading: reading.name, trials: trials, value: Double(cells.outside))]
    }

    /// The ends of equally wide parts of a range.
    private static func edges(of range: ClosedRange<Double>, _ parts: Int) -> [Double] {
        (0...parts).map { part in
            part == parts
                ? range.upperBound
                : range.lowerBound + (range.upperBound - range.lowerBound) * Double(part) / Double(parts)
        }
    }
}
