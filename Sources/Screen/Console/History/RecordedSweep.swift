import PotluckCore
import PotluckKit

/// A sweep as the history has it.
public struct RecordedSweep: Sendable {
    public let id: JobID
    /// In the order of its points. There is at least one.
    public let runs: [RunRecord]
    /// The parameters that differ, or all of them if there is one point. The one that changes fastest is the last.
    public let varied: [String]
    /// Those of them that are numbers. One point has none, because nothing changes along them.
    package let axes: [String]

    /// Returns nil if the history has no points of the sweep.
    public init?(_ id: JobID, _ runs: [RunRecord]) {
        guard let first = runs.first else { return nil }
        (self.id, self.runs) = (id, runs)
        guard runs.count > 1 else {
            (varied, axes) = (first.effective.map(\.name), [])
            return
        }
        let values = runs.map { run in run.effective.map { (name: $0.name, text: $0.text) } }
        let given = runs.map { Dictionary($0.parameters.map { ($0.name, $0) }) { first, _ in first } }
        func change(_ name: String) -> Int {
            given.firstIndex { $0[name]?.text != given[0][name]?.text } ?? given.count
        }
        let changes = GivenValues(values).differing.map { (name: $0, at: change($0)) }
        // In a file of points, several may change at once. These stay in the simulation's order.
        varied = changes.enumerated().sorted { ($1.element.at, $0.offset) < ($0.element.at, $1.offset) }
            .map(\.element.name)
        axes = varied.filter { name in given.allSatisfy { Self.isQuantity($0[name]) } }
    }

    /// Flags have numbers, too, but stand for no quantity.
    private static func isQuantity(_ parameter: RecordedParameter?) -> Bool {
        guard let parameter, let number = parameter.number else { return false }
        return number.isFinite && Double(parameter.text) != nil
    }

    /// The parameters and files that all points share.
    package var common: [(name: String, text: String)] {
        runs[0].given.filter { !varied.contains($0.name) }
    }

    /// When its points started: a date, or two if it was resumed later.
    package func started(_ date: (Int64) -> String) -> String {
        let dates = runs.map(\.startedAt)
        let ends = [dates.min(), dates.max()].compactMap { $0.map(date) }
        return Set(ends).count > 1 ? ends.joined(separator: " to ") : ends.first ?? ""
    }

    package var rows: [SweepView.Row] {
        runs.map { run in
            let values = Dictionary(run.parameters.map { ($0.name, $0.text) }) { first, _ in first }
            return SweepView.Row(varied: varied.map { values[$0] ?? "–" }, run: run)
        }
    }
}

/// The command that repeats a recorded sweep, or one of its points.
public enum SweepCommand: Sendable {
    /// Words that must not be broken.
    case sweep([String])
    case point([String])

    package var words: [String] {
        switch self {
        case .sweep(let words), .point(let words): words
        }
    }

    package var remark: String {
        switch self {
        case .sweep: "This command gives the same digests on any machine:"
        case .point: "This command gives the same digest of the first point on any machine:"
        }
    }
}

/// The readings of a sweep's points by a parameter.
package enum SweepTrends {
    /// The most points of a chart. A chart of more would show only the last ones.
    package static let mostPoints = 60

    /// One for each reading. If there are many points, those of a chart are evenly spaced among the values of its
    /// parameter.
    package static func all(_ runs: [RunRecord], by axis: String) -> [Trend] {
        let placed = runs.map { run in
            (x: run.parameters.first { $0.name == axis }?.number ?? 0, run: run)
        }
        let sorted = placed.enumerated().sorted { ($0.element.x, $0.offset) < ($1.element.x, $1.offset) }
        let stride = (sorted.count + mostPoints - 1) / mostPoints
        let shown = sorted.indices.filter { $0 % stride == 0 }.map { (id: Int64(0), run: sorted[$0].element.run) }
        return Trends(shown, by: axis).all
    }
}
