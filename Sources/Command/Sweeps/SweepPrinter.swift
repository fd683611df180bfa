import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// Prints the points of a sweep: a line of JSON for each as soon as those before it are there, or a table at the end.
struct SweepPrinter {
    enum Format {
        case table, json, csv

        init(_ arguments: Arguments) {
            self = arguments[RunPlan.json] ? .json : arguments[RunPlan.csv] ? .csv : .table
        }
    }

    private let sweep: Sweep
    let format: Format
    /// The points before it are printed.
    private var next = 0

    init(_ sweep: Sweep, format: Format) { (self.sweep, self.format) = (sweep, format) }

    /// Prints the lines that are due.
    mutating func print(_ runs: [RunRecord?]) throws {
        guard format == .json else { return }
        while next < runs.count, let run = runs[next] {
            try print(run, next)
            next += 1
        }
    }

    private func print(_ run: RunRecord, _ index: Int) throws {
        let seed = run.isSearch ? [] : [("sweepSeed", JSON(sweep.seed))]
        let members = RecordJSON.members(run, of: sweep.simulation)
        try Output.write(JSON.object([("point", JSON(index))] + seed + members).text + "\n")
    }

    /// Tells programs which points were cancelled. Comes after the points.
    func lacks(_ points: [Int]) throws {
        guard format == .json else { return }
        try Output.write(JSON.object([("missing", JSON(points.map { JSON($0) }))]).text + "\n")
    }

    /// Prints the rest. A sweep that was stopped has gaps.
    /// `isKept` says whether the history has the points.
    mutating func end(_ runs: [RunRecord?], isKept: Bool) throws {
        switch format {
        case .json:
            for index in next..<runs.count { if let run = runs[index] { try print(run, index) } }
        case .csv: try Output.write(RecordCSV.text(runs.compactMap { $0 }.map { (nil, $0) }))
        case .table:
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            let rows = zip(sweep.points, runs).compactMap { point, run in
                run.map { SweepView.Row(varied: point.varied, run: $0) }
            }
            let view = SweepView(
                simulation: sweep.simulation.name, varied: sweep.varied, axis: sweep.axis, seed: sweep.seed,
                sweep: isKept ? sweep.id : nil, rows: rows)
            try Output.write(canvas.text(view.lines(on: canvas)))
        }
    }
}
