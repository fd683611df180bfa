"""Numbers as people read them."""

from __future__ import annotations

import math

from ._reading import Reading

#: Digits of a number that has no interval to say how many are known.
SIGNIFICANT = 7
#: More decimals than a double has, so a tiny interval does not print a hundred zeros.
MOST_DECIMALS = 15
#: Larger numbers have more digits than a double, and need an exponent.
LARGE = 1e15


def whole(number: int) -> str:
    """Returns 2 553 806 848 for 2553806848, with narrow spaces."""
    return f"{number:,}".replace(",", "\u202f")


def number(value: float, half_width: float | None = None) -> str:
    """Returns the number with the digits that its interval leaves: two of the half width."""
    if not math.isfinite(value):
        return str(value)
    if half_width is None or not 0 < half_width < math.inf or abs(value) >= LARGE:
        return f"{value:.{SIGNIFICANT}g}"
    decimals = 1 - math.floor(math.log10(half_width))
    if decimals > MOST_DECIMALS:
        return repr(value)
    return f"{value:.{max(0, decimals)}f}"


def interval(reading: Reading) -> str:
    """Returns `0.33330 … 0.33334`, or nothing if there is no interval."""
    if reading.low is None or reading.high is None:
        return ""
    half = reading.half_width
    return f"{number(reading.low, half)} … {number(reading.high, half)}"


def seconds(value: float) -> str:
    """Returns `1.7 s`, `350 ms` or `2 min 5 s`."""
    if value < 1:
        return f"{value * 1000:.3g} ms"
    if value < 120:
        return f"{value:.3g} s"
    return f"{int(value // 60)} min {int(value % 60)} s"


def rate(value: float) -> str:
    """Returns `1.46 billion/s`."""
    for size, word in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if value >= size:
            return f"{value / size:.3g}{word}/s"
    return f"{value:.3g}/s"
