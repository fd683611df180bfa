"""Cube roots and lengths, as `Sources/Kit/Maths/Roots.swift` has them."""

from __future__ import annotations

import math

from ._logarithm import LEAST_NORMAL
from ._two_part import added, product
from ._words import bits, real, upper

#: Two thirds of the bits of 1, which a division of the bits by 3 leaves out, less what makes the error smallest.
_THIRD = 0x2A9F_7893_0000_0000


def cbrt(x: float) -> float:
    """Returns the cube root, also of a negative number."""
    size = abs(x)
    if not 0 < size < math.inf:
        return math.nan if x != x else x
    scale = 1.0
    if bits(size) < LEAST_NORMAL:
        size, scale = size * 2.0**54, 2.0**-18
    # Within 6 % at first. Each step of Halley's triples the digits.
    root = real(bits(size) // 3 + _THIRD)
    for _ in range(2):
        ratio = (root * root) * (root / size)
        root *= (2 + ratio) / (1 + 2 * ratio)
    # The last step is from a root of 26 bits, whose square is exact.
    root = upper(root)
    quotient = size / (root * root)
    root += root * ((quotient - root) / (root + root + quotient))
    return math.copysign(root * scale, x)


def hypot(x: float, y: float) -> float:
    """Returns √(x² + y²). Infinite if one of them is, even if the other is NaN."""
    a, b = abs(x), abs(y)
    if a == math.inf or b == math.inf:
        return math.inf
    if a != a or b != b:
        return math.nan
    if a < b:
        a, b = b, a
    if b <= a * 2.0**-54:
        return a + b
    # So the squares are normal numbers, and the lost parts of them too.
    scale = 1.0
    if a > 2.0**500:
        scale = 2.0**-600
    elif b < 2.0**-400:
        scale = 2.0**600
    a, b = a * scale, b * scale
    first, second = product(a, a), product(b, b)
    total = added(first.high, second.high)
    root = math.sqrt(total.high)
    # What is missing of the square, by a step of Newton's.
    square = product(root, root)
    missing = ((total.high - square.high) - square.low) + (total.low + (first.low + second.low))
    return (root + missing / (2 * root)) / scale
