import PotluckConsole
import PotluckModel
import PotluckSystem

/// Shows how far a sweep is: a bar on a terminal, and lines at intervals elsewhere.
final class SweepProgress {
    private let sweep: Sweep
    private let isQuiet: Bool
    private let screen: Screen?
    private let clock = BootClock()
    private var shown: Instant
    private var ended: Int
    /// The parts of the points in hand that are done, from 0 to 1.
    private var parts: [Int: Double] = [:]

    /// The interval between two frames of the bar.
    private static let frame = Duration.milliseconds(100)

    init(_ sweep: Sweep, known: Int, isQuiet: Bool) {
        (self.sweep, self.isQuiet, ended) = (sweep, isQuiet, known)
        screen = isQuiet ? nil : Screen.find(orStdout: false)
        shown = clock.now
    }

    func note(_ index: Int, _ snapshot: JobSnapshot) {
        parts[index] = SweepView.part(of: snapshot)
        show()
    }

    func ended(_ index: Int) {
        parts[index] = nil
        ended += 1
        show()
    }

    private func show() {
        guard !isQuiet, clock.now - shown >= (screen == nil ? ProgressLine.interval : Self.frame) else { return }
        shown = clock.now
        let part = (Double(ended) + parts.values.reduce(0, +)) / Double(sweep.points.count)
        let words = "\(sweep.simulation.name): \(ended) of \(sweep.points.count) points"
        guard let screen else { return Output.complain("\(words), \(min(99, Int(part * 100))) %") }
        screen.draw { SweepView.progress(part, words, on: $0) }
    }

    func end() { screen?.clear() }
}
