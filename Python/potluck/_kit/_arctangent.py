"""Angles of tangents, as `Sources/Kit/Maths/ArcTangent.swift` has them, after fdlibm (Sun Microsystems, 1993)."""

from __future__ import annotations

import math

from . import _sine

#: The angles of 1/2, 1, 3/2 and infinity, each to twice the precision.
_HALF = (float.fromhex("0x1.dac670561bb4fp-2"), float.fromhex("0x1.a2b7f222f65e2p-56"))
_ONE = (float.fromhex("0x1.921fb54442d18p-1"), float.fromhex("0x1.1a62633145c07p-55"))
_THREE_HALVES = (float.fromhex("0x1.f730bd281f69bp-1"), float.fromhex("0x1.007887af0cbbdp-56"))
_INFINITE = (float.fromhex("0x1.921fb54442d18p0"), float.fromhex("0x1.1a62633145c07p-54"))
#: π is larger than the real number by this much.
_PI_REST = float.fromhex("0x1.1a62633145c07p-53")


def atan(x: float) -> float:
    """Returns the angle whose tangent is x, from −π/2 to π/2."""
    if math.isnan(x):
        return math.nan
    size = abs(x)
    if size < 0.4375:
        angle = size - size * _curve(size)
    elif size < 0.6875:
        angle = _angled((2 * size - 1) / (2 + size), *_HALF)
    elif size < 1.1875:
        angle = _angled((size - 1) / (size + 1), *_ONE)
    elif size < 2.4375:
        angle = _angled((size - 1.5) / (1 + 1.5 * size), *_THREE_HALVES)
    else:
        angle = _angled(-1 / size, *_INFINITE)
    return -angle if math.copysign(1.0, x) < 0 else angle


def _angled(rest: float, high: float, low: float) -> float:
    """Adds the angle of the tangent `rest` to an angle that is known to twice the precision."""
    return high - ((rest * _curve(rest) - low) - rest)


def _curve(x: float) -> float:
    """Returns 1 − atan(x)/x for a small x."""
    z = x * x
    w = z * z
    even = w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)
    even = w * (9.09088713343650656196e-02 + w * (6.66107313738753120669e-02 + even))
    even = z * (3.33333333333329318027e-01 + w * (1.42857142725034663711e-01 + even))
    odd = w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02)
    odd = w * (-1.11111104054623557880e-01 + w * (-7.69187620504482999495e-02 + odd))
    odd = w * (-1.99999999998764832476e-01 + odd)
    return even + odd


def atan2(y: float, x: float) -> float:
    """Returns the angle of the point (x, y), from −π to π, with the special cases of IEEE 754."""
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if abs(x) == abs(y) and (math.isinf(x) or y == 0):
        # Both are 0, or both infinite.
        angle = 0.0 if y == 0 else 0.25 * math.pi
    else:
        angle = atan(abs(y) / abs(x) if x != 0 else math.inf)
    turned = math.pi - (angle - _PI_REST) if math.copysign(1.0, x) < 0 else angle
    return -turned if math.copysign(1.0, y) < 0 else turned


def tan(x: float) -> float:
    """Returns the tangent of x radians; NaN for the infinities."""
    return _sine.sin(x) / _sine.cos(x)


def asin(x: float) -> float:
    """Returns the angle with this sine, from −π/2 to π/2; NaN outside -1 ... 1."""
    return atan2(x, math.sqrt((1 - x) * (1 + x))) if abs(x) <= 1 else math.nan


def acos(x: float) -> float:
    """Returns the angle with this cosine, from 0 to π; NaN outside -1 ... 1."""
    return atan2(math.sqrt((1 - x) * (1 + x)), x) if abs(x) <= 1 else math.nan
