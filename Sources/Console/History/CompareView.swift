import PotluckKit
import PotluckModel

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

    public func lines(on canvas: Canvas) -> [Line] {
        let (a, b) = (runs[0].run, runs[1].run)
        var rows: [[String]] = []
        func row(_ name: String, _ text: (RunRecord) -> String) { rows.append([name, text(a), text(b)]) }
        row("simulation") { $0.simulation.name }
        row("started") { date($0.startedAt) }
        let given = [Dictionary(a.given) { $1 }, Dictionary(b.given) { $1 }]
        let names = a.given.map(\.name) + b.given.map(\.name).filter { given[0][$0] == nil }
        for name in names { rows.append([name] + given.map { $0[name] ?? "–" }) }
        row("seed") { "\($0.seed)" }
        row("trials") { Figures.grouped($0.trials) }
        row("time") { Figures.time($0.elapsed) }
        row("speed") { $0.rate.map(Figures.rate) ?? "–" }
        row("nodes") { "\($0.nodeCount), \($0.cores) cores" }
        row("digest") { String($0.digest.prefix(16)) }
        // Values that are the same in both are faint.
        let facts = Table.lines(
            heads: ["", "run \(runs[0].id)", "run \(runs[1].id)"],
            rows: rows.map { Table.Row(cells: $0, ink: $0[1] == $0[2] ? .faint : .plain) }, on: canvas)
        return facts + [Line()] + readings(a, b, on: canvas) + canvas.wrapped(verdict(a, b).text, verdict(a, b).ink)
    }

    private func readings(_ a: RunRecord, _ b: RunRecord, on canvas: Canvas) -> [Line] {
        var rows: [Table.Row] = []
        for first in a.readings where first.kind != .histogram {
            guard let second = b.readings.first(where: { $0.name == first.name && $0.kind != .histogram }) else {
                continue
            }
            let distance = Self.distance(first, second)
            let words = distance.map { (Digits(min($0, 1e6))?.fixed(1) ?? "?") + " std. errors" } ?? ""
            rows.append(
                Table.Row(
                    cells: [first.name, Self.text(first), Self.text(second), words],
                    ink: distance.map { $0 >= 5 ? .bad : $0 >= 3 ? .warning : .plain } ?? .plain))
        }
        guard !rows.isEmpty else { return [] }
        return Table.lines(heads: ["", "run \(runs[0].id)", "run \(runs[1].id)", "difference"], rows: rows, on: canvas)
            + [Line()]
    }

    private static func text(_ reading: Reading) -> String {
        guard let value = reading.value else { return "–" }
        let half = reading.halfWidth.map { " ± " + Figures.significant($0, 2) } ?? ""
        return ReadingFigures(reading).text(value) + half
    }

    /// The difference of two readings in standard errors of that difference; nil if one has no interval.
    package static func distance(_ a: Reading, _ b: Reading) -> Double? {
        guard let x = a.value, let y = b.value, let s = a.halfWidth, let t = b.halfWidth, s > 0 || t > 0 else {
            return nil
        }
        return (x - y).magnitude / ((s * s + t * t).squareRoot() / 1.959963984540054)
    }

    /// The conclusion in a sentence.
    private func verdict(_ a: RunRecord, _ b: RunRecord) -> (text: String, ink: Ink) {
        let isSameQuestion =
            a.simulation == b.simulation && a.slots == b.slots
        if a.digest == b.digest { return ("The results are the same, byte for byte.", .good) }
        if isSameQuestion, a.seed == b.seed, a.trials == b.trials, a.blockSize == b.blockSize {
            return (
                "The same run gave different results. One of the machines or its history is damaged. Repeat the run on "
                    + "each machine.", .bad
            )
        }
        if a.simulation.name == b.simulation.name, a.simulation != b.simulation {
            return ("The runs used different versions of the simulation, so their results may differ.", .plain)
        }
        if !isSameQuestion { return ("The runs have different simulations or parameters.", .plain) }
        return (
            "Same parameters, different seed or trials: the results should agree within a few standard errors.", .plain
        )
    }
}
