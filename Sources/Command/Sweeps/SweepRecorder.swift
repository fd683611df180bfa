import Dispatch
import Glibc
import PotluckJournal
import PotluckModel
import PotluckSystem

/// Records the points of a sweep in the history, and finds those that are there already. Points that come while others
/// are written go into the next transaction together: a thousand of them one by one would take longer than to compute.
final class SweepRecorder: Sendable {
    private let path: String
    private let waiting = Guarded<[RunRecord]>([])
    private let trouble = Guarded<[String]>([])
    private let queue = DispatchQueue(label: "potluck-history")

    /// `path` is that of the history.
    init(_ path: String) { self.path = path }

    /// The points of a sweep that were computed before, by their keys.
    func known(_ sweep: JobID) throws(StoreTrouble) -> [String: RunRecord] {
        guard access(path, F_OK) == 0 else { return [:] }
        let runs = try History.open(at: path).runs(ofSweep: sweep).filter { $0.completion != .stopped }
        return Dictionary(runs.map { ($0.key, $0) }) { first, _ in first }
    }

    func record(_ run: RunRecord) {
        guard run.trials > 0 else { return }
        let isFirst = waiting.with { waiting in
            waiting.append(run)
            return waiting.count == 1
        }
        if isFirst { queue.async { [self] in write() } }
    }

    private func write() {
        let runs = waiting.with { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !runs.isEmpty else { return }
        do throws(StoreTrouble) {
            let history = try History.open(at: path)
            try history.record(runs)
            trouble.with { $0 += history.notices }
        } catch {
            trouble.with { $0.append("cannot record \(runs.count) \(runs.count == 1 ? "run" : "runs"): \(error)") }
        }
    }

    /// Waits until all is written. Returns lines for the user: why something could not be, each once.
    func finish() -> [String] {
        queue.sync { write() }
        var lines: [String] = []
        for line in trouble.with({ $0 }) where !lines.contains(line) { lines.append(line) }
        return lines
    }
}
