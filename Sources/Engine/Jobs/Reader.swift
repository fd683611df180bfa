import PotluckModel

/// The readings of one job. One is under way at a time and the others wait here: a simulation that takes long to read its tally
/// delays its result by that one reading, and no other job.
struct Reader: Sendable {
    enum Next: Sendable {
        case waiting(ReadRequest)
        /// Of what there is now.
        case picture
    }

    private var underWay: (request: ReadRequest, since: Instant)?
    /// In order. A job has fewer than 224.
    private var checkpoints: [ReadRequest] = []
    private var result: ReadRequest?
    /// Whether a picture is due.
    var wantsPicture = false
    /// Pictures and checkpoints take turns, so that a screen shows something while many checkpoints wait.
    private var wasPicture = false
    private var lastTime = Duration.zero
    private var picturesRestUntil: Instant?

    /// It waits for those before it.
    mutating func add(_ request: ReadRequest) {
        switch request.purpose {
        case .checkpoint: checkpoints.append(request)
        case .result: result = request
        case .picture: preconditionFailure("a picture is of what there is when it is read")
        }
    }

    /// What is to be read now; nil while something is, or where nothing is due.
    func next(_ now: Instant) -> Next? {
        guard underWay == nil else { return nil }
        let mayShow = wantsPicture && result == nil && (picturesRestUntil.map { $0 <= now } ?? true)
        if mayShow, !wasPicture || checkpoints.isEmpty { return .picture }
        return (checkpoints.first ?? result).map(Next.waiting)
    }

    mutating func began(_ request: ReadRequest, now: Instant) {
        underWay = (request, now)
        wasPicture = request.purpose == .picture
        switch request.purpose {
        case .picture: wantsPicture = false
        case .checkpoint: checkpoints.removeFirst()
        case .result: result = nil
        }
    }

    /// That one is back. False where it was not under way.
    mutating func took(_ request: ReadRequest, now: Instant) -> Bool {
        guard let reading = underWay, reading.request == request else { return false }
        underWay = nil
        lastTime = now - reading.since
        picturesRestUntil = lastTime >= JobLimits.slowReading ? now + lastTime : nil
        return true
    }

    func isSlow(_ now: Instant) -> Bool {
        max(lastTime, underWay.map { now - $0.since } ?? .zero) >= JobLimits.slowReading
    }

    /// Something was taken out of the tally: what waits is of no use where it has more than what is left.
    mutating func dropStale(settled: UInt64) {
        checkpoints.removeAll { $0.trials > settled }
        result = nil
    }

    mutating func dropWaiting() { (checkpoints, result) = ([], nil) }

    /// The time that this laptop slept is none that a reading took.
    mutating func slept(_ now: Instant) { underWay?.since = now }
}
