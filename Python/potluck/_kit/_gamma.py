"""The gamma function, as `Sources/Kit/Maths/Gamma.swift` has it."""

from __future__ import annotations

import math

from ._error_function import polynomial
from ._exponential import exponential
from ._logarithm import doubled, log
from ._sine import sin
from ._two_part import TwoPart, added
from ._words import bits

#: Stirling's series: the corrections in powers of 1/x². The eighth would be below 2⁻⁶⁵ from `_ENOUGH` on.
_SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
#: From here on the series is good enough. Smaller numbers are raised to it, by Γ(x + 1) = x · Γ(x).
_ENOUGH = 16
#: log Γ(1 + z) / z in powers of z, for |z| < 1/64.
_NEAR_ONE = tuple(map(float.fromhex, (
    "-0x1.2788cfc6fb619p-1", "0x1.a51a6625307d3p-1", "-0x1.9a4d55beab2d6p-2", "0x1.151322ac8085ap-2",
    "-0x1.a8b9c17ab2d2fp-3", "0x1.5b40c9b5f5ea2p-3", "-0x1.27039fe7fcee8p-3", "0x1.01280d1c84aa4p-3",
    "-0x1.c8467fa7a5cd1p-4")))
#: log Γ(2 + z) / z in powers of z, for |z| < 1/64.
_NEAR_TWO = tuple(map(float.fromhex, (
    "0x1.b0ee6072093cep-2", "0x1.4a34cc4a60fa6p-2", "-0x1.13e001a557607p-4", "0x1.51322ac7d8547p-6",
    "-0x1.e404fc218f92ap-8", "0x1.7add6e97b6959p-9", "-0x1.38ac5c0c4febbp-10", "0x1.0b3e04de0548dp-11",
    "-0x1.d40d7ec0dcf96p-13")))
_NEAR = 1 / 64
#: log(2π) / 2 in two parts.
_HALF_LOG_TWO_PI = TwoPart(float.fromhex("0x1.d67f1c864cp-1"), float.fromhex("-0x1.4b596d686dffdp-45"))
#: For a smaller x, Γ(x) is 1/x.
_TINY = 2.0**-54
#: The greatest number whose inverse is infinite.
_NO_INVERSE = 2.0**-1024
#: Up to here factorials are exact.
_LAST_EXACT = 23
#: Beyond these Γ is infinite, or rounds to 0.
_LARGE, _LOWEST = 172, -185
#: From here on log Γ is infinite.
_LOG_LARGE = 2.56e305
#: Below this log Γ(x) follows from log Γ(-x).
_REFLECTED = -30
#: A product of more than this is divided by before it grows too large.
_FULL = 2.0**900


def gamma(x: float) -> float:
    """Returns the gamma function: (n − 1)! for a whole number n; NaN for -1, -2, -3 …"""
    if x != x:
        return math.nan
    is_whole = math.isinf(x) or x == math.floor(x)
    if is_whole and x < 0:
        return math.nan
    if is_whole and 0 < x <= _LAST_EXACT:
        result = 1.0
        for factor in range(2, int(x)):
            result *= factor
        return result
    if abs(x) < _TINY:
        return math.copysign(math.inf, x) if abs(x) <= _NO_INVERSE else 1 / x
    if not _LOWEST < x < _LARGE:
        return math.inf if x > 0 else -0.0 if math.floor(x) % 2 else 0.0
    place, full, product = _raised(x)
    logarithm = _stirling(place)
    whole = exponential(logarithm.high, logarithm.low)
    if x >= _ENOUGH:
        return whole
    part = TwoPart(whole).over(full)
    quotient = TwoPart(part.high + part.low).over(product)
    return quotient.high + quotient.low


def lgamma(x: float) -> float:
    """Returns the logarithm of |Γ(x)|: infinity for 0, -1, -2 …"""
    if not math.isfinite(x):
        return math.nan if x != x else math.inf
    if abs(x) < _TINY:
        return -log(abs(x))
    one, two = x - 1, x - 2
    if abs(one) < _NEAR:
        # Zero is positive.
        return one * polynomial(_NEAR_ONE, one) + 0.0
    if abs(two) < _NEAR:
        return two * polynomial(_NEAR_TWO, two)
    if x >= _LOG_LARGE or x <= 0 and x == math.floor(x):
        return math.inf
    if x <= _REFLECTED:
        # Γ(x) · Γ(−x) = −π / (x · sin πx)
        rest = x - math.floor(x + 0.5)
        return log(math.pi / (-x * abs(sin(math.pi * rest)))) - lgamma(-x)
    place, *products = _raised(x)
    result = _stirling(place)
    for each in products:
        logarithm = doubled(bits(abs(each.high)))
        result = result.plus(TwoPart(-logarithm[0], -logarithm[1] - each.low / each.high))
    return result.high


def _raised(x: float) -> tuple[TwoPart, TwoPart, TwoPart]:
    """Returns a number x + n from `_ENOUGH` on, and what Γ(x + n) is to be divided by: x · (x + 1) · … in one product,
    or in two if one would be too large."""
    place, full, product = TwoPart(x), TwoPart(1.0), TwoPart(1.0)
    while place.high < _ENOUGH:
        product = product.times(place)
        if abs(product.high) > _FULL:
            full, product = product, TwoPart(1.0)
        place = place.plus(TwoPart(1.0))
    return place, full, product


def _stirling(place: TwoPart) -> TwoPart:
    """Returns log Γ of a number from `_ENOUGH` on: (x − 1/2) log x − x + log(2π)/2 + 1/(12x) − …"""
    x = place.high
    logarithm = TwoPart(*doubled(bits(x)))
    # The slope of log Γ is nearly log x − 1/(2x).
    lost = place.low * (logarithm.high - 0.5 / x)
    main = logarithm.times(added(x, -0.5)).plus(TwoPart(-x, lost))
    return main.plus(_HALF_LOG_TWO_PI).plus(TwoPart(polynomial(_SERIES, 1 / (x * x)) / x))
