/// The fixed numbers of blocks at which stop rules are judged: ⌈16·2^(k/4)⌉ for k = 0, 1, 2, …
///
/// Each is a fifth more than the one before. So judging costs little, a run overshoots its precision by
/// little, and there are only 225 checkpoints up to 2⁶⁰ blocks.
public enum Checkpoint {
    /// The checkpoint at 2⁶⁰ blocks. No job has that many.
    public static let last = 224

    /// 2^(k/4)·2⁶² rounded, for k = 0…3.
    private static let roots: [UInt64] = [
        0x4000_0000_0000_0000, 0x4C1B_F828_C6DC_54B8, 0x5A82_7999_FCEF_3242, 0x6BA2_7E65_6B4E_B57A,
    ]

    /// Returns the number of blocks before checkpoint `k`.
    public static func blocks(_ k: Int) -> UInt64 {
        precondition((0...last).contains(k), "there is no such checkpoint")
        // 16·2^(k/4) = root · 2^(k div 4 + 4 − 62)
        let shift = UInt64(58 - k / 4)
        let root = roots[k % 4]
        let whole = root >> shift
        return root & ((1 << shift) - 1) == 0 ? whole : whole + 1
    }

    /// Returns the numbers of blocks of the checkpoints that lie inside these blocks, and not at one of their ends.
    public static func inside(_ blocks: Range<UInt64>) -> [UInt64] {
        guard !blocks.isEmpty else { return [] }
        return (after(blocks.lowerBound)..<after(blocks.upperBound - 1)).map(self.blocks)
    }

    /// Returns the first checkpoint with more than `block` blocks before it, which is the end of the interval that
    /// contains the block. `block` must be one that a job may have, so below 2⁶⁰.
    public static func after(_ block: UInt64) -> Int {
        // Each doubling has four checkpoints, so only the last few are tried.
        var k = block < 16 ? 0 : 4 * (59 - block.leadingZeroBitCount)
        while blocks(k) <= block { k += 1 }
        return k
    }
}
