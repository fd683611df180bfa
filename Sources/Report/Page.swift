import PotluckConsole
import PotluckKit
import PotluckModel

/// A recorded run as an HTML page to keep and print. The file is self-contained, without scripts or links to the
/// network.
public struct Page {
    private let run: RunRecord
    private let id: Int64
    private let isBuiltIn: Bool
    private let date: (Int64) -> String

    /// `isBuiltIn` tells whether this program has the simulation, so that its name is sufficient to repeat the run.
    public init(_ run: RunRecord, id: Int64, isBuiltIn: Bool, date: @escaping (Int64) -> String) {
        self.run = run
        self.id = id
        self.isBuiltIn = isBuiltIn
        self.date = date
    }

    public var html: String {
        let title = "\(run.simulation.name), \(date(run.startedAt))"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Markup.escaped(title))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <h1>\(Markup.escaped(run.simulation.name))</h1>
            <p class="s">\(Markup.escaped(opening))</p>
            \(sections.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private var opening: String {
        let trials = "\(Figures.grouped(run.trials)) \(run.trials == 1 ? "trial" : "trials")"
        let how =
            switch run.completion {
            case .trials: "Completed"
            case .precision: "Precision reached"
            case .duration: "Time limit reached"
            case .stopped: "Stopped"
            }
        let rate = run.rate.map { ", \(Figures.rate($0))" } ?? ""
        return
            "\(how) after \(trials) in \(Figures.time(run.elapsed))\(rate). Started \(date(run.startedAt)). Run \(id)."
    }

    private var sections: [String] {
        [asked, results, histograms, convergence, nodes, notes, identity].compactMap { $0 }
    }

    // MARK: Sections

    private var asked: String? {
        var rows = run.given.map { [$0.name, $0.text] }
        if !run.goal.phrases.isEmpty { rows.append(["goal", run.goal.phrases.joined(separator: ", or ")]) }
        rows.append(["seed", "\(run.seed)"])
        return section("Parameters", table(heads: [], rows))
    }

    private var results: String? {
        let rows = run.readings.filter { $0.kind != .histogram }.map { reading -> [String] in
            let words = ReadingWords(reading)
            return [words.name, words.value, words.interval, words.exact, words.distance]
        }
        var parts: [String] = []
        if !rows.isEmpty { parts.append(table(heads: ["", "value", "95 % interval", "exact", "off by"], rows)) }
        if !run.counts.isEmpty {
            parts.append(table(heads: ["counted", ""], run.counts.map { [$0.name, Figures.grouped($0.count)] }))
        }
        return parts.isEmpty ? nil : section("Results", parts.joined(separator: "\n"))
    }

    private var histograms: String? {
        let drawings = run.readings.filter { $0.kind == .histogram }.compactMap { reading in
            Drawings.histogram(reading).map { "<h3>\(Markup.escaped(reading.name))</h3>\n\($0)" }
        }
        return drawings.isEmpty ? nil : drawings.joined(separator: "\n")
    }

    private var convergence: String? {
        Drawings.convergence(run).map {
            section(
                "Convergence",
                $0 + "<p class=\"n\">Line: value. Band: 95 % interval."
                    + (run.readings.contains { $0.exact != nil } ? " Dashed line: exact answer." : "") + "</p>")
        }
    }

    private var nodes: String? {
        let all = run.nodes.reduce(0.0) { $0 + Double($1.trials) }
        let rows = run.nodes.map { node in
            [
                node.name, "\(node.cores)", Figures.grouped(node.trials),
                all > 0 ? Figures.significant(100 * Double(node.trials) / all, 3) + " %" : "",
                node.rate.map(Figures.rate) ?? "",
            ]
        }
        return rows.isEmpty
            ? nil : section("Nodes", table(heads: ["node", "cores", "trials", "share", "speed"], rows))
    }

    private var notes: String? {
        let notes = run.notes.map {
            "<p><span class=\"n\">\(Markup.escaped(date($0.at)))</span> \(Markup.escaped($0.text))</p>"
        }
        return notes.isEmpty ? nil : section("Notes", notes.joined(separator: "\n"))
    }

    private var identity: String? {
        let rows = [
            ["digest", run.digest], ["source", run.simulation.source], ["streams", "\(run.simulation.streams)"],
            ["block", "\(run.blockSize) trials"], ["program", "potluck \(run.program)"],
            ["session", run.origin?.session ?? ""], ["started by", run.origin?.submitter ?? ""],
        ]
        let command = run.trials > 0 ? run.command(isBuiltIn: isBuiltIn)?.joined(separator: " ") : nil
        let again =
            command.map {
                "<p>This command gives the same digest on any machine:</p>\n<pre>\(Markup.escaped($0))</pre>"
            } ?? ""
        return section("Repeat", again + table(heads: [], rows.filter { !$0[1].isEmpty }))
    }

    // MARK: Pieces

    private func section(_ title: String, _ body: String) -> String {
        "<section>\n<h2>\(Markup.escaped(title))</h2>\n\(body)\n</section>"
    }

    private func table(heads: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\(Markup.escaped($0))</\(tag)>" }.joined() + "</tr>"
        }
        let head = heads.isEmpty ? "" : "<thead>\(row(heads, "th"))</thead>\n"
        return "<table>\n\(head)<tbody>\n\(rows.map { row($0, "td") }.joined(separator: "\n"))\n</tbody>\n</table>"
    }

    private static let style = """
        body{font:16px/1.45 system-ui,sans-serif;color:#111;background:#fff;max-width:44rem;margin:2rem auto;padding:0 1rem}
        h1{font-size:1.8rem;margin:0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}.s{color:#444}.n{color:#666;font-size:.85rem}
        table{border-collapse:collapse;margin:.4rem 0}td,th{text-align:left;padding:.15rem 1.2rem .15rem 0;vertical-align:top}
        th{color:#666;font-weight:400}td{overflow-wrap:anywhere;font-variant-numeric:tabular-nums}td:first-child{color:#444;min-width:6rem}
        pre{background:#f4f4f4;padding:.6rem;white-space:pre-wrap;overflow-wrap:anywhere}svg{width:100%;height:auto}
        section{break-inside:avoid}@media print{body{margin:0;max-width:none;font-size:11pt}pre{border:1px solid #ccc}}
        """
}
