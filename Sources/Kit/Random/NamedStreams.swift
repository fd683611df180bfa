extension RandomStream {
    /// Separates named streams from those of the lanes with the same key.
    @usableFromInline static var namedTag: UInt32 { 0x504F_5432 }  // "POT2"

    /// Returns a stream of the trial's own with this name, at its first word. It depends only on the seed, the number of the
    /// trial in the run and the name: not on the parameters, nor on what the trial drew before. So two settings meet the same
    /// customers, if these are drawn from a stream of their own:
    ///
    ///     var arrivals = random.stream("arrivals")
    ///
    /// A second call with the same name returns the same stream, again at its first word. In a gathering a named stream
    /// belongs to a block.
    @inlinable
    public func stream(_ name: StaticString) -> RandomStream {
        Misuse.stop(
            unless: origin.trial < StreamOrigin.waiting,
            "only the stream that a trial is given has named ones, and in a simulation with 'lane' it has none")
        return Self.named(Self.key(of: name), origin)
    }

    /// Returns the named stream whose name has this key.
    @inlinable
    static func named(_ key: UInt64, _ origin: StreamOrigin) -> RandomStream {
        RandomStream(
            Philox.words(
                key: origin.seed ^ key,
                counter: SIMD4(
                    UInt32(truncatingIfNeeded: origin.trial), UInt32(truncatingIfNeeded: origin.trial &>> 32), 0,
                    namedTag)))
    }

    /// Returns the name's part of a key: its hash by FNV-1a, with 64 bits.
    @inlinable
    static func key(of name: StaticString) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in 0..<name.utf8CodeUnitCount {
            hash = (hash ^ UInt64(name.utf8Start[index])) &* 0x100_0000_01B3
        }
        return hash
    }

    /// Returns the mirror of this stream: it begins at the same place, and all bits of its words are inverted. Where this one
    /// draws `unit()` u, the mirror draws 1 − 2⁻⁵³ − u, and a normal number has the other sign. The mean of a trial and its
    /// mirror varies less than that of two trials wherever the result mostly rises or mostly falls with the draws:
    ///
    ///     var mirror = random.mirrored()
    ///     tally.price.add((price(&random) + price(&mirror)) / 2)
    @inlinable @inline(__always)
    public func mirrored() -> RandomStream { RandomStream(words: words, flip: ~flip) }
}
