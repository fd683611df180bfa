// Arithmetic of Python that no instruction does.

/// Returns whether the product does not fit in 64 bits.
@_expose(wasm, "rt_mul_overflows") @_cdecl("rt_mul_overflows")
public func multiplicationOverflows(_ a: Int64, _ b: Int64) -> Int32 {
    if a == 0 || b == 0 { return 0 }
    if b == -1 { return a == .min ? 1 : 0 }
    return (a &* b) / b != a ? 1 : 0
}

/// Returns a quotient of integers, correctly rounded. The divisor must not be 0.
@_expose(wasm, "rt_int_divide") @_cdecl("rt_int_divide")
public func divide(_ a: Int64, _ b: Int64) -> Double {
    // A real number has all integers up to here.
    let exact: UInt64 = 1 << 53
    if a == 0 || a.magnitude <= exact && b.magnitude <= exact { return Double(a) / Double(b) }
    // The quotient of two numbers whose top bit is set is above 1/2 and below 2. One bit before the point and 55 after it
    // have two more than are kept.
    let shift = b.magnitude.leadingZeroBitCount - a.magnitude.leadingZeroBitCount
    let divisor = b.magnitude << UInt64(b.magnitude.leadingZeroBitCount)
    var rest = a.magnitude << UInt64(a.magnitude.leadingZeroBitCount)
    var quotient: UInt64 = 0
    var isBeyond = false
    for _ in 0...55 {
        let fits = isBeyond || rest >= divisor
        if fits { rest &-= divisor }
        quotient = quotient &<< 1 | (fits ? 1 : 0)
        // The rest is less than the divisor, but twice the rest may need 65 bits.
        isBeyond = rest &>> 63 == 1
        rest = rest &<< 1
    }
    // What is left decides which way to round.
    if isBeyond || rest != 0 { quotient |= 1 }
    let size = Double(quotient) * Double(bitPattern: UInt64(1023 - 55 + shift) << 52)
    return (a < 0) == (b < 0) ? size : -size
}

/// Compares an integer with a real number exactly: -1, 0 or 1; 2 for NaN.
@_expose(wasm, "rt_compare") @_cdecl("rt_compare")
public func compare(_ n: Int64, _ x: Double) -> Int32 {
    if x.isNaN { return 2 }
    if x >= 0x1p63 { return -1 }
    if x < -0x1p63 { return 1 }
    let whole = Int64(x)
    if n != whole { return n < whole ? -1 : 1 }
    // The part without a fraction is nearer to 0.
    let rest = x - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
}

/// Returns the rest of a division that rounds to 0, which is exact.
@_extern(c, "fmod") private func cRemainder(_ x: Double, _ y: Double) -> Double

@_expose(wasm, "rt_fmod") @_cdecl("rt_fmod")
public func remainder(_ x: Double, _ y: Double) -> Double { cRemainder(x, y) }

/// Python's `x % y`, which has the sign of `y`. The divisor must not be 0.
@_expose(wasm, "rt_float_mod") @_cdecl("rt_float_mod")
public func modulo(_ x: Double, _ y: Double) -> Double {
    let rest = cRemainder(x, y)
    if rest == 0 { return Double(signOf: y, magnitudeOf: 0) }
    return (y < 0) == (rest < 0) ? rest : rest + y
}

/// Python's `x // y`. The divisor must not be 0.
@_expose(wasm, "rt_float_floordiv") @_cdecl("rt_float_floordiv")
public func floorDivide(_ x: Double, _ y: Double) -> Double {
    let rest = cRemainder(x, y)
    var quotient = (x - rest) / y
    if rest != 0 && (y < 0) != (rest < 0) { quotient -= 1 }
    if quotient == 0 { return Double(signOf: x / y, magnitudeOf: 0) }
    let whole = Maths.floor(quotient)
    return quotient - whole > 0.5 ? whole + 1 : whole
}
