import PotluckCore

/// How far the latest estimates of a job's end agree. On a busy machine the rate wanders, and a single estimate would be
/// wrong by a multiple.
public struct Estimate: Sendable, Equatable {
    /// The estimates of this time are compared.
    static let window = Duration.seconds(30)
    /// One estimate in this time is kept.
    static let pause = Duration.seconds(1)
    /// Up to this ratio of the longest to the shortest, one number says it all.
    static let steady = 1.3
    /// Beyond this ratio a range says nothing.
    static let useless = 5.0

    /// The ends that were estimated, and when, the oldest first.
    private var ends: [(at: Instant, end: Instant)] = []

    public init() {}

    public static func == (a: Estimate, b: Estimate) -> Bool {
        a.ends.elementsEqual(b.ends) { $0.at == $1.at && $0.end == $1.end }
    }

    /// Takes the estimate of a snapshot.
    public mutating func note(_ snapshot: JobSnapshot, at now: Instant) {
        guard snapshot.state == .running, case .about(let left) = snapshot.remaining else {
            ends = []
            return
        }
        ends.removeAll { now - $0.at > Self.window }
        if let last = ends.last, now - last.at < Self.pause { ends.removeLast() }
        ends.append((now, now + left))
    }

    /// The words for the time that remains.
    func words(_ remaining: Remaining, at now: Instant) -> String {
        guard case .about(let left) = remaining, left >= .seconds(1), let first = ends.map(\.end).min(),
            let last = ends.map(\.end).max()
        else { return remaining.words }
        let (shortest, longest) = (max(first - now, .seconds(1)), max(last - now, .seconds(1)))
        let ratio = longest.seconds / shortest.seconds
        if ratio <= Self.steady { return remaining.words }
        if ratio > Self.useless { return "no estimate: the speed changes" }
        return "\(Figures.rough(shortest)) to \(Figures.rough(longest)) left"
    }
}
