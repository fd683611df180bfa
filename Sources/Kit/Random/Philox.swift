/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011): a keyed permutation of a 128-bit counter.
///
/// It starts the streams: neighbouring counters give unrelated words, so block, lane and seed can be plain numbers.
@frozen public enum Philox {
    @inlinable
    public static func words(key: UInt64, counter: SIMD4<UInt32>) -> SIMD4<UInt32> {
        var x = counter
        var k0 = UInt32(truncatingIfNeeded: key)
        var k1 = UInt32(truncatingIfNeeded: key &>> 32)
        for _ in 0..<10 {
            let a = UInt64(x[0]) &* 0xD251_1F53
            let b = UInt64(x[2]) &* 0xCD9E_8D57
            x = SIMD4(
                UInt32(truncatingIfNeeded: b &>> 32) ^ x[1] ^ k0, UInt32(truncatingIfNeeded: b),
                UInt32(truncatingIfNeeded: a &>> 32) ^ x[3] ^ k1, UInt32(truncatingIfNeeded: a))
            k0 &+= 0x9E37_79B9
            k1 &+= 0xBB67_AE85
        }
        return x
    }
}
