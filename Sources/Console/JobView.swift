import PotluckKit
import PotluckModel

/// A running job, as the block of lines that is drawn over and over in the same place.
public struct JobView: Sendable {
    private let labels: JobLabels

    public init(_ labels: JobLabels) { self.labels = labels }

    public func lines(_ snapshot: JobSnapshot, on canvas: Canvas) -> [Line] {
        // The cursor stands on the line below.
        let room = canvas.rows.map { max(1, $0 - 1) } ?? .max
        var sections = [
            Section(lines: head(snapshot, canvas), weight: 4, isApart: true),
            Section(lines: ReadingTable(canvas: canvas).lines(snapshot.readings), weight: 9, isApart: true),
        ]
        for histogram in snapshot.readings where histogram.kind == .histogram {
            sections.append(
                Section(lines: Chart(canvas: canvas).lines(histogram, height: 4), weight: 2, isApart: true))
        }
        sections += [
            Section(lines: counts(snapshot, canvas), weight: 3, isApart: true),
            Section(lines: bar(snapshot, canvas), weight: 6, isApart: false),
            Section(lines: status(snapshot, canvas), weight: 8, isApart: false),
        ]
        return Section.fitted(sections, into: room)
    }

    private func head(_ snapshot: JobSnapshot, _ canvas: Canvas) -> [Line] {
        let experiment = snapshot.spec.experiment
        var pieces = [Line.Piece(text: labels.simulation, ink: .strong)]
        pieces += labels.values(experiment).map { Line.Piece(text: $0, ink: .plain) }
        pieces.append(Line.Piece(text: "seed \(experiment.seed)", ink: .plain))
        return canvas.flow(pieces, indent: 0)
    }

    private func counts(_ snapshot: JobSnapshot, _ canvas: Canvas) -> [Line] {
        let counts = labels.counts(snapshot.tally)
        guard counts.count <= Self.mostCounts else { return [] }
        return canvas.flow(counts.map { Line.Piece(text: "\($0.name) \(Figures.grouped($0.count))", ink: .plain) })
    }

    /// More numbers would push the readings off a small screen.
    private static let mostCounts = 8

    private func bar(_ snapshot: JobSnapshot, _ canvas: Canvas) -> [Line] {
        guard let part = Advance(snapshot, columns: canvas.columns).part else { return [] }
        return [Bar(canvas: canvas).line(part, isDone: snapshot.state.isDone)]
    }

    private func status(_ snapshot: JobSnapshot, _ canvas: Canvas) -> [Line] {
        var words = Advance(snapshot, columns: canvas.columns).words.map { Line.Piece(text: $0, ink: .plain) }
        switch snapshot.state {
        case .running: words.append(Line.Piece(text: snapshot.remaining.words, ink: .plain))
        case .stopping: words.append(Line.Piece(text: "stopping at the next block", ink: .warning))
        case .done: break
        }
        return canvas.flow(words)
    }
}

extension JobState {
    var isDone: Bool {
        if case .done = self { true } else { false }
    }
}

extension Remaining {
    var words: String {
        switch self {
        case .endless: "Ctrl-C stops it"
        case .unknown: "cannot estimate yet"
        case .about(let duration) where duration < .seconds(1): "less than 1 s left"
        case .about(let duration): "about \(Figures.rough(duration)) left"
        }
    }
}

/// Lines that stay or go together where the screen is too low for all.
struct Section {
    let lines: [Line]
    /// The lightest go first.
    let weight: Int
    /// Whether an empty line belongs in front of it.
    let isApart: Bool

    static func fitted(_ sections: [Section], into room: Int) -> [Line] {
        var kept = sections.filter { !$0.lines.isEmpty }
        if let lines = joined(kept, spaced: true, room) { return lines }
        while true {
            if let lines = joined(kept, spaced: false, room) { return lines }
            guard kept.count > 1, let lightest = kept.map(\.weight).min() else { break }
            kept.removeAll { $0.weight == lightest }
        }
        return Array(kept.flatMap(\.lines).prefix(room))
    }

    private static func joined(_ sections: [Section], spaced: Bool, _ room: Int) -> [Line]? {
        var lines: [Line] = []
        for (index, section) in sections.enumerated() {
            if spaced, section.isApart, index > 0 { lines.append(Line()) }
            lines += section.lines
        }
        return lines.count <= room ? lines : nil
    }
}
