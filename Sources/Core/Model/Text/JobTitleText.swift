import PotluckKit

extension JobTitle {
    /// Creates a title from a simulation and its parameters: a slot for each, in order of declaration.
    public init(simulation: AnySimulation, parameters: [UInt64]) {
        self.init(
            summary: simulation.summary,
            parameters: zip(simulation.parameters, parameters).map { parameter, slot in
                Parameter(
                    label: parameter.label, value: parameter.brief(slot), isStandard: slot == parameter.standard)
            },
            counts: simulation.layout.fields.filter { $0.kind == .count }.map {
                Count(name: $0.name, slot: $0.slots.lowerBound)
            }, hasUnits: simulation.shape == .collect)
    }

    /// Returns the plain counts of a tally, in order, without those that the tally has no slot for.
    public func counts(of tally: [UInt64]) -> [UInt64] {
        counts.filter { tally.indices.contains($0.slot) }.map { tally[$0.slot] }
    }
}
