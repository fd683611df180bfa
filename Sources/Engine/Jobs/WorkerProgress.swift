import PotluckCore

/// The work of one worker in one job, and whether it may have more.
struct WorkerProgress: Sendable {
    enum Stage: Equatable, Sendable {
        /// It was told of the job and prepares its simulation.
        case preparing
        case ready
        case unable(String)
        case gone
        case shutOut

        var mayBecomeReady: Bool {
            switch self {
            case .preparing, .unable: true
            case .ready, .gone, .shutOut: false
            }
        }
    }

    /// Whether it returns the blocks that it was lent.
    enum Contact: Equatable, Sendable {
        case regular
        /// Another node was faster with a chunk that it had, and it has returned nothing since. It may have stopped.
        case overtaken
        /// It kept chunks too long without returning a block. It gets chunks again after this time: they were taken
        /// from it, so it may have nothing to return.
        case silent(until: Instant)
    }

    /// When the worker joined the job.
    let since: Instant
    var stage = Stage.preparing
    var pace = Pace()
    var forecast = Forecast()
    /// The trials of its results that count.
    var trials: UInt64 = 0
    /// Its results with at least one block.
    var chunks = 0
    /// The audits that it has finished.
    var audits = 0
    /// Failures in a row; reset by a result.
    var failures = 0
    /// How often it was set aside since its last result.
    var asides = 0
    /// It gets no chunk before this time.
    var asideUntil: Instant?
    /// When it last returned blocks, or got a chunk while it had none.
    var lastSign: Instant
    var contact = Contact.regular
    /// The bytes that a block writes, on average; nil before the first output.
    var octetsOfBlock: Double?
    /// The effort that it reported for a search.
    var effort = SearchEffort.none
    /// The blocks that it may still compute before one of its chunks is audited; nil if that was not chosen yet.
    var unaudited: UInt64?
    /// The trials of its results that another node computed, too, with the same outcome. Nil if it is no browser.
    var recomputed: UInt64?

    init(since: Instant, isBrowser: Bool) {
        self.since = since
        recomputed = isBrowser ? 0 : nil
        lastSign = since
        forecast.saw(0, at: since)
    }

    /// Whether it may have chunks.
    func isAble(_ now: Instant) -> Bool {
        if case .silent(let until) = contact, until > now { return false }
        return stage == .ready && (asideUntil.map { $0 <= now } ?? true)
    }

    var isSilent: Bool { if case .silent = contact { true } else { false } }

    /// Another node was faster with a chunk that it had.
    mutating func wasOvertaken() { if !isSilent { contact = .overtaken } }
}
