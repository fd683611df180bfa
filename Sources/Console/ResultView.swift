import PotluckKit
import PotluckModel

/// What a run came to, to be read and kept.
public struct ResultView: Sendable {
    private let labels: JobLabels

    public init(_ labels: JobLabels) { self.labels = labels }

    public func lines(_ result: JobResult, digest: String, on canvas: Canvas) -> [Line] {
        var lines = canvas.flow(opening(result).map { Line.Piece(text: $0, ink: .strong) }, gap: 1, indent: 0)
        lines.append(Line())
        let table = ReadingTable(canvas: canvas).lines(result.readings)
        if !table.isEmpty { lines += table + [Line()] }
        for histogram in result.readings where histogram.kind == .histogram {
            lines += Chart(canvas: canvas).lines(histogram, height: 6) + [Line()]
        }
        lines += facts(result, digest, canvas)
        return lines
    }

    /// What it was made from and what it can be compared by, each with a word in the margin where there is room.
    private func facts(_ result: JobResult, _ digest: String, _ canvas: Canvas) -> [Line] {
        var facts: [(name: String, texts: [String], gap: Int)] = [
            ("tally", labels.counts(result.tally).map { "\($0.name) \(Figures.grouped($0.count))" }, 3),
            ("given", labels.values(result.experiment), 3),
            ("seed", ["\(result.experiment.seed)"], 3),
            ("digest", pieces(of: digest, canvas), 0),
        ]
        facts.removeAll { $0.texts.isEmpty }
        let room = canvas.columns - canvas.width(of: Self.margin)
        let isBeside = facts.allSatisfy { $0.texts.allSatisfy { canvas.width(of: $0) <= room } }
        let lines = facts.flatMap { entry($0.name, $0.texts, canvas, gap: $0.gap, isBeside: isBeside) }
        // Nothing can be asked of no trials.
        guard result.trials > 0 else { return lines }
        return lines + command(labels.command(result.experiment, trials: result.trials), canvas)
    }

    /// What was done, in phrases that stay together.
    private func opening(_ result: JobResult) -> [String] {
        let trials = "\(Figures.grouped(result.trials)) \(result.trials == 1 ? "trial" : "trials")"
        let how =
            switch result.completion {
            case .trials: ""
            case .precision: "precise enough after "
            case .duration: "time up after "
            case .stopped: "stopped after "
            }
        let cores = result.nodes.reduce(0) { $0 + $1.cores }
        let on = "on \(cores) \(cores == 1 ? "core" : "cores")"
        let time = "in \(Figures.time(result.elapsed))"
        guard result.elapsed.seconds > 0, result.trials > 0 else {
            return ["\(labels.simulation):", how + trials, time, on]
        }
        let rate = Figures.rate(Double(result.trials) / result.elapsed.seconds)
        return ["\(labels.simulation):", how + trials, time + ",", rate, on]
    }

    private static let margin = "  digest   "

    /// A word and what it stands for, beside it or below.
    private func entry(_ name: String, _ texts: [String], _ canvas: Canvas, gap: Int, isBeside: Bool) -> [Line] {
        let pieces = texts.map { Line.Piece(text: $0, ink: .plain) }
        guard isBeside else { return [Line(name, .faint)] + canvas.flow(pieces, gap: gap, indent: 1) }
        let margin = canvas.width(of: Self.margin)
        let beside = Canvas(columns: canvas.columns - margin, unicode: canvas.unicode, colour: canvas.colour)
        return beside.flow(pieces, gap: gap, indent: 0).enumerated().map { index, line in
            let head = index == 0 ? "  \(name)" : ""
            var whole = Line(head, .faint)
            whole.append(String(repeating: " ", count: margin - head.count))
            for piece in line.pieces { whole.append(piece.text, piece.ink) }
            return whole
        }
    }

    /// A digest in one piece where it fits, else in pieces that can still be compared.
    private func pieces(of digest: String, _ canvas: Canvas) -> [String] {
        let room = canvas.columns - canvas.width(of: Self.margin)
        let size = digest.count <= room ? digest.count : min(16, max(1, canvas.columns - 1))
        let digits = Array(digest)
        return stride(from: 0, to: digits.count, by: size).map {
            String(digits[$0..<min(digits.count, $0 + size)])
        }
    }

    /// The command to repeat this, such that it can be copied from any terminal: a shell joins lines that end in a
    /// backslash.
    private func command(_ words: [String], _ canvas: Canvas) -> [Line] {
        let whole = words.joined(separator: " ")
        if canvas.width(of: Self.margin) + whole.count <= canvas.columns {
            return entry("again", [whole], canvas, gap: 0, isBeside: true)
        }
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
