// The kit's functions under the names that the compiler of Python calls.

@_expose(wasm, "rt_log") @_cdecl("rt_log") public func rtLog(_ x: Double) -> Double { Maths.log(x) }
@_expose(wasm, "rt_log2") @_cdecl("rt_log2") public func rtLog2(_ x: Double) -> Double { Maths.log2(x) }
@_expose(wasm, "rt_log10") @_cdecl("rt_log10") public func rtLog10(_ x: Double) -> Double { Maths.log10(x) }
@_expose(wasm, "rt_exp") @_cdecl("rt_exp") public func rtExp(_ x: Double) -> Double { Maths.exp(x) }
@_expose(wasm, "rt_pow") @_cdecl("rt_pow") public func rtPow(_ x: Double, _ y: Double) -> Double { Maths.pow(x, y) }
@_expose(wasm, "rt_sin") @_cdecl("rt_sin") public func rtSin(_ x: Double) -> Double { Maths.sin(x) }
@_expose(wasm, "rt_cos") @_cdecl("rt_cos") public func rtCos(_ x: Double) -> Double { Maths.cos(x) }
@_expose(wasm, "rt_tan") @_cdecl("rt_tan") public func rtTan(_ x: Double) -> Double { Maths.tan(x) }
@_expose(wasm, "rt_asin") @_cdecl("rt_asin") public func rtAsin(_ x: Double) -> Double { Maths.asin(x) }
@_expose(wasm, "rt_acos") @_cdecl("rt_acos") public func rtAcos(_ x: Double) -> Double { Maths.acos(x) }
@_expose(wasm, "rt_atan") @_cdecl("rt_atan") public func rtAtan(_ x: Double) -> Double { Maths.atan(x) }
@_expose(wasm, "rt_atan2") @_cdecl("rt_atan2")
public func rtAtan2(_ y: Double, _ x: Double) -> Double { Maths.atan2(y, x) }
@_expose(wasm, "rt_log1p") @_cdecl("rt_log1p") public func rtLog1p(_ x: Double) -> Double { Maths.log1p(x) }
@_expose(wasm, "rt_expm1") @_cdecl("rt_expm1") public func rtExpm1(_ x: Double) -> Double { Maths.expm1(x) }
@_expose(wasm, "rt_sinh") @_cdecl("rt_sinh") public func rtSinh(_ x: Double) -> Double { Maths.sinh(x) }
@_expose(wasm, "rt_cosh") @_cdecl("rt_cosh") public func rtCosh(_ x: Double) -> Double { Maths.cosh(x) }
@_expose(wasm, "rt_tanh") @_cdecl("rt_tanh") public func rtTanh(_ x: Double) -> Double { Maths.tanh(x) }
@_expose(wasm, "rt_cbrt") @_cdecl("rt_cbrt") public func rtCbrt(_ x: Double) -> Double { Maths.cbrt(x) }
@_expose(wasm, "rt_erf") @_cdecl("rt_erf") public func rtErf(_ x: Double) -> Double { Maths.erf(x) }
@_expose(wasm, "rt_erfc") @_cdecl("rt_erfc") public func rtErfc(_ x: Double) -> Double { Maths.erfc(x) }
@_expose(wasm, "rt_gamma") @_cdecl("rt_gamma") public func rtGamma(_ x: Double) -> Double { Maths.gamma(x) }
@_expose(wasm, "rt_lgamma") @_cdecl("rt_lgamma") public func rtLgamma(_ x: Double) -> Double { Maths.lgamma(x) }
@_expose(wasm, "rt_hypot") @_cdecl("rt_hypot")
public func rtHypot(_ x: Double, _ y: Double) -> Double { Maths.hypot(x, y) }
@_expose(wasm, "rt_normal_below") @_cdecl("rt_normal_below")
public func rtNormalBelow(_ x: Double) -> Double { Maths.normal(below: x) }
