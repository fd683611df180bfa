// Draws with the parts that decide whether a number must be drawn again. This is rare, so it is done lane by lane, by
// functions that are never part of a loop that draws. They work on a copy, so that the loop keeps its streams in registers.

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

    /// The lanes in which a number may favour some values or a limit is not above 0.
    @inlinable @inline(__always)
    var mayFavour: LaneMask { LaneMask(words: rest.notGreater(limit.minus(SIMD16(repeating: 1)))) }
}

/// A draw of which some lanes may have to draw again, and the streams after it.
@frozen @usableFromInline struct Redraw {
    @usableFromInline var streams: LaneStreams
    @usableFromInline var draw: Draw

    @inlinable @inline(__always)
    init(streams: LaneStreams, draw: Draw) {
        self.streams = streams
        self.draw = draw
    }

    /// Draws the numbers that favour some values again, each in its own lane.
    @usableFromInline @inline(never)
    mutating func throwAgain() {
        for lane in 0..<RandomStream.lanes {
            let limit = draw.limit[lane]
            Misuse.stop(unless: limit &- 1 < 1 &<< 31, "the limit of a random number must be above 0")
            // 2³² mod the limit: products with a lower half below this would favour some numbers.
            while draw.rest[lane] < (0 &- limit) % limit {
                let product = UInt64(streams.next(lane)) &* UInt64(limit)
                draw.number[lane] = UInt32(truncatingIfNeeded: product &>> 32)
                draw.rest[lane] = UInt32(truncatingIfNeeded: product)
            }
        }
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

    /// The lanes in which a number may favour some values or a limit is not above 0.
    @inlinable @inline(__always)
    var mayFavour: LaneMask {
        let (half, one) = (SIMD16<UInt32>(repeating: 0xffff), SIMD16<UInt32>(repeating: 1))
        // The second line costs nothing if the limits are constants.
        let mayFavour = first.and(half).less(m).or(second.and(half).less(n))
        return LaneMask(words: mayFavour.or(m.less(one)).or(n.less(one)))
    }
}

/// Pairs of which some lanes may have to draw again, and the streams after them.
@frozen @usableFromInline struct PairRedraw {
    @usableFromInline var streams: LaneStreams
    @usableFromInline var draw: PairDraw

    @inlinable @inline(__always)
    init(streams: LaneStreams, draw: PairDraw) {
        self.streams = streams
        self.draw = draw
    }

    /// Draws the pairs that favour some values again, each in its own lane.
    @usableFromInline @inline(never)
    mutating func throwAgain() {
        for lane in 0..<RandomStream.lanes {
            let (m, n) = (draw.m[lane], draw.n[lane])
            Misuse.stop(
                unless: m &- 1 < 0x1_0000 && n &- 1 < 0x1_0000, "each limit of a pair must be from 1 to 65 536")
            // 65 536 mod m: products with a lower half below this would favour some numbers.
            while draw.first[lane] & 0xffff < 0x1_0000 % m || draw.second[lane] & 0xffff < 0x1_0000 % n {
                let word = streams.next(lane)
                draw.first[lane] = (word &>> 16) &* m
                draw.second[lane] = (word & 0xffff) &* n
            }
        }
    }
}
