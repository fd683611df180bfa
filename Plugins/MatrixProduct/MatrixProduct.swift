import PotluckKit

/// The product of two matrices, A from the left and B from the right; a unit is a row of A. Each number of the product is the
/// sum over k of A[i, k] · B[k, j], added up in order of k, so that every node computes the same bits.
struct MatrixProduct: Gathering {
    static let name: StaticString = "matrix-product"
    static let summary: StaticString = "The product of two matrices, random or from files"

    @Parameter("size", "rows and columns of the two random matrices", in: 1...8192) var size = 256
    @Parameter("draw", "number that selects the random matrices", in: 0...1_000_000_000) var draw = 1

    static var inputs: [Input] {
        [Input("a", "the left matrix, one row per line"), Input("b", "the right matrix, one row per line")]
    }

    struct Tally: SimulationTally {
        var trace = ExactSum(), sum = ExactSum()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("trace", &trace)
            visitor.field("sum", &sum)
        }
    }

    /// The left matrix, unless it is drawn. Its rows can be drawn when they are needed.
    private var a = Table.empty
    private var b = Panels(rows: 0, columns: 0)
    private var rows = 0
    /// A faster way to multiply than `plain`, with the same bits.
    var kernel: Kernel?

    /// Multiplies some rows of A, of `inner` numbers each, by the panels of B. Writes a row of sums for each.
    typealias Kernel =
        @Sendable (
            _ left: UnsafePointer<Double>, _ rows: Int, _ inner: Int, _ right: UnsafePointer<Double>, _ panels: Int,
            _ sums: UnsafeMutablePointer<Double>
        ) -> Void

    var units: UInt64 { UInt64(rows) }
    var writes: OutputKind { .rows }

    /// A block takes a few milliseconds of multiplications. With more than 2048 rows and columns it takes a tenth of a second
    /// and has several rows, because all of B comes from memory for each block.
    var blockSize: Int {
        let numbers = max(1, b.rows * b.columns)
        let isLarge = numbers > 1 << 22
        let most = isLarge ? min((1 << 28) / numbers, (1 << 17) / b.columns) : (1 << 22) / numbers
        var rows = Block.largestGathered
        while rows > max(1, most) { rows /= 2 }
        return rows
    }

    /// The rows that a kernel multiplies at once, so that each panel comes from memory once for all of them.
    var rowsAtOnce: Int { min((1 << 29) / max(1, b.rows * b.columns), (1 << 16) / max(1, b.columns)) }

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        a = tables[0]
        let right = tables[1]
        if a.isEmpty && right.isEmpty {
            rows = size
            b = Panels(rows: size, columns: size)
            for row in 0..<size { drawn(1, row..<row + 1).withUnsafeBufferPointer { b.put($0, at: row) } }
            return nil
        }
        if size != 256 { return "size applies to random matrices, not to files" }
        if a.isEmpty || right.isEmpty { return "a product needs two matrices: give both a and b" }
        guard a.columns == right.rows else { return "a must have as many columns as b has rows" }
        rows = a.rows
        b = Panels(rows: right.rows, columns: right.columns)
        right.numbers.withUnsafeBufferPointer { numbers in
            for row in 0..<right.rows {
                b.put(
                    UnsafeBufferPointer(rebasing: numbers[row * right.columns..<(row + 1) * right.columns]), at: row)
            }
        }
        return nil
    }

    /// Rows of a random matrix, of numbers from -1 to 1. Each row has a stream of its own.
    private func drawn(_ which: Int, _ range: Range<Int>) -> [Double] {
        [Double](unsafeUninitializedCapacity: range.count * size) { numbers, count in
            for row in range {
                var random = RandomStream(seed: UInt64(draw), block: UInt64(row), lane: which)
                for _ in 0..<size {
                    numbers.initializeElement(at: count, to: random.real(in: -1..<1))
                    count += 1
                }
            }
        }
    }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
        let range = Int(units.lowerBound)..<Int(units.upperBound)
        let sums = products(of: range)
        for row in range {
            let start = (row - range.lowerBound) * b.width
            let numbers = sums[start..<start + b.columns]
            output.put(numbers)
            for number in numbers { tally.sum.add(number) }
            if row < b.columns { tally.trace.add(sums[start + row]) }
        }
    }

    /// Rows of the product, each as wide as the panels.
    private func products(of range: Range<Int>) -> [Double] {
        let (inner, kernel) = (b.rows, b.isNarrow ? Self.narrow : kernel ?? Self.plain)
        let left = a.isEmpty ? drawn(0, range) : a.numbers
        let first = a.isEmpty ? 0 : range.lowerBound * inner
        return [Double](unsafeUninitializedCapacity: range.count * b.width) { sums, count in
            left.withUnsafeBufferPointer { left in
                b.numbers.withUnsafeBufferPointer { right in
                    guard let left = left.baseAddress, let right = right.baseAddress, let sums = sums.baseAddress
                    else { return }
                    kernel(left + first, range.count, inner, right, b.count, sums)
                    count = range.count * b.width
                }
            }
        }
    }

    /// What any CPU can do: eight columns of a row at a time.
    private static let plain: Kernel = { left, rows, inner, right, panels, sums in
        for panel in 0..<panels {
            for row in 0..<rows {
                for half in [0, 8] {
                    var right = UnsafeRawPointer(right + (panel * inner * Panels.width + half))
                    var eight = SIMD8<Double>.zero
                    for k in 0..<inner {
                        let left = SIMD8(repeating: left[row * inner + k])
                        eight = eight + left * right.loadUnaligned(as: SIMD8<Double>.self)
                        right += 8 * Panels.width
                    }
                    let place = (row * panels + panel) * Panels.width + half
                    UnsafeMutableRawPointer(sums + place).storeBytes(of: eight, as: SIMD8<Double>.self)
                }
            }
        }
    }

    /// For a matrix of few columns, each of which is a panel: one number after another.
    private static let narrow: Kernel = { left, rows, inner, right, columns, sums in
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = 0.0
                for k in 0..<inner { sum += left[row * inner + k] * right[column * inner + k] }
                sums[row * columns + column] = sum
            }
        }
    }

    static var readings: [ReadingRule<MatrixProduct>] {
        derived("trace", { _, tally, _ in tally.trace.value })
        derived("sum", { _, tally, _ in tally.sum.value })
    }
}

/// The right matrix in panels of sixteen columns, each row by row, so that the numbers that are multiplied one after
/// another are neighbours. The last panel is filled up with zeros. A narrow matrix would be little else, so its panels have
/// one column.
private struct Panels {
    /// The columns of a panel of a matrix that is not narrow.
    static let width = 16

    let rows: Int
    let columns: Int
    private(set) var numbers: [Double]

    init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        numbers = []
        numbers = [Double](repeating: 0, count: rows * width)
    }

    var isNarrow: Bool { columns < Self.width / 2 }
    private var breadth: Int { isNarrow ? 1 : Self.width }
    /// How many panels there are.
    var count: Int { (columns + breadth - 1) / breadth }
    /// The columns of all panels.
    var width: Int { count * breadth }

    mutating func put(_ numbers: UnsafeBufferPointer<Double>, at row: Int) {
        let breadth = breadth
        for panel in 0..<count {
            let start = (panel * rows + row) * breadth
            let first = panel * breadth
            for column in first..<min(first + breadth, columns) {
                self.numbers[start + column - first] = numbers[column]
            }
        }
    }
}
