"""e^x − 1, log(1 + x) and the hyperbolic functions, as `Sources/Kit/Maths/Hyperbolic.swift` has them."""

from __future__ import annotations

import math

from . import _logarithm
from ._exponential import STEP, STEP_REST, curve, exp, exponential, steps
from ._exponential_table import POWERS
from ._two_part import TwoPart, added, product
from ._words import bits, real

#: ln 2 in two parts; the first is a multiple of 2⁻⁴².
_LN2 = float.fromhex("0x1.62e42fefa38p-1")
_LN2_REST = float.fromhex("0x1.ef35793c7673p-45")
#: From here on e^-x is too small to matter beside e^x.
_FAR = 40
#: The functions of smaller numbers round to the number itself.
_TINY = 2.0**-54
#: Below this x³ is too small to matter.
_SMALL = 2.0**-28


def log1p(x: float) -> float:
    """Returns log(1 + x): minus infinity at -1, NaN below."""
    if abs(x) < _TINY:
        return x
    if not -1 < x < math.inf:
        return -math.inf if x == -1 else x if x == math.inf else math.nan
    total = added(1.0, x)
    base, base_rest, r, r_rest = _logarithm.parts(bits(total.high))
    rest = r_rest + total.low / total.high
    high = base + r
    lost = (base - high) + r
    return high + (lost + (base_rest + (rest + r * r * (r * _logarithm.curve(r) - 0.5))))


def expm1(x: float) -> float:
    """Returns e^x − 1."""
    if abs(x) < _TINY:
        return x
    if not abs(x) < _FAR:
        return exp(x) if x > 0 else -1.0 if x < 0 else math.nan
    return _less_one(x).high


def _less_one(x: float) -> TwoPart:
    """Returns e^x − 1 for |x| up to about 44, to twice the precision."""
    n, count = steps(x)
    first, second = x - n * STEP, n * STEP_REST
    r = first - second
    r_rest = (first - r) - second
    power, error = POWERS[count & 31]
    large = real(bits(power) + (count >> 5 << 52))
    lead, growth = added(large, -1.0), product(large, r)
    total = added(lead.high, growth.high)
    rest = (r_rest + error) + r * r * curve(r)
    return TwoPart(total.high, total.low + (lead.low + (growth.low + large * rest))).normal()


def sinh(x: float) -> float:
    """Returns the hyperbolic sine."""
    size = abs(x)
    if size < _SMALL:
        return x
    if not size < _FAR:
        return math.copysign(_half_exp(size), x)
    less = _less_one(size)
    more = added(1.0, less.high)
    total = less.plus(less.over(TwoPart(more.high, more.low + less.low)))
    return math.copysign(0.5 * total.high, x)


def cosh(x: float) -> float:
    """Returns the hyperbolic cosine."""
    size = abs(x)
    if not size < _FAR:
        return _half_exp(size)
    less = _less_one(size)
    more = added(1.0, less.high)
    return 0.5 * (more.high + (1 / more.high + (more.low + less.low)))


def tanh(x: float) -> float:
    """Returns the hyperbolic tangent."""
    size = abs(x)
    if size < _SMALL:
        return x
    if not size < _FAR / 2:
        return math.nan if size != size else math.copysign(1.0, x)
    less = _less_one(2 * size)
    more = added(2.0, less.high)
    quotient = less.over(TwoPart(more.high, more.low + less.low))
    return math.copysign(quotient.high + quotient.low, x)


def _half_exp(x: float) -> float:
    """Returns e^x / 2 for an x from `_FAR` on, which is finite a little longer than e^x; NaN for NaN."""
    if not x < 750:
        return math.inf if x > 0 else math.nan
    return exponential(x - _LN2, -_LN2_REST)
