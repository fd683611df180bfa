// The vector kernels. They compute a block's sixteen lanes side by side, or several columns of a matrix, with the same
// bytes as the plain trials. They are in one file, so that they compile to one object in which nothing is shared
// (docs/decisions/0020-vector-kernels.md). The file is compiled three times: the AVX2 module has a symbolic link to it,
// and `make build` puts it into WebAssembly modules (docs/decisions/0076-vector-modules.md).
//
// Swift's library defines most vector operations element by element, and the optimiser has to combine them again. It
// succeeds only for short sequences. Additions and subtractions are vector instructions from the start, and each begins
// a new sequence. Hence some unusual expressions here. If a kernel is slow, look for separated lanes in its assembly.

/// A word for each of a block's sixteen lanes.
private typealias Words = SIMD16<UInt32>
/// A condition for each lane.
private typealias Condition = SIMDMask<SIMD16<Int32>>

/// The sixteen streams of a block side by side: xoshiro128++ as in the kit, on vectors.
private struct Lanes {
    private var a: Words
    private var b: Words
    private var c: Words
    private var d: Words

    /// Loads the four words of each stream's state: sixteen first words, sixteen second words and so on.
    @inline(__always)
    init(_ states: UnsafePointer<UInt32>) {
        let memory = UnsafeRawPointer(states)
        a = memory.loadUnaligned(as: Words.self)
        b = memory.loadUnaligned(fromByteOffset: 64, as: Words.self)
        c = memory.loadUnaligned(fromByteOffset: 128, as: Words.self)
        d = memory.loadUnaligned(fromByteOffset: 192, as: Words.self)
    }

    @inline(__always)
    mutating func next() -> Words {
        let sum = a &+ d
        let result = ((sum &<< 7) | (sum &>> 25)) &+ a
        let shifted = b &<< 9
        c = either(c, a)
        d = either(d, b)
        b = either(b, c)
        a = either(a, d)
        c = either(c, shifted)
        d = (d &<< 11) &+ (d &>> 21)  // an addition begins a new sequence, too; the operands have no common bit
        return result
    }

    /// Replaces the streams for which `condition` holds by those of `other`.
    @inline(__always)
    mutating func replace(with other: Lanes, where condition: Condition) {
        a.replace(with: other.a, where: condition)
        b.replace(with: other.b, where: condition)
        c.replace(with: other.c, where: condition)
        d.replace(with: other.d, where: condition)
    }
}

/// The exclusive or `x ^ y`, with operations that begin a new sequence.
@inline(__always)
private func either(_ x: Words, _ y: Words) -> Words { (x | y) &- (x & y) }

/// Does the same as `any`, but never calls a shared function of Swift's library.
@inline(__always)
private func some(_ condition: Condition) -> Bool {
    let bits = unsafeBitCast(condition, to: SIMD8<UInt64>.self)
    let four = bits.lowHalf | bits.highHalf
    let two = four.lowHalf | four.highHalf
    return two[0] | two[1] != 0
}

/// A pair of dice in each lane, thrown as in `RandomStream.pair(below:_:)`.
private struct Dice {
    /// The upper sixteen bits are the number of the die. The lower bits tell whether it must be thrown again.
    private var products: (first: Words, second: Words)

    /// Throws dice with `m` and `n` sides. No lane's dice may have more sides than `most`.
    @inline(__always)
    init(_ lanes: inout Lanes, below m: Words, _ n: Words, most: Words) {
        products = Self.throwing(&lanes, m, n)
        // A single comparison for all dice. It is rarely true, though slightly more often than necessary.
        let first = products.first & 0xffff
        let second = products.second & 0xffff
        let doubtful = first.replacing(with: second, where: second .< first) .< most
        if _slowPath(any(doubtful)) {
            // Work on a copy, so that the streams and dice themselves stay in registers.
            var rare = Rare(lanes: lanes, products: products, m: m, n: n)
            rare.throwAgain()
            lanes = rare.lanes
            products = rare.products
        }
    }

    @inline(__always)
    var first: Words { products.first &>> 16 }
    @inline(__always)
    var second: Words { products.second &>> 16 }

    @inline(__always)
    fileprivate static func throwing(_ lanes: inout Lanes, _ m: Words, _ n: Words) -> (first: Words, second: Words) {
        let word = lanes.next()
        return ((word &>> 16) &* m, (word & 0xffff) &* n)
    }

    private struct Rare {
        var lanes: Lanes
        var products: (first: Words, second: Words)
        let m: Words
        let n: Words

        /// Throws both dice of a lane again while one of them would favour some sides. Other lanes are not affected.
        @inline(never)
        mutating func throwAgain() {
            // 65 536 mod m is the number of 16-bit values that would make a die unfair.
            var (ofFirst, ofSecond) = (m, n)
            for lane in 0..<Words.scalarCount {
                ofFirst[lane] = 0x1_0000 % m[lane]
                ofSecond[lane] = 0x1_0000 % n[lane]
            }
            while true {
                let unfair = ((products.first & 0xffff) .< ofFirst) .| ((products.second & 0xffff) .< ofSecond)
                if !some(unfair) { return }
                var next = lanes
                let again = Dice.throwing(&next, m, n)
                lanes.replace(with: next, where: unfair)
                products.first.replace(with: again.first, where: unfair)
                products.second.replace(with: again.second, where: unfair)
            }
        }
    }
}

/// Computes trials of Plugins/MontyHall for a host who opens one door, sixteen games at once. See there for the method.
#if KernelAVX512
    @_cdecl("potluck_kernels_avx512_monty_hall")
#elseif KernelAVX2
    @_cdecl("potluck_kernels_avx2_monty_hall")
#endif
func montyHall(
    _ states: UnsafePointer<UInt32>, _ trials: Int, _ doors: UInt32, _ counts: UnsafeMutablePointer<UInt64>
) {
    let all = Words(repeating: doors)
    let butOne = all &- 1
    let butTwo = all &- 2
    var lanes = Lanes(states)
    var stay = Words.zero
    var swap = Words.zero
    for _ in 0..<trials {
        let start = Dice(&lanes, below: all, all, most: all)
        let (car, pick) = (start.first, start.second)
        let lucky = car .== pick
        stay.replace(with: stay &+ 1, where: lucky)

        var before = car &- pick &- 1
        before.replace(with: before &+ all, where: car .<= pick)
        let goats = butTwo.replacing(with: butOne, where: lucky)
        let turn = Dice(&lanes, below: goats, butTwo, most: all)
        before.replace(with: before &- 1, where: turn.first .< before)
        swap.replace(with: swap &+ 1, where: turn.second .== before)
    }
    for lane in 0..<Words.scalarCount {
        counts[0] &+= UInt64(stay[lane])
        counts[1] &+= UInt64(swap[lane])
    }
}

/// Eight 64-bit numbers.
private typealias Longs = SIMD8<UInt64>

/// Computes trials of Plugins/Pi, sixteen points at once.
#if KernelAVX512
    @_cdecl("potluck_kernels_avx512_pi")
#elseif KernelAVX2
    @_cdecl("potluck_kernels_avx2_pi")
#endif
func pi(_ states: UnsafePointer<UInt32>, _ trials: Int, _ counts: UnsafeMutablePointer<UInt64>) {
    var lanes = Lanes(states)
    var inside = Longs.zero
    for _ in 0..<trials {
        let x = Units(high: lanes.next(), low: lanes.next())
        let y = Units(high: lanes.next(), low: lanes.next())
        inside &+= oneWhereSmall(x.even * x.even + y.even * y.even)
        inside &+= oneWhereSmall(x.odd * x.odd + y.odd * y.odd)
    }
    let four = inside.lowHalf &+ inside.highHalf
    let two = four.lowHalf &+ four.highHalf
    counts[0] &+= two[0] &+ two[1]
}

/// Returns 1 where a square is less than 1, and 0 elsewhere. In units of 2⁻⁵³ the limit is 2¹⁰⁶. The bits of two
/// doubles that are not negative compare like the doubles, and their difference is negative if the first one is
/// smaller.
@inline(__always)
private func oneWhereSmall(_ square: SIMD8<Double>) -> Longs {
    (unsafeBitCast(square, to: Longs.self) &- Longs(repeating: (0x1p106).bitPattern)) &>> 63
}

/// A number from 0 up to 1 in each lane, as `RandomStream.unit()` draws it, but in units of 2⁻⁵³. The unit is a power
/// of two, so all products and sums round as they would without it.
private struct Units {
    /// The numbers of the even lanes.
    let even: SIMD8<Double>
    /// The numbers of the odd lanes.
    let odd: SIMD8<Double>

    @inline(__always)
    init(high: Words, low: Words) {
        let high = unsafeBitCast(high &>> 5, to: Longs.self)
        let low = unsafeBitCast(low &>> 6, to: Longs.self)
        even = Self.number(high & 0xffff_ffff, low & 0xffff_ffff)
        odd = Self.number(high &>> 32, low &>> 32)
    }

    /// Computes high · 2²⁶ + low without a conversion from 64-bit integers, which AVX2 lacks. The integers become the
    /// last bits of doubles with known exponents, and the value of these exponents is then subtracted. Every step is
    /// exact.
    @inline(__always)
    private static func number(_ high: Longs, _ low: Longs) -> SIMD8<Double> {
        let above = unsafeBitCast(high | Longs(repeating: (0x1p78).bitPattern), to: SIMD8<Double>.self)
        let below = unsafeBitCast(low | Longs(repeating: (0x1p52).bitPattern), to: SIMD8<Double>.self)
        return (above - (0x1p78 + 0x1p52)) + below
    }
}

/// Numbers that a register of this CPU holds. Only their number differs between CPUs: each number of a product is added up in
/// order of k, and rounded before, so that the bits are those of a plain loop.
#if KernelAVX512
    private typealias Vector = SIMD8<Double>
#elseif KernelAVX2
    private typealias Vector = SIMD4<Double>
#else
    private typealias Vector = SIMD2<Double>
#endif

/// The columns of a panel, as in `Plugins/MatrixProduct`.
private let panelColumns = 16
/// The columns of a tile: two vectors. With four rows it has eight sums, which fit into the registers of every CPU and hide
/// the time that an addition takes.
private let tileColumns = 2 &* Vector.scalarCount
/// How many rows of a panel are used before the next rows of A: 64 KiB, which stay in the second cache.
private let depth = 512

/// Multiplies some rows of A by B. `left` has the rows of `inner` numbers each, `right` has B in panels of sixteen columns,
/// each row by row. `sums` gets rows of as many numbers as the panels have columns.
#if KernelAVX512
    @_cdecl("potluck_kernels_avx512_matrix_product")
#elseif KernelAVX2
    @_cdecl("potluck_kernels_avx2_matrix_product")
#endif
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
    private var first = Vector()
    private var second = Vector()

    @inline(__always)
    init() {}

    @inline(__always)
    init(_ numbers: UnsafePointer<Double>) {
        let memory = UnsafeRawPointer(numbers)
        first = memory.loadUnaligned(as: Vector.self)
        second = memory.loadUnaligned(fromByteOffset: 8 &* Vector.scalarCount, as: Vector.self)
    }

    @inline(__always)
    mutating func add(_ left: Double, _ right: Pair) {
        let left = Vector(repeating: left)
        first = first + left * right.first
        second = second + left * right.second
    }

    @inline(__always)
    func store(_ numbers: UnsafeMutablePointer<Double>) {
        let memory = UnsafeMutableRawPointer(numbers)
        memory.storeBytes(of: first, as: Vector.self)
        memory.storeBytes(of: second, toByteOffset: 8 &* Vector.scalarCount, as: Vector.self)
    }
}
