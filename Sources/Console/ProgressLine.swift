import PotluckKit
import PotluckModel

/// A running job in one plain line, for logs.
public struct ProgressLine: Sendable {
    /// Often enough to see that something goes on, seldom enough for a log of a night.
    public static let interval = Duration.seconds(5)

    private let labels: JobLabels
    private var last = Duration.zero

    public init(_ labels: JobLabels) { self.labels = labels }

    /// The line, where one is due.
    public mutating func text(_ snapshot: JobSnapshot) -> String? {
        guard snapshot.elapsed >= last + Self.interval, !snapshot.state.isDone else { return nil }
        // Once, so that a run that is killed can be repeated.
        let seed = last == .zero ? ["seed \(snapshot.spec.experiment.seed)"] : []
        last = snapshot.elapsed
        let advance = Advance(snapshot, columns: 200)
        var words = advance.words
        if let part = advance.part { words.append("\(min(99, Int(part * 100))) %") }
        if snapshot.state == .running { words.append(snapshot.remaining.words) }
        let readings = snapshot.readings.compactMap { reading -> String? in
            guard reading.kind != .histogram, let value = reading.value else { return nil }
            let figures = ReadingFigures(reading)
            guard let half = reading.halfWidth else { return "\(reading.name) \(figures.text(value))" }
            return "\(reading.name) \(figures.text(value)) +/- \(figures.text(half))"
        }
        let text = (["\(labels.simulation): " + words.joined(separator: ", ")] + readings + seed).joined(
            separator: "; ")
        return Cells.clean(text, unicode: false)
    }
}
