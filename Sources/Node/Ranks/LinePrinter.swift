import Dispatch
import PotluckRanks
import PotluckSystem

/// Prints the lines of ranks on other nodes, on a thread of its own, because a terminal or a pipe may let it wait.
final class LinePrinter: Sendable {
    private let queue = DispatchQueue(label: "potluck-rank-lines")
    private let onLine: @Sendable (RankLine) -> Void
    private let onBusy: @Sendable (Bool) -> Void
    private let state = Guarded(State())

    private struct State {
        /// Bytes of lines that are not printed.
        var waiting = 0
        var isBusy = false
    }

    /// Bytes of lines that may wait before no more are asked for, and until more are asked for again.
    private static let (most, few) = (1 << 20, 1 << 18)
    /// The bytes that a line costs besides its own.
    private static let lineItself = 64

    /// - Parameter onBusy: is told when too many lines wait, and when few do. It must not wait.
    init(
        _ onLine: @escaping @Sendable (RankLine) -> Void, onBusy: @escaping @Sendable (Bool) -> Void
    ) {
        (self.onLine, self.onBusy) = (onLine, onBusy)
    }

    func print(_ line: RankLine) {
        let cost = line.octets.count + Self.lineItself
        change(by: cost)
        queue.async { [self] in
            onLine(line)
            change(by: -cost)
        }
    }

    private func change(by cost: Int) {
        state.with { state in
            state.waiting += cost
            let isBusy = state.waiting > (state.isBusy ? Self.few : Self.most)
            guard isBusy != state.isBusy else { return }
            state.isBusy = isBusy
            onBusy(isBusy)
        }
    }

    /// Waits until all lines are printed.
    func drained() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
