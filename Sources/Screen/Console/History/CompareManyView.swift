import PotluckCore
import PotluckKit

/// Compares more than two runs: what distinguishes them, their readings, and whether these differ by more than chance.
public struct CompareManyView {
    private let runs: [(id: Int64, run: RunRecord)]
    /// The parameters whose values differ.
    private let differing: [String]
    package let tables: [ReadingOfRuns]

    public init(_ runs: [(id: Int64, run: RunRecord)]) {
        self.runs = runs
        differing = GivenValues(runs.map(\.run.given)).differing
        tables = Self.tables(runs)
    }

    public func lines(on canvas: Canvas) -> [StyledLine] {
        let records = runs.map(\.run)
        let names = Set(records.map(\.simulation.name))
        var lines = [StyledLine("\(runs.count) runs of \(names.sorted().joined(separator: ", "))", .strong)]
        lines += canvas.wrapped(common, .faint) + [StyledLine()]
        lines += Table.lines(
            heads: heads, rows: zip(runs, rows).map { Table.Row(cells: ["\($0.id)"] + $1, ink: .plain) }, on: canvas)
        for table in tables { lines += [StyledLine()] + self.lines(table, on: canvas) }
        return lines + [StyledLine()] + remarks.flatMap { canvas.wrapped($0) }
    }

    /// A reading of all runs that have it.
    package struct ReadingOfRuns {
        package let name: String
        package let rows: [(id: Int64, reading: Reading)]
        /// Nil unless the runs are independent and ask the same question.
        package let spread: Spread?

        /// For each row.
        package var distances: [Distance?] { spread?.distances ?? rows.map { _ in nil } }
    }

    private static func tables(_ runs: [(id: Int64, run: RunRecord)]) -> [ReadingOfRuns] {
        let isComparable = isOneQuestion(runs) && isIndependent(runs)
        var names: [String] = []
        for name in runs.flatMap({ $0.run.readings.filter { $0.kind.isNumber }.map(\.name) })
        where !names.contains(name) { names.append(name) }
        return names.map { name in
            let rows = runs.compactMap { id, run in
                run.readings.first { $0.name == name && $0.kind.isNumber }.map { (id: id, reading: $0) }
            }
            return ReadingOfRuns(
                name: name, rows: rows, spread: isComparable ? Spread(rows.map(\.reading)) : nil)
        }
    }

    private func lines(_ table: ReadingOfRuns, on canvas: Canvas) -> [StyledLine] {
        let hasExact = table.rows.contains { $0.reading.exact != nil }
        let heads =
            [table.name, "value"] + (hasExact ? ["exact"] : []) + (table.spread == nil ? [] : ["from the others"])
        return Table.lines(
            heads: heads,
            rows: zip(table.rows, table.distances).map { row, distance in
                let exact = row.reading.exact.map(ReadingFigures(row.reading).text) ?? ""
                return Table.Row(
                    cells: ["run \(row.id)", CompareView.text(row.reading)] + (hasExact ? [exact] : [])
                        + (table.spread == nil ? [] : [distance?.text("std. errors") ?? ""]),
                    ink: distance?.ink ?? .plain)
            }, on: canvas)
    }

    // MARK: What distinguishes the runs

    /// The parameters that all runs share.
    package var common: String {
        let names = Set(differing)
        return runs.first?.run.given.filter { !names.contains($0.name) }.map { "\($0.name) \($0.text)" }
            .joined(separator: ", ") ?? ""
    }

    private var isMixed: Bool { Set(runs.map(\.run.simulation.name)).count > 1 }

    private var hasOnlySearches: Bool { runs.allSatisfy(\.run.isSearch) }

    package var heads: [String] {
        ["run"] + (isMixed ? ["simulation"] : []) + differing
            + (hasOnlySearches ? ["searched"] : ["seed", RunRecord.head(of: Set(runs.map(\.run.unit)))]) + ["digest"]
    }

    /// The cells of each run, without its number.
    package var rows: [[String]] {
        let names = differing
        return runs.map(\.run).map { run in
            (isMixed ? [run.simulation.name] : [])
                + names.map { name in run.given.first { $0.name == name }?.text ?? "–" }
                + (hasOnlySearches
                    ? ["\(Figures.percent(ofSpace: run.trials)) of the tree"]
                    : [run.shownSeed ?? "–", run.shownTrials ?? "–"])
                + [String(run.digest.prefix(8))]
        }
    }

    // MARK: What may be compared

    private static func isOneQuestion(_ runs: [(id: Int64, run: RunRecord)]) -> Bool {
        runs.allSatisfy { $0.run.simulation == runs[0].run.simulation && $0.run.slots == runs[0].run.slots }
    }

    private static func isIndependent(_ runs: [(id: Int64, run: RunRecord)]) -> Bool {
        Set(runs.map(\.run.seed)).count == runs.count
    }

    /// Remarks about the comparison, in sentences.
    package var remarks: [String] {
        var remarks: [String] = []
        for (index, first) in runs.enumerated() {
            for second in runs[(index + 1)...]
            where RunRelation(first.run, second.run) == .contradictory {
                remarks.append("Runs \(first.id) and \(second.id) are the same run but have different results.")
            }
        }
        let random = runs.filter { !$0.run.isSearch }
        if !Self.isIndependent(random) {
            let shared = Dictionary(grouping: random, by: \.run.seed).values.filter { $0.count > 1 }
                .map { $0.map { "\($0.id)" }.joined(separator: ", ") }.sorted()
            remarks.append(
                "Runs with the same seed are not independent: \(shared.joined(separator: "; ")). With equal parameters "
                    + "the shorter run is the beginning of the longer one, and otherwise they use the same random numbers."
            )
        }
        guard Self.isOneQuestion(runs) else { return remarks }
        for table in tables {
            guard let excess = table.spread?.excess else { continue }
            remarks.append("\(table.name): \(Self.judgement(excess))")
        }
        return remarks
    }

    private static func judgement(_ excess: Double) -> String {
        if excess >= 5 { return "the runs differ far more than independent runs of one question do." }
        if excess >= 3 { return "the runs differ more than is usual." }
        if excess <= -3 { return "the runs differ less than is usual for independent runs." }
        return "the runs agree as independent runs do."
    }
}
