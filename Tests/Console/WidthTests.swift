import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct WidthTests {
    /// Any picture fits any terminal in any view state.
    @Test func everyPictureFitsItsTerminal() {
        for seed in 0..<250 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let picture = dice.picture()
            let canvas = dice.canvas()
            let view = ClusterView(picture, now: .start + dice.duration(), on: canvas)
            let lines = view.lines(dice.viewState())
            check(lines, canvas, seed)
            if let rows = canvas.rows { #expect(lines.count <= max(1, rows - 1), "seed \(seed)") }
            #expect(!lines.isEmpty || picture.session == nil && picture.jobs.isEmpty, "seed \(seed)")
        }
    }

    @Test func otherLinesFitAsWell() {
        for seed in 0..<100 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let snapshot = dice.snapshot()
            let canvas = dice.canvas()
            let result = Sample.result(
                readings: snapshot.readings, trials: snapshot.trials, completion: dice.pick([.trials, .stopped]),
                seed: dice.next())
            check(ResultView(isBuiltIn: true).lines(result, digest: Sample.digest, on: canvas), canvas, seed)
            check(SimulationsView.list([Sample.any, Sample.any], on: canvas), canvas, seed)
            check(SimulationsView.explain(Sample.any, on: canvas), canvas, seed)
        }
    }

    private func check(_ lines: [StyledLine], _ canvas: Canvas, _ seed: UInt64) {
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

    @Test func truncatedTextEndsInAMark() {
        let line = StyledLine("abcdefgh")
        #expect(line.rendered(on: Canvas(columns: 8, unicode: true, colour: false)) == "abcdefgh")
        #expect(line.rendered(on: Canvas(columns: 7, unicode: true, colour: false)) == "abcdef…")
        #expect(line.rendered(on: Canvas(columns: 7, unicode: false, colour: false)) == "abcdef~")
        #expect(StyledLine("中文中").rendered(on: Canvas(columns: 4, unicode: true, colour: false)) == "中…")
    }

    @Test func aNameKeepsItsEnd() {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        #expect(canvas.cut(name: "the-laptop-of-emil 12", to: 12) == "the-lapt… 12")
        #expect(canvas.cut(name: "emil 12", to: 7) == "emil 12")
        #expect(canvas.cut(name: "emil 12", to: 5) == "emil…")
        for width in 0...40 {
            for name in [String(repeating: "中", count: 63), "中a中b中c中", "the-laptop-of-emil 12"] {
                #expect(Cells.width(of: canvas.cut(name: name, to: width)) <= width)
            }
        }
    }

    @Test func colourIsAddedAndNothingElse() {
        var line = StyledLine("good", .good)
        line.append(" and plain")
        #expect(
            line.rendered(on: Canvas(columns: 40, unicode: true, colour: true)) == "\u{1b}[32mgood\u{1b}[0m and plain")
        #expect(line.rendered(on: Canvas(columns: 40, unicode: true, colour: false)) == "good and plain")
    }

    /// A name can neither move the cursor nor reverse the line.
    @Test func namesAreMadeHarmless() {
        #expect(Cells.clean("a\u{1b}[2Jb", unicode: true) == "a?[2Jb")
        #expect(Cells.clean("a\u{202e}b", unicode: true).unicodeScalars.allSatisfy { $0 != "\u{202e}" })
        #expect(Cells.clean("5 ± 1 … é", unicode: false) == "5 +/- 1 ... ?")
        let zalgo = "a" + String(repeating: "\u{301}", count: 500)
        #expect(Cells.clean(zalgo, unicode: true) == "?")
    }
}
