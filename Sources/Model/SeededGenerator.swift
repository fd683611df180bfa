/// SplitMix64, for jitter and other choices that no result depends on: part of a pure state, so that a run can be replayed
/// from its seed. Trials draw from `RandomStream` instead.
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

    /// Below `bound`, which is not 0; the bias of 2^-64 times the bound is nothing here.
    public mutating func next(below bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

    /// Between 0 and 1, 1 left out.
    public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Eight octets a word, the least significant first.
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

    /// Somewhere from the first to the second.
    public mutating func duration(from low: Duration, to high: Duration) -> Duration {
        low + .nanoseconds(Int64(Double((high - low).nanoseconds) * fraction()))
    }
}
