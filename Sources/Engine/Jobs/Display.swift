import PotluckCore

/// The times at which a job is shown, and the facts that were shown of it.
struct Display: Sendable {
    /// When it is shown next on this node.
    private(set) var next: Instant
    /// When it is shown next to other nodes.
    private var nextFar: Instant
    /// The first trials, if they are shown one after the other.
    var opening = Opening()
    /// The rate of the whole job.
    var forecast = Forecast()
    /// The wait that all nodes were last told of; nil if they were told of none.
    private(set) var toldWait: JobWait?
    /// Whether the job was paused when it was last shown.
    var isShownPaused = false
    /// Whether other nodes have seen a tally.
    private var hasShownTally = false

    init(now: Instant) { (next, nextFar) = (now, now) }

    /// The job began or continued with that many trials done. It is shown after the usual pause.
    mutating func begin(trials: UInt64, now: Instant) {
        next = now + JobLimits.picture
        nextFar = next
        forecast = Forecast()
        forecast.saw(trials, at: now)
    }

    /// Returns whether the job is to be shown on this node now.
    mutating func isDue(_ now: Instant) -> Bool {
        guard now >= next else { return false }
        next = now + JobLimits.picture
        return true
    }

    /// Returns whether all nodes are to be told of this wait, and notes that they are.
    mutating func tells(_ wait: JobWait) -> Bool {
        defer { toldWait = wait }
        if case .start = wait, case .start = toldWait { return false }
        return wait != toldWait
    }

    /// Forgets what was told, because another state was shown.
    mutating func forgetWait() { toldWait = nil }

    /// Lets the next picture go to other nodes at once.
    mutating func showOthersSoon(_ now: Instant) { nextFar = now }

    /// Returns whether a picture with this number of trials is to be sent to the `count` other nodes. The first tally
    /// is sent at once, because a room of people waits for it.
    mutating func showsOthers(_ count: Int, trials: UInt64, now: Instant) -> Bool {
        let isFirst = !hasShownTally && trials > 0
        guard now >= nextFar || isFirst, count > 0 else { return false }
        hasShownTally = trials > 0
        let pause = max(JobLimits.farPicture, JobLimits.farPicturePerNode * count)
        nextFar = now + min(pause, JobLimits.rarestFarPicture)
        return true
    }
}
