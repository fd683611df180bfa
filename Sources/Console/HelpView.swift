/// What the keys do, and what the words on the screen mean.
enum HelpView {
    static func part(_ view: ClusterView, _ state: ViewState) -> Part {
        let canvas = view.canvas
        let valid = view.valid(state)
        var lines = [Line("Keys", .strong)]
        for command in ViewCommand.allCases where valid.contains(command) {
            lines += entry(command.key, words(command, view), on: canvas)
        }
        lines += [Line("", .plain), Line("Words", .strong)]
        for (word, meaning) in meanings { lines += entry(word, meaning, on: canvas) }
        return Part(weight: 9, least: 1, lines)
    }

    private static func words(_ command: ViewCommand, _ view: ClusterView) -> String {
        switch command {
        case .help: "this help"
        case .words: "type the five words again: somebody has others than you typed"
        case .pause: "pause the job; nothing that was computed is lost"
        case .resume: "go on with the job"
        case .cancel: "stop the job and keep what was computed"
        case .reveal: "show the exact answer, for this job"
        case .hide: "hide the exact answer again"
        case .scroll: "scroll the nodes; also Page Up and Down, Home, End"
        case .sort: "sort the nodes by name, rate, trials or state"
        case .reading: "draw the next reading; also the arrows left and right"
        case .job: "look at the next job; Esc: at the one under way"
        case .quit: view.picture.leaving.words
        }
    }

    private static let meanings = [
        ("interval", "the truth is inside it in 95 of 100 runs; so is the band of the chart"),
        ("off by", "how far the reading is from the exact answer; beyond 3 be suspicious"),
        ("share", "a node's part of the trials that count"),
        ("set aside", "it failed several times and is left alone for a while"),
        ("shut out", "it brought wrong results; they do not count"),
    ]

    private static func entry(_ head: String, _ text: String, on canvas: Canvas) -> [Line] {
        let margin = 14
        guard canvas.columns >= margin + 20 else { return canvas.wrapped("\(head): \(text)") }
        let beside = Canvas(columns: canvas.columns - margin, unicode: canvas.unicode, colour: canvas.colour)
        return beside.wrapped(text).enumerated().map { index, words in
            let head = index == 0 ? "  " + head : ""
            var line = Line(head, .strong)
            line.append(String(repeating: " ", count: max(0, margin - canvas.width(of: head))))
            for piece in words.pieces { line.append(piece.text, piece.ink) }
            return line
        }
    }
}
