import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct CellMapTests {
    private func reading(
        _ columns: Int, _ counts: [UInt64], outside: UInt64 = 0, x: ClosedRange<Double> = 0...1,
        y: ClosedRange<Double> = 0...1
    ) -> Reading {
        Reading(
            name: "landing", kind: .histogram2D, value: nil,
            bins: [UInt64(columns), y.lowerBound.bitPattern, y.upperBound.bitPattern, outside] + counts, range: x)
    }

    private func map(_ reading: Reading, columns: Int = 40, unicode: Bool = true, height: Int = 16) -> [String] {
        let canvas = Canvas(columns: columns, unicode: unicode, colour: false)
        return Chart(canvas: canvas).lines(reading, height: height).map { $0.rendered(on: canvas) }
    }

    /// A cell that holds little is the lightest, an empty one is blank, and the highest y is at the top.
    @Test func cellsAreTheDarkerTheMoreTheyHold() {
        let some = reading(4, [1, 100, 200, 300, 400, 0, 0, 0, 0, 0, 0, 1], outside: 1234, x: -2...2, y: -10...0.5)
        #expect(
            map(some, height: 3) == [
                "landing", " 0.5│      ░░", "    │██", " -10│░░░░▒▒▓▓", "     -2     2", "  ░▒▓█ up to 400 in a cell",
                "  1 234 outside",
            ])
        #expect(
            map(some, columns: 80, unicode: false, height: 3) == [
                "landing", " 0.5|      ..", "    |##", " -10|....::++", "     -2     2",
                "  .:+# up to 400 in a cell   1 234 outside",
            ])
    }

    @Test func manyCellsAreJoinedAndFewRepeated() {
        let many = reading(64, (0..<4096).map { UInt64($0 / 64 < 32 ? 0 : 5) })
        let lines = map(many)
        #expect(lines.count == 1 + 16 + 2)
        #expect(lines[1] == " 1│" + String(repeating: "█", count: 32) && lines[9] == "  │" && lines[16] == " 0│")
        #expect(lines[18] == "  ░▒▓█ up to 40 in 2 × 4 cells")
        let one = map(reading(1, [7]), columns: 80)
        #expect(one.count == 1 + 16 + 2 && one[1] == " 1│" + String(repeating: "█", count: 32))
    }

    /// The last of joined cells are fewer. They are no lighter for it.
    @Test func fewerCellsAtTheEndAreNoLighter() {
        let map = map(reading(5, [UInt64](repeating: 3, count: 15)), columns: 6, height: 2)
        #expect(map[1] == " 1│██" && map[2] == " 0│██")
    }

    @Test func nothingIsDrawnOfNothing() {
        #expect(map(reading(2, [0, 0, 0, 0])) == ["landing", "  nothing counted yet"])
        #expect(map(reading(2, [0, 0, 0, 0], outside: 3)) == ["landing", "  nothing counted yet", "  3 outside"])
        // Another node may send any words.
        #expect(map(reading(3, [1, 2, 3, 4])) == ["landing", "  nothing counted yet"])
    }

    /// No line is wider than the screen, whatever is counted.
    @Test func aMapFitsEveryScreen() {
        for columns in 1...80 {
            for size in [1, 2, 7, 40, 64] {
                let counts = (0..<size * 5).map { UInt64($0 % 3) << 40 }
                let canvas = Canvas(columns: columns, unicode: columns % 2 == 0, colour: false)
                let wide = reading(size, counts, outside: 1 << 50, x: -1e6...1e6, y: 1e-9...2e-9)
                for line in Chart(canvas: canvas).lines(wide, height: 1 + columns % 20) {
                    #expect(canvas.width(of: line.rendered(on: canvas)) <= columns)
                }
            }
        }
    }

    /// Each shade is one path of runs of cells, in columns and rows from the top.
    @Test func theDrawingHasTheSameCells() throws {
        let some = reading(4, [1, 100, 200, 200, 200, 0, 0, 0, 0, 0, 0, 1], outside: 12, x: -2...2, y: -10...0.5)
        let svg = try #require(Drawings.cells(some)).svg
        for part in [
            "<title>landing</title>", "scale(81 88)", "fill-opacity=\"1\" d=\"M2 2h2v1h-2zM0 1h1v1h-1z\"",
            "fill-opacity=\"0.55\" d=\"M1 2h1v1h-1z\"", "fill-opacity=\"0.16\" d=\"M0 2h1v1h-1zM3 0h1v1h-1z\"", ">-2<",
            ">2<", ">-10<", ">0.5<", ">darkest: 200 in a cell; 12 outside<",
        ] { #expect(svg.contains(part), "\(part) is not in \(svg)") }
        #expect(Drawings.cells(reading(2, [0, 0])) == nil && Drawings.cells(reading(3, [1, 2])) == nil)
    }
}
