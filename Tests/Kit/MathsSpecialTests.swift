import PotluckKit
import Testing

/// A special case: a function, its arguments, the result to the last bit, and the reason.
struct SpecialCase: CustomTestStringConvertible {
    let function: Elementary
    let x: Double
    let y: Double
    let result: Double
    let reason: String

    init(_ function: Elementary, _ x: Double, _ y: Double = 0, gives result: Double, _ reason: String) {
        (self.function, self.x, self.y, self.result, self.reason) = (function, x, y, result, reason)
    }

    var testDescription: String { "\(function)(\(x), \(y)): \(reason)" }
}

@Suite struct MathsSpecialTests {
    static let infinity = Double.infinity
    static let least = Double.leastNonzeroMagnitude
    static let greatest = Double.greatestFiniteMagnitude
    static let signaling = Double(bitPattern: 0xfff0_0000_0000_0001)

    static let ofOneNumber: [SpecialCase] = [
        .init(.log, 1, gives: 0, "exact, and a positive zero"),
        .init(.log, 0, gives: -infinity, "the limit"),
        .init(.log, -0.0, gives: -infinity, "a zero is a zero"),
        .init(.log, infinity, gives: infinity, "the limit"),
        .init(.log, -infinity, gives: .nan, "no logarithm"),
        .init(.log, -least, gives: .nan, "no logarithm of the least negative number either"),
        .init(.log, -1, gives: .nan, "no logarithm"),
        .init(.log, -.nan, gives: .nan, "NaN stays NaN, in the canonical form"),
        .init(.log, signaling, gives: .nan, "and quiet"),
        .init(.exp, 0, gives: 1, "exact"),
        .init(.exp, -0.0, gives: 1, "exact"),
        .init(.exp, least, gives: 1, "nothing is lost by a subnormal argument"),
        .init(.exp, infinity, gives: infinity, "the limit"),
        .init(.exp, -infinity, gives: 0, "the limit"),
        .init(.exp, greatest, gives: infinity, "overflow"),
        .init(.exp, -greatest, gives: 0, "underflow"),
        .init(.exp, 0x1.62e42fefa39fp9, gives: infinity, "the first argument to overflow"),
        .init(.exp, -0x1.74910d52d3052p9, gives: 0, "the first that is below half the least number"),
        .init(.exp, -0x1.74910d52d3051p9, gives: least, "the last that is not"),
        .init(.exp, -.nan, gives: .nan, "NaN stays NaN, in the canonical form"),
        .init(.exp, signaling, gives: .nan, "and quiet"),
        .init(.sin, 0, gives: 0, "exact"),
        .init(.sin, -0.0, gives: -0.0, "odd, to the sign of zero"),
        .init(.sin, least, gives: least, "x itself"),
        .init(.sin, -least, gives: -least, "x itself"),
        .init(.sin, infinity, gives: .nan, "no limit"),
        .init(.sin, -infinity, gives: .nan, "no limit"),
        .init(.sin, -.nan, gives: .nan, "NaN stays NaN, in the canonical form"),
        .init(.sin, signaling, gives: .nan, "and quiet"),
        .init(.cos, 0, gives: 1, "exact"),
        .init(.cos, -0.0, gives: 1, "exact"),
        .init(.cos, least, gives: 1, "nothing is lost by a subnormal argument"),
        .init(.cos, infinity, gives: .nan, "no limit"),
        .init(.cos, -infinity, gives: .nan, "no limit"),
        .init(.cos, -.nan, gives: .nan, "NaN stays NaN, in the canonical form"),
        .init(.cos, signaling, gives: .nan, "and quiet"),
    ]

    static let powers: [SpecialCase] = [
        .init(.pow, .nan, 0, gives: 1, "anything to the power 0 is 1"),
        .init(.pow, 0, -0.0, gives: 1, "anything to the power 0 is 1"),
        .init(.pow, -infinity, 0, gives: 1, "anything to the power 0 is 1"),
        .init(.pow, 1, .nan, gives: 1, "1 to any power is 1"),
        .init(.pow, 1, infinity, gives: 1, "1 to any power is 1"),
        .init(.pow, 1, greatest, gives: 1, "1 to any power is 1"),
        .init(.pow, -.nan, 2, gives: .nan, "NaN stays NaN, in the canonical form"),
        .init(.pow, 2, -.nan, gives: .nan, "NaN stays NaN, in the canonical form"),
        .init(.pow, signaling, 2, gives: .nan, "and quiet"),
        .init(.pow, -1, infinity, gives: 1, "its size is 1 all the way"),
        .init(.pow, -1, -infinity, gives: 1, "its size is 1 all the way"),
        .init(.pow, 0.5, infinity, gives: 0, "the limit"),
        .init(.pow, -0.5, infinity, gives: 0, "the limit, even counts as positive"),
        .init(.pow, 0.5, -infinity, gives: infinity, "the limit"),
        .init(.pow, 1.5, infinity, gives: infinity, "the limit"),
        .init(.pow, -1.5, -infinity, gives: 0, "the limit"),
        .init(.pow, 0, 3, gives: 0, "zero"),
        .init(.pow, -0.0, 3, gives: -0.0, "an odd power keeps the sign"),
        .init(.pow, -0.0, 2, gives: 0, "an even one does not"),
        .init(.pow, -0.0, 0.5, gives: 0, "nor a fraction"),
        .init(.pow, 0, -3, gives: infinity, "one over zero"),
        .init(.pow, -0.0, -3, gives: -infinity, "one over minus zero"),
        .init(.pow, -0.0, -2, gives: infinity, "even"),
        .init(.pow, -0.0, -infinity, gives: infinity, "infinity counts as even"),
        .init(.pow, 0, infinity, gives: 0, "zero"),
        .init(.pow, infinity, 0.5, gives: infinity, "infinite"),
        .init(.pow, infinity, -2, gives: 0, "one over infinity"),
        .init(.pow, infinity, -infinity, gives: 0, "one over infinity"),
        .init(.pow, -infinity, 3, gives: -infinity, "an odd power keeps the sign"),
        .init(.pow, -infinity, 2, gives: infinity, "an even one does not"),
        .init(.pow, -infinity, -3, gives: -0.0, "one over minus infinity"),
        .init(.pow, -infinity, -2.5, gives: 0, "a fraction counts as even here"),
        .init(.pow, -8, 1.0 / 3, gives: .nan, "a third is not a whole number"),
        .init(.pow, -2, 0.5, gives: .nan, "no real root"),
        .init(.pow, -least, least, gives: .nan, "the least fraction is one"),
        .init(.pow, -2, 3, gives: -8, "an odd power keeps the sign"),
        .init(.pow, -2, 0x1p53 - 1, gives: -infinity, "the last odd number"),
        .init(.pow, -2, 0x1p53, gives: infinity, "from here on all are even"),
        .init(.pow, -2, -1075, gives: -0.0, "half the least number, a tie, goes to zero; its sign stays"),
        .init(.pow, 2, -1074, gives: least, "the least number"),
        .init(.pow, 2, -1074.5, gives: least, "0.7 of it rounds up"),
        .init(.pow, 2, 1023, gives: 0x1p1023, "the largest power of two"),
        .init(.pow, 2, 1024, gives: infinity, "overflow"),
        .init(.pow, 2, 0x1p63, gives: infinity, "overflow far out"),
        .init(.pow, 0.5, greatest, gives: 0, "underflow"),
        .init(.pow, -0.5, -greatest, gives: infinity, "overflow; even"),
        .init(.pow, 1.0.nextUp, 0x1p64, gives: infinity, "the neighbour of 1 grows in the end"),
        .init(.pow, 1.0.nextDown, 0x1p64, gives: 0, "or shrinks"),
        .init(.pow, greatest, least, gives: 1, "hardly any power"),
        .init(.pow, least, -least, gives: 1, "hardly any power"),
        .init(.pow, greatest, -1, gives: 0x1p-1024, "a subnormal reciprocal"),
        .init(.pow, least, -1, gives: infinity, "the reciprocal is too large"),
        .init(.pow, least, 0.5, gives: 0x1p-537, "an exact root of a subnormal number"),
    ]

    static let others: [SpecialCase] = [
        .init(.cbrt, -0.0, gives: -0.0, "a zero keeps its sign"),
        .init(.cbrt, -27, gives: -3, "exact"),
        .init(.cbrt, 0x1p-1074, gives: 0x1p-358, "exact, of a subnormal number"),
        .init(.cbrt, -infinity, gives: -infinity, "the limit"),
        .init(.cbrt, signaling, gives: .nan, "and quiet"),
        .init(.hypot, -3, 4, gives: 5, "exact"),
        .init(.hypot, 3 * least, 4 * least, gives: 5 * least, "exact, without underflow in between"),
        .init(.hypot, 3 * 0x1p1020, 4 * 0x1p1020, gives: 5 * 0x1p1020, "exact, without overflow in between"),
        .init(.hypot, greatest, greatest, gives: infinity, "overflow"),
        .init(.hypot, .nan, -infinity, gives: infinity, "infinite whatever the other is"),
        .init(.hypot, signaling, 1, gives: .nan, "and quiet"),
        .init(.log1p, -0.0, gives: -0.0, "a zero keeps its sign"),
        .init(.log1p, least, gives: least, "x itself"),
        .init(.log1p, -1, gives: -infinity, "the limit"),
        .init(.log1p, (-1.0).nextDown, gives: .nan, "no logarithm"),
        .init(.log1p, infinity, gives: infinity, "the limit"),
        .init(.log1p, signaling, gives: .nan, "and quiet"),
        .init(.expm1, -0.0, gives: -0.0, "a zero keeps its sign"),
        .init(.expm1, -infinity, gives: -1, "the limit"),
        .init(.expm1, -38, gives: -1, "all that is missing is too small"),
        .init(.expm1, 710, gives: infinity, "overflow"),
        .init(.expm1, signaling, gives: .nan, "and quiet"),
        .init(.sinh, -0.0, gives: -0.0, "a zero keeps its sign"),
        .init(.sinh, -711, gives: -infinity, "overflow"),
        .init(.sinh, 1e6, gives: infinity, "overflow far out"),
        .init(.sinh, signaling, gives: .nan, "and quiet"),
        .init(.cosh, -0.0, gives: 1, "exact"),
        .init(.cosh, -800, gives: infinity, "overflow"),
        .init(.cosh, -infinity, gives: infinity, "even"),
        .init(.cosh, signaling, gives: .nan, "and quiet"),
        .init(.tanh, -0.0, gives: -0.0, "a zero keeps its sign"),
        .init(.tanh, -infinity, gives: -1, "the limit"),
        .init(.tanh, signaling, gives: .nan, "and quiet"),
        .init(.erf, -0.0, gives: -0.0, "a zero keeps its sign"),
        .init(.erf, -infinity, gives: -1, "the limit"),
        .init(.erf, signaling, gives: .nan, "and quiet"),
        .init(.erfc, 0, gives: 1, "exact"),
        .init(.erfc, -infinity, gives: 2, "the limit"),
        .init(.erfc, 27.25, gives: 0, "below half the least number"),
        .init(.erfc, signaling, gives: .nan, "and quiet"),
        .init(.gamma, 23, gives: 1_124_000_727_777_607_680_000, "22! is exact"),
        .init(.gamma, 0, gives: infinity, "the limit from above"),
        .init(.gamma, -0.0, gives: -infinity, "the limit from below"),
        .init(.gamma, least, gives: infinity, "overflow"),
        .init(.gamma, 0x1p-1022, gives: 0x1p1022, "nearly 1/x"),
        .init(.gamma, -2, gives: .nan, "two limits"),
        .init(.gamma, -0x1p60, gives: .nan, "from 2⁵³ on all are integers"),
        .init(.gamma, -infinity, gives: .nan, "no limit"),
        .init(.gamma, infinity, gives: infinity, "the limit"),
        .init(.gamma, 171.7, gives: infinity, "overflow"),
        .init(.gamma, 200, gives: infinity, "overflow"),
        .init(.gamma, -184.5, gives: -0.0, "underflow, between an odd integer and the next one below 0"),
        .init(.gamma, -185.5, gives: 0, "underflow"),
        .init(.gamma, signaling, gives: .nan, "and quiet"),
        .init(.lgamma, 1, gives: 0, "exact"),
        .init(.lgamma, 2, gives: 0, "exact"),
        .init(.lgamma, -7, gives: infinity, "at every integer below 1"),
        .init(.lgamma, -0x1p60, gives: infinity, "from 2⁵³ on all are integers"),
        .init(.lgamma, -infinity, gives: infinity, "infinite"),
        .init(.lgamma, greatest, gives: infinity, "overflow"),
        .init(.lgamma, signaling, gives: .nan, "and quiet"),
    ]

    @Test(arguments: ofOneNumber + powers + others) func isExact(_ special: SpecialCase) {
        let result = special.function(special.x, special.y)
        #expect(result.bitPattern == special.result.bitPattern, "\(result)")
    }
}
