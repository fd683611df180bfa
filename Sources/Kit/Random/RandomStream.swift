/// One lane's stream of random words: xoshiro128++ (Blackman and Vigna, 2019), started by Philox.
///
/// Lane `l` of block `b` of seed `s` is always the same stream, whoever computes it. The stream holds nothing but the
/// generator's state: no spare normal, no leftover bits, so that a draw depends only on the words before it.
@frozen public struct RandomStream: Sendable {
    @usableFromInline var a: UInt32
    @usableFromInline var b: UInt32
    @usableFromInline var c: UInt32
    @usableFromInline var d: UInt32

    /// Lanes in a block: one 512-bit, two 256-bit or four 128-bit registers of 32-bit words.
    public static var lanes: Int { 16 }

    /// The version of everything that decides which numbers a trial sees: the streams and the draws. It is part of a
    /// simulation's identity; changing any draw means raising it.
    public static var version: UInt32 { 1 }

    /// Sets the streams of trials apart from anything else Philox may ever be asked for under the same key.
    @usableFromInline static var tag: UInt32 { 0x504F_5431 }  // "POT1"

    @inlinable
    public init(seed: UInt64, block: UInt64, lane: Int) {
        let words = Philox.words(
            key: seed,
            counter: SIMD4(
                UInt32(truncatingIfNeeded: block), UInt32(truncatingIfNeeded: block &>> 32),
                UInt32(truncatingIfNeeded: lane), Self.tag))
        self.init(words)
    }

    /// Continues from a state. The all-zero state, from which xoshiro never leaves, is mended.
    @inlinable
    public init(_ state: SIMD4<UInt32>) {
        (a, b, c, d) = (state[0], state[1], state[2], state[3])
        if a | b | c | d == 0 { a = 0x9E37_79B9 }
    }

    /// The state, for kernels that run the lanes side by side.
    @inlinable public var state: SIMD4<UInt32> { SIMD4(a, b, c, d) }

    /// The next 32 random bits.
    @inlinable @inline(__always)
    public mutating func next() -> UInt32 {
        let sum = a &+ d
        let result = ((sum &<< 7) | (sum &>> 25)) &+ a
        let shifted = b &<< 9
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d &<< 11) | (d &>> 21)
        return result
    }

    /// The next 64 random bits: two words, the first one high.
    @inlinable @inline(__always)
    public mutating func next64() -> UInt64 {
        let high = next()
        let low = next()
        return UInt64(high) &<< 32 | UInt64(low)
    }
}
