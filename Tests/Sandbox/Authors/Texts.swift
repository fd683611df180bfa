import PotluckKit

/// Writes every kind of value, and uses the plain names of functions. It is compiled natively and as a module.
struct Texts: Gathering {
    static let name: StaticString = "texts"
    static let summary: StaticString = "Writes every kind of value."
    @Parameter("large", "a number with more than 32 bits", in: -9_000_000_000...9_000_000_000) var large: Int64 =
        5_000_000_000

    struct Tally: SimulationTally {
        var times = Count(), sum = ExactSum(), moments = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("times", &times)
            visitor.field("sum", &sum)
            visitor.field("moments", &moments)
        }
    }

    var units: UInt64 { 64 }
    var blockSize: Int { 8 }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
        for unit in units {
            let (x, y) = (random.normal(), random.real(in: 0..<50))
            output.write("unit ")
            output.write(unit)
            output.write(", \(-3 * Int(unit)) ")
            output.write(Int8.min)
            output.write(" ")
            output.line(UInt16.max)
            output.line(Int64.min)
            output.line("text")
            output.line("\(unit): \(x)")
            for number in functions(x, y) {
                output.write(number)
                output.write(" ")
            }
            output.line(Double(sign: .minus, exponent: Int(unit) * 30 - 1074, significand: y))
            output.line(random.below(abs(large) + 1))
            output.line(random.integer(in: -abs(large)...abs(large)))
            output.line(factorial(15))
            // The order in a set must not depend on what was computed before.
            var set: Set<Int> = []
            for _ in 0..<20 { set.insert(random.below(1000)) }
            for member in set { tally.sum.add(Double(member) * y) }
            tally.times.add(unit)
            tally.times.add(2)
            tally.times.add(abs(large))
            tally.moments.add(unit < 2 ? large / 4 : 3 as Int64)
        }
    }

    private func functions(_ x: Double, _ y: Double) -> [Double] {
        let small = Float(y)
        return [
            log(y), log2(y), log10(y), exp(x), sqrt(y), pow(y, x), sin(y), cos(y), tan(y), asin(1 / (1 + y)),
            acos(1 / (1 + y)), atan(x), atan2(x, y), floor(x), ceil(x), round(x), trunc(x), abs(x), x.rounded(),
            y.truncatingRemainder(dividingBy: 0.75), Double(log(small)), Double(atan2(small, 2)), Double(round(small)),
            0, -0.0, 0.1, 1e100, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, 1e16, 123_456_789,
        ]
    }

    private func factorial(_ n: Int64) -> Int64 { n < 2 ? 1 : n * factorial(n - 1) }

    static var readings: [ReadingRule<Texts>] { derived("times", { _, tally, _ in Double(tally.times.value) }) }
}
