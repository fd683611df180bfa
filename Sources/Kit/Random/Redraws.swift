// The rest of a draw where its first word may favour some numbers. Rare, so each is a function of its own, which takes the
// stream and gives it back by value: a loop that draws stays small, and its stream stays in registers. (A call that got
// the stream's address, however rare, would keep it in memory for the whole loop: half the speed.)
extension RandomStream {
    /// The rest of `below` after its first word.
    @usableFromInline @inline(never)
    func below(_ n: Int, after word: UInt32) -> (stream: RandomStream, number: Int) {
        precondition(n > 0, "a number below 0 was asked for")
        let drawn = below(exactly: UInt64(n), after: word)
        return (drawn.stream, Int(truncatingIfNeeded: drawn.number))
    }

    /// `below` for all of 64 bits: zero stands for 2⁶⁴.
    @inlinable @inline(__always)
    mutating func below(exactly n: UInt64) -> UInt64 {
        let word = next()
        let product = UInt64(word) &* n
        if _slowPath(product & 0xffff_ffff <= n &- 1) {
            let drawn = below(exactly: n, after: word)
            self = drawn.stream
            return drawn.number
        }
        return product &>> 32
    }

    @usableFromInline @inline(never)
    func below(exactly n: UInt64, after word: UInt32) -> (stream: RandomStream, number: UInt64) {
        var stream = self
        if n &- 1 < 1 << 32 {
            var product = UInt64(word) &* n
            // 2³² mod n: what is left over of 32 bits, and would favour some numbers.
            while product & 0xffff_ffff < (1 << 32) % n { product = UInt64(stream.next()) &* n }
            return (stream, product &>> 32)
        }
        var wide = UInt64(word) &<< 32 | UInt64(stream.next())
        if n == 0 { return (stream, wide) }
        // 2⁶⁴ mod n, likewise.
        let leftover = (0 &- n) % n
        while wide &* n < leftover { wide = stream.next64() }
        return (stream, wide.multipliedFullWidth(by: n).high)
    }

    /// The rest of `pair` after its word.
    @usableFromInline @inline(never)
    func pair(below m: UInt32, _ n: UInt32, after word: UInt32) -> (stream: RandomStream, first: UInt32, second: UInt32)
    {
        var stream = self
        var word = word
        while true {
            let first = (word &>> 16) &* m
            let second = (word & 0xffff) &* n
            // 65 536 mod m: what is left over of 16 bits, and would favour some sides.
            if first & 0xffff >= 0x1_0000 % m && second & 0xffff >= 0x1_0000 % n {
                return (stream, first &>> 16, second &>> 16)
            }
            word = stream.next()
        }
    }
}
