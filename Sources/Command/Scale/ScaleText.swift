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
        let work = trials.map { ", \(Figures.done($0, simulation.unit))" } ?? ""
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
                ] + (scaling.isSearch ? tree(row) : []) + (scaling.unit == .node ? [("work", work(row))] : []))
        }
        return .object([
            ("simulation", .string(simulation.name)), ("seed", JSON(seed)),
            ("trials", trials.map { JSON($0) } ?? .null), ("repetitions", JSON(repetitions)), ("rows", JSON(rows)),
        ])
    }

    /// What a search looked at, in numbers of nodes of its tree that are means of the repetitions.
    private func tree(_ row: Scaling.Row) -> [(key: String, value: JSON)] {
        let (nodes, vain) = (
            row.work.map { ($0.name, JSON($0.expanded)) }, row.work.map { ($0.name, JSON($0.inVain)) }
        )
        return [
            ("expanded", JSON(row.expanded)), ("inVain", JSON(row.inVain)),
            ("computation", JSON(scaling.computation(row))),
        ] + (scaling.unit == .node ? [("expandedByNode", .object(nodes)), ("inVainByNode", .object(vain))] : [])
    }

    /// The part of the trials that each node computed.
    private func work(_ row: Scaling.Row) -> JSON { .object(row.work.map { ($0.name, JSON($0.part)) }) }

    var csv: String {
        let heads =
            varied + [
                scaling.unit.plural, "seconds", "seconds.half", "speedup", "speedup.half", "efficiency", "digest",
            ]
            + (scaling.isSearch ? ["expanded", "invain", "computation"] : [])
            + (scaling.unit == .node ? ["work"] : [])
        let rows = scaling.rows.map { row in
            let (time, speedUp) = (scaling.seconds(row), scaling.speedUp(row))
            return row.point.varied + [
                "\(row.count)", RecordCSV.number(time?.value), RecordCSV.number(time?.halfWidth),
                RecordCSV.number(speedUp?.value), RecordCSV.number(speedUp?.halfWidth),
                RecordCSV.number(scaling.efficiency(row)), row.digest ?? "",
            ]
                + (scaling.isSearch
                    ? [row.expanded, row.inVain, scaling.computation(row)].map { RecordCSV.number($0) } : [])
                + (scaling.unit == .node ? [ScaleView.work(row)] : [])
        }
        return ([heads] + rows).map(RecordCSV.row).joined()
    }
}
