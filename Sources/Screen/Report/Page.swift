import PotluckCore
import PotluckKit

/// A recorded run as an HTML page to keep and print. The file is self-contained, without scripts or links to the
/// network.
public struct Page {
    private let run: RunRecord
    private let id: Int64
    private let isBuiltIn: Bool
    private let question: String?
    private let solution: Solution?
    private let date: (Int64) -> String

    /// `isBuiltIn` tells whether this program has the simulation, so that its name is sufficient to repeat the run.
    /// `question` is the simulation's summary; nil if this program does not have the simulation. `solution` is the best
    /// solution of a search.
    public init(
        _ run: RunRecord, id: Int64, isBuiltIn: Bool, question: String? = nil, solution: Solution? = nil,
        date: @escaping (Int64) -> String
    ) {
        self.solution = solution
        self.run = run
        self.id = id
        self.isBuiltIn = isBuiltIn
        self.question = question
        self.date = date
    }

    public var html: String {
        PageMarkup.document(
            title: "\(run.simulation.name), \(date(run.startedAt))", heading: run.simulation.name, question: question,
            opening: opening, sections)
    }

    /// Phrases that are not broken.
    private var opening: [String] {
        let done = Figures.done(run.trials, run.unit)
        let how =
            switch run.completion {
            case .trials: run.isSearch ? "Searched" : "Completed after"
            case .precision: "Precision reached after"
            case .duration: "Time limit reached after"
            case .stopped: "Stopped after"
            }
        let rate = run.rate.map { [", \(Figures.rate($0))"] } ?? []
        let time = [how, done, "in \(Figures.time(run.elapsed))" + (rate.first ?? "") + "."]
        return time + ["Started \(date(run.startedAt)).", "Run \(id)."]
    }

    private var sections: [String] {
        [asked, results, best, pictures, convergence, nodes, notes, identity].compactMap { $0 }
    }

    // MARK: Sections

    private var asked: String? {
        var rows = run.given.map { [$0.name, $0.text] }
        if !run.wanted.isEmpty { rows.append(["goal", run.wanted.joined(separator: ", or ")]) }
        if let seed = run.shownSeed { rows.append(["seed", seed]) }
        return PageMarkup.section("Parameters", PageMarkup.table(rows))
    }

    private var results: String? {
        let rows = run.readings.filter { $0.kind.isNumber }.map { reading -> [String] in
            let words = ReadingWords(reading)
            return [words.name, words.value, words.interval, words.exact, words.distance]
        }
        var parts: [String] = []
        if !rows.isEmpty {
            parts.append(PageMarkup.table(heads: ["", "value", "95 % interval", "exact", "off by"], rows))
        }
        parts += IntervalWords.remarks(run.readings, trials: run.trials).map(PageMarkup.remark)
        let merits = run.merits.joined(separator: ", ")
        if !merits.isEmpty { parts.append(PageMarkup.remark("Figure of merit: \(merits).")) }
        if !run.counts.isEmpty {
            parts.append(
                PageMarkup.table(heads: ["counted", ""], run.counts.map { [$0.name, Figures.grouped($0.count)] }))
        }
        return parts.isEmpty ? nil : PageMarkup.section("Results", parts.joined(separator: "\n"))
    }

    private var best: String? {
        guard let solution else { return nil }
        let texts = solution.shownTexts.map(Markup.escaped).joined(separator: "\n")
        let parts = [
            texts.isEmpty ? nil : "<pre>\(texts)</pre>", solution.rest.map(PageMarkup.remark),
            Drawings.map(solution, title: "The best solution", isStyled: false),
        ]
        let title = run.trials == run.goal.trials ? "Best solution" : "Best solution found so far"
        return PageMarkup.section(title, parts.compactMap { $0 }.joined(separator: "\n"))
    }

    /// Bars of categories, histograms, maps of cells and curves.
    private var pictures: String? {
        let pictures = Picture.all(run.readings).map { picture in
            (picture.hasTitle ? "" : "<h3>\(Markup.escaped(picture.title))</h3>\n") + picture.svg
        }
        return pictures.isEmpty ? nil : PageMarkup.figures(pictures)
    }

    private var convergence: String? {
        let drawings = Drawings.convergences(run)
        guard !drawings.isEmpty else { return nil }
        if run.isSearch {
            return PageMarkup.section(
                "Course",
                PageMarkup.figures(drawings) + PageMarkup.remark("Line: the best solution that was known by then."))
        }
        let exact = run.readings.contains { $0.exact != nil } ? " Dashed line: exact answer." : ""
        return PageMarkup.section(
            "Convergence",
            PageMarkup.figures(drawings) + PageMarkup.remark("Line: value. Band: 95 % interval." + exact))
    }

    private var nodes: String? {
        let all = run.nodes.reduce(0.0) { $0 + Double($1.trials) }
        let hasTree = run.effort != .none
        let rows = run.nodes.map { node -> [String] in
            let name = [node.name, "\(node.cores)"]
            if run.isSearch {
                let tree = [Figures.grouped(node.effort.expanded), Figures.grouped(node.effort.inVain)]
                return name + [Figures.percent(ofSpace: node.trials)] + (hasTree ? tree : [])
            }
            return name + [
                Figures.grouped(node.trials),
                all > 0 ? Figures.significant(100 * Double(node.trials) / all, 3) + " %" : "",
                node.rate.map(Figures.rate) ?? "",
            ]
        }
        let searched = ["part of the tree"] + (hasTree ? ["nodes expanded", "in vain"] : [])
        let heads = ["node", "cores"] + (run.isSearch ? searched : [run.unit.plural, "share", "speed"])
        return rows.isEmpty ? nil : PageMarkup.section("Nodes", PageMarkup.table(heads: heads, rows))
    }

    private var notes: String? {
        let notes = run.notes.map {
            "<p><span class=\"n\">\(Markup.escaped(date($0.at)))</span> \(Markup.escaped($0.text))</p>"
        }
        return notes.isEmpty ? nil : PageMarkup.section("Notes", notes.joined(separator: "\n"))
    }

    private var identity: String? {
        let rows = [
            ["digest", run.digest], ["source", run.simulation.source], ["streams", "\(run.simulation.streams)"],
            ["block", run.isSearch ? "" : "\(run.blockSize) \(run.unit.plural)"],
            ["program", "potluck \(run.program)"],
            ["session", run.origin?.session ?? ""], ["started by", run.origin?.submitter ?? ""],
        ]
        let command = run.canBeRepeated ? run.command(isBuiltIn: isBuiltIn) : nil
        let again =
            command.map {
                "<p>This command gives the same digest on any machine:</p>\n<pre>\($0.map(PageMarkup.unbroken).joined(separator: " "))</pre>"
            } ?? ""
        return PageMarkup.section("Repeat", again + PageMarkup.table(rows.filter { !$0[1].isEmpty }, isLong: true))
    }
}
