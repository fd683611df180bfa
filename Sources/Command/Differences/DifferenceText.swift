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
    /// The command that computes the same again.
    let command: [String]

    func lines(on canvas: Canvas) -> [StyledLine] {
        let heading =
            "\(plan.simulation.name), \(settings.count) settings of \(Figures.done(trials, plan.simulation.unit)) with the same "
            + "random numbers"
        let missed = "The precision of --until was not reached. Use more --trials."
        return DifferenceView(settings, places: plan.places).lines(heading, on: canvas)
            + (isReached == false ? [StyledLine()] + canvas.wrapped(missed, .warning) : []) + [StyledLine()]
            + canvas.proof(digest: digest, command: command)
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
