import PotluckCore

/// Estimates the rate of a job and its remaining time from the progress seen so far.
struct Forecast: Sendable {
    /// The rate is averaged over this time.
    static let window = Duration.seconds(3)
    /// There is no rate before progress was seen over this time.
    static let shortest = Duration.milliseconds(500)

    private var seen: [(at: Instant, trials: UInt64)] = []

    /// Records the number of trials done at a time.
    mutating func saw(_ trials: UInt64, at now: Instant) {
        seen.append((now, trials))
        // The oldest entry kept is the last one from before the window, so that the entries cover the whole window.
        while seen.count > 2, now - seen[1].at >= Self.window { seen.removeFirst() }
    }

    /// Leaves out a time that has just passed, in which this laptop slept.
    mutating func skip(_ time: Duration) { for index in seen.indices { seen[index].at = seen[index].at + time } }

    /// Trials per second; nil before progress was seen for long enough.
    var rate: Double? {
        guard let first = seen.first, let last = seen.last, last.at - first.at >= Self.shortest else { return nil }
        return Double(last.trials - min(first.trials, last.trials)) / (last.at - first.at).seconds
    }

    /// Returns the time until the first of the conditions of the job's goal is met. `precisionTrials` is the estimated number of
    /// trials at which the precision is reached; nil if there is no estimate.
    func remaining(_ spec: JobSpec, trials: UInt64, elapsed: Duration, precisionTrials: UInt64?) -> Remaining {
        let (goal, wanted) = (spec.goal, spec.wanted)
        if wanted == nil && goal.precision == nil && goal.duration == nil { return .endless }
        var waits: [Duration] = []
        if let duration = goal.duration { waits.append(max(.zero, duration - elapsed)) }
        let ends = [wanted, goal.precision == nil ? nil : precisionTrials].compactMap { $0 }
        if let end = ends.min(), let rate, rate > 0 {
            waits.append(.seconds(Double(end - min(end, trials)) / rate))
        }
        return waits.min().map(Remaining.about) ?? .unknown
    }
}
