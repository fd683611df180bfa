import PotluckKit

/// Every simulation that is built in.
public let catalogue: [AnySimulation] = [
    AnySimulation(MontyHall.self, source: SourceHash.montyHall),
    AnySimulation(Pi.self, source: SourceHash.pi),
]
