import PotluckKit

/// Every simulation that is built in, with the fastest kernels that this CPU can run.
public let catalogue = simulations(with: .chosen)

/// Every simulation that is built in. Which kernels it has changes its speed and nothing else.
public func simulations(with kernels: Kernels) -> [AnySimulation] {
    [
        AnySimulation(Birthday.self, source: SourceHash.birthday),
        AnySimulation(Buffon.self, source: SourceHash.buffon),
        AnySimulation(CouponCollector.self, source: SourceHash.couponCollector),
        AnySimulation(GamblersRuin.self, source: SourceHash.gamblersRuin),
        AnySimulation(Golomb.self, source: SourceHash.golomb),
        AnySimulation(MatrixProduct.self, source: SourceHash.matrixProduct, kernel: kernels.matrixProduct),
        AnySimulation(MontyHall.self, source: SourceHash.montyHall),
        AnySimulation(OptionPrice.self, source: SourceHash.optionPrice),
        AnySimulation(Percolation.self, source: SourceHash.percolation),
        AnySimulation(Pi.self, source: SourceHash.pi),
        AnySimulation(Primes.self, source: SourceHash.primes),
        AnySimulation(Queens.self, source: SourceHash.queens),
        AnySimulation(Tsp.self, source: SourceHash.tsp),
    ]
}

/// The SHA-256 of all that a library of lanes is made of: the kit, the simulations with lanes, and what exports them.
public let lanesSources = SourceHash.lanes
