/// The printed results, one line for each comparison.
struct Table {
    private var lines: [[String]] = [["", "ours", "compared with", "", "ratio", "least–most", "wanted"]]

    /// Adds a line that compares the first of `times`, which is ours, with the fastest of the others.
    mutating func add(_ what: String, _ times: [Times], trials: Double, wanted: Double? = nil) {
        guard let ours = times.first, let best = times.dropFirst().min(by: { $0.rounds.median < $1.rounds.median })
        else {
            return add(what, missing: "no compiler for C")
        }
        let ratios = zip(best.rounds, ours.rounds).map { $0 / $1 }
        lines.append([
            what, rate(trials / ours.rounds.median), best.name, rate(trials / best.rounds.median),
            hundredths(ratios.median), "\(hundredths(ratios.min() ?? 0))–\(hundredths(ratios.max() ?? 0))",
            wanted.map { hundredths($0) } ?? "",
        ])
    }

    mutating func add(_ what: String, cores: (one: Double, two: Double), trials: Double, wanted: Double) {
        lines.append([
            what, rate(trials / cores.two), "one core", rate(trials / cores.one), hundredths(cores.one / cores.two), "",
            hundredths(wanted),
        ])
    }

    /// Adds a line for what something costs in addition to a draw, in nanoseconds.
    mutating func add(_ what: String, cost: Double, beside draw: Double, wanted: Double) {
        lines.append([
            what, "\(tenths(max(0, cost))) ns", "more than a draw of", "\(tenths(draw)) ns", "", "",
            "≤ \(Int(wanted)) ns",
        ])
    }

    mutating func add(_ what: String, missing why: String) { lines.append([what, "", why, "", "", "", ""]) }

    var text: String {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = zip(line, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 || column == 2 ? cell.0 + space : space + cell.0
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    private func rate(_ perSecond: Double) -> String { "\(Int((perSecond / 1e6).rounded())) M/s" }
}
