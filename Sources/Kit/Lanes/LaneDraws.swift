// The draws of `RandomStream`, each in all lanes. If a number must be drawn again, which is rare, a function takes and
// returns the streams by value, so that they stay in registers in a loop that draws.
extension LaneStreams {
    /// Returns two independent integers in each lane, the first below `m` and the second below `n`, as `RandomStream.pair`
    /// does. Both limits are at most 65 536.
    @inlinable @inline(__always)
    public mutating func pair(below m: Int, _ n: Int) -> (Lane<Int32>, Lane<Int32>) {
        pair(below: Self.limit(m), Self.limit(n))
    }

    /// Returns two independent integers in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func pair(below m: Lane<Int32>, _ n: Int) -> (Lane<Int32>, Lane<Int32>) {
        pair(below: m, Self.limit(n))
    }

    /// Returns two independent integers in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func pair(below m: Int, _ n: Lane<Int32>) -> (Lane<Int32>, Lane<Int32>) {
        pair(below: Self.limit(m), n)
    }

    /// Returns two independent integers in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func pair(below m: Lane<Int32>, _ n: Lane<Int32>) -> (Lane<Int32>, Lane<Int32>) {
        let word = next()
        var dice = PairDraw(words: word, m: m.words, n: n.words)
        if _slowPath(any(dice.mayFavour)) {
            // A copy, so that streams and dice themselves stay in registers.
            var rare = PairRedraw(streams: self, draw: PairDraw(words: word, m: m.words, n: n.words))
            rare.throwAgain()
            self = rare.streams
            dice = rare.draw
        }
        return (Lane(words: dice.first.right(16)), Lane(words: dice.second.right(16)))
    }

    @inlinable @inline(__always)
    static func limit(_ n: Int) -> Lane<Int32> {
        Misuse.stop(unless: UInt(bitPattern: n &- 1) < 0x1_0000, "each limit of a pair must be from 1 to 65 536")
        return Lane(Int32(truncatingIfNeeded: n))
    }

    /// Returns a random integer in each lane, from 0 up to but not including `n`, as `RandomStream.below` does. `n` must be
    /// a number of 32 bits.
    @inlinable @inline(__always)
    public mutating func below(_ n: Int) -> Lane<Int32> { below(Lane(n)) }

    /// Returns a random integer in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func below(_ n: Lane<Int32>) -> Lane<Int32> {
        let word = next()
        var die = Draw(words: word, limit: n.words)
        if _slowPath(any(die.mayFavour)) {
            var rare = Redraw(streams: self, draw: Draw(words: word, limit: n.words))
            rare.throwAgain()
            self = rare.streams
            die = rare.draw
        }
        return Lane(words: die.number)
    }

    /// Returns a random integer of the range in each lane, as `RandomStream.integer` does. The range must have fewer than 2³¹
    /// numbers, and they must have 32 bits.
    @inlinable @inline(__always)
    public mutating func integer(in range: ClosedRange<Int>) -> Lane<Int32> {
        Lane(range.lowerBound) &+ below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns the top bit of one word of each lane: true with probability 1/2.
    @inlinable @inline(__always)
    public mutating func coin() -> LaneMask { LaneMask(words: next().less(.zero)) }

    /// Returns a random real number in each lane, from 0 up to but not including 1, as `RandomStream.unit` does.
    @inlinable @inline(__always)
    public mutating func unit() -> Lane<Double> {
        // 2⁻²⁷ · high + 2⁻⁵³ · low. The words become the last bits of powers of two, which are then subtracted. All steps
        // are exact.
        let high = Lane(SIMD16(next().right(5), under: 0x1p25))
        let low = Lane(SIMD16(next().right(6), under: 0x1p-1))
        return (high - (0x1p25 + 0x1p-1)) + low
    }

    /// Returns a random real number in each lane, from `range.lowerBound` up to `range.upperBound`.
    @inlinable @inline(__always)
    public mutating func real(in range: Range<Double>) -> Lane<Double> {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Returns true with probability `p`, which must be from 0 to 1, in each lane.
    @inlinable @inline(__always)
    public mutating func chance(_ p: Double) -> LaneMask {
        Misuse.stop(unless: RandomStream.isProbability(p), "the probability of chance must be from 0 to 1")
        return unit() < p
    }

    /// Returns an exponentially distributed number in each lane, with the given mean.
    @inlinable @inline(__always)
    public mutating func exponential(mean: Double = 1) -> Lane<Double> { -mean * log(1 - unit()) }

    /// Returns a normally distributed number in each lane, as `RandomStream.normal` does.
    @inlinable @inline(__always)
    public mutating func normal(mean: Double = 0, deviation: Double = 1) -> Lane<Double> {
        let point = insideDisc()
        return mean + deviation * (point.x * sqrt(-2 * log(point.square) / point.square))
    }

    /// Returns e to a normally distributed number in each lane, as `RandomStream.logNormal` does.
    @inlinable @inline(__always)
    public mutating func logNormal(mean: Double = 0, deviation: Double = 1) -> Lane<Double> {
        exp(normal(mean: mean, deviation: deviation))
    }

    /// Returns a number of the Weibull distribution in each lane, as `RandomStream.weibull` does.
    @inlinable @inline(__always)
    public mutating func weibull(shape: Double, scale: Double = 1) -> Lane<Double> {
        RandomStream.check(shape: shape)
        return scale * exp(log(-log(1 - unit())) / shape)
    }

    /// Returns a number from `low` to `high` in each lane, as `RandomStream.triangular` does.
    @inlinable @inline(__always)
    public mutating func triangular(from low: Double, mode: Double, to high: Double) -> Lane<Double> {
        RandomStream.check(mode, from: low, to: high)
        let u = unit()
        let width = high - low
        let isLow = u * width < mode - low
        // One root for both sides.
        let root = sqrt(choose(isLow, u, 1 - u) * width * choose(isLow, Lane(mode - low), Lane(high - mode)))
        return choose(isLow, low + root, high - root)
    }

    /// Draws in the lanes in which the condition holds. The other lanes' streams stay as they are, and their numbers
    /// have no meaning. Limits must be above 0 in those lanes, too.
    ///
    ///     while any(outside) {
    ///         let again = random.draw(where: outside) { $0.unit() }
    ///         x.replace(with: again, where: outside)
    ///         …
    ///     }
    @inlinable @inline(__always)
    public mutating func draw<Value>(where mask: LaneMask, _ draw: (inout LaneStreams) -> Value) -> Value {
        var next = self
        let drawn = draw(&next)
        replace(with: next, where: mask)
        return drawn
    }

    /// Draws a point of the unit disc in each lane, until it lies inside and is not its middle. Returns its first number
    /// and the square of its distance from the middle.
    @inlinable @inline(__always)
    mutating func insideDisc() -> (x: Lane<Double>, square: Lane<Double>) {
        var point = self.point()
        var outside = !(point.square < 1 && point.square > 0)
        while any(outside) {
            let again = draw(where: outside) { $0.point() }
            point.x.replace(with: again.x, where: outside)
            point.square.replace(with: again.square, where: outside)
            outside = outside && !(again.square < 1 && again.square > 0)
        }
        return point
    }

    @inlinable @inline(__always)
    mutating func point() -> (x: Lane<Double>, square: Lane<Double>) {
        let x = sided()
        let y = sided()
        return (x, x * x + y * y)
    }

    /// Returns `2 * unit() - 1` in each lane, in as many steps as `unit()`. All are exact.
    @inlinable @inline(__always)
    mutating func sided() -> Lane<Double> {
        let high = Lane(SIMD16(next().right(5), under: 0x1p26))
        let low = Lane(SIMD16(next().right(6), under: 0x1p0))
        return (high - (0x1p26 + 0x1p0 + 1)) + low
    }
}
