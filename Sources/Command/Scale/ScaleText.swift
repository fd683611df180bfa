import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// Prints the measurements of `potluck scale`.
struct ScaleText {
    let simulation: AnySimulation
    let varied: [String]
    let seed: UInt64
    /// The number of trials of each run; nil if the parameters determine it.
    let trials: UInt64?
    let repetitions: Int
    let scaling: Scaling

    var heading: String {
        let work = trials.map { ", \(Figures.grouped($0)) trials" } ?? ""
        let times = repetitions == 1 ? "once" : "mean of \(repetitions) runs, with 95 % intervals"
        return "\(simulation.name)\(work): \(times)"
    }

    var json: JSON {
        let rows = scaling.rows.map { row in
            let (time, speedUp) = (scaling.seconds(row), scaling.speedUp(row))
            return JSON.object(
                [
                    (
                        "parameters",
                        .object(zip(simulation.parameters, row.point.parameters).map { ($0.label, $0.json($1)) })
                    ), (scaling.unit.plural, JSON(row.count)), ("seconds", JSON(time?.value)),
                    ("secondsHalfWidth", JSON(time?.halfWidth)), ("speedUp", JSON(speedUp?.value)),
                    ("speedUpHalfWidth", JSON(speedUp?.halfWidth)), ("efficiency", JSON(scaling.efficiency(row))),
                    ("digest", JSON(row.digest)),
                ] + (scaling.unit == .node ? [("work", work(row))] : []))
        }
        return .object([
            ("simulation", .string(simulation.name)), ("seed", JSON(seed)),
            ("trials", trials.map { JSON($0) } ?? .null), ("repetitions", JSON(repetitions)), ("rows", JSON(rows)),
        ])
    }

    /// The part of the trials that each node computed.
    private func work(_ row: Scaling.Row) -> JSON { .object(row.work.map { ($0.name, JSON($0.part)) }) }

    var csv: String {
        let heads =
            varied + [
                scaling.unit.plural, "seconds", "seconds.half", "speedup", "speedup.half", "efficiency", "digest",
            ]
            + (scaling.unit == .node ? ["work"] : [])
        let rows = scaling.rows.map { row in
            let (time, speedUp) = (scaling.seconds(row), scaling.speedUp(row))
            return row.point.varied + [
                "\(row.count)", RecordCSV.number(time?.value), RecordCSV.number(time?.halfWidth),
                RecordCSV.number(speedUp?.value), RecordCSV.number(speedUp?.halfWidth),
                RecordCSV.number(scaling.efficiency(row)), row.digest ?? "",
            ] + (scaling.unit == .node ? [ScaleView.work(row)] : [])
        }
        return ([heads] + rows).map(RecordCSV.row).joined()
    }
}
