/// Counts of pairs of numbers in the cells of a rectangle: `columns` equally wide ones along x, and `rows` equally high ones
/// along y. A pair with a number outside of its range is counted as outside.
///
///     var landing = Histogram2D<40, 20>(x: -10..<10, y: 0..<5)
///     tally.landing.add(x, y)
@frozen public struct Histogram2D<let columns: Int, let rows: Int>: Accumulator {
    /// Row by row, from the lowest y. On the heap, as many cells would fill the stack of a module.
    @usableFromInline var cells: [UInt64]
    /// The range of x, whose upper end belongs to no cell.
    public let x: Range<Double>
    /// The range of y, whose upper end belongs to no cell.
    public let y: Range<Double>
    @usableFromInline let across: Double
    @usableFromInline let up: Double
    /// The count of the pairs with a number outside of its range.
    public var outside: UInt64 = 0
    /// 2⁶⁴ − 1 once NaN was added, otherwise 0.
    @usableFromInline var mark: UInt64 = 0

    /// Creates an empty histogram with cells over ranges whose upper ends do not belong to them.
    public init(x: Range<Double>, y: Range<Double>) {
        Misuse.stop(
            unless: columns > 0 && rows > 0 && columns <= HistogramLimits.mostCells
                && rows <= HistogramLimits.mostCells / columns,
            "a histogram in two dimensions has columns and rows, and at most 4096 cells")
        Misuse.stop(
            unless: Self.isRange(x, cells: columns) && Self.isRange(y, cells: rows),
            "a histogram in two dimensions needs finite ranges that end above their beginning")
        cells = [UInt64](repeating: 0, count: columns * rows)
        (self.x, self.y) = (x, y)
        across = Double(columns) / (x.upperBound - x.lowerBound)
        up = Double(rows) / (y.upperBound - y.lowerBound)
    }

    private static func isRange(_ range: Range<Double>, cells: Int) -> Bool {
        let width = range.upperBound - range.lowerBound
        return width > 0 && width.isFinite && (Double(cells) / width).isFinite
    }

    /// Adds a pair to its cell, or to `outside`. NaN spoils the histogram for good.
    @inlinable
    public mutating func add(_ x: Double, _ y: Double) {
        if x >= self.x.lowerBound && x < self.x.upperBound && y >= self.y.lowerBound && y < self.y.upperBound {
            // Rounding may lift a number just below the upper end to the column or row after the last.
            let column = min(Int((x - self.x.lowerBound) * across), columns - 1)
            let row = min(Int((y - self.y.lowerBound) * up), rows - 1)
            cells[row &* columns &+ column] &+= 1
        } else if x.isNaN || y.isNaN {
            mark = .max
        } else {
            outside &+= 1
        }
    }

    /// Whether NaN was added.
    public var isSpoilt: Bool { mark == .max }

    /// The count of the pairs in a cell. The first column is that of the lowest x, and the first row that of the lowest y.
    public subscript(_ column: Int, _ row: Int) -> UInt64 {
        Misuse.stop(
            unless: 0..<columns ~= column && 0..<rows ~= row,
            "a histogram in two dimensions has no such cell; the first column and row are 0")
        return cells[row * columns + column]
    }

    public static var kind: FieldKind { .histogram }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.count, columns * rows + 2) }

    /// The slots are those of a `Histogram` over the numbers of the cells: what is outside comes first, and the mark of NaN
    /// last.
    public func write(_ slots: inout SlotWriter) {
        slots.put(outside)
        for count in cells { slots.put(count) }
        slots.put(mark)
    }

    public mutating func read(_ slots: inout SlotReader) {
        outside = slots.take()
        for cell in cells.indices { cells[cell] = slots.take() }
        mark = slots.take()
    }

    public static var parts: Int { columns * rows }

    /// The numbers of the cells, row by row from the lowest y.
    public var range: ClosedRange<Double>? { 0...Double(columns * rows) }
}

enum HistogramLimits {
    /// The most cells: as many as a module may declare bins, and more than a picture of a few hundred points shows apart.
    static var mostCells: Int { 4096 }
}
