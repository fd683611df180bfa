import PotluckModel

/// A node as its coordinator knows it, whatever the job.
struct Worker: Sendable {
    let node: NodeID
    var name: String
    /// Where its link comes from; empty for this very node.
    var address: [UInt8] = []
    var cores: Int
    /// Whether it could coordinate.
    var canCoordinate = false
    var isConnected = true
    var roundTrip: Duration?
}

/// What a node does in one job.
struct Part: Sendable {
    enum Stage: Equatable, Sendable {
        /// It was told of the job and gets it ready.
        case preparing
        case ready
        case unable(String)
        case gone
        case shutOut
    }

    let since: Instant
    var stage = Stage.preparing
    var pace = Pace()
    var forecast = Forecast()
    var trials: UInt64 = 0
    var chunks = 0
    /// Chunks of others that it computes again.
    var audits = 0
    /// In a row.
    var failures = 0
    var asides = 0
    var asideUntil: Instant?
    /// When it last brought something, or got something to do.
    var lastSign: Instant
    /// It has chunks and brings nothing.
    var isSilent = false
    /// It is tried again then: what it had was taken from it, so it may have nothing left to bring.
    var silentUntil: Instant?
    /// What a block writes, as far as that is known.
    var octetsOfBlock: Double?
    /// Blocks it may still do before one of its chunks is looked at again.
    var unaudited: UInt64 = 0

    init(since: Instant) {
        self.since = since
        lastSign = since
        forecast.saw(0, at: since)
    }

    /// Whether it may have chunks.
    func isAble(_ now: Instant) -> Bool {
        stage == .ready && (asideUntil.map { $0 <= now } ?? true)
            && (!isSilent || silentUntil.map { $0 <= now } ?? false)
    }
}
