extension Work {
    /// A reading of the counts of a histogram in two dimensions, which views show as a map of its cells.
    public static func histogram<let columns: Int, let rows: Int>(
        _ name: StaticString, _ histogram: @escaping @Sendable (Tally) -> Histogram2D<columns, rows>
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .histogram2D,
            estimate: { _, tally, _ in
                let histogram = histogram(tally)
                return Estimate(
                    isSpoilt: histogram.isSpoilt, range: histogram.x.lowerBound...histogram.x.upperBound)
            }, exact: nil,
            bins: { tally in
                let histogram = histogram(tally)
                let ends = [histogram.y.lowerBound.bitPattern, histogram.y.upperBound.bitPattern]
                return [UInt64(columns)] + ends + [histogram.outside] + histogram.cells
            })
    }
}

#if !hasFeature(Embedded)
    /// The counts of a histogram in two dimensions, as its reading has them.
    public struct CellCounts: Sendable, Hashable {
        /// The number of columns, at least 1.
        public let columns: Int
        /// The number of rows, at least 1.
        public let rows: Int
        /// The range of the columns.
        public let x: ClosedRange<Double>
        /// The range of the rows.
        public let y: ClosedRange<Double>
        /// The count of the pairs that are in no cell.
        public let outside: UInt64
        /// The counts of the cells, row by row from the lowest y.
        public let counts: [UInt64]

        /// Reads the words of a reading: the number of columns, the ends of the range of y as bits, the count outside, and the
        /// counts of the cells. `x` is the range of the reading. Returns nil if they are not those of a histogram.
        public init?(words: [UInt64], x: ClosedRange<Double>?) {
            guard words.count > Self.head, words.count - Self.head <= HistogramLimits.mostCells,
                let columns = Int(exactly: words[0]), columns > 0, (words.count - Self.head) % columns == 0,
                let x, Self.isRange(x.lowerBound, x.upperBound)
            else { return nil }
            let (low, high) = (Double(bitPattern: words[1]), Double(bitPattern: words[2]))
            guard Self.isRange(low, high) else { return nil }
            (self.columns, rows) = (columns, (words.count - Self.head) / columns)
            (self.x, y) = (x, low...high)
            (outside, counts) = (words[3], Array(words[Self.head...]))
        }

        private static func isRange(_ low: Double, _ high: Double) -> Bool { low < high && (high - low).isFinite }

        /// The words before those of the cells.
        private static var head: Int { 4 }

        private init(
            columns: Int, rows: Int, x: ClosedRange<Double>, y: ClosedRange<Double>, outside: UInt64, counts: [UInt64]
        ) {
            (self.columns, self.rows, self.x, self.y) = (columns, rows, x, y)
            (self.outside, self.counts) = (outside, counts)
        }

        /// The count of a cell.
        public subscript(_ column: Int, _ row: Int) -> UInt64 { counts[row * columns + column] }

        /// The largest count of a cell.
        public var most: UInt64 { counts.max() ?? 0 }

        /// Joins neighbours to at most so many columns and rows. The last ones may then reach beyond the range.
        public func joined(columns mostColumns: Int, rows mostRows: Int) -> CellCounts {
            let wide = (columns + mostColumns - 1) / mostColumns
            let tall = (rows + mostRows - 1) / mostRows
            guard wide > 1 || tall > 1 else { return self }
            let size = (columns: (columns + wide - 1) / wide, rows: (rows + tall - 1) / tall)
            var joined = [UInt64](repeating: 0, count: size.columns * size.rows)
            for row in 0..<rows {
                for column in 0..<columns {
                    let cell = row / tall * size.columns + column / wide
                    let (sum, overflow) = joined[cell].addingReportingOverflow(self[column, row])
                    joined[cell] = overflow ? .max : sum
                }
            }
            func range(_ range: ClosedRange<Double>, of cells: Int, to joined: Int) -> ClosedRange<Double> {
                // The same number if nothing is beyond the range.
                if joined == cells { return range }
                let width = (range.upperBound - range.lowerBound) / Double(cells)
                return range.lowerBound...range.lowerBound + width * Double(joined)
            }
            return CellCounts(
                columns: size.columns, rows: size.rows, x: range(x, of: columns, to: size.columns * wide),
                y: range(y, of: rows, to: size.rows * tall), outside: outside, counts: joined)
        }
    }

    extension Reading {
        /// The cells of a histogram in two dimensions; nil for other kinds.
        public var cells: CellCounts? { kind == .histogram2D ? CellCounts(words: bins, x: range) : nil }
    }
#endif
