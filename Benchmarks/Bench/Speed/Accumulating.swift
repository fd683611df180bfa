import PotluckKit

/// Draws real numbers, and adds them up in the way that `kind` says. The benchmarks also build this file as a module.
struct Accumulating: Simulation {
    static let name: StaticString = "accumulating"
    static let summary: StaticString = "Adds up real numbers."
    @Parameter("kind", "0 draws, 1 counts, 2 sums, 3 takes moments, 4 takes moments of integers", in: 0...4) var kind =
        0

    struct Tally: SimulationTally {
        var count = Count(), sum = ExactSum(), moments = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("count", &count)
            visitor.field("sum", &sum)
            visitor.field("moments", &moments)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let x = random.unit() * 100 - 50
        switch kind {
        // Never true, but the compiler does not know.
        case 0: if x > 50 { tally.count.add() }
        case 1: tally.count.add(x < 0)
        case 2: tally.sum.add(x)
        case 3: tally.moments.add(x)
        default: tally.moments.add(Int64(x))
        }
    }

    static var readings: [ReadingRule<Accumulating>] {}
}
