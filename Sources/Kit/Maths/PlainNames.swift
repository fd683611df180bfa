// The functions of `Maths` under the names that every author knows. They give the same bits natively and in a module,
// which a C library's would not. `abs`, `min` and `max` are Swift's own.

/// Returns the natural logarithm.
@inlinable @inline(__always) public func log(_ x: Double) -> Double { Maths.log(x) }
/// Returns the logarithm to base 2, which is exact for a power of two.
@inlinable public func log2(_ x: Double) -> Double { Maths.log2(x) }
/// Returns the logarithm to base 10, which is exact for 1, 10, 100, … 10²².
@inlinable public func log10(_ x: Double) -> Double { Maths.log10(x) }
/// Returns e to the power `x`.
@inlinable @inline(__always) public func exp(_ x: Double) -> Double { Maths.exp(x) }
/// Returns `x` to the power `y`.
@inlinable @inline(__always) public func pow(_ x: Double, _ y: Double) -> Double { Maths.pow(x, y) }
/// Returns the square root.
@inlinable @inline(__always) public func sqrt(_ x: Double) -> Double { x.squareRoot() }

/// Returns the sine of an angle in radians.
@inlinable @inline(__always) public func sin(_ x: Double) -> Double { Maths.sin(x) }
/// Returns the cosine of an angle in radians.
@inlinable @inline(__always) public func cos(_ x: Double) -> Double { Maths.cos(x) }
/// Returns the tangent of an angle in radians.
@inlinable public func tan(_ x: Double) -> Double { Maths.tan(x) }
/// Returns the angle with this sine, from −π/2 to π/2; NaN outside -1 ... 1.
@inlinable public func asin(_ x: Double) -> Double { Maths.asin(x) }
/// Returns the angle with this cosine, from 0 to π; NaN outside -1 ... 1.
@inlinable public func acos(_ x: Double) -> Double { Maths.acos(x) }
/// Returns the angle with this tangent, from −π/2 to π/2.
@inlinable public func atan(_ x: Double) -> Double { Maths.atan(x) }
/// Returns the angle of the point (x, y), from −π to π.
@inlinable public func atan2(_ y: Double, _ x: Double) -> Double { Maths.atan2(y, x) }

/// Returns the cube root, also of a negative number.
@inlinable public func cbrt(_ x: Double) -> Double { Maths.cbrt(x) }
/// Returns √(x² + y²), without overflow in between.
@inlinable public func hypot(_ x: Double, _ y: Double) -> Double { Maths.hypot(x, y) }
/// Returns log(1 + x), with all digits where `x` is small.
@inlinable public func log1p(_ x: Double) -> Double { Maths.log1p(x) }
/// Returns e^x − 1, with all digits where `x` is small.
@inlinable public func expm1(_ x: Double) -> Double { Maths.expm1(x) }
/// Returns the hyperbolic sine.
@inlinable public func sinh(_ x: Double) -> Double { Maths.sinh(x) }
/// Returns the hyperbolic cosine.
@inlinable public func cosh(_ x: Double) -> Double { Maths.cosh(x) }
/// Returns the hyperbolic tangent.
@inlinable public func tanh(_ x: Double) -> Double { Maths.tanh(x) }
/// Returns the error function.
@inlinable public func erf(_ x: Double) -> Double { Maths.erf(x) }
/// Returns 1 − erf(x), with all digits where that is small.
@inlinable public func erfc(_ x: Double) -> Double { Maths.erfc(x) }
/// Returns the gamma function: (n − 1)! for an integer n.
@inlinable public func gamma(_ x: Double) -> Double { Maths.gamma(x) }
/// Returns the logarithm of |Γ(x)|.
@inlinable public func lgamma(_ x: Double) -> Double { Maths.lgamma(x) }

/// Returns the nearest integer that is not greater.
@inlinable public func floor(_ x: Double) -> Double { Maths.floor(x) }
/// Returns the nearest integer that is not less.
@inlinable public func ceil(_ x: Double) -> Double { -Maths.floor(-x) }
/// Returns the integer without its fraction.
@inlinable public func trunc(_ x: Double) -> Double { Maths.trunc(x) }
/// Returns the nearest integer, and of two the one with the greater magnitude.
@inlinable public func round(_ x: Double) -> Double { Maths.round(x) }

// A Float is exact as a Double, and its result is rounded once more.

/// Returns the natural logarithm, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func log(_ x: Float) -> Float { Float(Maths.log(Double(x))) }
/// Returns the logarithm to base 2, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func log2(_ x: Float) -> Float { Float(Maths.log2(Double(x))) }
/// Returns the logarithm to base 10, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func log10(_ x: Float) -> Float { Float(Maths.log10(Double(x))) }
/// Returns e to the power `x`, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func exp(_ x: Float) -> Float { Float(Maths.exp(Double(x))) }
/// Returns `x` to the power `y`, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func pow(_ x: Float, _ y: Float) -> Float {
    Float(Maths.pow(Double(x), Double(y)))
}
/// Returns the square root.
@inlinable @_disfavoredOverload public func sqrt(_ x: Float) -> Float { x.squareRoot() }
/// Returns the sine of an angle in radians, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func sin(_ x: Float) -> Float { Float(Maths.sin(Double(x))) }
/// Returns the cosine of an angle in radians, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func cos(_ x: Float) -> Float { Float(Maths.cos(Double(x))) }
/// Returns the tangent of an angle in radians, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func tan(_ x: Float) -> Float { Float(Maths.tan(Double(x))) }
/// Returns the angle with this sine, computed as a `Double` and rounded to a `Float`; NaN outside -1 ... 1.
@inlinable @_disfavoredOverload public func asin(_ x: Float) -> Float { Float(Maths.asin(Double(x))) }
/// Returns the angle with this cosine, computed as a `Double` and rounded to a `Float`; NaN outside -1 ... 1.
@inlinable @_disfavoredOverload public func acos(_ x: Float) -> Float { Float(Maths.acos(Double(x))) }
/// Returns the angle with this tangent, computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func atan(_ x: Float) -> Float { Float(Maths.atan(Double(x))) }
/// Returns the angle of the point (x, y), computed as a `Double` and rounded to a `Float`.
@inlinable @_disfavoredOverload public func atan2(_ y: Float, _ x: Float) -> Float {
    Float(Maths.atan2(Double(y), Double(x)))
}
/// Returns the nearest integer that is not greater.
@inlinable @_disfavoredOverload public func floor(_ x: Float) -> Float { Float(Maths.floor(Double(x))) }
/// Returns the nearest integer that is not less.
@inlinable @_disfavoredOverload public func ceil(_ x: Float) -> Float { -Float(Maths.floor(-Double(x))) }
/// Returns the integer without its fraction.
@inlinable @_disfavoredOverload public func trunc(_ x: Float) -> Float { Float(Maths.trunc(Double(x))) }
/// Returns the nearest integer, and of two the one with the greater magnitude.
@inlinable @_disfavoredOverload public func round(_ x: Float) -> Float { Float(Maths.round(Double(x))) }
