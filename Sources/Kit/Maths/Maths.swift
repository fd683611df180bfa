/// Elementary functions that give the same bits on every platform.
///
/// The C library's differ in the last bit from one system to the next, and WebAssembly has none. These are made of
/// IEEE operations alone (`+ - * /`, which are exact to the last bit everywhere) and integer arithmetic: no library
/// call, no fused multiply-add. A simulation that uses them computes the same tally natively and in the sandbox.
/// (`squareRoot()` and the conversions between `Double` and integers are exact anyway and need no twin here.)
///
/// Every function takes every `Double`: zeros of both signs, subnormals, infinities, NaN. A result that is not a number
/// is always the one canonical quiet NaN, `Double.nan`, because the bits of a NaN that arises in arithmetic depend on
/// the processor.
///
/// How it is done: reduce the argument to a small remainder carried in two doubles, use a short polynomial there, and
/// put the large parts together last, so that one rounding of half an ulp decides the error. The tables are constant
/// `InlineArray`s, which an optimised build places in read-only data: nothing to initialise, nothing to check.
/// `Tools/maths-constants.py` computes the constants.
///
/// An error given as "measured" is the worst of two hundred million random arguments and of the table of hard ones
/// that the tests go through.
public enum Maths {
    /// Added and taken away again, it leaves the nearest integer (ties to even), and in between the low bits of the
    /// sum are that integer. Rounding by `.rounded()` would call the C library.
    @inlinable @inline(__always) static var integerShift: Double { 0x1.8p52 }

    /// The first 26 bits of the significand. What is left has 27, so products of such halves are exact or nearly so.
    @inlinable @inline(__always) static func upper(_ x: Double) -> Double {
        Double(bitPattern: x.bitPattern & 0xffff_ffff_f800_0000)
    }
}
