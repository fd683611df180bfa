/// The streams of a block's sixteen lanes side by side. Each draw takes a number from every lane's stream, the same one
/// that `RandomStream` draws. If a number must be drawn again, only its own lane draws again.
@frozen public struct LaneStreams: Sendable {
    @usableFromInline var a: SIMD16<UInt32>
    @usableFromInline var b: SIMD16<UInt32>
    @usableFromInline var c: SIMD16<UInt32>
    @usableFromInline var d: SIMD16<UInt32>

    /// Creates the streams of a block under this seed, at their first words.
    @inlinable
    public init(seed: UInt64, block: UInt64) {
        (a, b, c, d) = (.zero, .zero, .zero, .zero)
        for lane in 0..<RandomStream.lanes { self[lane] = RandomStream(seed: seed, block: block, lane: lane) }
    }

    /// The stream of one lane.
    @inlinable
    public subscript(_ lane: Int) -> RandomStream {
        get { RandomStream(SIMD4(a[lane], b[lane], c[lane], d[lane])) }
        set {
            let state = newValue.state
            (a[lane], b[lane], c[lane], d[lane]) = (state[0], state[1], state[2], state[3])
        }
    }

    /// Returns the next 32 random bits of each lane.
    @inlinable @inline(__always)
    mutating func next() -> SIMD16<UInt32> {
        let sum = a.plus(d)
        let result = sum.rotated(7).plus(a)
        let shifted = b.left(9)
        c = c.xor(a)
        d = d.xor(b)
        b = b.xor(c)
        a = a.xor(d)
        c = c.xor(shifted)
        d = d.rotated(11)
        return result
    }

    /// Returns the next 32 random bits of one lane.
    mutating func next(_ lane: Int) -> UInt32 {
        var stream = self[lane]
        let word = stream.next()
        self[lane] = stream
        return word
    }

    /// Replaces the streams of some lanes by those of `other`.
    @inlinable @inline(__always)
    mutating func replace(with other: LaneStreams, where mask: LaneMask) {
        a = mask.words.choose(other.a, a)
        b = mask.words.choose(other.b, b)
        c = mask.words.choose(other.c, c)
        d = mask.words.choose(other.d, d)
    }
}
