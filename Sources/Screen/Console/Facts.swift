import PotluckCore

/// Lays out the facts of a run, each with its name in the margin if there is room.
struct Facts {
    let canvas: Canvas

    struct Entry {
        let name: String
        let texts: [String]
        let gap: Int

        init(_ name: String, _ texts: [String], gap: Int = 3) {
            self.name = name
            self.texts = texts
            self.gap = gap
        }
    }

    func lines(_ entries: [Entry]) -> [StyledLine] { Array(parts(entries).joined()) }

    /// Returns the lines of each entry. An entry without texts has none.
    func parts(_ entries: [Entry]) -> [[StyledLine]] {
        let room = canvas.columns - canvas.width(of: Self.margin)
        let isBeside = entries.allSatisfy { $0.texts.allSatisfy { canvas.width(of: $0) <= room } }
        return entries.map { $0.texts.isEmpty ? [] : entry($0.name, $0.texts, gap: $0.gap, isBeside: isBeside) }
    }

    /// Returns the first line: work, time, rate and cores, in phrases that are not broken.
    func opening(
        _ simulation: String, trials: UInt64, _ unit: WorkUnit, _ completion: Completion, elapsed: Duration,
        cores: Int, nodes: Int
    ) -> [StyledLine] {
        let count = Figures.done(trials, unit)
        let how =
            switch completion {
            case .trials: ""
            case .precision: "precision reached after "
            case .duration: "time limit reached after "
            case .stopped: "stopped after "
            }
        var on = "on \(cores) \(cores == 1 ? "core" : "cores")"
        if nodes > 1 { on += " of \(nodes) nodes" }
        let time = "in \(Figures.time(elapsed))"
        var phrases = ["\(simulation):", how + count, time, on]
        if elapsed.seconds > 0, trials > 0, unit != .point {
            let rate = Figures.rate(Double(trials) / elapsed.seconds)
            phrases = ["\(simulation):", how + count, time + ",", rate, on]
        }
        return canvas.flow(phrases.map { StyledLine.Piece(text: $0, ink: .strong) }, gap: 1, indent: 0)
    }

    private static let margin = "  digest   "

    /// Lays out a name with its texts beside it or below.
    private func entry(_ name: String, _ texts: [String], gap: Int, isBeside: Bool) -> [StyledLine] {
        let pieces = texts.map { StyledLine.Piece(text: $0, ink: .plain) }
        guard isBeside else { return [StyledLine(name, .faint)] + canvas.flow(pieces, gap: gap, indent: 1) }
        let margin = canvas.width(of: Self.margin)
        let beside = Canvas(columns: canvas.columns - margin, unicode: canvas.unicode, colour: canvas.colour)
        return beside.flow(pieces, gap: gap, indent: 0).enumerated().map { index, line in
            let head = index == 0 ? "  \(name)" : ""
            var whole = StyledLine(head, .faint)
            whole.append(String(repeating: " ", count: margin - head.count))
            for piece in line.pieces { whole.append(piece.text, piece.ink) }
            return whole
        }
    }

    /// Returns the digest as a whole if it fits, else in pieces that can still be compared.
    func pieces(of digest: String) -> [String] {
        let room = canvas.columns - canvas.width(of: Self.margin)
        let size = digest.count <= room ? max(1, digest.count) : min(16, max(1, canvas.columns - 1))
        let digits = Array(digest)
        return stride(from: 0, to: digits.count, by: size).map {
            String(digits[$0..<min(digits.count, $0 + size)])
        }
    }

    /// Returns the command that repeats the run, in a form that can be copied from any terminal: long lines end in a
    /// backslash, so that a shell joins them.
    func command(_ words: [String]) -> [StyledLine] {
        let whole = words.joined(separator: " ")
        if canvas.width(of: Self.margin) + canvas.width(of: whole) <= canvas.columns {
            return entry("repeat", [whole], gap: 0, isBeside: true)
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
        return [StyledLine("repeat", .faint)]
            + pieces.enumerated().map { index, piece in StyledLine(index < pieces.count - 1 ? piece + "\\" : piece) }
    }

    /// Splits a word that is wider than the terminal. Does not split quoted text, where a backslash would be literal.
    private func split(_ text: String, _ width: Int) -> [String] {
        if text.contains("'") { return [text] }
        let width = max(1, width)
        let letters = Array(text)
        return stride(from: 0, to: letters.count, by: width).map {
            String(letters[$0..<min(letters.count, $0 + width)])
        }
    }
}

extension Canvas {
    /// The lines that prove a result: its digest, if it has one, and the command that computes it again.
    package func proof(digest: String? = nil, command: [String]) -> [StyledLine] {
        let facts = Facts(canvas: self)
        return facts.lines([Facts.Entry("digest", digest.map { facts.pieces(of: $0) } ?? [], gap: 0)])
            + facts.command(command)
    }
}
