import PotluckKit

/// The product of two matrices, A from the left and B from the right; a unit is a row of A. Each number of the product is the
/// sum over k of A[i, k] · B[k, j], added up in order of k, so that every node computes the same bits.
struct MatrixProduct: Gathering {
    static let name: StaticString = "matrix-product"
    static let summary: StaticString = "The product of two matrices, random or from files"

    @Parameter("size", "rows and columns of the two random matrices", in: 1...2048) var size = 256
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

    private var a = Table.empty
    private var b = Table.empty

    var units: UInt64 { UInt64(a.rows) }
    var writes: OutputKind { .rows }

    /// A block takes a few milliseconds of multiplications, but has at least one row.
    var blockSize: Int {
        var rows = Block.largestGathered
        while rows > 1 && rows > (1 << 22) / max(1, b.numbers.count) { rows /= 2 }
        return rows
    }

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        (a, b) = (tables[0], tables[1])
        if a.isEmpty && b.isEmpty {
            (a, b) = (drawn(0), drawn(1))
            return nil
        }
        if size != 256 { return "size applies to random matrices, not to files" }
        if a.isEmpty || b.isEmpty { return "a product needs two matrices: give both a and b" }
        return a.columns == b.rows ? nil : "a must have as many columns as b has rows"
    }

    /// Numbers from -1 to 1: a row has a stream of its own.
    private func drawn(_ which: Int) -> Table {
        var numbers: [Double] = []
        numbers.reserveCapacity(size * size)
        for row in 0..<size {
            var random = RandomStream(seed: UInt64(draw), block: UInt64(row), lane: which)
            for _ in 0..<size { numbers.append(random.real(in: -1..<1)) }
        }
        return Table(rows: size, columns: size, numbers: numbers)
    }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
        let columns = b.columns
        // Four rows at once, so that each row of B comes from memory a quarter as often.
        var sums = [Double](repeating: 0, count: 4 * columns)
        var row = Int(units.lowerBound)
        let end = Int(units.upperBound)
        while row < end {
            let rows = min(4, end - row)
            multiply(row, rows, &sums)
            for index in 0..<rows {
                for column in 0..<columns {
                    let value = sums[index * columns + column]
                    output.put(value)
                    tally.sum.add(value)
                    if column == row + index { tally.trace.add(value) }
                }
            }
            row += rows
        }
    }

    private func multiply(_ first: Int, _ rows: Int, _ sums: inout [Double]) {
        let (inner, columns) = (b.rows, b.columns)
        for index in sums.indices { sums[index] = 0 }
        a.numbers.withUnsafeBufferPointer { a in
            b.numbers.withUnsafeBufferPointer { b in
                sums.withUnsafeMutableBufferPointer { sums in
                    guard rows == 4 else {
                        for index in 0..<rows {
                            for k in 0..<inner {
                                let left = a[(first + index) * inner + k]
                                for j in 0..<columns { sums[index * columns + j] += left * b[k * columns + j] }
                            }
                        }
                        return
                    }
                    for k in 0..<inner {
                        let at = first * inner + k
                        let (a0, a1, a2, a3) = (a[at], a[at + inner], a[at + 2 * inner], a[at + 3 * inner])
                        for j in 0..<columns {
                            let right = b[k * columns + j]
                            sums[j] += a0 * right
                            sums[columns + j] += a1 * right
                            sums[2 * columns + j] += a2 * right
                            sums[3 * columns + j] += a3 * right
                        }
                    }
                }
            }
        }
    }

    static var readings: [ReadingRule<MatrixProduct>] {
        derived("trace", { _, tally, _ in tally.trace.value })
        derived("sum", { _, tally, _ in tally.sum.value })
    }
}
