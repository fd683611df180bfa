import Builtin

#if hasFeature(Embedded)
    /// One lane's stream of random words: xoshiro128++ (Blackman and Vigna, 2019), seeded by Philox.
    ///
    /// Lane `l` of block `b` of seed `s` is the same stream on every node. The stream holds only the generator's state,
    /// without a spare normal number or leftover bits, so a draw depends only on the words before it.
    ///
    /// In a module a stream cannot be copied. A trial that drew from a copy would leave the given stream as it was, and the
    /// next trial would draw the same words.
    @frozen public struct RandomStream: ~Copyable, Sendable {
        @usableFromInline var a: UInt32
        @usableFromInline var b: UInt32
        @usableFromInline var c: UInt32
        @usableFromInline var d: UInt32
        /// 0, or all ones in a mirrored stream: what each word is combined with.
        @usableFromInline var flip: UInt32 = 0
        /// Whether a trial was given this stream, and not one that follows from it.
        @usableFromInline var isGiven = false
    }
#else
    /// One lane's stream of random words: xoshiro128++ (Blackman and Vigna, 2019), seeded by Philox.
    ///
    /// Lane `l` of block `b` of seed `s` is the same stream on every node. The stream holds only the generator's state,
    /// without a spare normal number or leftover bits, so a draw depends only on the words before it. In a trial it also knows
    /// the trial's number, for its named streams.
    ///
    /// Natively it can be copied: code outside of trials may keep streams where values must be copyable. An author's
    /// file is always compiled to a module first.
    @frozen public struct RandomStream: Sendable {
        @usableFromInline var a: UInt32
        @usableFromInline var b: UInt32
        @usableFromInline var c: UInt32
        @usableFromInline var d: UInt32
        /// 0, or all ones in a mirrored stream: what each word is combined with.
        @usableFromInline var flip: UInt32 = 0
        @usableFromInline var origin = StreamOrigin.none
    }
#endif

extension RandomStream {
    /// The number of lanes in a block: one 512-bit, two 256-bit or four 128-bit registers of 32-bit words.
    public static var lanes: Int { 16 }

    /// The version of everything that decides which numbers a trial sees: the streams and the draws. It is part of a
    /// simulation's identity. Raise it whenever a draw changes.
    public static var version: UInt32 { 1 }

    /// Separates the streams of trials from any other use of Philox with the same key.
    @usableFromInline static var tag: UInt32 { 0x504F_5431 }  // "POT1"

    /// Creates the stream of lane `lane` in block `block` under this seed, at its first word.
    @inlinable
    public init(seed: UInt64, block: UInt64, lane: Int) {
        let words = Philox.words(
            key: seed,
            counter: SIMD4(
                UInt32(truncatingIfNeeded: block), UInt32(truncatingIfNeeded: block &>> 32),
                UInt32(truncatingIfNeeded: lane), Self.tag))
        self.init(words)
    }

    /// Creates the stream of a gathering's block, whose first unit has this number.
    @inlinable
    init(seed: UInt64, block: UInt64, first: UInt64) {
        self.init(seed: seed, block: block, lane: 0)
        origin = StreamOrigin(seed: seed, trial: first)
    }

    /// Creates a stream from a state. Replaces the all-zero state, which xoshiro never leaves.
    @inlinable
    public init(_ state: SIMD4<UInt32>) {
        (a, b, c, d) = (state[0], state[1], state[2], state[3])
        if a | b | c | d == 0 { a = 0x9E37_79B9 }
    }

    /// The generator's state, for kernels that run the lanes side by side.
    @inlinable public var state: SIMD4<UInt32> { SIMD4(a, b, c, d) }

    /// The generator's state, which a function can return beside a number.
    @usableFromInline typealias Words = (a: UInt32, b: UInt32, c: UInt32, d: UInt32)

    @inlinable @inline(__always) var words: Words {
        get { (a, b, c, d) }
        set { (a, b, c, d) = newValue }
    }

    /// Creates a stream from the state of another one.
    @inlinable @inline(__always)
    init(words: Words, flip: UInt32 = 0) {
        (a, b, c, d) = words
        self.flip = flip
    }

    /// Rotates bits to the left. This is one operation for the optimiser, where shifts would be three. It inlines a trial into
    /// the loop over trials by the number of its operations, and a trial that it calls takes nearly twice as long.
    @inlinable @inline(__always)
    static func rotated(_ word: UInt32, _ places: UInt32) -> UInt32 {
        UInt32(Builtin.int_fshl_Int32(word._value, word._value, places._value))
    }

    /// Returns the next 32 random bits.
    @inlinable @inline(__always)
    public mutating func next() -> UInt32 {
        let sum = a &+ d
        let result = Self.rotated(sum, 7) &+ a
        let shifted = b &<< 9
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = Self.rotated(d, 11)
        return result ^ flip
    }

    /// Returns the next 64 random bits: two words, the first in the upper half.
    @inlinable @inline(__always)
    public mutating func next64() -> UInt64 {
        let high = next()
        let low = next()
        return UInt64(high) &<< 32 | UInt64(low)
    }
}
