import PotluckModel

/// A bucket of tokens: so many at once, then so many a second.
struct Allowance {
    private let most: Double
    private let perSecond: Double
    private var tokens: Double
    private var filled: Instant

    init(_ size: (most: Int, perSecond: Int), at now: Instant) {
        most = Double(size.most)
        perSecond = Double(size.perSecond)
        tokens = most
        filled = now
    }

    /// Takes one, where there is one.
    mutating func take(at now: Instant) -> Bool {
        tokens = min(most, tokens + (now - filled).seconds * perSecond)
        filled = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
