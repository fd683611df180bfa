/// A token bucket: a number of tokens at once, then a number per second.
public struct Allowance: Sendable {
    private let most: Double
    private let perSecond: Double
    private var tokens: Double
    private var filled: Instant

    public init(_ size: (most: Int, perSecond: Int), at now: Instant) {
        most = Double(size.most)
        perSecond = Double(size.perSecond)
        tokens = most
        filled = now
    }

    /// Takes a token. Returns false if there is none.
    public mutating func take(at now: Instant) -> Bool {
        tokens = min(most, tokens + (now - filled).seconds * perSecond)
        filled = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
