"""The error function, as `Sources/Kit/Maths/ErrorFunction.swift` has it."""

from __future__ import annotations

from ._exponential import exponential
from ._two_part import added, product

#: erf(x) / x − 1 in powers of x², for |x| < 7/8.
_NEAR = tuple(map(float.fromhex, (
    "0x1.06eba8214db69p-3", "-0x1.812746b0379e5p-2", "0x1.ce2f21a0429cp-4", "-0x1.b82ce3127ba39p-6",
    "0x1.565bcd0bd44c8p-8", "-0x1.c02db3658a5adp-11", "0x1.f9a31006aac53p-14", "-0x1.f4d01d5e9ddbdp-17",
    "0x1.b9c1221153b3ap-20", "-0x1.5dd08310f6f5p-23", "0x1.e54e0dabc154cp-27", "-0x1.dc9f930870182p-31")))
#: erfc(x) · e^(x²) · (1 + x) in powers of (x − 3) / (x + 3), for x from 7/8 on: the first coefficient, and the others.
_FIRST = float.fromhex("0x1.6e9827d229d2dp-1")
_FAR = tuple(map(float.fromhex, (
    "-0x1.d8f06dfac798ep-3", "0x1.9596c92adafaap-4", "-0x1.4f64aa4aa13bap-7",
    "-0x1.8600d9145c6efp-6", "0x1.67c18994d8ff9p-6", "-0x1.3f82b5d1b63c5p-7", "0x1.a84c560ff4e24p-10",
    "0x1.5297b87ac9309p-11", "-0x1.81214afd8514p-12", "-0x1.58cdc81a21524p-16", "0x1.d6c63e2286b66p-15",
    "-0x1.963b97474a2cep-20", "-0x1.2de0229b773a5p-17", "0x1.178045cac96f7p-22", "0x1.afa11a2225b5ep-20",
    "0x1.b8a8217282d42p-25", "-0x1.5aef7daa4a829p-22", "-0x1.3408e104ff263p-26", "0x1.1d8815836c546p-24",
    "-0x1.c0a6a9d9b8bb9p-27")))
#: Where the second begins.
_BORDER = 0.875
#: Beyond these erf is 1 and erfc is 0.
_ONE, _ZERO = 6, 27.3
#: From here on e^(−x²) is so small that its root is computed and squared.
_SMALL = 26


def erf(x: float) -> float:
    """Returns the error function."""
    size = abs(x)
    if size < _BORDER:
        return x + x * polynomial(_NEAR, x * x)
    if not size < _ONE:
        return x if x != x else 1.0 if x > 0 else -1.0
    rest = _beyond(size)
    return 1 - rest if x > 0 else rest - 1


def erfc(x: float) -> float:
    """Returns 1 − erf(x), with all digits where that is small."""
    size = abs(x)
    if size < _BORDER:
        near = x * polynomial(_NEAR, x * x)
        if x < 0.25:
            return 1 - (x + near)
        total = added(x - 0.5, near)
        return (0.5 - total.high) - total.low
    if x < 0:
        return 2 - (_beyond(size) if size < _ONE else 0.0)
    return x if x != x else _beyond(x) if x < _ZERO else 0.0


def _beyond(x: float) -> float:
    """Returns erfc(x) for an x from 7/8 to 27.3."""
    place = (x - 3) / (x + 3)
    factor = added(_FIRST, place * polynomial(_FAR, place)).over(added(x, 1.0))
    square = product(x, x)
    if x < _SMALL:
        large = exponential(-square.high, -square.low)
        return large * factor.high + large * factor.low
    root = exponential(-0.5 * square.high, -0.5 * square.low)
    return root * (factor.high + factor.low) * root


def polynomial(coefficients: tuple[float, ...], x: float) -> float:
    """Returns the sum of the coefficients times powers of x, by Horner's method."""
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total
