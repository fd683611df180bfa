import PotluckKit
import Testing

@Suite struct Histogram2DTests {
    /// Pairs of numbers within and beyond a square.
    struct Square: Simulation {
        static let name: StaticString = "square"
        static let summary: StaticString = "Adds pairs."

        struct Tally: SimulationTally {
            var cells = Histogram2D<4, 3>(x: 1..<2, y: -1..<0.5)
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("cells", &cells) }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) { tally.cells.add(random.unit(), random.unit()) }
        static var readings: [ReadingRule<Square>] { histogram("cells") { $0.cells } }
    }

    private static let layout = TallyLayout(of: Square.Tally.self)

    private func counts<let columns: Int, let rows: Int>(_ histogram: Histogram2D<columns, rows>) -> [[UInt64]] {
        (0..<rows).map { row in (0..<columns).map { histogram[$0, row] } }
    }

    private func read(_ tally: Square.Tally) throws -> Reading {
        try AnySimulation(Square.self, source: "").prepared([]).read(tally.slots(Self.layout.slots), 9)[0]
    }

    @Test func theEdgesBelongToTheCellAbove() {
        var histogram = Histogram2D<2, 2>(x: 1..<2, y: 0..<1)
        for x in [1, 1.5, 2] { for y in [0, 0.5, 1] { histogram.add(x, y) } }
        #expect(counts(histogram) == [[1, 1], [1, 1]] && histogram.outside == 5)
        for x in [1.5, 2] { for y in [0.5, 1] { histogram.add(x.nextDown, y.nextDown) } }
        #expect(counts(histogram) == [[2, 2], [2, 2]] && histogram.outside == 5)
        for x in [.infinity, -.infinity, .greatestFiniteMagnitude, -0.0] {
            histogram.add(x, 0.25)
            histogram.add(1.25, x)
        }
        // Minus zero is no less than zero.
        #expect(counts(histogram) == [[3, 2], [2, 2]] && histogram.outside == 12 && !histogram.isSpoilt)
    }

    @Test func aNaNSpoilsItForGoodAndIsInNoCell() throws {
        for pair in [(Double.nan, 0.0), (1.5, .nan), (.nan, -.nan), (.infinity, .nan)] {
            var tally = Square.Tally()
            tally.cells.add(pair.0, pair.1)
            tally.cells.add(1.5, 0)
            #expect(tally.cells.isSpoilt && counts(tally.cells).joined().reduce(0, +) == 1 && tally.cells.outside == 0)
            #expect(try read(tally).isSpoilt)
        }
    }

    /// Both numbers go where two histograms in one dimension have them.
    @Test func aCellIsABinOfEachNumber() {
        for seed in 0..<500 as Range<UInt64> {
            var random = stream(seed, 99)
            let left = random.normal(deviation: 10)
            let right = left + random.exponential() + 1e-9
            var together = Histogram2D<7, 3>(x: left..<right, y: -2..<1)
            var (across, up) = (Histogram<7>(from: left, to: right), Histogram<3>(from: -2, to: 1))
            for _ in 0..<50 {
                let x = random.real(in: left..<right), y = random.real(in: -2..<1)
                across.add(x)
                up.add(y)
                together.add(x, y)
            }
            together.add(right.nextDown, 1.0.nextDown)
            across.add(right.nextDown)
            up.add(1.0.nextDown)
            let counts = counts(together)
            #expect((0..<7).allSatisfy { column in counts.reduce(0) { $0 + $1[column] } == across[column] })
            #expect((0..<3).allSatisfy { counts[$0].reduce(0, +) == up[$0] } && together.outside == 0)
        }
    }

    /// The slots of a tally are the same however the pairs are split and in whatever order the parts are merged.
    @Test func everySplitGivesTheSameSlots() {
        for seed in 0..<10_000 as Range<UInt64> {
            var random = stream(seed, 100)
            var whole = Square.Tally()
            var parts = [Square.Tally](repeating: Square.Tally(), count: 1 + random.below(4))
            for number in numbers(random.below(12), &random, wild: seed % 2 == 0) {
                let other = random.real(in: -2..<1)
                whole.cells.add(number, other)
                parts[random.below(parts.count)].cells.add(number, other)
            }
            random.shuffle(&parts)
            var merged = Square.Tally().slots(Self.layout.slots)
            for part in parts { Self.layout.merge(part.slots(Self.layout.slots), into: &merged) }
            #expect(merged == whole.slots(Self.layout.slots), "seed \(seed)")
        }
    }

    @Test func theReadingHasTheCells() throws {
        var tally = Square.Tally()
        for (x, y) in [(1.1, -0.9), (1.1, -0.8), (1.9, 0.4), (1.6, -0.1), (7.0, 0.0)] { tally.cells.add(x, y) }
        let reading = try read(tally)
        #expect(reading.kind == .histogram2D && !reading.kind.isNumber && reading.value == nil && !reading.isSpoilt)
        let cells = try #require(reading.cells)
        #expect(cells.columns == 4 && cells.rows == 3 && cells.x == 1...2 && cells.y == -1...0.5)
        #expect(cells.counts == [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] && cells.outside == 1 && cells.most == 2)
    }

    /// Words of another node or module: cells of any size come back as they are, and everything else is refused.
    @Test func wordsAreCellsOrNothing() throws {
        let honest = [4, (-1.0).bitPattern, 0.5.bitPattern, 9] + [UInt64](1...12)
        #expect(CellCounts(words: honest, x: 1...2)?.counts == Array(1...12))
        #expect(CellCounts(words: honest, x: nil) == nil && CellCounts(words: honest, x: 1...1) == nil)
        #expect(CellCounts(words: honest, x: -1e308...1e308) == nil)
        for count in 0...4 { #expect(CellCounts(words: Array(honest.prefix(count)), x: 1...2) == nil) }
        let odd: [UInt64] = [
            0, 1, 5, 12, 13, .max, 1 << 63, Double.nan.bitPattern, Double.infinity.bitPattern, (-1.0).bitPattern,
            1e308.bitPattern, (-1e308).bitPattern,
        ]
        var refused = 0
        for seed in 0..<3000 as Range<UInt64> {
            var random = stream(seed, 101)
            var words = honest
            for _ in 0...random.below(3) {
                switch random.below(3) {
                case 0: words[random.below(words.count)] = odd[random.below(odd.count)]
                case 1: words.append(random.next64())
                default: words.removeLast(min(words.count - 1, random.below(4)))
                }
            }
            guard let cells = CellCounts(words: words, x: 1...2) else {
                refused += 1
                continue
            }
            #expect(cells.columns * cells.rows == cells.counts.count && cells.columns > 0 && cells.rows > 0)
            #expect((cells.y.upperBound - cells.y.lowerBound).isFinite && cells.y.lowerBound < cells.y.upperBound)
            _ = cells.joined(columns: 1 + random.below(5), rows: 1 + random.below(5))
        }
        #expect(refused > 500 && refused < 2900)
        let most = [64, 0.0.bitPattern, 1.0.bitPattern, 0] + [UInt64](repeating: 1, count: 4096)
        #expect(CellCounts(words: most, x: 0...1)?.rows == 64)
        #expect(CellCounts(words: most + [UInt64](repeating: 1, count: 64), x: 0...1) == nil)
    }

    /// Joined cells have the sums of theirs, and are where those were.
    @Test func joinedCellsAddUp() throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = stream(seed, 102)
            let (columns, rows) = (1 + random.below(20), 1 + random.below(20))
            let ends = [(-3.0).bitPattern, 5.0.bitPattern]
            let counts = (0..<columns * rows).map { _ in UInt64(random.below(1000)) }
            let cells = try #require(CellCounts(words: [UInt64(columns)] + ends + [7] + counts, x: 0...1))
            let (across, up) = (1 + random.below(20), 1 + random.below(20))
            let joined = cells.joined(columns: across, rows: up)
            #expect(joined.columns <= across && joined.rows <= up && joined.outside == 7)
            #expect(joined.counts.reduce(0, +) == counts.reduce(0, +))
            // How many of the columns and rows are joined, from where they are now.
            let wide = joined.x.upperBound * Double(columns) / Double(joined.columns)
            let tall = (joined.y.upperBound + 3) / 8 * Double(rows) / Double(joined.rows)
            #expect((wide - wide.rounded()).magnitude < 1e-9 && (tall - tall.rounded()).magnitude < 1e-9)
            var sum: UInt64 = 0
            for row in 0..<min(rows, Int(tall.rounded())) {
                for column in 0..<min(columns, Int(wide.rounded())) { sum += cells[column, row] }
            }
            #expect(joined[0, 0] == sum, "seed \(seed)")
        }
    }
}
