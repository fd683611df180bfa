import PotluckCore

/// The time that jobs have had which share a machine. While several are in hand, each has an equal part of the time.
struct SharedTime {
    private var last: Instant
    /// For each job in hand, how long it has been, and the part of that time that was its own.
    private var times: [Int: (whole: Duration, own: Duration)] = [:]

    init(_ now: Instant) { last = now }

    mutating func begin(_ job: Int, _ now: Instant) {
        pass(now)
        times[job] = (.zero, .zero)
    }

    /// Returns the part, up to 1, of the time since the job began that was its own.
    mutating func end(_ job: Int, _ now: Instant) -> Double {
        pass(now)
        guard let (whole, own) = times.removeValue(forKey: job), whole > .zero else { return 1 }
        return own / whole
    }

    private mutating func pass(_ now: Instant) {
        let time = now - last
        last = now
        let count = times.count
        times = times.mapValues { (whole: $0.whole + time, own: $0.own + time / count) }
    }
}
