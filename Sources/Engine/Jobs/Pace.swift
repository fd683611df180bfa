import PotluckModel

/// How fast a core of a node computes a job's blocks, and so how large its chunks should be.
struct Pace: Sendable {
    /// A chunk should take this long: long enough that handing it out costs nothing, short enough that a lost one costs
    /// little and the screen keeps moving.
    static let target = Duration.milliseconds(300)
    /// At the end of a job chunks shrink, so that all cores end together, but not below this.
    static let floor = Duration.milliseconds(5)
    /// From one chunk to the next a core's chunks grow by no more than this, since the first ones are too short to measure.
    static let growth: UInt64 = 16

    /// Nanoseconds a block, smoothed. Nil before the first chunk.
    private var cost: Double?
    private var largest: UInt64 = 1

    /// Blocks a second.
    var speed: Double? { cost.map { 1e9 / $0 } }

    /// The blocks a chunk should have, where `left` are still to be handed out to cores that do `total` blocks a second
    /// together.
    func size(left: UInt64, total: Double) -> UInt64 {
        guard let cost, let speed else { return 1 }
        let wanted = Self.blocks(Self.target, cost)
        let fair = total > 0 ? UInt64(min(Double(left) * min(1, speed / total) / 2, 0x1p60)) : left / 2
        return max(1, min(wanted, largest.multipliedClamped(Self.growth), max(fair, Self.blocks(Self.floor, cost))))
    }

    /// How long a core takes for so many blocks.
    func time(for blocks: UInt64) -> Duration {
        guard let cost else { return Self.target }
        return .nanoseconds(Int64(min(Double(blocks) * cost, 0x1p60)))
    }

    /// How many blocks a core does in that time; nil before anything is known.
    func blocks(in time: Duration) -> UInt64? { cost.map { Self.blocks(time, $0) } }

    /// How many chunks of a size a core should have in hand.
    func chunks(of size: UInt64) -> Int {
        guard cost != nil else { return JobLimits.chunksPerCore }
        let each = max(1, time(for: size).nanoseconds)
        let ahead = (JobLimits.ahead.nanoseconds + each - 1) / each
        return Int(min(max(Int64(JobLimits.chunksPerCore), ahead), Int64(JobLimits.mostPerCore)))
    }

    mutating func learn(blocks: UInt64, busy: Duration) {
        guard blocks > 0 else { return }
        let measured = max(1, Double(busy.nanoseconds)) / Double(blocks)
        // New measurements count for a third: a chunk or two of noise do no harm, a laptop that slows down is seen in a second.
        cost = cost.map { $0 + (measured - $0) / 3 } ?? measured
        largest = max(largest, blocks)
    }

    /// How many blocks a core does in that time that does so many in a second.
    static func blocks(in time: Duration, at speed: Double) -> UInt64 {
        UInt64(max(1, min(time.seconds * speed, 0x1p40)))
    }

    private static func blocks(_ duration: Duration, _ cost: Double) -> UInt64 {
        UInt64(min(Double(duration.nanoseconds) / cost, 0x1p40))
    }
}

extension UInt64 {
    func multipliedClamped(_ other: UInt64) -> UInt64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
