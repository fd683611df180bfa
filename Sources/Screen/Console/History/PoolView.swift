import PotluckCore
import PotluckKit

/// Shows runs that were pooled into one result.
public struct PoolView {
    private let pool: PooledRuns
    private let readings: [Reading]
    private let digest: String

    public init(_ pool: PooledRuns, _ readings: [Reading], digest: String) {
        self.pool = pool
        self.readings = readings
        self.digest = digest
    }

    public func lines(on canvas: Canvas) -> [StyledLine] {
        guard let question = pool.runs.first?.run else { return [] }
        let facts = Facts(canvas: canvas)
        let count = "\(pool.runs.count) runs pooled, \(Figures.grouped(pool.trials)) trials"
        var lines = canvas.wrapped("\(question.simulation.name): \(count)", .strong) + [StyledLine()]
        let table = ReadingTable(canvas: canvas).lines(readings)
        if !table.isEmpty { lines += table + [StyledLine()] }
        for picture in readings where !picture.kind.isNumber {
            lines += Chart(canvas: canvas).lines(picture) + [StyledLine()]
        }
        return lines
            + facts.lines([
                Facts.Entry("given", question.given.map { "\($0.name) \($0.text)" }),
                Facts.Entry(
                    "runs", pool.runs.map { "\($0.id) (seed \($0.run.seed), \(Figures.typed($0.run.trials)) trials)" }),
                Facts.Entry("digest", facts.pieces(of: digest), gap: 0),
            ])
    }
}
