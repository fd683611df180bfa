import PotluckKit

/// Every simulation that is built in.
public let catalogue: [AnySimulation] = [
    AnySimulation(Birthday.self, source: SourceHash.birthday),
    AnySimulation(Buffon.self, source: SourceHash.buffon),
    AnySimulation(CouponCollector.self, source: SourceHash.couponCollector),
    AnySimulation(GamblersRuin.self, source: SourceHash.gamblersRuin),
    AnySimulation(MontyHall.self, source: SourceHash.montyHall),
    AnySimulation(OptionPrice.self, source: SourceHash.optionPrice),
    AnySimulation(Percolation.self, source: SourceHash.percolation),
    AnySimulation(Pi.self, source: SourceHash.pi),
]
