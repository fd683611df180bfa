import PotluckCore
import PotluckKit

/// Shows a job that is not over, as parts of the screen.
struct JobView {
    let canvas: Canvas
    let hidesExact: Bool
    /// Whether it runs on this machine alone, so that the submitter need not be named.
    let isAlone: Bool
    /// The words while contact with the coordinator is lost; nil if it is not.
    let lost: [String]?
    /// The words for a running job: how long it will still take.
    let remaining: String

    /// `reading` is the index of the reading to plot, and `solution` the best one of a search by now.
    func parts(_ snapshot: JobSnapshot, reading: Int, solution: Solution? = nil) -> [Part] {
        let readings = hidesExact ? snapshot.readings.map(\.withoutExact) : snapshot.readings
        let course = Charts(
            canvas: canvas, unit: snapshot.spec.unit, course: snapshot.course,
            now: CoursePoint(
                trials: snapshot.trials, readings: readings,
                elapsed: snapshot.spec.isSearch ? snapshot.elapsed : nil))
        let progress = progress(snapshot)
        let head = head(snapshot)
        let counts = counts(snapshot)
        return [
            Part(weight: 8, least: 1, isApart: true, head),
            ReadingTable(canvas: canvas, isCompact: canvas.rows != nil).part(readings),
        ] + course.parts(reading) + [solution?.part(on: canvas)].compactMap { $0 } + [
            Part(weight: 2, least: 0, isApart: true, counts),
            Part(weight: 10, least: 1, isApart: counts.isEmpty, progress),
            Part(weight: 6, snapshot.lag.map { canvas.wrapped($0, .warning, indent: 2) } ?? []),
            Part(weight: 7, least: 1, facts(snapshot)),
        ]
    }

    private func head(_ snapshot: JobSnapshot) -> [StyledLine] {
        let spec = snapshot.spec
        var pieces = [StyledLine.Piece(text: spec.name, ink: .strong)]
        pieces += spec.values.map { StyledLine.Piece(text: $0, ink: .plain) }
        if !spec.isSearch { pieces.append(StyledLine.Piece(text: "seed \(spec.experiment.seed)", ink: .plain)) }
        if !isAlone {
            let submitter = snapshot.submitter.isEmpty ? nil : "started by \(snapshot.submitter)"
            let facts = [submitter, snapshot.priority.words].compactMap(\.self)
            pieces += facts.map { StyledLine.Piece(text: $0, ink: .faint) }
        }
        return canvas.flow(pieces, indent: 0)
    }

    /// What was counted; before the first trial, how many people have guessed.
    private func counts(_ snapshot: JobSnapshot) -> [StyledLine] {
        if snapshot.trials == 0, !snapshot.guesses.isEmpty {
            let number = snapshot.guesses.count
            return canvas.wrapped("\(number) \(number == 1 ? "guess" : "guesses") so far", indent: 2)
        }
        let counts = Array(zip(snapshot.spec.title.counts, snapshot.counts))
        guard snapshot.trials > 0, counts.count <= Self.mostCounts else { return [] }
        return canvas.flow(counts.map { StyledLine.Piece(text: "\($0.name) \(Figures.grouped($1))", ink: .plain) })
    }

    /// The most counts shown. More would push the readings off a small screen.
    private static let mostCounts = 8

    /// The bar and the state, in one line if both fit.
    private func progress(_ snapshot: JobSnapshot) -> [StyledLine] {
        if let lost { return lost.flatMap { canvas.wrapped($0, .warning, indent: 2) } }
        let words = snapshot.state == .running ? remaining : snapshot.state.words(snapshot.remaining)
        let ink = snapshot.state.ink
        guard snapshot.state.isUnderWay, let part = Advance(snapshot, columns: canvas.columns).part else {
            return canvas.wrapped(words, ink, indent: 2)
        }
        return Bar(canvas: canvas).lines(part, StyledLine.Piece(text: words, ink: ink))
    }

    private func facts(_ snapshot: JobSnapshot) -> [StyledLine] {
        // Without contact the last rate is outdated.
        let advance = Advance(snapshot, columns: canvas.columns, showsRate: lost == nil)
        let words = advance.words.map { StyledLine.Piece(text: $0, ink: .plain) }
        guard snapshot.spec.goal.precision != nil else { return canvas.flow(words) }
        return canvas.flow(words)
            + IntervalWords.remarks(snapshot.readings, trials: snapshot.trials)
            .flatMap { canvas.wrapped($0, .faint, indent: 2) }
    }
}

/// The charts of a job's readings: the chosen one, and other histograms if there is room.
struct Charts {
    let canvas: Canvas
    let unit: WorkUnit
    let course: [CoursePoint]
    let now: CoursePoint

    private var readings: [Reading] { now.readings }

    func parts(_ chosen: Int) -> [Part] {
        guard !readings.isEmpty else { return [] }
        let chosen = max(0, min(chosen, readings.count - 1))
        // The picture of a solution says more than how it was found.
        return [chart(chosen, weight: now.elapsed == nil ? 4 : 3)]
            + readings.indices.filter { $0 != chosen && !readings[$0].kind.isNumber }.map { chart($0, weight: 1) }
    }

    private func chart(_ index: Int, weight: Int) -> Part {
        let reading = readings[index]
        let isPicture = !reading.kind.isNumber
        let points =
            isPicture ? [] : CourseChart.points(course, of: index, now: now)
        // A single point is not worth a plot.
        let most = isPicture ? Chart.height(reading) + Self.around : points.count < 2 ? 0 : CourseChart.most
        return Part(
            weight: weight, least: CourseChart.least, enough: CourseChart.enough, most: most, isApart: true
        ) { height in
            isPicture
                ? Chart(canvas: canvas).lines(reading, height: max(1, height - Self.around))
                : CourseChart(canvas: canvas, unit: unit).lines(
                    reading.name, points, exact: reading.exact, height: height)
        }
    }

    /// The lines around a picture: the title, the axis, and the counts outside the range.
    private static let around = 3
}
