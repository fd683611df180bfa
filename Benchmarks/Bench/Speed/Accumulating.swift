import PotluckKit

/// Draws real numbers in a loop, and adds them up in the way that `kind` says. The benchmarks also build this file as a
/// module.
struct Accumulating: Simulation {
    static let name: StaticString = "accumulating"
    static let summary: StaticString = "Adds up numbers."
    @Parameter(
        "kind", "0 draws, 1 counts, 2 and 3 sum, 4 and 5 take moments, of reals and integers; the others of reals",
        in: 0...8)
    var kind = 0

    /// The turns of the loop in a trial.
    static var turns: Int { 64 }
    var blockSize: Int { Block.size(forTrialsOf: Self.turns) }

    struct Tally: SimulationTally {
        var count = Count(), sum = ExactSum(), moments = Moments()
        var series = Series<64>(), quantiles = Quantiles(), both = Comoments<2>()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("count", &count)
            visitor.field("sum", &sum)
            visitor.field("moments", &moments)
            visitor.field("series", &series)
            visitor.field("quantiles", &quantiles)
            visitor.field("both", &both)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        // A loop for each, so that no turn has to look at the kind. Each use of a number takes it from the stream.
        switch kind {
        // One instruction, so that the compiler does not leave out the draw.
        case 0: for _ in 0..<Self.turns { tally.count.value &+= number(&random).bitPattern }
        case 1: for _ in 0..<Self.turns { tally.count.add(number(&random) < 0) }
        case 2: for _ in 0..<Self.turns { tally.sum.add(number(&random)) }
        case 3: for _ in 0..<Self.turns { tally.sum.add(Int64(number(&random))) }
        case 4: for _ in 0..<Self.turns { tally.moments.add(number(&random)) }
        case 5: for _ in 0..<Self.turns { tally.moments.add(Int64(number(&random))) }
        case 6: for time in 0..<Self.turns { tally.series.add(time, number(&random)) }
        case 7: for _ in 0..<Self.turns { tally.quantiles.add(number(&random)) }
        default:
            for _ in 0..<Self.turns {
                let x = number(&random)
                tally.both.add([x, 1 - x])
            }
        }
    }

    /// A number of either sign.
    private func number(_ random: inout RandomStream) -> Double { random.unit() * 100 - 50 }

    static var readings: [ReadingRule<Accumulating>] {}
}
