import PotluckCore

/// Measures how long a job has been computed, without its pauses and without the sleep of its coordinator's laptop.
struct RunClock: Sendable {
    /// The time until the clock was last stopped, including the time under earlier coordinators.
    private(set) var before: Duration
    /// When the clock was started; nil while it stands still.
    private var startedAt: Instant?
    /// Whether it was ever started.
    private(set) var hasRun = false

    init(before: Duration = .zero) { self.before = before }

    var isRunning: Bool { startedAt != nil }

    func elapsed(_ now: Instant) -> Duration { before + (startedAt.map { now - $0 } ?? .zero) }

    /// Starts the clock unless it runs.
    mutating func start(_ now: Instant) {
        startedAt = startedAt ?? now
        hasRun = true
    }

    /// Leaves out a time that has just passed.
    mutating func skip(_ time: Duration) { startedAt = startedAt.map { $0 + time } }

    mutating func stop(_ now: Instant) {
        before = elapsed(now)
        startedAt = nil
    }
}
