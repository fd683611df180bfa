/// Explains the keys and the words on the screen.
enum HelpView {
    static func part(_ view: ClusterView, _ state: ViewState) -> Part {
        let canvas = view.canvas
        let valid = view.valid(state)
        var lines = [StyledLine("Keys", .strong)]
        for command in ViewCommand.allCases where valid.contains(command) {
            lines += entry(command.key, words(command, view), on: canvas)
        }
        lines += [StyledLine("", .plain), StyledLine("Words", .strong)]
        for (word, meaning) in meanings { lines += entry(word, meaning, on: canvas) }
        return Part(weight: 9, least: 1, lines)
    }

    private static func words(_ command: ViewCommand, _ view: ClusterView) -> String {
        switch command {
        case .help: "show this help"
        case .words: "type other join words"
        case .page: "show the QR code of the page for browsers"
        case .pause: "pause the job; nothing is lost"
        case .resume: "resume the job"
        case .cancel: "cancel the job and keep the result so far"
        case .reveal: "show the exact answers of all jobs so far"
        case .hide: "hide the exact answers again"
        case .scroll: "scroll the nodes; also Page Up, Page Down, Home, End"
        case .sort: "sort the nodes by name, rate, share or state"
        case .reading: "plot the next reading; also the left and right arrow keys"
        case .job: "show the next job; Esc shows the running one"
        case .roster: "list all devices with their cores and shares"
        case .message: "type a message to all"
        case .close: "close the session: nobody new can join"
        case .open: "open the session again: others can join"
        case .quit: view.picture.leaving.words
        }
    }

    private static let meanings = [
        ("interval", "contains the true value in 95 of 100 runs; the chart's band shows it"),
        ("off by", "distance from the exact answer in standard errors; be suspicious above 3"),
        ("share", "a node's part of what is done"),
        ("set aside", "the node failed several times and gets no work for a while"),
        ("shut out", "the node sent wrong results; none of its results count"),
    ]

    private static func entry(_ head: String, _ text: String, on canvas: Canvas) -> [StyledLine] {
        let margin = 14
        guard canvas.columns >= margin + 20 else { return canvas.wrapped("\(head): \(text)") }
        let beside = Canvas(columns: canvas.columns - margin, unicode: canvas.unicode, colour: canvas.colour)
        return beside.wrapped(text).enumerated().map { index, words in
            let head = index == 0 ? "  " + head : ""
            var line = StyledLine(head, .strong)
            line.append(String(repeating: " ", count: max(0, margin - canvas.width(of: head))))
            for piece in words.pieces { line.append(piece.text, piece.ink) }
            return line
        }
    }
}
