import PotluckKit
import PotluckModel

/// What a run came to, to be read and kept.
public struct ResultView: Sendable {
    private let typed: String?

    /// `typed` is what people write for the simulation, where that is not its name: a file.
    public init(typed: String? = nil) { self.typed = typed }

    public func lines(_ result: JobResult, digest: String, on canvas: Canvas) -> [Line] {
        var lines = opening(result, canvas)
        lines.append(Line())
        let table = ReadingTable(canvas: canvas).lines(result.readings)
        if !table.isEmpty { lines += table + [Line()] }
        for histogram in result.readings where histogram.kind == .histogram {
            lines += Chart(canvas: canvas).lines(histogram, height: 6) + [Line()]
        }
        let facts = facts(result, digest, canvas)
        return lines + facts.given + facts.proof
    }

    /// The same as parts of a picture that has other things in it, too.
    func parts(_ result: JobResult, digest: String, hidesExact: Bool, reading: Int, on canvas: Canvas) -> [Part] {
        let readings = hidesExact ? result.readings.map(\.withoutExact) : result.readings
        let charts = Charts(canvas: canvas, course: result.course, trials: result.trials, readings: readings)
        let facts = facts(result, digest, canvas)
        return [
            Part(weight: 10, least: 1, isApart: true, opening(result, canvas)),
            ReadingTable(canvas: canvas, isCompact: canvas.rows != nil).part(readings),
        ] + charts.parts(reading) + [
            Part(weight: 3, isApart: true, facts.given), Part(weight: 8, facts.proof),
        ]
    }

    private func opening(_ result: JobResult, _ canvas: Canvas) -> [Line] {
        canvas.flow(opening(result).map { Line.Piece(text: $0, ink: .strong) }, gap: 1, indent: 0)
    }

    /// What it was made from and what it can be compared by, each with a word in the margin where there is room.
    private func facts(_ result: JobResult, _ digest: String, _ canvas: Canvas) -> (given: [Line], proof: [Line]) {
        let title = result.spec.title
        let counts = zip(title.counts, title.counts(of: result.tally))
        var given: [(name: String, texts: [String])] = [
            ("tally", counts.map { "\($0.name) \(Figures.grouped($1))" }), ("given", result.spec.values),
            ("seed", ["\(result.experiment.seed)"]),
        ]
        given.removeAll { $0.texts.isEmpty }
        let digits = pieces(of: digest, canvas)
        let room = canvas.columns - canvas.width(of: Self.margin)
        let isBeside = (given.map(\.texts) + [digits]).joined().allSatisfy { canvas.width(of: $0) <= room }
        let proof = entry("digest", digits, canvas, gap: 0, isBeside: isBeside)
        return (
            given.flatMap { entry($0.name, $0.texts, canvas, gap: 3, isBeside: isBeside) },
            proof + again(result, canvas)
        )
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
        let cores = result.nodes.reduce(0) { $0 &+ $1.cores }
        var on = "on \(cores) \(cores == 1 ? "core" : "cores")"
        if result.nodes.count > 1 { on += " of \(result.nodes.count) nodes" }
        let time = "in \(Figures.time(result.elapsed))"
        let name = "\(result.spec.name):"
        guard result.elapsed.seconds > 0, result.trials > 0 else { return [name, how + trials, time, on] }
        let rate = Figures.rate(Double(result.trials) / result.elapsed.seconds)
        return [name, how + trials, time + ",", rate, on]
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
        let size = digest.count <= room ? max(1, digest.count) : min(16, max(1, canvas.columns - 1))
        let digits = Array(digest)
        return stride(from: 0, to: digits.count, by: size).map {
            String(digits[$0..<min(digits.count, $0 + size)])
        }
    }

    /// The command to repeat this, such that it can be copied from any terminal: a shell joins lines that end in a
    /// backslash.
    private func again(_ result: JobResult, _ canvas: Canvas) -> [Line] {
        // Nothing can be asked of no trials.
        guard result.trials > 0, let words = result.spec.command(trials: result.trials, typed: typed) else { return [] }
        let whole = words.joined(separator: " ")
        if canvas.width(of: Self.margin) + canvas.width(of: whole) <= canvas.columns {
            return entry("again", [whole], canvas, gap: 0, isBeside: true)
        }
        var lines: [String] = []
        for word in words {
            if let last = lines.last, canvas.width(of: last) + canvas.width(of: word) + 3 <= canvas.columns {
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

    /// Even a word may be wider than a very narrow terminal. Between quotes a backslash would be one more letter.
    private func split(_ text: String, _ width: Int) -> [String] {
        if text.contains("'") { return [text] }
        let width = max(1, width)
        let letters = Array(text)
        return stride(from: 0, to: letters.count, by: width).map {
            String(letters[$0..<min(letters.count, $0 + width)])
        }
    }
}
