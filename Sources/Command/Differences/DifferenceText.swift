import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// Prints what `potluck difference` found.
struct DifferenceText {
    let plan: DifferencePlan
    let settings: [DifferenceView.Setting]
    /// The trials of each setting.
    let trials: UInt64
    let digest: String
    /// Whether the differences are as precise as the user asked; nil if no precision was asked for.
    let isReached: Bool?
    /// Whether Ctrl-C ended it before its goal.
    let isStopped: Bool
    /// The command that computes the same again.
    let command: [String]

    func lines(on canvas: Canvas) -> [StyledLine] {
        let heading =
            "\(plan.simulation.name), \(settings.count) settings of \(Figures.done(trials, plan.simulation.unit)) with the same "
            + "random numbers"
        return DifferenceView(settings, places: plan.places).lines(heading, on: canvas)
            + (missed.map { [StyledLine()] + canvas.wrapped($0, .warning) } ?? []) + [StyledLine()]
            + canvas.proof(digest: digest, command: command)
    }

    /// Which goal was missed, and what helps.
    private var missed: String? {
        if isStopped {
            let goal = isReached == nil ? "it had all --trials" : "the precision of --until was reached"
            return "The comparison was stopped before \(goal). The same command starts over."
        }
        return isReached == false ? "The precision of --until was not reached. Use more --trials." : nil
    }

    var json: JSON {
        let settings = zip(plan.settings, settings).map { setting, found in
            JSON.object([
                (
                    "parameters",
                    .object(zip(plan.simulation.parameters, setting.parameters).map { ($0.label, $0.json($1)) })
                ),
                (
                    "readings",
                    JSON(
                        plan.places.map {
                            JSON.object([
                                ("name", .string(found.readings[$0].name)), ("value", JSON(found.readings[$0].value)),
                            ])
                        })
                ),
                (
                    "differences",
                    JSON(
                        found.differences.filter { plan.places.contains($0.place) }.map { _, difference in
                            self.json(of: difference)
                        })
                ),
            ])
        }
        return .object([
            ("simulation", .string(plan.simulation.name)), ("seed", JSON(plan.seed)), ("trials", JSON(trials)),
            ("groups", JSON(SettingTallies.groups)), ("settings", JSON(settings)),
            ("reached", isReached.map { JSON($0) } ?? .null),
            ("digest", .string(digest)), ("command", .string(command.joined(separator: " "))),
        ])
    }

    /// A row for each reading of each setting. The first setting has no differences.
    var csv: String {
        let parameters = plan.simulation.parameters
        let numbers = ["value", "difference", "low", "high", "exact", "unpairedHalfWidth", "gain"]
        var text = RecordCSV.row(parameters.map(\.label) + ["reading"] + numbers)
        for (setting, found) in zip(plan.settings, settings) {
            for place in plan.places {
                let difference = found.differences.first { $0.place == place }?.1
                let reading = difference?.reading
                text += RecordCSV.row(
                    zip(parameters, setting.parameters).map { $0.text(of: $1) } + [found.readings[place].name]
                        + [
                            found.readings[place].value, reading?.value, reading?.shownInterval?.lowerBound,
                            reading?.shownInterval?.upperBound, reading?.exact, difference?.unpairedHalfWidth,
                            difference?.gain,
                        ].map(RecordCSV.number))
            }
        }
        return text
    }

    /// A reading less that of the first setting.
    private func json(of difference: PairedDifference) -> JSON {
        let reading = difference.reading
        return .object([
            ("name", .string(reading.name)), ("value", JSON(reading.value)),
            ("low", JSON(reading.shownInterval?.lowerBound)), ("high", JSON(reading.shownInterval?.upperBound)),
            ("confidence", JSON(reading.shownInterval == nil ? nil : Reading.confidence)),
            ("exact", JSON(reading.exact)), ("unpairedHalfWidth", JSON(difference.unpairedHalfWidth)),
            ("gain", JSON(difference.gain)),
        ])
    }
}
