"""The logarithm, as `Sources/Kit/Maths/Logarithm.swift` has it; docs/RANDOM.md has the formulas."""

from __future__ import annotations

import math
from typing import NamedTuple

from ._logarithm_table import LOGARITHMS
from ._words import LONG, bits, real, signed, upper

LEAST_NORMAL = 0x0010_0000_0000_0000
#: The number of bit patterns from the least normal one on that are positive, finite and normal.
NORMAL_RANGE = 0x7FE0_0000_0000_0000

_LN2 = float.fromhex("0x1.62e42fefa38p-1")
_LN2_REST = float.fromhex("0x1.ef35793c7673p-45")
_CURVE = tuple(map(float.fromhex, (
    "0x1.5555555555555p-2", "0x1.000000000007dp-2", "0x1.9999999999c7ap-3", "0x1.5555554239cc1p-3",
    "0x1.24924905b93cap-3", "0x1.0007034988fc7p-3", "0x1.c72c948dba414p-4")))
_C0, _C1, _C2, _C3, _C4, _C5, _C6 = _CURVE
_INVERSE_LN2 = float.fromhex("0x1.71547652b82fep0")
_INVERSE_LN10 = float.fromhex("0x1.bcb7b1526e50ep-2")
_SHIFT = float.fromhex("0x1.8p52")
#: Powers of ten are exact up to this one.
_EXACT_POWERS = 22


class Parts(NamedTuple):
    """A logarithm as a sum: log x = base + base_rest + log(1 + r + r_rest), |r| < 0.0081."""

    base: float
    base_rest: float
    r: float
    r_rest: float


def parts(word: int) -> Parts:
    """Takes the bits of a positive number. Its exponent may be below the least normal one."""
    offset = (word - 0x3FE6_9555_0000_0000) & LONG
    n = float(signed(offset) >> 52)
    z = (word - (offset & 0xFFF0_0000_0000_0000)) & LONG
    inverse, value, rest = LOGARITHMS[offset >> 46 & 63]
    upper = real(z & 0xFFFF_FFFF_0000_0000)
    lower = real(z) - upper
    near = upper * inverse - 1
    far = lower * inverse
    r = near + far
    return Parts(n * _LN2 + value, n * _LN2_REST + rest, r, (near - r) + far)


def curve(r: float) -> float:
    """Returns (log(1 + r) - r + r²/2) / r³."""
    square = r * r
    low = _C0 - r * _C1
    middle = _C2 - r * _C3
    high = (_C4 - r * _C5) + square * _C6
    return low + square * (middle + square * high)


def subnormal_bits(x: float) -> int:
    """Returns the bits that x would have if exponents continued below the least normal one. They wrap round."""
    return bits(x * 2.0**52) - (52 << 52)


def log(x: float) -> float:
    """Returns the natural logarithm: minus infinity for zeros, NaN for negative numbers."""
    word = bits(x)
    if not 0 <= word - LEAST_NORMAL < NORMAL_RANGE:
        if not x > 0:
            return -math.inf if x == 0 else math.nan
        if x == math.inf:
            return x
        word = subnormal_bits(x)
    base, base_rest, r, r_rest = parts(word)
    total = base + r
    lost = (base - total) + r
    return total + (lost + (base_rest + (r_rest + r * r * (r * curve(r) - 0.5))))


def doubled(word: int) -> tuple[float, float]:
    """Returns the logarithm of a positive finite number given by its bits, to 67 bits: the first 26, and the rest."""
    base, base_rest, r, r_rest = parts(word)
    a = upper(r)
    b = (r - a) + r_rest
    total = base + a
    half = 0.5 * a * a
    high = total - half
    low = ((base - total) + a) + ((total - high) - half)
    small = (b - b * (a + 0.5 * b)) + (r * r * r * curve(r) + base_rest)
    correction = low + small
    logarithm = high + correction
    first = upper(logarithm)
    return first, (logarithm - first) + ((high - logarithm) + correction)


def log2(x: float) -> float:
    """Returns the logarithm to base 2, which is exact for a power of two."""
    word = bits(x)
    if not 0 <= word - LEAST_NORMAL < NORMAL_RANGE:
        return log2(x * 2.0**52) - 52 if 0 < x < math.inf else log(x)
    exponent = float((word >> 52) - 1023)
    rest = real(word & 0xF_FFFF_FFFF_FFFF | 1023 << 52)
    # Near 1 from below the two parts would cancel.
    return log(x) * _INVERSE_LN2 if exponent == -1 else exponent + log(rest) * _INVERSE_LN2


def log10(x: float) -> float:
    """Returns the logarithm to base 10, which is exact for 1, 10, 100, … 10²²."""
    logarithm = log(x) * _INVERSE_LN10
    nearest = (logarithm + _SHIFT) - _SHIFT
    if not 0 <= nearest <= _EXACT_POWERS:
        return logarithm
    power = 1.0
    for _ in range(int(nearest)):
        power *= 10
    return nearest if power == x else logarithm
