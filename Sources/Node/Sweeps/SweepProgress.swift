import PotluckCore
import PotluckScreen
import PotluckSystem

/// Shows how far a sweep is: a bar on a terminal, and lines at intervals elsewhere.
package final class SweepProgress {
    private let simulation: String
    private let points: Int
    private let isQuiet: Bool
    private let screen: Screen?
    private let clock = BootClock()
    private var shown: Instant
    private var ended: Int
    /// The parts of the points in hand that are done, from 0 to 1.
    private var parts: [Int: Double] = [:]
    /// The states of the points in hand that have not begun.
    private var waits: [Int: JobState] = [:]
    /// The jobs of the sweep so far. Its points wait for each other all the time.
    private var jobs: Set<JobID> = []
    /// The wait that was shown last.
    private var shownWait = ""

    /// The interval between two frames of the bar.
    private static let frame = Duration.milliseconds(100)

    package init(_ simulation: String, points: Int, known: Int, isQuiet: Bool) {
        (self.simulation, self.points, self.isQuiet, ended) = (simulation, points, isQuiet, known)
        screen = isQuiet ? nil : Screen.find(orStdout: false)
        shown = clock.now
    }

    package func note(_ index: Int, _ snapshot: JobSnapshot) {
        parts[index] = SweepView.part(of: snapshot)
        jobs.insert(snapshot.id)
        if case .waiting = snapshot.state { waits[index] = snapshot.state } else { waits[index] = nil }
        show()
    }

    package func ended(_ index: Int) {
        (parts[index], waits[index]) = (nil, nil)
        ended += 1
        show()
    }

    /// The wait of the first point in hand, if none has begun: for another job, its start, or workers.
    private var wait: String {
        guard waits.count == parts.count, let first = waits.min(by: { $0.key < $1.key }) else { return "" }
        switch first.value {
        case .waiting(.simulation): return ""
        case .waiting(.line(_, behind: let ahead?)) where jobs.contains(ahead.id): return ""
        case let state: return state.waitWords.map { "; \($0)" } ?? ""
        }
    }

    private func show() {
        let wait = wait
        let isDue = clock.now - shown >= (screen == nil ? ProgressLine.interval : Self.frame)
        guard !isQuiet, isDue || wait != shownWait && !wait.isEmpty else { return }
        (shown, shownWait) = (clock.now, wait)
        let part = (Double(ended) + parts.values.reduce(0, +)) / Double(points)
        let words = "\(simulation): \(ended) of \(points) points"
        guard let screen else { return Output.complain("\(words), \(min(99, Int(part * 100))) %\(wait)") }
        screen.draw { SweepView.progress(part, words + wait, on: $0) }
    }

    package func end() { screen?.clear() }
}
