import PotluckKit

/// A simulation for tests of native programs, which can go wrong in several ways.
struct Stumbling: Simulation {
    static let name: StaticString = "stumbling"
    static let summary: StaticString = "Throws two dice, and may stumble."
    @Parameter("way", "0: not at all, 1: crashes, 2: never ends, 3: looks at the width of Int", in: 0...3) var way = 0

    struct Tally: SimulationTally {
        var doublets = Count()
        var sum = ExactSum()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("doublets", &doublets)
            visitor.field("sum", &sum)
        }
    }

    var blockSize: Int { 1024 }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        tally.doublets.add(random.below(6) == random.below(6))
        tally.sum.add(exp(random.unit()))
        switch way {
        case 1 where random.below(5000) == 7: fatalError()
        case 2: while random.unit() < 2 {}
        // It differs between a module and a native program.
        case 3: tally.doublets.add(UInt32(Int.bitWidth))
        default: break
        }
    }

    static var readings: [ReadingRule<Stumbling>] { proportion("doublets", { $0.doublets }) }
}
