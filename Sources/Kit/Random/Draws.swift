// Every draw uses a fixed recipe: the number of words that it takes from the stream, and the result that it computes
// from them. The recipes use fixed-width integers, so 32-bit and 64-bit machines draw the same numbers. A changed
// recipe changes tallies: raise `RandomStream.version`.
extension RandomStream {
    /// Returns a random integer from 0 up to but not including `n`, each equally likely.
    ///
    /// Takes one word for `n` up to 2³², two for larger `n`. Uses Lemire's method: multiply, and draw
    /// again in the few cases that would favour some numbers.
    @inlinable @inline(__always)
    public mutating func below(_ n: Int) -> Int {
        let word = next()
        let product = UInt64(word) &* UInt64(truncatingIfNeeded: n)
        // Rarely true for a valid `n` up to 2³². Always true for an invalid `n` and for one that needs two words.
        if _slowPath(product & 0xffff_ffff <= UInt64(truncatingIfNeeded: n &- 1)) {
            let drawn = Self.below(n, after: word, words, flip)
            words = drawn.words
            return drawn.number
        }
        return Int(truncatingIfNeeded: product &>> 32)
    }

    /// Returns a random integer from 0 up to but not including `n`, each equally likely. Takes one word.
    @inlinable @inline(__always)
    public mutating func below(_ n: UInt32) -> UInt32 {
        Misuse.stop(unless: n > 0, "the limit of a random number must be above 0")
        return UInt32(truncatingIfNeeded: below(exactly: UInt64(n)))
    }

    /// Returns a random integer from 0 up to but not including `n`, each equally likely.
    /// Takes one word for `n` up to 2³², two for larger `n`.
    @inlinable @inline(__always)
    public mutating func below(_ n: UInt64) -> UInt64 {
        Misuse.stop(unless: n > 0, "the limit of a random number must be above 0")
        return below(exactly: n)
    }

    /// Returns a random integer from 0 up to but not including `n`, each equally likely.
    /// Takes one word for `n` up to 2³², two for larger `n`.
    @inlinable @inline(__always) @_disfavoredOverload
    public mutating func below(_ n: Int64) -> Int64 {
        Misuse.stop(unless: n > 0, "the limit of a random number must be above 0")
        return Int64(truncatingIfNeeded: below(exactly: UInt64(n)))
    }

    /// Returns a random integer in the range, each equally likely. Takes as many words as `below` for the range's size.
    @inlinable @inline(__always) @_disfavoredOverload
    public mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        return range.lowerBound &+ Int64(truncatingIfNeeded: below(exactly: width &+ 1))
    }

    /// Returns a random integer in the range, each equally likely. Takes as many words as `below` for the range's size.
    @inlinable @inline(__always)
    public mutating func integer(in range: ClosedRange<Int>) -> Int {
        let width = UInt64(bitPattern: Int64(range.upperBound) &- Int64(range.lowerBound))
        return range.lowerBound &+ Int(truncatingIfNeeded: below(exactly: width &+ 1))
    }

    /// Returns two independent integers, the first below `m` and the second below `n`, from one word. Both limits are
    /// at most 65 536. The first number comes from the word's upper half, the second from its lower half. This takes
    /// half as many words as two calls of `below`. If a half would favour some numbers, both are drawn again.
    @inlinable @inline(__always)
    public mutating func pair(below m: Int, _ n: Int) -> (Int, Int) {
        Misuse.stop(
            unless: UInt(bitPattern: m &- 1) < 0x1_0000 && UInt(bitPattern: n &- 1) < 0x1_0000,
            "each limit of a pair must be from 1 to 65 536")
        let (m, n) = (UInt32(truncatingIfNeeded: m), UInt32(truncatingIfNeeded: n))
        let word = next()
        #if arch(wasm32)
            // 32 bits are just enough for the products. A wider product would cost wasmtime two multiplications.
            let first = (word &>> 16) &* m
            let second = (word & 0xffff) &* n
            let mayFavour = first & 0xffff < m || second & 0xffff < n
            let width: UInt32 = 16
        #else
            // Each half is in the upper 16 bits of a 32-bit number. The upper 32 bits of a product are then the number
            // drawn, and the lower 32 bits decide whether to draw again.
            let first = UInt64(word & 0xffff_0000) &* UInt64(m)
            let second = UInt64(word &<< 16) &* UInt64(n)
            let mayFavour =
                UInt32(truncatingIfNeeded: first) < m &<< 16 || UInt32(truncatingIfNeeded: second) < n &<< 16
            let width: UInt64 = 32
        #endif
        if _slowPath(mayFavour) {
            let thrown = Self.pair(below: m, n, after: word, words, flip)
            words = thrown.words
            return (Int(truncatingIfNeeded: thrown.first), Int(truncatingIfNeeded: thrown.second))
        }
        return (Int(truncatingIfNeeded: first &>> width), Int(truncatingIfNeeded: second &>> width))
    }

    /// Returns a random real number from 0 up to but not including 1, one of 2⁵³
    /// equally spaced numbers. Takes two words.
    @inlinable @inline(__always)
    public mutating func unit() -> Double {
        // Two exact conversions from 32 bits, which every vector unit has, instead of one from 64 bits.
        let high = Int32(truncatingIfNeeded: next() &>> 5)
        let low = Int32(truncatingIfNeeded: next() &>> 6)
        return (Double(high) * 0x1p26 + Double(low)) * 0x1p-53
    }

    /// Returns a random real number from `range.lowerBound` up to
    /// `range.upperBound`. Rounding may return the upper bound.
    @inlinable @inline(__always)
    public mutating func real(in range: Range<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Returns true with probability `p`, to within 2⁻⁵³. Takes two words, whatever `p`, which must be from 0 to 1. A sum
    /// of probabilities that rounding took beyond that by less than 10⁻⁹ counts as 0 or 1.
    @inlinable @inline(__always)
    public mutating func chance(_ p: Double) -> Bool {
        Misuse.stop(unless: Self.isProbability(p), "the probability of chance must be from 0 to 1")
        return unit() < p
    }

    /// Whether a number is from 0 to 1, except for rounding.
    @inlinable @inline(__always)
    static func isProbability(_ p: Double) -> Bool { p >= -1e-9 && p <= 1 + 1e-9 }

    /// Returns true with probability 1/2: the top bit of one word.
    @inlinable @inline(__always)
    public mutating func coin() -> Bool { next() &>> 31 != 0 }

    /// Returns an exponentially distributed number with the given mean. Takes two words.
    @inlinable
    public mutating func exponential(mean: Double = 1) -> Double {
        // 1 - unit() is never 0, so the logarithm is finite.
        -mean * Maths.log(1 - unit())
    }

    /// Returns a normally distributed number, by Marsaglia's polar method. The method's second number is discarded: a
    /// stream that kept it would depend on more than the words drawn.
    @inlinable
    public mutating func normal(mean: Double = 0, deviation: Double = 1) -> Double {
        while true {
            let x = 2 * unit() - 1
            let y = 2 * unit() - 1
            let square = x * x + y * y
            if square < 1 && square > 0 {
                return mean + deviation * (x * (-2 * Maths.log(square) / square).squareRoot())
            }
        }
    }
}
