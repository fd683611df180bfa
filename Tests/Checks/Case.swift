import PotluckCatalogue
import PotluckCore
import PotluckKit

/// A simulation with parameters, described as for `potluck run`: "monty-hall doors=10 opened=8".
package struct Case: Sendable, CustomStringConvertible {
    package let description: String
    package let simulation: AnySimulation
    package let prepared: PreparedSimulation

    package struct Wrong: Error { package let description: String }

    package init(_ description: String) throws {
        let words = description.split(separator: " ")
        guard let simulation = catalogue.first(where: { $0.name == words[0] }) else {
            throw Wrong(description: "no simulation is called \(words[0])")
        }
        var slots = simulation.standardParameters
        for word in words.dropFirst() {
            let parts = word.split(separator: "=")
            guard parts.count == 2,
                let index = simulation.parameters.firstIndex(where: { $0.name.description == parts[0] }),
                let slot = try? simulation.parameters[index].slot(of: String(parts[1]))
            else { throw Wrong(description: "\(word) is no parameter of \(words[0])") }
            slots[index] = slot
        }
        self.description = description
        self.simulation = simulation
        prepared = try simulation.prepared(slots)
    }

    package func blocks(for trials: UInt64) -> UInt64 {
        (trials + UInt64(prepared.blockSize) - 1) / UInt64(prepared.blockSize)
    }

    /// Returns the tally of all trials, computed as one chunk.
    package func tally(_ trials: UInt64, seed: UInt64) -> [UInt64] {
        tally(of: 0..<blocks(for: trials), trials, seed: seed)
    }

    package func tally(of blocks: Range<UInt64>, _ trials: UInt64, seed: UInt64) -> [UInt64] {
        reply(of: blocks, trials, seed: seed).slots
    }

    package func reply(of blocks: Range<UInt64>, _ trials: UInt64, seed: UInt64) -> ChunkReply {
        prepared.run(ChunkRequest(seed: seed, blocks: blocks, trials: trials)) { false }
    }

    /// The tally of no trials.
    package var empty: [UInt64] { tally(of: 0..<0, 0, seed: 0) }

    package func merged(_ tallies: some Sequence<[UInt64]>) -> [UInt64] {
        tallies.reduce(into: empty) { prepared.layout.merge($1, into: &$0) }
    }
}

/// The cases to test: each simulation with its default parameters, ordinary ones and edge cases.
package enum Cases {
    package static let all = Result {
        try [
            "birthday", "birthday people=2 days=1", "birthday people=3 days=20", "birthday people=60 days=1000",
            "buffon", "buffon length=0.3 spacing=2.5", "buffon length=7 spacing=0.9",
            "coupon-collector", "coupon-collector kinds=1", "coupon-collector kinds=6",
            "gamblers-ruin", "gamblers-ruin stake=3 goal=7 p=0.4", "gamblers-ruin stake=1 goal=4 p=0.75",
            "monty-hall", "monty-hall doors=10", "monty-hall doors=4 opened=2", "monty-hall doors=10 opened=8",
            "monty-hall doors=100 opened=50",
            "option-price", "option-price spot=120 strike=80 rate=-0.02 volatility=0.5 years=2",
            "percolation", "percolation n=1 p=0.3", "percolation n=2 p=0.5", "percolation n=3 p=0.7",
            "percolation n=4 p=0.55", "percolation n=20 p=1",
            "pi",
            "matrix-product size=1", "matrix-product size=37 draw=5", "matrix-product",
            "golomb marks=2", "golomb marks=6", "queens", "queens queens=4 list=true", "queens queens=8 list=true",
            "tsp", "tsp cities=3", "tsp cities=9 draw=7", "tsp cities=8 bound=cost",
            "tsp airports=all", "tsp airports=BCN,JFK,LHR,SYD,TNM bound=cost",
            "primes", "primes limit=2", "primes limit=3000000", "primes limit=100000 list=true",
            "primes limit=70001 method=trial list=true",
        ].map(Case.init)
    }

    package static var named: [Case] { (try? all.get()) ?? [] }
    /// The cases whose trials are drawn at random.
    package static var drawn: [Case] { named.filter { $0.simulation.shape == .tally } }
    /// Each simulation with its default parameters.
    package static var plain: [Case] { named.filter { $0.description == $0.simulation.name } }
}
