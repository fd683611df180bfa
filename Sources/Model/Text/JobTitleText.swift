import PotluckKit

extension JobTitle {
    /// What a simulation calls its numbers, with its parameters as given: a slot for each, in order of declaration.
    public init(simulation: AnySimulation, parameters: [UInt64]) {
        self.init(
            summary: simulation.summary,
            parameters: zip(simulation.parameters, parameters).map { parameter, slot in
                Parameter(
                    label: parameter.label, value: parameter.text(of: slot), isStandard: slot == parameter.standard)
            },
            counts: simulation.layout.fields.filter { $0.kind == .count }.map {
                Count(name: $0.name, slot: $0.slots.lowerBound)
            })
    }

    /// The plain counts of a whole tally, in order; none for those it has no slot for.
    public func counts(of tally: [UInt64]) -> [UInt64] {
        counts.filter { tally.indices.contains($0.slot) }.map { tally[$0.slot] }
    }
}
