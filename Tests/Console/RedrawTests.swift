import Testing

@testable import PotluckScreen

@Suite struct RedrawTests {
    private let canvas = Canvas(columns: 10, rows: 5, unicode: true, colour: false)

    @Test func theSecondPictureIsDrawnOverTheFirst() {
        var redraw = Redraw()
        #expect(redraw.frame([StyledLine("a"), StyledLine("b")], on: canvas) == "\r\u{1b}[2Ka\n\u{1b}[2Kb\n\u{1b}[J")
        #expect(
            redraw.frame([StyledLine("c")], on: canvas)
                == "\u{1b}[?2026h\r\u{1b}[2A\u{1b}[2Kc\n\u{1b}[J\u{1b}[?2026l")
        #expect(redraw.erase(on: canvas) == "\r\u{1b}[1A\u{1b}[J")
        #expect(redraw.erase(on: canvas) == "")
    }

    /// A terminal that became narrower has wrapped each line.
    @Test func aNarrowerTerminalIsClearedWhole() {
        var redraw = Redraw()
        _ = redraw.frame([StyledLine("0123456789"), StyledLine("01234")], on: canvas)
        let narrow = Canvas(columns: 4, rows: 20, unicode: true, colour: false)
        #expect(redraw.erase(on: narrow) == "\r\u{1b}[5A\u{1b}[J")
    }

    @Test func linesThatScrolledAwayAreNotErased() {
        var redraw = Redraw()
        _ = redraw.frame([StyledLine](repeating: StyledLine("x"), count: 4), on: canvas)
        let low = Canvas(columns: 10, rows: 3, unicode: true, colour: false)
        #expect(redraw.erase(on: low) == "\r\u{1b}[2A\u{1b}[J")
    }

    @Test func textOfOthersStays() {
        var redraw = Redraw()
        _ = redraw.frame([StyledLine("a")], on: canvas)
        redraw.forget()
        #expect(redraw.frame([StyledLine("b")], on: canvas) == "\r\u{1b}[2Kb\n\u{1b}[J")
    }
}

/// An emulator of the control codes that `Redraw` uses.
private struct Emulator {
    private(set) var screen: [[Character]]
    private let columns: Int
    private var row = 0
    private var column = 0

    init(columns: Int, rows: Int) {
        self.columns = columns
        screen = Array(repeating: [], count: rows)
    }

    mutating func show(_ text: String) {
        var rest = Array(text)[...]
        while let character = rest.popFirst() {
            switch character {
            case "\n":
                column = 0
                row += 1
                if row == screen.count {
                    screen.removeFirst()
                    screen.append([])
                    row -= 1
                }
            case "\r": column = 0
            case "\u{1b}":
                let code = rest.dropFirst().prefix { !$0.isLetter }
                rest = rest.dropFirst(1 + code.count)
                control(rest.popFirst() ?? "?", String(code))
            default:
                precondition(column < columns, "wider than the screen")
                while screen[row].count <= column { screen[row].append(" ") }
                screen[row][column] = character
                column += 1
            }
        }
    }

    private mutating func control(_ letter: Character, _ code: String) {
        switch letter {
        case "A": row = max(0, row - (Int(code) ?? 1))
        case "B": row = min(screen.count - 1, row + (Int(code) ?? 1))
        case "K": screen[row] = []
        case "J":
            screen[row] = Array(screen[row].prefix(column))
            for below in (row + 1)..<max(row + 1, screen.count) { screen[below] = [] }
        case "h", "l": precondition(code == "?2026")
        default: preconditionFailure("not a code of ours: \(letter)")
        }
    }

    /// Returns up to `count` lines above the cursor.
    func block(_ count: Int) -> [String] { screen[..<row].suffix(count).map { String($0) } }
}

@Suite struct RedrawLawTests {
    /// The screen shows the last picture and only that, whatever was there before.
    @Test func theScreenShowsTheLastPicture() {
        for seed in 0..<300 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let canvas = Canvas(columns: 12, rows: 8, unicode: true, colour: false)
            var emulator = Emulator(columns: 12, rows: 8)
            var redraw = Redraw()
            emulator.show(String(repeating: "before\n", count: dice.below(12)))
            var texts: [String] = []
            for _ in 0..<20 {
                let count = dice.below(8)
                texts = (0..<count).map { index in
                    index < texts.count && dice.below(2) == 0
                        ? texts[index] : dice.pick(["", "a", "bcd", "twelve lett."])
                }
                if dice.below(8) == 0 { redraw.refresh() }
                emulator.show(redraw.frame(texts.map { StyledLine($0) }, on: canvas))
                #expect(emulator.block(count) == texts, "seed \(seed)")
            }
            emulator.show(redraw.erase(on: canvas))
            #expect(!emulator.screen.joined().contains("w"), "seed \(seed)")
        }
    }

    @Test func unchangedLinesAreNotWrittenAgain() {
        let canvas = Canvas(columns: 80, rows: 60, unicode: true, colour: true)
        func frame(_ trials: UInt64, _ redraw: inout Redraw) -> Int {
            var picture = Room.picture(nodes: 30)
            picture.jobs[0] = Room.job(nodes: 30, trials: trials)
            let view = ClusterView(picture, now: .start, on: canvas)
            return redraw.frame(view.lines(), on: canvas).utf8.count
        }
        var redraw = Redraw()
        let whole = frame(700_000_000, &redraw)
        #expect(frame(700_000_000, &redraw) == 0)
        // One digit changes on a screen with many lines: only its line is written again.
        var lines = (0..<40).map { StyledLine("node \($0)  computing  1 234 567/s") }
        var other = Redraw()
        let all = other.frame(lines, on: canvas).utf8.count
        lines[17] = StyledLine("node 17  computing  1 234 568/s")
        let one = other.frame(lines, on: canvas).utf8.count
        #expect(one < 80 && one * 15 < all)
        #expect(whole > 2500)
    }
}
