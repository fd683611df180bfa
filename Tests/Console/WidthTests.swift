import PotluckConsole
import PotluckKit
import PotluckModel
import Testing

@Suite struct WidthTests {
    /// Whatever the job, whatever the terminal.
    @Test func noLineIsWiderThanTheTerminal() {
        for seed in 0..<200 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let snapshot = dice.snapshot()
            let canvas = dice.canvas()
            let lines = JobView(Sample.labels).lines(snapshot, on: canvas)
            check(lines, canvas, seed)
            if let rows = canvas.rows { #expect(lines.count <= max(1, rows - 1), "seed \(seed)") }
            let result = Sample.result(
                readings: snapshot.readings, trials: snapshot.trials, completion: dice.pick([.trials, .stopped]),
                seed: dice.next())
            let digest = String(repeating: "0123456789abcdef", count: 4)
            check(ResultView(Sample.labels).lines(result, digest: digest, on: canvas), canvas, seed)
            check(SimulationsView.list([Sample.any, Sample.any], on: canvas), canvas, seed)
            check(SimulationsView.explain(Sample.any, on: canvas), canvas, seed)
        }
    }

    private func check(_ lines: [Line], _ canvas: Canvas, _ seed: UInt64) {
        for line in lines {
            let text = plain(line.rendered(on: canvas))
            #expect(Cells.width(of: text) <= canvas.columns, "seed \(seed): \(text)")
            #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "seed \(seed)")
            if !canvas.unicode { #expect(text.utf8.allSatisfy { $0 < 0x80 }, "seed \(seed): \(text)") }
        }
    }

    @Test(arguments: [
        ("plain", 5, "ASCII"), ("", 0, "nothing"), ("é", 1, "one letter"), ("e\u{301}", 1, "the same in two"),
        ("中文", 4, "two columns each"), ("👍", 2, "emoji"), ("👩‍👩‍👧‍👦", 2, "a family is one sign"), ("❤️", 2, "text made emoji"),
        ("…±█", 3, "what views use"), ("한글", 4, "Hangul"), ("🇩🇪", 2, "a flag"),
    ])
    func columns(_ text: String, _ width: Int, _ reason: String) {
        #expect(Cells.width(of: text) == width, Comment(rawValue: reason))
    }

    @Test func whatIsCutOffLeavesAMark() {
        let line = Line("abcdefgh")
        #expect(line.rendered(on: Canvas(columns: 8, unicode: true, colour: false)) == "abcdefgh")
        #expect(line.rendered(on: Canvas(columns: 7, unicode: true, colour: false)) == "abcdef…")
        #expect(line.rendered(on: Canvas(columns: 7, unicode: false, colour: false)) == "abcdef~")
        #expect(Line("中文中").rendered(on: Canvas(columns: 4, unicode: true, colour: false)) == "中…")
    }

    @Test func colourIsAddedAndNothingElse() {
        var line = Line("good", .good)
        line.append(" and plain")
        #expect(
            line.rendered(on: Canvas(columns: 40, unicode: true, colour: true)) == "\u{1b}[32mgood\u{1b}[0m and plain")
        #expect(line.rendered(on: Canvas(columns: 40, unicode: true, colour: false)) == "good and plain")
    }

    /// Nobody's name can move the cursor or turn the line around.
    @Test func namesAreMadeHarmless() {
        #expect(Cells.clean("a\u{1b}[2Jb", unicode: true) == "a?[2Jb")
        #expect(Cells.clean("a\u{202e}b", unicode: true).unicodeScalars.allSatisfy { $0 != "\u{202e}" })
        #expect(Cells.clean("5 ± 1 … é", unicode: false) == "5 +/- 1 ... ?")
        let zalgo = "a" + String(repeating: "\u{301}", count: 500)
        #expect(Cells.clean(zalgo, unicode: true) == "?")
    }
}
