/// Elementary functions that give the same bits on every platform.
///
/// C libraries differ in the last bit from one system to another, and WebAssembly has none. These
/// functions use only integer arithmetic and the IEEE operations `+ - * /`, which are exact to the last
/// bit everywhere: no library call and no fused multiply-add. A simulation that uses them computes the
/// same tally natively and in the sandbox. (`squareRoot()` and the conversions between `Double` and
/// integers are exact on every platform, so they need no replacement.)
///
/// Every function accepts every `Double`: zeros of both signs, subnormals, infinities, NaN. A NaN result is always the
/// canonical quiet NaN, `Double.nan`, because the bits of a NaN from arithmetic depend on the processor.
///
/// The method: reduce the argument to a small remainder in two doubles, evaluate a short polynomial there,
/// and add the large parts last, so that one rounding of half an ulp decides the error. The tables are
/// constant `InlineArray`s. An optimised build places them in read-only data, without initialisation or
/// checks. `Tools/maths-constants.py` computes the constants.
///
/// A "measured" error is the worst of two hundred million random arguments and of
/// the table of hard arguments in the tests.
public enum Maths {
    /// Adding and then subtracting it rounds to the nearest integer (ties to even). In between, the low bits of the sum
    /// are that integer. `.rounded()` would call the C library.
    @inlinable @inline(__always) static var integerShift: Double { 0x1.8p52 }

    /// Returns the first 26 bits of the significand. The rest has 27, so products of
    /// such halves are exact or nearly so.
    @inlinable @inline(__always) static func upper(_ x: Double) -> Double {
        Double(bitPattern: x.bitPattern & 0xffff_ffff_f800_0000)
    }
}
