import PotluckCore
import PotluckKit

/// Shows the result of a run.
public struct ResultView: Sendable {
    private let isBuiltIn: Bool
    private let typed: String?
    private let inputs: [RecordedInput]

    /// `typed` is what the user wrote for the simulation; nil if that is its name. `inputs` are the input files. If the
    /// simulation is not built in and `typed` is nil, only the submitter can repeat the run.
    public init(isBuiltIn: Bool, typed: String? = nil, inputs: [RecordedInput] = []) {
        self.isBuiltIn = isBuiltIn
        self.typed = typed
        self.inputs = inputs
    }

    /// `solution` is the best solution of a search.
    public func lines(
        _ result: JobResult, digest: String, solution: Solution? = nil, on canvas: Canvas
    ) -> [StyledLine] {
        var lines = opening(result, canvas)
        lines.append(StyledLine())
        let table = ReadingTable(canvas: canvas, missing: missing(result)).lines(result.readings)
        if !table.isEmpty { lines += table + [StyledLine()] }
        let remarks = IntervalWords.remarks(result.readings, trials: result.trials)
        if !remarks.isEmpty { lines += remarks.flatMap { canvas.wrapped($0, .faint, indent: 2) } + [StyledLine()] }
        for picture in result.readings where !picture.kind.isNumber {
            lines += Chart(canvas: canvas).lines(picture) + [StyledLine()]
        }
        if let solution { lines += solution.lines(on: canvas) + [StyledLine()] }
        let facts = facts(result, digest, canvas, namesNodes: result.spec.isSearch)
        return lines + facts.given + facts.proof
    }

    /// The same as parts of the screen of a node.
    func parts(
        _ result: JobResult, digest: String, hidesExact: Bool, reading: Int, solution: Solution? = nil,
        on canvas: Canvas
    ) -> [Part] {
        let readings = hidesExact ? result.readings.map(\.withoutExact) : result.readings
        let charts = Charts(
            canvas: canvas, unit: result.spec.unit, course: result.course,
            now: CoursePoint(
                trials: result.trials, readings: readings, elapsed: result.spec.isSearch ? result.elapsed : nil))
        let facts = facts(result, digest, canvas)
        let opening = opening(result, canvas)
        // In a narrow window the first line may have only the name, and not what came of it.
        let hasOnlyName = opening.first?.width(on: canvas) == canvas.width(of: "\(result.spec.name):")
        return [
            Part(weight: 10, least: min(hasOnlyName ? 2 : 1, opening.count), isApart: true, opening),
            ReadingTable(canvas: canvas, isCompact: canvas.rows != nil, missing: missing(result)).part(readings),
        ] + charts.parts(reading) + [solution?.part(on: canvas)].compactMap { $0 } + [
            Part(weight: 3, isApart: true, facts.given), Part(weight: 8, facts.proof),
        ]
    }

    private func missing(_ result: JobResult) -> String {
        ReadingTable.missing(isSearch: result.spec.isSearch, points: result.trials)
    }

    private func opening(_ result: JobResult, _ canvas: Canvas) -> [StyledLine] {
        Facts(canvas: canvas).opening(
            result.spec.name, trials: result.trials, result.spec.unit, result.completion,
            elapsed: result.elapsed,
            cores: result.nodes.reduce(0) { $0 &+ $1.cores }, nodes: result.nodes.count { !$0.isEarlier })
    }

    /// The share of the tree that each of several nodes searched.
    private static func shares(_ rows: [NodeRow]) -> [String] {
        rows.count < 2 ? [] : rows.map { "\($0.name) \(Figures.percent(ofSpace: $0.trials))" }
    }

    /// The facts that define the run, and those that prove it: the digest and the command that repeats it.
    private func facts(
        _ result: JobResult, _ digest: String, _ canvas: Canvas, namesNodes: Bool = false
    ) -> (given: [StyledLine], proof: [StyledLine]) {
        let facts = Facts(canvas: canvas)
        let title = result.spec.title
        let counts = zip(title.counts, title.counts(of: result.tally))
        let given =
            [
                Facts.Entry("tally", counts.map { "\($0.name) \(Figures.grouped($1))" }),
                Facts.Entry("given", result.spec.values + inputs.map { "\($0.name) \($0.path)" }),
                Facts.Entry("seed", result.spec.isSearch ? [] : ["\(result.experiment.seed)"]),
                Facts.Entry("browsers", result.nodes.browsers?.words(result.spec.unit) ?? []),
                Facts.Entry("nodes", namesNodes ? Self.shares(result.nodes) : []),
                Facts.Entry("tree", result.nodes.effort.words.map { [$0] } ?? []),
            ]
        // Lay them out together, so that either all or none are beside their names.
        let parts = facts.parts(given + [Facts.Entry("digest", facts.pieces(of: digest), gap: 0)])
        let words = isBuiltIn || typed != nil ? result.command(typed: typed, inputs: inputs) : nil
        return (
            Array(parts.prefix(given.count).joined()),
            Array(parts.suffix(1).joined()) + (words.map(facts.command) ?? [])
        )
    }
}
