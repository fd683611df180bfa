// The draws of `RandomStream`, each in all lanes. If a number must be drawn again, which is rare, a function takes and
// returns the streams by value, so that they stay in registers in a loop that draws.
extension LaneStreams {
    /// Returns two independent integers in each lane, the first below `m` and the second below `n`, as `RandomStream.pair`
    /// does. Both limits are at most 65 536.
    @inlinable @inline(__always)
    public mutating func pair(below m: Int, _ n: Int) -> (Lane<Int32>, Lane<Int32>) {
        pair(below: Lane(m), Lane(n))
    }

    /// Returns two independent integers in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func pair(below m: Lane<Int32>, _ n: Int) -> (Lane<Int32>, Lane<Int32>) {
        pair(below: m, Lane(n))
    }

    /// Returns two independent integers in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func pair(below m: Int, _ n: Lane<Int32>) -> (Lane<Int32>, Lane<Int32>) {
        pair(below: Lane(m), n)
    }

    /// Returns two independent integers in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func pair(below m: Lane<Int32>, _ n: Lane<Int32>) -> (Lane<Int32>, Lane<Int32>) {
        var dice = PairDraw(words: next(), m: m.words, n: n.words)
        if _slowPath(any(dice.mayFavour)) {
            let thrown = dice.thrownAgain(self)
            self = thrown.streams
            dice = thrown.draw
        }
        return (Lane(words: dice.first.right(16)), Lane(words: dice.second.right(16)))
    }

    /// Returns a random integer in each lane, from 0 up to but not including `n`, as `RandomStream.below` does. `n` must be
    /// a number of 32 bits.
    @inlinable @inline(__always)
    public mutating func below(_ n: Int) -> Lane<Int32> { below(Lane(n)) }

    /// Returns a random integer in each lane, with limits that differ between lanes.
    @inlinable @inline(__always)
    public mutating func below(_ n: Lane<Int32>) -> Lane<Int32> {
        var die = Draw(words: next(), limit: n.words)
        if _slowPath(any(die.mayFavour)) {
            let thrown = die.thrownAgain(self)
            self = thrown.streams
            die = thrown.draw
        }
        return Lane(words: die.number)
    }

    /// Returns the top bit of one word of each lane: true with probability 1/2.
    @inlinable @inline(__always)
    public mutating func coin() -> LaneMask { LaneMask(signsOf: next()) }
}

/// A number in each lane. The upper half of a product is the number. The lower one tells whether it must be drawn again.
@frozen @usableFromInline struct Draw {
    @usableFromInline var number: SIMD16<UInt32>
    @usableFromInline var rest: SIMD16<UInt32>
    @usableFromInline let limit: SIMD16<UInt32>

    @inlinable @inline(__always)
    init(words: SIMD16<UInt32>, limit: SIMD16<UInt32>) {
        (number, rest) = words.fullProduct(limit)
        self.limit = limit
    }

    /// Where a number may favour some values, and where a limit is not above 0.
    @inlinable @inline(__always)
    var mayFavour: LaneMask { rest.notGreater(limit.minus(SIMD16(repeating: 1))) }

    /// Draws the numbers that favour some values again, each in its own lane.
    @usableFromInline @inline(never)
    func thrownAgain(_ streams: LaneStreams) -> (streams: LaneStreams, draw: Draw) {
        var streams = streams
        var draw = self
        for lane in 0..<RandomStream.lanes {
            let limit = limit[lane]
            precondition(limit &- 1 < 1 &<< 31, "the limit of a random number must be above 0")
            // 2³² mod the limit: products with a lower half below this would favour some numbers.
            while draw.rest[lane] < (0 &- limit) % limit {
                var stream = streams[lane]
                let product = UInt64(stream.next()) &* UInt64(limit)
                streams[lane] = stream
                draw.number[lane] = UInt32(truncatingIfNeeded: product &>> 32)
                draw.rest[lane] = UInt32(truncatingIfNeeded: product)
            }
        }
        return (streams, draw)
    }
}

/// A pair of numbers in each lane. The upper sixteen bits of a product are the number. The lower ones tell whether it must
/// be drawn again.
@frozen @usableFromInline struct PairDraw {
    @usableFromInline var first: SIMD16<UInt32>
    @usableFromInline var second: SIMD16<UInt32>
    @usableFromInline let m: SIMD16<UInt32>
    @usableFromInline let n: SIMD16<UInt32>

    @inlinable @inline(__always)
    init(words: SIMD16<UInt32>, m: SIMD16<UInt32>, n: SIMD16<UInt32>) {
        first = words.right(16).times(m)
        second = words.and(SIMD16(repeating: 0xffff)).times(n)
        self.m = m
        self.n = n
    }

    /// Where a number may favour some values, and where a limit is not from 1 to 65 536.
    @inlinable @inline(__always)
    var mayFavour: LaneMask {
        let half = SIMD16<UInt32>(repeating: 0xffff)
        let one = SIMD16<UInt32>(repeating: 1)
        return first.and(half).notGreater(m.minus(one)) || second.and(half).notGreater(n.minus(one))
    }

    /// Draws the pairs that favour some values again, each in its own lane.
    @usableFromInline @inline(never)
    func thrownAgain(_ streams: LaneStreams) -> (streams: LaneStreams, draw: PairDraw) {
        var streams = streams
        var draw = self
        for lane in 0..<RandomStream.lanes {
            let (m, n) = (m[lane], n[lane])
            precondition(m &- 1 < 0x1_0000 && n &- 1 < 0x1_0000, "each limit of a pair must be from 1 to 65 536")
            // 65 536 mod m: products with a lower half below this would favour some numbers.
            while draw.first[lane] & 0xffff < 0x1_0000 % m || draw.second[lane] & 0xffff < 0x1_0000 % n {
                var stream = streams[lane]
                let word = stream.next()
                streams[lane] = stream
                draw.first[lane] = (word &>> 16) &* m
                draw.second[lane] = (word & 0xffff) &* n
            }
        }
        return (streams, draw)
    }
}
