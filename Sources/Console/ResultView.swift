import PotluckKit
import PotluckModel

/// What a run came to, to be read and kept.
public struct ResultView: Sendable {
    private let labels: JobLabels

    public init(_ labels: JobLabels) { self.labels = labels }

    public func lines(_ result: JobResult, digest: String, on canvas: Canvas) -> [Line] {
        var lines = canvas.wrapped(opening(result), .strong)
        lines.append(Line())
        let table = ReadingTable(canvas: canvas).lines(result.readings)
        if !table.isEmpty { lines += table + [Line()] }
        for histogram in result.readings where histogram.kind == .histogram {
            lines += Chart(canvas: canvas).lines(histogram, height: 6) + [Line()]
        }
        let counts = labels.counts(result.tally).map { "\($0.name) \(Figures.grouped($0.count))" }
        let parameters = labels.values(result.experiment)
        if !counts.isEmpty { lines += entry("tally", counts, canvas) }
        if !parameters.isEmpty { lines += entry("given", parameters, canvas) }
        lines += entry("seed", ["\(result.experiment.seed)"], canvas)
        lines += entry("digest", pieces(of: digest, canvas), canvas, gap: 0)
        lines += command(labels.command(result.experiment, trials: result.trials), canvas)
        return lines
    }

    private func opening(_ result: JobResult) -> String {
        let trials = "\(Figures.grouped(result.trials)) \(result.trials == 1 ? "trial" : "trials")"
        let how =
            switch result.completion {
            case .trials: ""
            case .precision: "precise enough after "
            case .duration: "time up after "
            case .stopped: "stopped after "
            }
        let cores = result.nodes.reduce(0) { $0 + $1.cores }
        var text = "\(labels.simulation): \(how)\(trials) in \(Figures.time(result.elapsed))"
        if result.elapsed.seconds > 0, result.trials > 0 {
            text += ", \(Figures.rate(Double(result.trials) / result.elapsed.seconds))"
        }
        return text + " on \(cores) \(cores == 1 ? "core" : "cores")"
    }

    private static let margin = "  digest   "

    /// A word in the margin and what it stands for beside it, or, where that is too narrow, below.
    private func entry(_ name: String, _ texts: [String], _ canvas: Canvas, gap: Int = 3) -> [Line] {
        let margin = canvas.width(of: Self.margin)
        let beside = Canvas(
            columns: canvas.columns - margin, unicode: canvas.unicode, colour: canvas.colour)
        let pieces = texts.map { Line.Piece(text: $0, ink: .plain) }
        if canvas.columns > margin, pieces.allSatisfy({ canvas.width(of: $0.text) <= beside.columns }) {
            return beside.flow(pieces, gap: gap, indent: 0).enumerated().map { index, line in
                let head = index == 0 ? "  \(name)" : ""
                var whole = Line(head, .faint)
                whole.append(String(repeating: " ", count: margin - head.count))
                for piece in line.pieces { whole.append(piece.text, piece.ink) }
                return whole
            }
        }
        return [Line(name, .faint)] + canvas.flow(pieces, gap: gap, indent: 1)
    }

    /// A digest in one piece where it fits, else in pieces of sixteen, or eight.
    private func pieces(of digest: String, _ canvas: Canvas) -> [String] {
        let room = canvas.columns - canvas.width(of: Self.margin)
        let size = digest.count <= room ? digest.count : room >= 16 ? 16 : 8
        let digits = Array(digest)
        return stride(from: 0, to: digits.count, by: size).map {
            String(digits[$0..<min(digits.count, $0 + size)])
        }
    }

    /// The command to repeat this, such that it can be copied from any terminal: a shell joins lines that end in a
    /// backslash.
    private func command(_ words: [String], _ canvas: Canvas) -> [Line] {
        let whole = entry("again", [words.joined(separator: " ")], canvas)
        if whole.count == 1 { return whole }
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + word.count + 3 <= canvas.columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(word)
            }
        }
        let pieces = lines.enumerated().flatMap { index, line in
            split(index < lines.count - 1 ? line + " " : line, canvas.columns - 1)
        }
        return [Line("again", .faint)]
            + pieces.enumerated().map { index, piece in Line(index < pieces.count - 1 ? piece + "\\" : piece) }
    }

    /// Even a word may be wider than a very narrow terminal.
    private func split(_ text: String, _ width: Int) -> [String] {
        let width = max(1, width)
        let letters = Array(text)
        return stride(from: 0, to: letters.count, by: width).map {
            String(letters[$0..<min(letters.count, $0 + width)])
        }
    }
}
