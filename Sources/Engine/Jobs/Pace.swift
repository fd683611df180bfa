import PotluckCore

/// The measured speed of a node's cores on a job, and the chunk size that follows from it.
struct Pace: Sendable {
    /// The time that a chunk should take: long enough that handing it out costs nothing, short enough that a lost chunk
    /// costs little and the screen keeps moving.
    static let target = Duration.milliseconds(300)
    /// At the end of a job chunks shrink so that all cores end together, but not below this time.
    static let floor = Duration.milliseconds(5)
    /// A chunk has at most this many times the blocks of the largest chunk so far, because the first chunks are too
    /// short to measure a speed.
    static let growth: UInt64 = 16

    /// Nanoseconds per block, smoothed; nil before the first result, unless it was taken from an earlier job.
    private var cost: Double?
    private var largest: UInt64 = 1
    /// Whether `cost` is that of an earlier job. It sizes the first chunks and counts for nothing else, because blocks
    /// with other parameters may take much longer.
    private var isGuess = false

    /// Returns the pace to begin the next job of the same simulation with. So short jobs need one chunk for each core.
    var guess: Pace {
        var next = self
        next.isGuess = cost != nil
        next.largest = 1
        return next
    }

    /// Blocks per second of one core; nil before the first result.
    var speed: Double? { isGuess ? nil : cost.map { 1e9 / $0 } }

    /// Returns the number of blocks that the next chunk should have. `left` is the number of blocks still to be handed
    /// out, `total` the blocks per second of all cores of all nodes.
    func size(left: UInt64, total: Double) -> UInt64 {
        guard let cost else { return 1 }
        guard let speed else { return max(1, Self.blocks(Self.floor, cost)) }
        let wanted = Self.blocks(Self.target, cost)
        let fair = total > 0 ? UInt64(min(Double(left) * min(1, speed / total) / 2, 0x1p60)) : left / 2
        return max(1, min(wanted, largest.multipliedClamped(Self.growth), max(fair, Self.blocks(Self.floor, cost))))
    }

    /// Returns the time that a core takes for this many blocks; `target` before the first result.
    func time(for blocks: UInt64) -> Duration {
        guard let cost, !isGuess else { return Self.target }
        return .nanoseconds(Int64(min(Double(blocks) * cost, 0x1p60)))
    }

    /// Returns the number of blocks that a core computes in this time; nil before the first result.
    func blocks(in time: Duration) -> UInt64? { cost.map { Self.blocks(time, $0) } }

    /// Returns the number of chunks of this size that a core should have in hand.
    func chunks(of size: UInt64) -> Int {
        guard speed != nil else { return JobLimits.chunksPerCore }
        let each = max(1, time(for: size).nanoseconds)
        let ahead = (JobLimits.ahead.nanoseconds + each - 1) / each
        return Int(min(max(Int64(JobLimits.chunksPerCore), ahead), Int64(JobLimits.mostPerCore)))
    }

    /// Takes the measurement of a result: its blocks, and the time that a core computed.
    mutating func learn(blocks: UInt64, busy: Duration) {
        guard blocks > 0 else { return }
        let measured = max(1, Double(busy.nanoseconds)) / Double(blocks)
        // A new measurement has a weight of one third: one or two noisy chunks do little harm, and a laptop that slows
        // down is noticed within a second.
        cost = isGuess ? measured : cost.map { $0 + (measured - $0) / 3 } ?? measured
        isGuess = false
        largest = max(largest, blocks)
    }

    /// Returns the number of blocks that a core computes in this time at `speed` blocks per second; at least 1.
    static func blocks(in time: Duration, at speed: Double) -> UInt64 {
        UInt64(max(1, min(time.seconds * speed, 0x1p40)))
    }

    private static func blocks(_ duration: Duration, _ cost: Double) -> UInt64 {
        UInt64(min(Double(duration.nanoseconds) / cost, 0x1p40))
    }
}
