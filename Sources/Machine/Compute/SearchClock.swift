import Glibc
import PotluckKit
import PotluckSystem

/// The best solution that the chunks of one search know on this machine.
public final class SharedBest: Sendable {
    private let known = Guarded(Best())
    private let onBetter: @Sendable (Best) -> Void

    /// Calls `onBetter` on the thread of a chunk that finds a better solution.
    public init(onBetter: @escaping @Sendable (Best) -> Void = { _ in }) { self.onBetter = onBetter }

    /// The best of all.
    public var best: Best { known.with { $0 } }

    /// Adds a solution that a chunk knows. Returns the best of all.
    func merge(_ best: Best) -> Best {
        let before = known.with { known in
            defer { known = min(known, best) }
            return known
        }
        if best < before { onBetter(best) }
        return min(before, best)
    }

    /// Adds a solution that another node found.
    public func learn(_ best: Best) { known.with { $0 = min($0, best) } }
}

/// Divides the time of a search's chunk into calls.
struct SearchClock {
    /// The time of a call. The best of others is known after the call, and a stop takes no longer.
    private static let call: Int64 = 20_000_000
    /// The time after which a chunk ends, with the points that are done. Nobody knows how long points take, so a chunk
    /// may have far more than it can do, and the rest is shared out again. No core is idle for longer at the end.
    private static let slice: Int64 = 100_000_000
    /// The nodes of the first call. A node with a good bound may take a hundred microseconds.
    private static let first: UInt64 = 64
    /// The most nodes of a call: a nanosecond each is too little for any work.
    private static let most: UInt64 = 1 << 24

    private let begin = nanoseconds(of: CLOCK_MONOTONIC)
    private var before: Int64
    private var nodes = Self.first

    init() { before = begin }

    var isLate: Bool { nanoseconds(of: CLOCK_MONOTONIC) - begin >= Self.slice }

    /// Returns the nodes of the next call, of which the last one looked at `expanded`.
    mutating func budget(after expanded: UInt64) -> UInt64 {
        let now = nanoseconds(of: CLOCK_MONOTONIC)
        let taken = max(1, now - before)
        before = now
        guard expanded > 0 else { return nodes }
        let fitting = Double(expanded) * Double(Self.call) / Double(taken)
        // Calls get longer step by step, because the first ones measure little.
        nodes = min(Self.most, max(1, min(4 * nodes, UInt64(min(fitting, 1e15)))))
        return nodes
    }
}
