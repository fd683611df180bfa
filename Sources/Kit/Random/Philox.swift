/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011): a keyed permutation of a 128-bit counter.
///
/// Used to seed the streams: neighbouring counters give unrelated words, so block, lane and seed can be plain numbers.
@frozen public enum Philox {
    /// Returns the four words that ten rounds make of the counter under this key.
    @inlinable
    public static func words(key: UInt64, counter: SIMD4<UInt32>) -> SIMD4<UInt32> {
        var (a, b, c, d) = (counter[0], counter[1], counter[2], counter[3])
        var k0 = UInt32(truncatingIfNeeded: key)
        var k1 = UInt32(truncatingIfNeeded: key &>> 32)
        for _ in 0..<10 {
            let p = UInt64(a) &* 0xD251_1F53
            let q = UInt64(c) &* 0xCD9E_8D57
            (a, b) = (UInt32(truncatingIfNeeded: q &>> 32) ^ b ^ k0, UInt32(truncatingIfNeeded: q))
            (c, d) = (UInt32(truncatingIfNeeded: p &>> 32) ^ d ^ k1, UInt32(truncatingIfNeeded: p))
            k0 &+= 0x9E37_79B9
            k1 &+= 0xBB67_AE85
        }
        return SIMD4(a, b, c, d)
    }
}
