"""Formats numbers and times for people, as the program for Linux does (Figures.swift and Digits.swift)."""

from __future__ import annotations

import math
from typing import Optional

from .._kit import output
from .._sandbox import Reading
from .experiment import half_width

#: The points of a search.
POINTS = 1 << 52


class _Digits:
    """The decimal digits of a number, from the shortest text that names it. Its value is 0.d₁d₂d₃… · 10^power."""

    def __init__(self, is_negative: bool, digits: str, power: int) -> None:
        self.is_negative, self.digits, self.power = is_negative, digits, power if digits else 0

    @classmethod
    def of(cls, value: float) -> Optional[_Digits]:
        if not math.isfinite(value):
            return None
        front, _, exponent = repr(abs(value)).partition("e")
        whole, _, fraction = front.partition(".")
        digits = (whole + fraction).lstrip("0")
        power = len(whole) - (len(whole + fraction) - len(digits)) + int(exponent or 0)
        return cls(value < 0, digits.rstrip("0"), power)

    @property
    def exponent(self) -> Optional[int]:
        """The exponent in scientific notation; None for zero."""
        return self.power - 1 if self.digits else None

    def rounded(self, count: int) -> _Digits:
        """Keeps this many digits; halves round away from zero."""
        if count >= len(self.digits):
            return self
        if count < 0:
            return _Digits(False, "", 0)
        kept, power = self.digits[:count], self.power
        if self.digits[count] >= "5":
            more = str(int(kept or "0") + 1).rjust(count, "0")
            power += len(more) > count
            kept = more
        kept = kept.rstrip("0")
        return _Digits(self.is_negative and bool(kept), kept, power)

    def fixed(self, decimals: int) -> str:
        rounded = self.rounded(self.power + decimals)
        whole = "".join(rounded._at(place) for place in range(max(0, rounded.power))) or "0"
        part = "".join(rounded._at(rounded.power + place) for place in range(decimals))
        return "-" * rounded.is_negative + whole + (f".{part}" if decimals else "")

    def scientific(self, significant: int) -> str:
        rounded = self.rounded(significant)
        part = "".join(rounded._at(place) for place in range(1, max(2, significant)))
        return (
            "-" * rounded.is_negative + rounded._at(0) + (f".{part}" if significant > 1 else "")
            + f"e{rounded.exponent or 0}")

    def _at(self, place: int) -> str:
        return self.digits[place] if 0 <= place < len(self.digits) else "0"


def grouped(number: int) -> str:
    """`1 000 000`: digits in groups of three."""
    return f"{number:,}".replace(",", " ")


def typed(number: int) -> str:
    """The shortest exact way to type a whole number: `1e9`, `25e6`."""
    digits = str(number)
    zeros = len(digits) - len(digits.rstrip("0"))
    return f"{digits[:-zeros]}e{zeros}" if number > 0 and zeros >= 6 else digits


def fixed(value: float, decimals: int) -> str:
    digits = _Digits.of(value)
    return "?" if digits is None else digits.fixed(decimals)


def significant(value: float, count: int) -> str:
    """Rounds to this many significant digits. Uses scientific notation below 1e-4 and from 1e15 on."""
    found = _Digits.of(value)
    if found is None:
        return "?"
    # Round first, because rounding may carry to the next power of ten.
    digits = found.rounded(count)
    exponent = digits.exponent or 0
    return digits.scientific(count) if exponent < -4 or exponent >= 15 else digits.fixed(max(0, count - 1 - exponent))


def short(value: float) -> str:
    """Rounded to four digits, without trailing zeros: `0.25`, `8`, `1.23e9`."""
    text = significant(value, 4)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def rate(per_second: float) -> str:
    """`734 112/s`, `1.43 billion/s`."""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if per_second >= size * 0.9995:
            return f"{significant(per_second / size, 3)} {name}/s"
    if per_second == 0:
        return "0/s"
    return f"{significant(per_second, 3)}/s" if per_second < 100 else f"{grouped(_nearest(per_second))}/s"


def time(seconds: float) -> str:
    """`0.4 ms`, `350 ms`, `3.6 s`, `36 s`, `2 min 5 s`, `1 h 5 min`, `2 d 3 h`."""
    if 0 < seconds < 0.00095:
        return f"{significant(seconds * 1000, 1)} ms"
    if seconds < 0.9995:
        return f"{_nearest(seconds * 1000)} ms"
    if seconds < 9.95:
        return f"{significant(seconds, 2)} s"
    whole = _nearest(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def word(count: int, unit: str) -> str:
    """Returns the word for this many."""
    return unit if count == 1 else f"{unit}s"


def done(trials: int, unit: str) -> str:
    """The trials or units of a run or, for a search, the part of the tree that it searched."""
    if unit != "point":
        return f"{grouped(trials)} {word(trials, unit)}"
    return f"{percent(trials)} of the tree, the best is not proven" if trials < POINTS else "the whole tree"


def percent(points: int) -> str:
    """The part of a search's points as `12.0 %`; never 100 % before all are done."""
    tenths = math.floor(points / POINTS * 1000) / 10
    if points > 0 and tenths == 0:
        return "< 0.1 %"
    return f"{min(99.9, tenths)} %" if points < POINTS else "100 %"


def _nearest(value: float) -> int:
    """Rounds to the nearest whole number; halves round away from zero."""
    return math.floor(value + 0.5)


def number(value: float) -> str:
    """The shortest text that reads as the same number."""
    return output.text(float(value))


class ReadingFigures:
    """Formats the numbers of one reading, all with the same decimals: two uncertain digits of its interval."""

    def __init__(self, reading: Reading) -> None:
        digits = _Digits.of(reading.value or 0.0)
        size = (digits.exponent if digits else None) or 0
        decimals, significant = 5 - size, 6
        half = half_width(reading)
        width = _Digits.of(half) if half is not None and half > 0 else None
        if width is not None and width.exponent is not None:
            decimals = 1 - width.exponent
            significant = min(15, max(2, size - width.exponent + 2))
        elif _is_count(reading):
            decimals = 0
        self._decimals = min(15, max(0, decimals))
        self._significant = significant if size >= 15 or size < -6 and reading.value != 0 else None

    def text(self, value: float) -> str:
        digits = _Digits.of(value)
        if digits is None:
            return "?"
        return digits.fixed(self._decimals) if self._significant is None else digits.scientific(self._significant)


def _is_count(reading: Reading) -> bool:
    """Whether a derived reading without an interval is a count, such as the number of primes."""
    numbers = [value for value in (reading.value, reading.exact) if value is not None]
    return (
        reading.kind == "derived" and reading.interval is None and bool(numbers)
        and all(value == math.floor(value) for value in numbers))
