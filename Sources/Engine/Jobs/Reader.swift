import PotluckCore

/// The queue of readings of one job. One reading is in flight at a time. A simulation that takes long to read its tally
/// delays its own result by at most that one reading, and no other job.
struct Reader: Sendable {
    enum Next: Sendable {
        case waiting(ReadRequest)
        /// A reading of the current tally.
        case picture
    }

    private var underWay: (request: ReadRequest, since: Instant)?
    /// The checkpoints to be read, in order. A job has fewer than 224.
    private var checkpoints: [ReadRequest] = []
    private var result: ReadRequest?
    /// Whether a picture is due.
    var wantsPicture = false
    /// Whether the last reading was a picture. Pictures and checkpoints alternate, so that a screen shows something
    /// while many checkpoints wait.
    private var wasPicture = false
    private var lastTime = Duration.zero
    private var picturesRestUntil: Instant?

    /// Adds a request to the queue.
    mutating func add(_ request: ReadRequest) {
        switch request.purpose {
        case .checkpoint: checkpoints.append(request)
        case .result: result = request
        case .picture, .question, .opening: preconditionFailure("only checkpoints and results are queued")
        }
    }

    /// Returns what to read next; nil while a reading is in flight, and if none is due.
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
        case .picture, .question, .opening: wantsPicture = false
        case .checkpoint: checkpoints.removeFirst()
        case .result: result = nil
        }
    }

    /// A reading has arrived. Returns false if the request was not in flight.
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

    /// Wrong results were taken out of the tally. Drops the queued readings of more trials than are still settled, and
    /// the result.
    mutating func dropStale(settled: UInt64) {
        checkpoints.removeAll { $0.trials > settled }
        result = nil
    }

    mutating func dropWaiting() { (checkpoints, result) = ([], nil) }

    /// Starts the time of the current reading over. Called after this laptop slept.
    mutating func slept(_ now: Instant) { underWay?.since = now }
}
