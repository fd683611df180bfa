// The matrix product by lanes: several columns of a matrix side by side, with the same bytes as the plain code of
// `Plugins/MatrixProduct`. Each number of the product is added up in order of k, and every product is rounded before, so
// that the bits are those of a plain loop on every CPU.

/// Numbers that a register of this CPU holds.
#if POTLUCK_AVX2
    private typealias Register = SIMD4<Double>
#else
    private typealias Register = SIMD8<Double>
#endif

/// The columns of a panel, as in `Plugins/MatrixProduct`.
private let panelColumns = 16
/// The columns of a tile: two vectors. With four rows it has eight sums, which fit into the registers of every CPU and hide
/// the time that an addition takes.
private let tileColumns = 2 &* Register.scalarCount
/// How many rows of a panel are used before the next rows of A: 64 KiB, which stay in the second cache.
private let depth = 512

/// Multiplies some rows of A by B. `left` has the rows of `inner` numbers each, `right` has B in panels of sixteen columns,
/// each row by row. `sums` gets rows of as many numbers as the panels have columns.
func matrixProduct(
    _ left: UnsafePointer<Double>, _ rows: Int, _ inner: Int, _ right: UnsafePointer<Double>, _ panels: Int,
    _ sums: UnsafeMutablePointer<Double>
) {
    let stride = panels &* panelColumns
    var panel = 0
    while panel < panels {
        var k = 0
        while k < inner {
            let stretch = Stretch(
                left: left + k, inner: inner, right: right + (panel &* inner &+ k) &* panelColumns,
                count: inner &- k < depth ? inner &- k : depth, sums: sums + panel &* panelColumns, stride: stride,
                isFirst: k == 0)
            var row = 0
            while row < rows {
                if row &+ 4 <= rows { stretch.fourRows(row) } else { stretch.oneRow(row) }
                row &+= row &+ 4 <= rows ? 4 : 1
            }
            k &+= depth
        }
        panel &+= 1
    }
}

/// Some rows of a panel, and the columns of A that go with them.
private struct Stretch {
    let left: UnsafePointer<Double>
    let inner: Int
    let right: UnsafePointer<Double>
    /// How many rows of the panel.
    let count: Int
    let sums: UnsafeMutablePointer<Double>
    let stride: Int
    /// Whether the sums begin here.
    let isFirst: Bool

    @inline(__always)
    func fourRows(_ row: Int) {
        var column = 0
        while column < panelColumns {
            fourRows(left + row &* inner, right + column, sums + (row &* stride &+ column))
            column &+= tileColumns
        }
    }

    @inline(__always)
    func oneRow(_ row: Int) {
        var column = 0
        while column < panelColumns {
            oneRow(left + row &* inner, right + column, sums + (row &* stride &+ column))
            column &+= tileColumns
        }
    }

    @inline(__always)
    private func fourRows(
        _ left: UnsafePointer<Double>, _ right: UnsafePointer<Double>, _ sums: UnsafeMutablePointer<Double>
    ) {
        var (a, b, c, d) = (Pair(), Pair(), Pair(), Pair())
        if !isFirst {
            a = Pair(sums)
            b = Pair(sums + stride)
            c = Pair(sums + 2 &* stride)
            d = Pair(sums + 3 &* stride)
        }
        var (first, second, third, fourth) = (left, left + inner, left + 2 &* inner, left + 3 &* inner)
        var right = right
        let end = left + count
        while first < end {
            let both = Pair(right)
            a.add(first.pointee, both)
            b.add(second.pointee, both)
            c.add(third.pointee, both)
            d.add(fourth.pointee, both)
            first += 1
            second += 1
            third += 1
            fourth += 1
            right += panelColumns
        }
        a.store(sums)
        b.store(sums + stride)
        c.store(sums + 2 &* stride)
        d.store(sums + 3 &* stride)
    }

    @inline(__always)
    private func oneRow(
        _ left: UnsafePointer<Double>, _ right: UnsafePointer<Double>, _ sums: UnsafeMutablePointer<Double>
    ) {
        var row = isFirst ? Pair() : Pair(sums)
        var right = right
        var k = 0
        while k < count {
            row.add(left[k], Pair(right))
            k &+= 1
            right += panelColumns
        }
        row.store(sums)
    }
}

/// Two vectors of neighbouring columns.
private struct Pair {
    private var first = Register()
    private var second = Register()

    @inline(__always)
    init() {}

    @inline(__always)
    init(_ numbers: UnsafePointer<Double>) {
        let memory = UnsafeRawPointer(numbers)
        first = memory.loadUnaligned(as: Register.self)
        second = memory.loadUnaligned(fromByteOffset: 8 &* Register.scalarCount, as: Register.self)
    }

    @inline(__always)
    mutating func add(_ left: Double, _ right: Pair) {
        let left = Register(repeating: left)
        first = first + left * right.first
        second = second + left * right.second
    }

    @inline(__always)
    func store(_ numbers: UnsafeMutablePointer<Double>) {
        let memory = UnsafeMutableRawPointer(numbers)
        memory.storeBytes(of: first, as: Register.self)
        memory.storeBytes(of: second, toByteOffset: 8 &* Register.scalarCount, as: Register.self)
    }
}
