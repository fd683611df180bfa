// The vector kernels: a block's sixteen lanes side by side, the same bytes as the plain trials. One file, so that it
// compiles to one object in which nothing is shared (docs/decisions/0020-vector-kernels.md); compiled twice, for AVX2 by
// way of a symbolic link.
//
// Swift's library spells most vector operations out element by element, and the optimiser puts them together again. It
// manages over short stretches only; additions and subtractions are vectors from the start and begin a new one. Hence
// some unusual spellings here: where a kernel is slow, look for lanes taken apart in its assembly.

/// One word of each of a block's sixteen lanes.
private typealias Words = SIMD16<UInt32>
/// One condition of each.
private typealias Condition = SIMDMask<SIMD16<Int32>>

/// The sixteen streams of a block side by side: xoshiro128++ as the kit has it, on vectors.
private struct Lanes {
    private var a: Words
    private var b: Words
    private var c: Words
    private var d: Words

    /// From four times sixteen words.
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
        d = (d &<< 11) &+ (d &>> 21)  // likewise; the two have no bit in common
        return result
    }

    /// Takes the streams where `condition` holds from `other`.
    @inline(__always)
    mutating func replace(with other: Lanes, where condition: Condition) {
        a.replace(with: other.a, where: condition)
        b.replace(with: other.b, where: condition)
        c.replace(with: other.c, where: condition)
        d.replace(with: other.d, where: condition)
    }
}

/// One or the other but not both, bit by bit: `x ^ y`, beginning a new stretch.
@inline(__always)
private func either(_ x: Words, _ y: Words) -> Words { (x | y) &- (x & y) }

/// `any`, but never a shared function of the library's.
@inline(__always)
private func some(_ condition: Condition) -> Bool {
    let bits = unsafeBitCast(condition, to: SIMD8<UInt64>.self)
    let four = bits.lowHalf | bits.highHalf
    let two = four.lowHalf | four.highHalf
    return two[0] | two[1] != 0
}

/// A pair of dice in each lane, as `RandomStream.pair(below:_:)` throws them.
private struct Dice {
    /// What each die shows is in the upper sixteen bits; whether it must be thrown again shows in the lower.
    private var products: (first: Words, second: Words)

    /// Throws dice of `m` and `n` sides, of which no lane has more than `most`.
    @inline(__always)
    init(_ lanes: inout Lanes, below m: Words, _ n: Words, most: Words) {
        products = Self.throwing(&lanes, m, n)
        // One comparison for all dice: true a little more often than needed, and seldom.
        let first = products.first & 0xffff
        let second = products.second & 0xffff
        let doubtful = first.replacing(with: second, where: second .< first) .< most
        if _slowPath(any(doubtful)) {
            // A copy goes and comes, so that streams and dice themselves stay in registers.
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

        /// Where a die would favour some sides its lane, and no other, throws both again: until all are fair.
        @inline(never)
        mutating func throwAgain() {
            // 65 536 mod m: what is left over of sixteen bits.
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

/// What Plugins/MontyHall plays where the host opens one door, sixteen games at once: read it there.
#if KernelAVX512
    @_cdecl("potluck_kernels_avx512_monty_hall")
#else
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

/// What Plugins/Pi throws, sixteen points at once.
#if KernelAVX512
    @_cdecl("potluck_kernels_avx512_pi")
#else
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

/// 1 where a square is less than 1, which in units of 2⁻⁵³ is 2¹⁰⁶, and 0 elsewhere. The bits of two doubles that are not
/// negative compare as the doubles do; their difference is negative where the first is smaller.
@inline(__always)
private func oneWhereSmall(_ square: SIMD8<Double>) -> Longs {
    (unsafeBitCast(square, to: Longs.self) &- Longs(repeating: (0x1p106).bitPattern)) &>> 63
}

/// A number from 0 up to 1 in each lane, as `RandomStream.unit()` draws it, but in units of 2⁻⁵³: a power of two, with
/// which every product and sum rounds as it would without.
private struct Units {
    /// Those of the lanes with even numbers, and of those with odd ones.
    let even: SIMD8<Double>
    let odd: SIMD8<Double>

    @inline(__always)
    init(high: Words, low: Words) {
        let high = unsafeBitCast(high &>> 5, to: Longs.self)
        let low = unsafeBitCast(low &>> 6, to: Longs.self)
        even = Self.number(high & 0xffff_ffff, low & 0xffff_ffff)
        odd = Self.number(high &>> 32, low &>> 32)
    }

    /// high · 2²⁶ + low, without a conversion from 64 bits, which AVX2 lacks: the bits become the last ones of doubles
    /// of known exponents, and what that added is taken off again. Every step is exact.
    @inline(__always)
    private static func number(_ high: Longs, _ low: Longs) -> SIMD8<Double> {
        let above = unsafeBitCast(high | Longs(repeating: (0x1p78).bitPattern), to: SIMD8<Double>.self)
        let below = unsafeBitCast(low | Longs(repeating: (0x1p52).bitPattern), to: SIMD8<Double>.self)
        return (above - (0x1p78 + 0x1p52)) + below
    }
}
