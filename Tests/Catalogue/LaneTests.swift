import Testing

@testable import PotluckCatalogue
@testable import PotluckKit

/// Lanes give the tally of the plain trials, slot by slot.
@Suite struct LaneTests {
    /// Every number of trials that may be left after whole rounds, and larger ones.
    private static let counts = Array(0...33) + [1000, 4096, 4111]

    private func expectAlike<S: LaneSimulation>(
        _: S.Type, _ parameters: [UInt64], seeds: inout Seeds, counts: [Int] = LaneTests.counts,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let (simulation, reader) = ParameterReader.make(S.self, given: parameters)
        #expect(reader.refused == nil && simulation.problem == nil, sourceLocation: place)
        let slots = TallyLayout(of: S.Tally.self).slots
        for trials in counts {
            let (seed, block) = (seeds.next(), seeds.next() >> 1)
            var plain = S.Tally()
            simulation.runTrials(block: block, trials: trials, seed: seed, into: &plain)
            var byLanes = S.Tally()
            simulation.runLanes(block: block, trials: trials, seed: seed, into: &byLanes)
            #expect(
                byLanes.slots(slots) == plain.slots(slots), "seed \(seed), block \(block), \(trials) trials",
                sourceLocation: place)
        }
    }

    /// With 100 doors one die in seventy is thrown again.
    @Test(arguments: [3, 4, 5, 7, 18, 33, 66, 100] as [UInt64]) func montyHall(doors: UInt64) {
        var seeds = Seeds(doors)
        for opened in [1, 2, doors / 2, doors - 2] where opened <= doors - 2 {
            expectAlike(MontyHall.self, [doors, opened], seeds: &seeds)
        }
    }

    @Test func pi() {
        var seeds = Seeds(1)
        for _ in 0..<5 { expectAlike(Pi.self, [], seeds: &seeds) }
    }

    /// Spot, strike, rate, volatility and years.
    @Test(arguments: [
        [100, 105, 0.03, 0.2, 1], [10_000, 0.01, 0.5, 0.01, 30], [0.01, 10_000, -0.1, 1, 1],
        [0.01, 0.01, 0, 0.01, 0.01],
    ])
    func optionPrice(parameters: [Double]) {
        var seeds = Seeds(2)
        expectAlike(OptionPrice.self, parameters.map(\.bitPattern), seeds: &seeds)
    }

    /// Length and spacing.
    @Test(arguments: [[1, 1], [100, 0.01], [0.01, 100], [3.3, 1.7]]) func buffon(parameters: [Double]) {
        var seeds = Seeds(3)
        expectAlike(Buffon.self, parameters.map(\.bitPattern), seeds: &seeds)
    }
}
