import PotluckCore
import PotluckKit

/// Compares two runs: their parameters, and whether their results differ by more than chance.
public struct CompareView {
    private let runs: [(id: Int64, run: RunRecord)]
    private let date: (Int64) -> String

    public init(
        _ first: (id: Int64, run: RunRecord), _ second: (id: Int64, run: RunRecord), date: @escaping (Int64) -> String
    ) {
        runs = [first, second]
        self.date = date
    }

    public func lines(on canvas: Canvas) -> [StyledLine] {
        let (a, b) = (runs[0].run, runs[1].run)
        var rows: [[String]] = []
        func row(_ name: String, _ text: (RunRecord) -> String) { rows.append([name, text(a), text(b)]) }
        row("simulation") { $0.simulation.name }
        row("started") { date($0.startedAt) }
        let given = [Dictionary(a.given) { $1 }, Dictionary(b.given) { $1 }]
        let names = a.given.map(\.name) + b.given.map(\.name).filter { given[0][$0] == nil }
        for name in names { rows.append([name] + given.map { $0[name] ?? "–" }) }
        if a.isSearch, b.isSearch {
            row("searched") { "\(Figures.percent(ofSpace: $0.trials)) of the tree" }
        } else {
            row("seed") { $0.shownSeed ?? "–" }
            row(RunRecord.head(of: [a.unit, b.unit])) { $0.shownTrials ?? "–" }
        }
        row("time") { Figures.time($0.elapsed) }
        if a.rate != nil || b.rate != nil { row("speed") { $0.rate.map(Figures.rate) ?? "–" } }
        row("nodes") { "\($0.nodeCount), \($0.cores) cores" }
        row("digest") { String($0.digest.prefix(16)) }
        // Values that are the same in both are faint.
        let facts = Table.lines(
            heads: ["", "run \(runs[0].id)", "run \(runs[1].id)"],
            rows: rows.map { Table.Row(cells: $0, ink: $0[1] == $0[2] ? .faint : .plain) }, on: canvas)
        return facts + [StyledLine()] + readings(a, b, on: canvas)
            + canvas.wrapped(verdict(a, b).text, verdict(a, b).ink)
    }

    private func readings(_ a: RunRecord, _ b: RunRecord, on canvas: Canvas) -> [StyledLine] {
        var rows: [Table.Row] = []
        for first in a.readings where first.kind.isNumber {
            guard let second = b.readings.first(where: { $0.name == first.name && $0.kind.isNumber }) else {
                continue
            }
            let distance = relation.distance(first, in: a, second, in: b)
            rows.append(
                Table.Row(
                    cells: [first.name, Self.text(first), Self.text(second), distance?.text("std. errors") ?? ""],
                    ink: distance?.ink ?? .plain))
        }
        guard !rows.isEmpty else { return [] }
        return Table.lines(heads: ["", "run \(runs[0].id)", "run \(runs[1].id)", "difference"], rows: rows, on: canvas)
            + [StyledLine()]
    }

    static func text(_ reading: Reading) -> String {
        guard let value = reading.value else { return "–" }
        let half = reading.shownHalfWidth.map { " ± " + Figures.significant($0, 2) } ?? ""
        return ReadingFigures(reading).text(value) + half
    }

    private var relation: RunRelation { RunRelation(runs[0].run, runs[1].run) }

    /// The conclusion in a sentence.
    private func verdict(_ a: RunRecord, _ b: RunRecord) -> (text: String, ink: Ink) {
        let isSameQuestion = a.simulation == b.simulation && a.slots == b.slots
        switch relation {
        case .same: return ("The results are the same, byte for byte.", .good)
        case .contradictory:
            return (
                "The same run gave different results. One of the machines or its history is damaged. Repeat the run on "
                    + "each machine.", .bad
            )
        case .otherVersion:
            return ("The runs used different versions of the simulation, so their results may differ.", .plain)
        case .nested:
            let (short, long) = a.trials < b.trials ? (0, 1) : (1, 0)
            return (
                "The runs share trials: run \(runs[short].id) is the first \(Figures.grouped(runs[short].run.trials)) "
                    + "trials of run \(runs[long].id). The difference is measured between run \(runs[short].id) and "
                    + "the remaining trials, which are independent. To repeat an experiment, use another seed.", .plain
            )
        case .sharing:
            return (
                "The runs have different \(a.simulation.name == b.simulation.name ? "parameters" : "simulations") but "
                    + "the same seed, so they use the same random numbers. Use different seeds to see whether "
                    + "a difference is more than chance.", .plain
            )
        case .unfinished:
            return (
                "A run that ended before the whole tree was searched has the best that it had found by then. Run the "
                    + "search to its end to compare it.", .plain
            )
        case .otherSearch: return ("The runs have different simulations or parameters.", .plain)
        case .independent where isSameQuestion:
            return (
                "Same parameters, different seeds: the results should agree within a few standard errors.", .plain
            )
        case .independent: return ("The runs have different simulations or parameters.", .plain)
        }
    }
}
