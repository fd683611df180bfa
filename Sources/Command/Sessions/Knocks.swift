import PotluckCore

/// When each refusal was last reported, so that those who try again and again fill no screen.
struct Knocks {
    private var told: [String: Instant] = [:]

    /// A laptop tries again every ten seconds. Its user types other words after longer than this.
    private static let pause = Duration.seconds(30)
    /// The places that are remembered: more than a class has laptops.
    private static let most = 256

    /// Whether a report with these words was not made a moment ago. Counts as making it.
    mutating func areNew(_ text: String, at now: Instant) -> Bool {
        guard told[text].map({ now - $0 >= Self.pause }) ?? true else { return false }
        if told.count >= Self.most { told = [:] }
        told[text] = now
        return true
    }
}
