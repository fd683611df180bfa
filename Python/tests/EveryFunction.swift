import PotluckKit

/// Writes the kit's functions of random numbers. `test_kit_functions.py` computes the same in Python.
struct EveryFunction: Gathering {
    static let name: StaticString = "every-function"
    static let summary: StaticString = "The functions of random numbers"

    struct Tally: SimulationTally { mutating func visit(_: inout some TallyVisitor) {} }

    var units: UInt64 { 4096 }
    var blockSize: Int { 4096 }
    var writes: OutputKind { .rows }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _: inout Tally) {
        for unit in units {
            let x = number(&random, UInt64(unit))
            let y = number(&random, UInt64(unit) / 8)
            output.put(x)
            output.put(y)
            for each in [log(x), log2(x), log10(x), exp(x), sin(x), cos(x), tan(x)] { output.put(each) }
            for each in [asin(x), acos(x), atan(x), cbrt(x), log1p(x), expm1(x), sinh(x), cosh(x)] { output.put(each) }
            for each in [tanh(x), erf(x), erfc(x), gamma(x), lgamma(x)] { output.put(each) }
            for each in [atan2(y, x), pow(x, y), hypot(x, y), Maths.normal(below: x)] { output.put(each) }
            let (part, freedom) = (random.unit(), exp(random.real(in: 0..<14)))
            let rare = pow(10, random.real(in: -300..<0))
            for each in [part, rare, freedom] { output.put(each) }
            for each in [part, rare] { output.put(Maths.normalQuantile(each)) }
            for each in [part, rare] { output.put(Maths.studentQuantile(each, freedom: freedom)) }
        }
    }

    /// Any bits, numbers near those that people use, whole numbers, and special ones.
    private func number(_ random: inout RandomStream, _ unit: UInt64) -> Double {
        let bits = random.next64()
        switch unit % 8 {
        case 0: return Double(bitPattern: bits)
        case 1: return random.normal()
        case 2: return random.real(in: -1..<1)
        case 3: return random.normal(deviation: 300)
        case 4: return Double(random.integer(in: -40...40))
        case 5: return Double(random.integer(in: -1_000_000...1_000_000)) * 1.5707963267948966
        case 6: return 1 + random.normal(deviation: 1e-9)
        default:
            let special: [Double] = [
                0, -0.0, 1, -1, .infinity, -.infinity, .nan, 5e-324, -5e-324, 0x1p53, 0x1p1023, 0.5, 709.8,
            ]
            return special[Int(bits % 13)]
        }
    }

    static var readings: [ReadingRule<EveryFunction>] {}
}
