// The rest of a draw whose first word may favour some numbers. This is rare, so each draw has a separate function that
// takes and returns the stream by value. A loop that draws then stays small, and its stream stays in registers. A call
// with the stream's address, however rare, would keep the stream in memory for the whole loop, at half the speed.
extension RandomStream {
    /// Continues `below(_:)` after its first word.
    @usableFromInline @inline(never)
    static func below(_ n: Int, after word: UInt32, _ words: Words, _ flip: UInt32) -> (words: Words, number: Int) {
        Misuse.stop(unless: n > 0, "the limit of a random number must be above 0")
        let drawn = below(exactly: UInt64(n), after: word, words, flip)
        return (drawn.words, Int(truncatingIfNeeded: drawn.number))
    }

    /// `below` for the full range of 64 bits. An `n` of zero means 2⁶⁴.
    @inlinable @inline(__always)
    mutating func below(exactly n: UInt64) -> UInt64 {
        let word = next()
        let product = UInt64(word) &* n
        if _slowPath(product & 0xffff_ffff <= n &- 1) {
            let drawn = Self.below(exactly: n, after: word, words, flip)
            words = drawn.words
            return drawn.number
        }
        return product &>> 32
    }

    @usableFromInline @inline(never)
    static func below(
        exactly n: UInt64, after word: UInt32, _ words: Words, _ flip: UInt32
    ) -> (words: Words, number: UInt64) {
        var stream = RandomStream(words: words, flip: flip)
        if n &- 1 < 1 << 32 {
            var product = UInt64(word) &* n
            // 2³² mod n: products with a lower half below this would favour some numbers.
            while product & 0xffff_ffff < (1 << 32) % n { product = UInt64(stream.next()) &* n }
            return (stream.words, product &>> 32)
        }
        var wide = UInt64(word) &<< 32 | UInt64(stream.next())
        if n == 0 { return (stream.words, wide) }
        // 2⁶⁴ mod n, for the same reason.
        let leftover = (0 &- n) % n
        while wide &* n < leftover { wide = stream.next64() }
        return (stream.words, wide.multipliedFullWidth(by: n).high)
    }

    /// Continues `pair` after its first word.
    @usableFromInline @inline(never)
    static func pair(
        below m: UInt32, _ n: UInt32, after word: UInt32, _ words: Words, _ flip: UInt32
    ) -> (words: Words, first: UInt32, second: UInt32) {
        var stream = RandomStream(words: words, flip: flip)
        var word = word
        while true {
            let first = (word &>> 16) &* m
            let second = (word & 0xffff) &* n
            // 65 536 mod m: products with a lower half below this would favour some numbers.
            if first & 0xffff >= 0x1_0000 % m && second & 0xffff >= 0x1_0000 % n {
                return (stream.words, first &>> 16, second &>> 16)
            }
            word = stream.next()
        }
    }
}
