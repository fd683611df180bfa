import PotluckModel

/// How fast a core computes a job's blocks, and so how large its chunks should be.
struct Pace {
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

    /// The blocks a chunk should have, where `left` are still to be handed out to `cores` cores.
    func size(left: UInt64, cores: Int) -> UInt64 {
        guard let cost else { return 1 }
        let wanted = Self.blocks(Self.target, cost)
        let fair = left / UInt64(2 * cores)
        return max(1, min(wanted, largest.multipliedClamped(Self.growth), max(fair, Self.blocks(Self.floor, cost))))
    }

    mutating func learn(blocks: UInt64, busy: Duration) {
        guard blocks > 0 else { return }
        let measured = max(1, Double(busy.nanoseconds)) / Double(blocks)
        // New measurements count for a third: a chunk or two of noise do no harm, a laptop that slows down is seen in a second.
        cost = cost.map { $0 + (measured - $0) / 3 } ?? measured
        largest = max(largest, blocks)
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
