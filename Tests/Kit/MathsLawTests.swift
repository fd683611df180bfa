import PotluckKit
import Testing

/// A generator of random doubles for these tests (SplitMix64), the same in every run.
struct Doubles {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func word() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }

    mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * (Double(word() >> 11) * 0x1p-53)
    }

    /// Returns any finite number, with all exponents equally likely.
    mutating func any() -> Double {
        while true {
            let number = Double(bitPattern: word())
            if number.isFinite { return number }
        }
    }
}

@Suite struct MathsLawTests {
    static let count = 20_000

    @Test func sineIsOddAndCosineEven() {
        var doubles = Doubles(seed: 1)
        for _ in 0..<Self.count {
            for x in [doubles.any(), doubles.between(0, 10)] {
                #expect(Maths.sin(-x).bitPattern == (-Maths.sin(x)).bitPattern)
                #expect(Maths.cos(-x).bitPattern == Maths.cos(x).bitPattern)
            }
        }
    }

    @Test func sineAndCosineLieOnTheCircle() {
        var doubles = Doubles(seed: 2)
        for _ in 0..<Self.count {
            let x = doubles.any()
            let (sine, cosine) = (Maths.sin(x), Maths.cos(x))
            #expect((sine * sine + cosine * cosine - 1).magnitude < 0x1p-51)
            #expect(sine.magnitude <= 1 && cosine.magnitude <= 1)
        }
    }

    /// Larger arguments never give smaller results, in particular where two intervals of a table meet.
    @Test func logarithmAndExponentialRise() {
        var doubles = Doubles(seed: 3)
        for _ in 0..<Self.count / 10 {
            let interval = UInt64(doubles.word() % 64) << 46
            let exponent = UInt64(doubles.word() % 2000 + 20) << 52
            let atBorder = 0x0006_9555_0000_0000 &+ interval &+ exponent
            expectRise(Maths.log, from: Double(bitPattern: atBorder &- 4))
            expectRise(Maths.log, from: doubles.any().magnitude)
            let steps = Double(Int(doubles.word() % 40_000) - 20_000) + 0.5
            expectRise(Maths.exp, from: steps * 0x1.62e42fefa39efp-6)
            expectRise(Maths.exp, from: doubles.between(-745, 709))
            let base = doubles.between(0, 100)
            expectRise({ Maths.pow(base, $0) * (base < 1 ? -1 : 1) }, from: doubles.between(-100, 100))
        }
    }

    private func expectRise(_ function: (Double) -> Double, from start: Double) {
        var x = start
        var last = function(x)
        for _ in 0..<8 {
            x = x.nextUp
            let next = function(x)
            #expect(next >= last, "at \(x)")
            last = next
        }
    }

    @Test func firstPowerIsTheNumberItself() {
        var doubles = Doubles(seed: 4)
        for _ in 0..<Self.count {
            let x = doubles.any()
            #expect(Maths.pow(x, 1).bitPattern == x.bitPattern)
        }
    }

    @Test func otherPowersAgreeWithArithmetic() {
        var doubles = Doubles(seed: 5)
        for _ in 0..<Self.count {
            for x in [doubles.any(), doubles.between(-100, 100)] {
                expectClose(Maths.pow(x, 2), x * x)
                expectClose(Maths.pow(x, -1), 1 / x)
                expectClose(Maths.pow(x.magnitude, 0.5), x.magnitude.squareRoot())
            }
        }
    }

    /// Expects that two numbers are equal to within one ulp, because each was rounded once.
    private func expectClose(_ a: Double, _ b: Double) {
        #expect(a == b || a == b.nextUp || a == b.nextDown, "\(a) and \(b)")
    }

    /// `exp` magnifies the rounding error of log x, which is up to half an ulp of a number up to 710.
    @Test func exponentialUndoesTheLogarithm() {
        var doubles = Doubles(seed: 6)
        for _ in 0..<Self.count {
            let x = doubles.any().magnitude
            let logarithm = Maths.log(x)
            let allowed = x * logarithm.ulp + 2 * x.ulp
            #expect((Maths.exp(logarithm) - x).magnitude <= allowed, "at \(x)")
        }
    }

    /// The two methods that reduce angles must agree where they meet: at 2²⁰ and near multiples of π/2.
    @Test func reductionsAgree() {
        var doubles = Doubles(seed: 7)
        for _ in 0..<Self.count {
            // The sine of a sum that is exact: x is a multiple of 2⁻²⁰ and h a small one.
            let x = Double(Int64(bitPattern: doubles.word()) >> 22) * 0x1p-20
            let h = Double(doubles.word() % 1024) * 0x1p-20
            let sum = Maths.sin(x) * Maths.cos(h) + Maths.cos(x) * Maths.sin(h)
            #expect((Maths.sin(x + h) - sum).magnitude < 0x1p-51)
        }
    }
}
