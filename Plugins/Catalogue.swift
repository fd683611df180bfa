import PotluckKit

/// Every simulation that is built in.
public let catalogue = simulations()

/// Multiplies rows of a matrix by another one in panels, like `MatrixProduct.Kernel`.
public typealias MatrixLanes =
    @Sendable (
        _ left: UnsafePointer<Double>, _ rows: Int, _ inner: Int, _ right: UnsafePointer<Double>, _ panels: Int,
        _ sums: UnsafeMutablePointer<Double>
    ) -> Void

/// Every simulation that is built in. `matrixProduct` changes the speed of the matrix product and nothing else.
public func simulations(matrixProduct: MatrixLanes? = nil) -> [AnySimulation] {
    [
        AnySimulation(Birthday.self, source: SourceHash.birthday),
        AnySimulation(Buffon.self, source: SourceHash.buffon),
        AnySimulation(CouponCollector.self, source: SourceHash.couponCollector),
        AnySimulation(GamblersRuin.self, source: SourceHash.gamblersRuin),
        AnySimulation(Golomb.self, source: SourceHash.golomb),
        AnySimulation(
            MatrixProduct.self, source: SourceHash.matrixProduct,
            kernel: matrixProduct.map { lanes in
                BlockKernel(install: { $0.kernel = lanes }, unitsAtOnce: { $0.rowsAtOnce })
            } ?? .none),
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
