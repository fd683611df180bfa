import Glibc
import PotluckCatalogue
import PotluckKit

/// PotluckBench speed REFERENCES POTLUCK TRIALS [sandbox | kept | lanes | matrices | short]: compares our speed with C's.
struct SpeedBench {
    /// Plain code takes about a tenth of a second for this many blocks.
    static let blocks: UInt64 = 300
    static let fullRounds = 15
    /// One round shows that a benchmark runs, but not how fast.
    static let shortRounds = 1

    let references: String
    let rounds: Int
    let table = Table()

    static func run(_ arguments: [String]) {
        guard arguments.count >= 4, let trials = Double(arguments[3]) else { fail("run Benchmarks/run instead") }
        let part = arguments.dropFirst(4).first
        var bench = SpeedBench(references: arguments[1], rounds: part == "short" ? shortRounds : fullRounds)
        if part == "matrices" {
            bench.compareMatrices()
            bench.compareMatrixExtras(potluck: arguments[2])
            return
        }
        if part == "kept" {
            bench.compareKept()
            return
        }
        if part == "lanes" {
            bench.compareLanes()
            return
        }
        if part == "sandbox" {
            bench.compareSandbox()
            bench.compareLanes()
            bench.compareSearch()
            bench.compareMatrices()
            bench.compareAccumulators()
            return
        }
        bench.compareTrials()
        bench.compareDraws()
        bench.compareSieve()
        bench.compareSandbox()
        bench.compareLanes()
        bench.compareSearch()
        bench.compareMatrices()
        bench.compareMatrixExtras(potluck: arguments[2])
        bench.compareAccumulators()
        bench.compareCores(potluck: arguments[2], trials: trials, written: arguments[3])
    }

    mutating func compareTrials() {
        compare("Monty Hall, plain", .catalogue("monty-hall", .plain), c("monty-hall", slots: 2, 3), wanted: 0.9)
        compare("π, plain", .catalogue("pi", .plain), c("pi"), wanted: 0.9)
        for vectors in Vectors.available where vectors != .plain {
            compare("Monty Hall, \(vectors)", .catalogue("monty-hall", vectors), c("monty-hall", slots: 2, 3))
            compare("π, \(vectors)", .catalogue("pi", vectors), c("pi"))
        }
        let name = "Monty Hall, avx512 by hand"
        guard Vectors.available.contains(.avx512) else {
            table.add(name, missing: "this CPU has no AVX-512")
            return
        }
        // Eight times as many blocks for eight times the speed of plain code, so that a round takes as long.
        let others = c("monty-hall-avx512", slots: 2, 3)
        compare(name, .catalogue("monty-hall", .avx512), others, blocks: 8 * Self.blocks, wanted: 0.55)
    }

    mutating func compareDraws() {
        compare("words", .swift(AnySimulation(Words.self, source: "")), c("words"))
        compare("dice of 6 sides", .swift(AnySimulation(Dice.self, source: "")), c("dice", 6))
        compare("chances of 0.3", .swift(AnySimulation(Chances.self, source: "")), c("chances"))
    }

    /// Counts primes below 10⁹ in rounds of some sixty million numbers. It should take at most one and a half times as
    /// long as C.
    mutating func compareSieve() {
        let blocks: UInt64 = 63
        let times = contest(
            [.primes(below: 1e9)] + c("primes"), blocks: blocks, rounds: rounds)
        table.add(
            "primes below 1e9", times, trials: Double(blocks) * Double(Block.largestGathered), wanted: 0.67)
    }

    mutating func compareCores(potluck: String, trials: Double, written: String) {
        let name = "two cores, \(written) trials"
        if let cores = coreRatio(potluck: potluck, trials: written) {
            table.add(name, cores: cores, trials: trials, wanted: 1.95)
        } else {
            table.add(name, missing: "this machine has one core")
        }
    }

    private mutating func compare(
        _ what: String, _ ours: Contestant, _ others: [Contestant], blocks: UInt64 = Self.blocks, wanted: Double? = nil
    ) {
        let times = contest([ours] + others, blocks: blocks, rounds: rounds)
        table.add(what, times, trials: Double(blocks) * Double(Block.largest), wanted: wanted)
    }

    private func c(_ file: String, slots: Int = 1, _ setting: UInt32 = 0) -> [Contestant] {
        Contestant.c(file, in: references, slots: slots, setting: setting)
    }
}
