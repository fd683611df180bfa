import PotluckKit

/// Writes NaNs that are produced in every possible way, and counts those whose sign is set.
struct Nought: Gathering {
    static let name: StaticString = "nought"
    static let summary: StaticString = "Writes what is not a number."

    struct Tally: SimulationTally {
        var minus = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("minus", &minus) }
    }

    @Parameter("only", "write numbers only") var only = false

    var units: UInt64 { 64 }
    var blockSize: Int { 16 }
    var writes: OutputKind { .rows }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
        for unit in units {
            let one = random.real(in: 1..<2)
            let zero = only ? one : one - one
            let number =
                switch unit % 3 {
                case 0: zero / zero
                case 1: one / zero - one / zero
                default: only ? one.squareRoot() : (-one).squareRoot()
                }
            output.put(number)
            output.put(-number)
            tally.minus.add(number.sign == .minus)
        }
    }

    static var readings: [ReadingRule<Nought>] { derived("minus", { _, tally, _ in Double(tally.minus.value) }) }
}
