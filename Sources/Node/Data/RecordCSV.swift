import PotluckCore
import PotluckMachine
import PotluckScreen

/// Recorded runs as comma-separated values, with a column for every parameter and reading that occurs in any of them.
/// Searches have no trials, rate and seed; if there are any, columns say what part of its tree each
/// has searched, how many nodes it looked at, and how many of them in vain. If several machines computed one of the runs,
/// each machine has a column with its share of the work.
package enum RecordCSV {
    private static let fields = [
        "id", "simulation", "started", "trials", "elapsed", "rate", "cores", "nodes", "seed", "ended", "digest",
        "session", "submitter",
    ]
    private static let (search, notes) = (["searched", "expanded", "invain"], "notes")

    /// The name of a column. One that another column has, too, gets a prefix, with which `--where` takes it.
    private static func head(_ name: String, _ prefix: String, others: [String]) -> String {
        let isTaken = (fields + search + [notes]).contains(name) || others.contains(name)
        return isTaken ? "\(prefix).\(name)" : name
    }

    /// A run that was not recorded has no number.
    package static func text(_ runs: [(id: Int64?, run: RunRecord)]) -> String {
        var parameters: [String] = []
        var readings: [String] = []
        for run in runs {
            for name in run.run.given.map(\.name) where !parameters.contains(name) { parameters.append(name) }
            for name in run.run.readings.filter({ $0.kind.isNumber }).map(\.name) where !readings.contains(name) {
                readings.append(name)
            }
        }
        let hasSearch = runs.contains(where: \.run.isSearch)
        var nodes: [String] = []
        if runs.contains(where: { $0.run.nodeCount > 1 }) {
            for node in runs.flatMap(\.run.nodes) where !nodes.contains(node.name) { nodes.append(node.name) }
        }
        let heads =
            fields + (hasSearch ? search : []) + nodes.map { "share.\($0)" }
            + parameters.map { head($0, "parameter", others: readings) }
            + readings.map { head($0, "reading", others: parameters) }
            .flatMap { [$0, "\($0).low", "\($0).high", "\($0).exact"] } + [notes]
        var text = row(heads)
        for (id, run) in runs {
            var cells = [
                id.map { "\($0)" } ?? "", run.simulation.name, WallClock.text(run.startedAt),
                run.isSearch ? "" : "\(run.trials)",
                "\(run.elapsed.seconds)", number(run.rate), "\(run.cores)", "\(run.nodeCount)",
                run.isSearch ? "" : "\(run.seed)",
                RecordJSON.ending(run), run.digest, run.origin?.session ?? "", run.origin?.submitter ?? "",
            ]
            if hasSearch {
                let effort = run.effort == .none ? ["", ""] : ["\(run.effort.expanded)", "\(run.effort.inVain)"]
                cells += [run.isSearch ? "\(Figures.part(ofSpace: run.trials))" : ""] + effort
            }
            cells += nodes.map { number(run.share(of: $0)) }
            cells += parameters.map { name in run.given.first { $0.name == name }?.text ?? "" }
            for name in readings {
                let reading = run.readings.first { $0.name == name }
                cells += [
                    number(reading?.value), number(reading?.shownInterval?.lowerBound),
                    number(reading?.shownInterval?.upperBound),
                    number(reading?.exact),
                ]
            }
            text += row(cells + [run.notes.map(\.text).joined(separator: "; ")])
        }
        return text
    }

    package static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }

    package static func row(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

    static func cell(_ text: String) -> String {
        let text = text.escapedForScreen
        // Spreadsheets evaluate cells that begin like a formula, some also after blanks or with full-width characters.
        // An apostrophe in front makes them text.
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        let isFormula = first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
        let safe = isFormula && Double(text) == nil ? "'" + text : text
        guard safe.contains(where: { "\",\r\n".contains($0) }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
