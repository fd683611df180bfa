import PotluckKit
import PotluckModel

/// What a job's numbers are called: a snapshot holds slots only.
public struct JobLabels: Sendable {
    public let simulation: String
    public let summary: String
    public let parameters: [ParameterDescription]
    public let layout: TallyLayout

    public init(_ simulation: AnySimulation) {
        self.simulation = simulation.name
        summary = simulation.summary
        parameters = simulation.parameters
        layout = simulation.layout
    }

    /// `doors 3`, for every parameter.
    func values(_ experiment: Experiment) -> [String] {
        zip(parameters, experiment.parameters).map { "\($0.label) \($0.text(of: $1))" }
    }

    /// The counts of a tally by name: what people saw grow. Other accumulators mean nothing before they are read.
    func counts(_ tally: [UInt64]) -> [(name: String, count: UInt64)] {
        layout.fields.filter { $0.kind == .count && $0.slots.upperBound <= tally.count }.map {
            ($0.name, tally[$0.slots.lowerBound])
        }
    }

    /// The command that computes the same bytes again, in words that stay together.
    public func command(_ experiment: Experiment, trials: UInt64) -> [String] {
        var words = ["potluck", "run", simulation]
        for (parameter, slot) in zip(parameters, experiment.parameters) where slot != parameter.standard {
            words.append("-p \(parameter.label)=\(parameter.text(of: slot))")
        }
        return words + ["--trials \(Figures.typed(trials))", "--seed \(experiment.seed)"]
    }
}
