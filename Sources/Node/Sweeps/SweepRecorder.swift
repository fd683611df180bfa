import Dispatch
import Glibc
import PotluckCore
import PotluckMachine
import PotluckSystem

/// Records the points of a sweep in the history, and finds those that are there already. Points that end within half a
/// second go into one transaction: a thousand of them one by one would take longer than to compute.
package final class SweepRecorder: Sendable {
    private let path: String
    private let waiting = Guarded<[RunRecord]>([])
    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "potluck-history")

    /// How long a point waits for others to be written with. A crash costs the points of this time.
    private static let pause = DispatchTimeInterval.milliseconds(500)

    private struct State {
        var notices: [String] = []
        /// The number of runs that could not be recorded, and why the last could not.
        var lost = 0
        var why = ""
    }

    /// `path` is that of the history.
    package init(_ path: String) { self.path = path }

    /// The points of a sweep that were computed before, by their keys.
    package func known(_ sweep: JobID) throws(StoreError) -> [String: RunRecord] {
        guard access(path, F_OK) == 0 else { return [:] }
        let runs = try History.open(at: path).runs(ofSweep: sweep).filter { $0.completion != .stopped }
        return Dictionary(runs.map { ($0.key, $0) }) { first, _ in first }
    }

    package func record(_ run: RunRecord) {
        guard run.trials > 0 else { return }
        let isFirst = waiting.with { waiting in
            waiting.append(run)
            return waiting.count == 1
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.pause) { [self] in write() } }
    }

    private func write() {
        let runs = waiting.with { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !runs.isEmpty else { return }
        do throws(StoreError) {
            let history = try History.open(at: path)
            try history.record(runs)
            state.with { $0.notices += history.notices }
        } catch {
            state.with { ($0.lost, $0.why) = ($0.lost + runs.count, "\(error)") }
        }
    }

    /// Waits until all is written. Returns lines for the user: why runs could not be recorded.
    package func finish() -> [String] {
        queue.sync { write() }
        let state = state.with { $0 }
        let lost =
            state.lost == 0
            ? []
            : [
                "cannot record \(state.lost) \(state.lost == 1 ? "run" : "runs"): \(state.why)"
            ]
        return state.notices + lost
    }
}
