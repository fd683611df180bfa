import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// Tests of whole pictures, character by character.
@Suite struct PictureTests {
    private func draw(_ lines: [StyledLine], _ canvas: Canvas) -> [String] { lines.map { $0.rendered(on: canvas) } }

    private func job(_ canvas: Canvas, _ snapshot: JobSnapshot) -> [String] {
        let picture = ClusterPicture(jobs: [snapshot], leaving: .stops, takesKeys: false)
        return draw(ClusterView(picture, now: .start, on: canvas).lines(), canvas)
    }

    @Test func aRunningJobAtEightyColumns() {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let snapshot = Sample.snapshot(readings: [Sample.stay, Sample.price, Sample.spread])
        #expect(
            job(canvas, snapshot) == [
                "sample   doors 3   rate 0.25   seed 42",
                "",
                "          value     95 % interval       exact     off by",
                "  stay    0.33361   0.33269 … 0.33454   0.33333   0.6 std. errors",
                "  price   10.451    10.440 … 10.462",
                "",
                "spread",
                "                 ███████████████",
                "                 ███████████████",
                "                 ███████████████",
                "                 ██████████████████████████████",
                "  ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄██████████████████████████████",
                "  █████████████████████████████████████████████▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁",
                "  0                                                          8",
                "  5 above 8",
                "",
                "  stay 333 333   switch 666 667",
                "  ████████████████▋░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  33 %   about 4 s left",
                "  1 000 000 of 3 000 000 trials   400 ms   2.50 million/s",
                "Ctrl-C stops the run",
            ])
    }

    @Test func aRunningJobAtTwentyColumnsInASCII() {
        let canvas = Canvas(columns: 20, unicode: false, colour: false)
        #expect(
            job(canvas, Sample.snapshot(readings: [Sample.stay], remaining: .unknown)) == [
                "sample   doors 3",
                "rate 0.25   seed 42",
                "",
                "stay",
                " 0.33361",
                " from 0.33269",
                " to 0.33454",
                " exact 0.33333",
                " off by 0.6 s.e.",
                "",
                " stay 333 333",
                " switch 666 667",
                " no estimate yet",
                " [###........]  33 %",
                " 1 000 000",
                " of 3 000 000",
                " 400 ms",
                " 2.50 million/s",
                "Ctrl-C stops the run",
            ])
    }

    /// Readings that lag behind the picture are marked as such, on the screen and in a log.
    @Test(arguments: [true, false]) func aSlowReaderIsShownAsSuch(isSlow: Bool) {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        var snapshot = Sample.snapshot(readings: [Sample.stay], elapsed: ProgressLine.interval)
        snapshot.isReadSlowly = isSlow
        let words = "the simulation is slow to compute its readings, so they lag behind"
        #expect(job(canvas, snapshot).contains("  " + words) == isSlow)
        var log = ProgressLine()
        #expect(log.lines(snapshot).contains { $0.contains(words) } == isSlow)
        snapshot.state = .done(.trials)
        #expect(!job(canvas, snapshot).contains("  " + words))
    }

    @Test func aLowWindowKeepsTheReadings() {
        let canvas = Canvas(columns: 80, rows: 5, unicode: true, colour: false)
        #expect(
            job(canvas, Sample.snapshot(readings: [Sample.stay, Sample.spread])) == [
                "sample   doors 3   rate 0.25   seed 42",
                "         value     95 % interval       exact     off by",
                "  stay   0.33361   0.33269 … 0.33454   0.33333   0.6 std. errors",
                "  ████████████████▋░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  33 %   about 4 s left",
            ])
    }

    /// A job without a goal has no bar and no estimate.
    @Test func anEndlessJob() {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let snapshot = Sample.snapshot(readings: [], goal: Goal(), rate: nil, remaining: .endless)
        #expect(
            job(canvas, snapshot).suffix(3) == [
                "  runs until stopped", "  1 000 000 trials   400 ms", "Ctrl-C stops the run",
            ])
        #expect(!job(canvas, snapshot).contains { $0.contains("%") })
    }

    @Test func aJobThatStopsAtAPrecision() {
        let canvas = Canvas(columns: 100, unicode: true, colour: false)
        let snapshot = Sample.snapshot(readings: [Sample.stay], goal: Goal(precision: .absolute(0.0001)))
        // (0.0001 / 0.0009245)² of the trials are done.
        #expect(job(canvas, snapshot).contains { $0.hasSuffix("  1 %   about 4 s left") })
        #expect(job(canvas, snapshot).contains { $0.contains("now ± 0.00092   goal ± 0.00010") })
    }

    @Test func aJobThatStopsAtThePrecisionsOfSomeReadings() {
        let canvas = Canvas(columns: 120, unicode: true, colour: false)
        let limits = [("change", WidthLimit.absolute(0.0001)), (Sample.stay.name, .relative(0.001))]
        let goal = Goal(precision: .named(limits.map { ReadingLimit(reading: $0, limit: $1) }))
        let goals = "goal change ± 0.00010 and \(Sample.stay.name) ± 0.10 %"
        // A reading that is not there says nothing yet.
        let snapshot = Sample.snapshot(readings: [Sample.stay], goal: goal)
        #expect(job(canvas, snapshot).contains { $0.contains(goals) && !$0.contains("now") })
        let change = Reading(name: "change", kind: .mean, value: 5, interval: 4.9999...5.0001)
        let both = job(canvas, Sample.snapshot(readings: [change, Sample.stay], goal: goal))
        #expect(both.contains { $0.contains("now \(Sample.stay.name) ± 0.28 %   \(goals)") }, "\(both)")
    }

    @Test func aSpoiltReadingIsNotShownAsANumber() {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let spoilt = Reading(name: "mean", kind: .mean, value: nil, isSpoilt: true)
        #expect(job(canvas, Sample.snapshot(readings: [spoilt])).contains("  mean   invalid"))
    }

    @Test func aResult() {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let digest = String(repeating: "0123456789abcdef", count: 4)
        let result = Sample.result(readings: [Sample.stay], trials: 3_000_000, completion: .stopped)
        #expect(
            draw(ResultView(isBuiltIn: true).lines(result, digest: digest, on: canvas), canvas) == [
                "sample: stopped after 3 000 000 trials in 400 ms, 7.50 million/s on 2 cores",
                "",
                "         value     95 % interval       exact     off by",
                "  stay   0.33361   0.33269 … 0.33454   0.33333   0.6 std. errors",
                "",
                "  tally    stay 1 000 000   switch 2 000 000",
                "  given    doors 3   rate 0.25",
                "  seed     42",
                "  digest   0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "  repeat   potluck run sample --trials 3e6 --seed 42",
            ])
    }

    /// A plugin cannot be repeated by its name alone. The submitter knows the file.
    @Test func nobodyIsGivenACommandThatWouldNotWork() {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let result = Sample.result(readings: [], trials: 3_000_000, completion: .trials)
        func last(_ view: ResultView) -> String? { draw(view.lines(result, digest: "00", on: canvas), canvas).last }
        #expect(last(ResultView(isBuiltIn: false)) == "  digest   00")
        #expect(
            last(ResultView(isBuiltIn: false, typed: "sample.swift"))
                == "  repeat   potluck run sample.swift --trials 3e6 --seed 42")
    }

    /// At any width, a shell reads the lines as the command.
    @Test func theCommandCanBeCopiedFromAnyTerminal() {
        for columns in 2...120 {
            let canvas = Canvas(columns: columns, unicode: true, colour: false)
            let result = Sample.result(readings: [], trials: 4_784_128, completion: .stopped, seed: .max)
            let lines = draw(ResultView(isBuiltIn: true).lines(result, digest: "00", on: canvas), canvas)
            let text = lines.joined(separator: "\n").replacing("\\\n", with: "")
            #expect(
                text.hasSuffix("potluck run sample --trials 4784128 --seed 18446744073709551615"), "\(columns) columns")
        }
    }

    /// Text from others is one word of the command, whatever characters it contains.
    @Test(arguments: [
        ("doors", "doors"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$(x);`y`", "'$(x);`y`'"), ("", "''"),
        ("a\nb", "'a?b'"), ("-x", "-x"),
    ])
    func textForAShellIsOneWord(_ text: String, _ word: String) { #expect(ShellWord.shown(text) == word) }
}
