"""The exponential function and powers, as `Sources/Kit/Maths/{Exponential,Power}.swift` have them."""

from __future__ import annotations

import math

from . import _logarithm
from ._exponential_table import POWERS
from ._words import bits, real, signed, upper

_SHIFT = float.fromhex("0x1.8p52")
_SHIFT_BITS = bits(_SHIFT)
_PER_STEP = float.fromhex("0x1.71547652b82fep5")
#: ln 2 / 32 in two parts.
STEP = float.fromhex("0x1.62e42fefap-6")
STEP_REST = float.fromhex("0x1.cf79abc9e3b3ap-45")
_C0, _C1, _C2, _C3 = map(float.fromhex, (
    "0x1.5555555548f87p-3", "0x1.5555555545e84p-5", "0x1.11115b78ab584p-7", "0x1.6c172893266dcp-10"))
#: From here on a result is infinity or zero.
_LIMIT = 750


def exp(x: float) -> float:
    """Returns e to the power x. Above 709.78 it is infinity."""
    if not abs(x) < _LIMIT:
        return math.inf if x > 0 else 0.0 if x < 0 else math.nan
    return exponential(x, 0.0)


def exponential(x: float, rest: float) -> float:
    """Returns e to the power x + rest, for |x| < 750 and a small rest."""
    n, count = steps(x)
    r = (x - n * STEP) - (n * STEP_REST - rest)
    power, error = POWERS[count & 31]
    growth = r + (r * r * curve(r) + error)
    scale = count >> 5
    # Down to a scale of -960 the last bits of the small term are still normal numbers.
    if not -960 < scale < 1024:
        return _scaled(power, power * growth, scale)
    large = real(bits(power) + (scale << 52))
    return large + large * growth


def steps(x: float) -> tuple[float, int]:
    """Returns the nearest number of steps of ln 2 / 32, as a real and as a whole number."""
    shifted = x * _PER_STEP + _SHIFT
    return shifted - _SHIFT, signed(bits(shifted) - _SHIFT_BITS)


def curve(r: float) -> float:
    """Returns (e^r - 1 - r) / r²."""
    square = r * r
    return (0.5 + r * _C0) + square * (_C1 + r * _C2 + square * _C3)


def _scaled(large: float, small: float, scale: int) -> float:
    """Returns (large + small) · 2^scale, which may overflow or be subnormal, rounded once. Requires 1 ≤ large < 2."""
    total = large + small
    if scale > 1023:
        return total * 2.0**1023 * real(scale << 52)
    if scale >= (-1021 if total < 1 else -1022):
        return real(bits(total) + (scale << 52))
    # A subnormal number is a multiple of 2^-1074. Adding 2^52 such units rounds to a multiple. The remainder of that
    # rounding is added to the small term, so that a tie is decided by the bits beyond it.
    unit = real((1 - scale) << 52)
    counted = unit + large
    remainder = (unit - counted) + large
    return real(bits(counted + (remainder + small)) - bits(unit))


def pow(x: float, y: float) -> float:
    """Returns x to the power y, with the special cases of IEEE 754. A negative x needs a whole y, else it is NaN."""
    word = bits(x)
    if not (0 <= word - _logarithm.LEAST_NORMAL < _logarithm.NORMAL_RANGE and abs(y) < 2.0**64):
        return _unusual(x, y)
    return _power(word, y)


def _power(word: int, y: float) -> float:
    """Returns a power of a positive finite number given by its bits."""
    factor, factor_rest = _logarithm.doubled(word)
    y_upper = upper(y)
    product = y_upper * factor
    if not abs(product) < _LIMIT:
        return math.inf if product > 0 else 0.0
    return exponential(product, (y - y_upper) * factor + y * factor_rest)


def _unusual(x: float, y: float) -> float:
    """Returns the power if x is not positive and normal, or if y is huge or NaN."""
    if y == 0 or x == 1:
        return 1.0
    if math.isnan(x) or math.isnan(y):
        return math.nan
    size = abs(x)
    # From 2^53 on every number is even; infinity counts as even.
    is_whole = abs(y) >= 2.0**53 or y == int(y)
    is_odd = abs(y) < 2.0**53 and is_whole and int(y) & 1 == 1
    sign = -1.0 if math.copysign(1.0, x) < 0 and is_odd else 1.0
    if size == 0 or size == math.inf:
        return sign * math.inf if (size == 0) == (y < 0) else sign * 0.0
    if x < 0 and not is_whole:
        return math.nan
    if abs(y) >= 2.0**64:
        return 1.0 if size == 1 else math.inf if (size > 1) == (y > 0) else 0.0
    word = bits(size)
    return sign * _power(_logarithm.subnormal_bits(size) if word < _logarithm.LEAST_NORMAL else word, y)
