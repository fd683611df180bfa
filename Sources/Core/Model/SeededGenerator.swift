/// SplitMix64, for jitter and other choices that do not affect results. It is part of a pure state, so a run can be
/// replayed from its seed. Trials draw from `RandomStream` instead.
public struct SeededGenerator: Sendable, Hashable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// Returns a number below `bound`, which must not be 0. The bias of `bound` times 2^-64 is negligible here.
    public mutating func next(below bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

    /// Returns a number from 0 up to but not including 1.
    public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns `count` random bytes: eight from each word, least significant first.
    public mutating func octets(_ count: Int) -> [UInt8] {
        var octets: [UInt8] = []
        while octets.count < count {
            var word = next()
            for _ in 0..<min(8, count - octets.count) {
                octets.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return octets
    }

    /// Returns a random duration from `low` to `high`.
    public mutating func duration(from low: Duration, to high: Duration) -> Duration {
        low + .nanoseconds(Int64(Double((high - low).nanoseconds) * fraction()))
    }
}
