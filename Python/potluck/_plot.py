"""Draws how readings depend on a parameter, as SVG: dots with intervals, and a mark at each exact answer."""

from __future__ import annotations

import math
from typing import Sequence

from . import _figures, _table, _xml
from ._chart import DOT, EXACT, FAINT, WIDTH, group, label, line
from ._reading import Reading, Readings

#: The drawing of one reading, between its labels.
LEFT, RIGHT, TOP, BOTTOM, HEIGHT = 110, 610, 40, 190, 250
LONGEST_NAME = 60
#: More drawings, or more dots, make a notebook slow and are hard to tell apart.
MOST_READINGS, MOST_DOTS = 8, 250
MOST_TICKS = 8
#: Half the width of the mark at an exact answer.
MARK = 6


class _Scale:
    """Places numbers between two ends of the drawing."""

    def __init__(self, numbers: Sequence[float], start: float, end: float) -> None:
        self.low, self.high, self._start, self._end = min(numbers), max(numbers), start, end

    def __call__(self, number: float) -> float:
        # Halves, because the difference of two large numbers may be infinite.
        width = self.high / 2 - self.low / 2
        part = (number / 2 - self.low / 2) / width if width > 0 else 0.5
        return self._start + max(0.0, min(1.0, part)) * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Returns round numbers on the scale, at equal distances; its lowest number if there are none."""
        width = self.high - self.low
        unit = 10.0 ** math.floor(math.log10(width / MOST_TICKS)) if 0 < width / MOST_TICKS < math.inf else 0.0
        # A tiny unit is none, and beside large numbers it has no digits left.
        if unit <= 0.0 or self.low + unit == self.low or self.high + unit == self.high:
            return [self.low]
        step = next(step for step in (unit, 2 * unit, 5 * unit, 10 * unit) if width / step <= MOST_TICKS)
        return [step * place for place in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def plot(name: str, rows: Sequence[tuple[float, Readings]]) -> str:
    """Returns a drawing for each reading by the parameter of this name; empty if there is nothing to draw."""
    each = -(-len(rows) // MOST_DOTS) or 1
    drawn: list[str] = []
    for reading in _table.names(readings for _, readings in rows):
        dots = [(at, readings[reading]) for at, readings in rows[::each] if _finite(readings.get(reading)) != []]
        if dots and len(drawn) < MOST_READINGS:
            drawn.append(group(HEIGHT * len(drawn), _drawing(reading, name, dots)))
    if not drawn:
        return ""
    height = HEIGHT * len(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">'
        f'<title>Readings by {_xml.text(name)}</title>{"".join(drawn)}</svg>')


def _finite(reading: Reading | None) -> list[float]:
    """Returns the numbers of a reading that the drawing must hold; empty if it has no value or is no number."""
    if reading is None or not reading.is_number or reading.value is None or not math.isfinite(reading.value):
        return []
    numbers = (reading.value, reading.low, reading.high, reading.exact)
    return [number for number in numbers if number is not None and math.isfinite(number)]


def _drawing(reading: str, name: str, dots: Sequence[tuple[float, Reading]]) -> str:
    across = _Scale([at for at, _ in dots], LEFT, RIGHT)
    up = _Scale([number for _, entry in dots for number in _finite(entry)], BOTTOM, TOP)
    parts = [
        label(LEFT, 20, _xml.clipped(reading, LONGEST_NAME), anchor="start", size=13),
        line(LEFT - 15, BOTTOM + 12, RIGHT + 15, BOTTOM + 12, FAINT, 0.5),
        label((LEFT + RIGHT) / 2, 236, _xml.clipped(name, LONGEST_NAME), size=12)]
    for tick in across.ticks():
        parts.append(label(across(tick), 218, _figures.number(tick), fill=FAINT, size=11))
    for tick in up.ticks():
        y = up(tick)
        parts.append(line(LEFT - 15, y, RIGHT + 15, y, FAINT, 0.2))
        parts.append(label(LEFT - 20, round(y) + 4, _figures.number(tick), anchor="end", fill=FAINT, size=11))
    for at, entry in dots:
        parts.append(_dot(across(at), entry, up))
    if any(entry.exact is not None for _, entry in dots):
        parts.append(label(RIGHT, 20, "exact", anchor="end", fill=EXACT, size=11))
    return "".join(parts)


def _dot(x: float, reading: Reading, up: _Scale) -> str:
    parts: list[str] = []
    if reading.exact is not None and math.isfinite(reading.exact):
        y = up(reading.exact)
        parts.append(line(x - MARK, y, x + MARK, y, EXACT, 2))
    if reading.low is not None and reading.high is not None:
        parts.append(line(x, up(reading.low), x, up(reading.high), DOT, 2))
    if reading.value is not None:
        parts.append(f'<circle cx="{x:.1f}" cy="{up(reading.value):.1f}" r="3" fill="{DOT}"/>')
    return "".join(parts)
