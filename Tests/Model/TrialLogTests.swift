import Testing

@testable import PotluckCore
@testable import PotluckKit

/// What a trial's log means: what the kit wrote, and nothing that crashes otherwise.
@Suite struct TrialLogTests {
    /// A frame that was drawn at random, as the kit writes it and as it is meant.
    private struct Drawn {
        var sketch: Sketch
        var frame: TrialLog.Frame

        init(_ random: inout SeededGenerator, on before: (width: Int, height: Int)?) {
            var sides = [1000, 1 + Int(random.next(below: 1000))]
            if random.next(below: 2) == 0 { sides.reverse() }
            if let before { sides = [before.width, before.height] }
            let (width, height) = (sides[0], sides[1])
            let scale = Sketch.scale(Double(width), Double(height))
            sketch =
                before == nil ? Sketch(Double(width), Double(height), scale: scale) : Sketch(scale: scale)
            frame = TrialLog.Frame(width: width, height: height, isFirst: before == nil, shapes: [])
            for _ in 0..<random.next(below: 6) { add(&random) }
        }

        private mutating func add(_ random: inout SeededGenerator) {
            var generator = random
            func place() -> Int { Int(generator.next(below: 2001)) - 500 }
            let (x, y, a, b) = (place(), place(), place(), place())
            let (endX, endY) = (Double(a), Double(b))
            let ink = Sketch.Ink.allCases[Int(generator.next(below: 5))]
            let isFilled = generator.next(below: 2) == 0
            let form: TrialLog.Form
            switch generator.next(below: 4) {
            case 0:
                sketch.line(Double(x), Double(y), endX, endY, ink)
                form = .line(to: .init(a, b))
            case 1:
                sketch.box(Double(x), Double(y), endX, endY, ink, isFilled: isFilled)
                form = .box(to: .init(a, b), isFilled: isFilled)
            case 2:
                sketch.circle(Double(x), Double(y), radius: Double(abs(a)), ink, isFilled: isFilled)
                form = .circle(radius: abs(a), isFilled: isFilled)
            default:
                let text = ["", "a car", " 7  Ziegen ", "Žába"][Int(generator.next(below: 4))]
                sketch.text("\(text)", Double(x), Double(y), ink)
                form = .text(text)
            }
            frame.shapes.append(TrialLog.Shape(.init(x, y), form, ink))
            random = generator
        }
    }

    private func text(_ sketch: Sketch) -> String { String(decoding: sketch.record.octets, as: UTF8.self) }

    @Test func whatASketchWritesIsReadBack() {
        for seed in 0..<2000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var frames: [TrialLog.Frame] = []
            var log = "0 1 the car is behind door 2\n"
            for _ in 0..<1 + random.next(below: 4) {
                let before = random.next(below: 3) == 0 ? nil : frames.last.map { (width: $0.width, height: $0.height) }
                let drawn = Drawn(&random, on: before)
                frames.append(drawn.frame)
                log += "0 1 \(text(drawn.sketch))\n"
            }
            log += "3 12 another trial\n"
            let read = TrialLog(log, of: (0, 1))
            #expect(read.frames == frames && read.notes == ["the car is behind door 2"], "seed \(seed)")
            #expect(TrialLog(log).notes == ["the car is behind door 2", "another trial"])
            // The picture is what was drawn since its first frame.
            let start = frames.lastIndex(where: \.isFirst) ?? 0
            #expect(TrialLog.picture(read.frames[...])?.shapes == frames[start...].flatMap(\.shapes), "seed \(seed)")
        }
    }

    /// An author's unit may be any length; numbers that are none are far outside.
    @Test func placesAreThousandthsOfTheLargerSide() {
        var sketch = Sketch(4, 2, scale: Sketch.scale(4, 2))
        sketch.line(1, 0.5, 4, 2, .bad)
        sketch.line(.nan, -1e300, 1e300, .infinity)
        sketch.text("two\nlines\tand a tab", 2, 1)
        let lines = "\t1000 500\tl 250 125 1000 500 3\tl -10000 -10000 10000 10000 0\tt 500 250 0 two lines and a tab"
        #expect(text(sketch) == lines)
        for (width, height) in [(0.0, 0.0), (-1, -1), (.nan, .nan), (.infinity, 1)] {
            let sketch = Sketch(width, height, scale: Sketch.scale(width, height))
            #expect(TrialLog("0 0 \(text(sketch))").frames.count <= 1)
        }
    }

    /// The log of a hostile module: random bytes, and bytes like those of frames.
    @Test func nonsenseIsLeftOut() {
        let signs = Array("\t\t\t\n  0123459-+lbBcCtx 1000".utf8)
        for seed in 0..<4000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var octets = random.octets(Int(random.next(below: 200)))
            if seed % 4 != 0 { octets = octets.map { signs[Int($0) % signs.count] } }
            let log = TrialLog(String(decoding: octets, as: UTF8.self))
            for frame in log.frames {
                #expect(max(frame.width, frame.height) == 1000 && min(frame.width, frame.height) > 0, "seed \(seed)")
            }
        }
        for wrong in [
            "l 0 0 0 0", "l 0 0 0 0 5", "l 0 0 0 0 1 2", "l 0 0 99999 0 1", "c 0 0 -1 0", "t 0 0 1", "x 0 0 0 0 1", "",
            "ll 0 0 0 0 1", "b 0 0 -9223372036854775808 0 1", "b 0 0 1.5 0 1",
        ] { #expect(TrialLog("0 1 \t1000 10\t\(wrong)\tc 1 2 3 0").frames.map(\.shapes.count) == [1], "\(wrong)") }
        for head in ["", "0 1000", "1000", "1000 1001", "999 999", "a b", "1000 -5", "++"] {
            #expect(TrialLog("0 1 \t\(head)\tc 1 2 3 0").frames.isEmpty, "\(head)")
        }
    }

    @Test func theNewestIsKept() {
        let notes = (0..<100).map { "0 1 note \($0)\n" }.joined()
        #expect(TrialLog(notes).notes.last == "note 99" && TrialLog(notes).notes.count == TrialLog.mostNotes)
        let shapes = String(repeating: "\tl 0 0 1 1 0", count: 3000)
        let frames = (0..<5).map { "0 1 \t\($0 == 0 ? "1000 1000" : "+")\(shapes)\n" }.joined()
        let log = TrialLog(frames)
        #expect(log.frames.count == 3 && log.frames.allSatisfy { !$0.isFirst })
        #expect(TrialLog.picture(log.frames[...])?.shapes.count == 9000)
        #expect(TrialLog.picture([]) == nil)
    }
}
