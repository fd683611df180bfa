"""The best solution of a search, as its author shows it: lines of text, and the points of a picture."""

from __future__ import annotations

import math
from typing import Optional

from .._sandbox.errors import is_fit
from .canvas import Canvas

#: The most lines of text, and the lines of a picture.
_MOST, _HEIGHT = 20, 15
#: Narrower pictures show nothing.
_NARROWEST = 20
_BRAILLE = 0x2800


class Solution:
    def __init__(self, octets: bytes) -> None:
        self.texts: list[str] = []
        #: A line of two numbers is a point, which is joined with the one before it.
        self.points: list[tuple[float, float]] = []
        for line in octets.decode("utf-8", "replace").split("\n"):
            point = _point(line)
            if point is not None:
                self.points.append(point)
            elif line:
                self.texts.append("".join(c if is_fit(c) else "?" for c in line))
        # Two points make no picture; two numbers may be all of a solution.
        if len(self.points) < 3:
            self.texts += [f"{x!r} {y!r}" for x, y in self.points]
            self.points = []

    def lines(self, canvas: Canvas) -> list[str]:
        lines = [line for text in self.texts[:_MOST] for line in canvas.wrapped(text, 2)]
        if len(self.texts) > _MOST:
            lines += canvas.wrapped(f"… and {len(self.texts) - _MOST} more lines", 2)
        picture = self._picture(canvas)
        return lines + ["", *picture] * bool(picture)

    def _picture(self, canvas: Canvas) -> list[str]:
        if not canvas.unicode or not self.points or canvas.columns < _NARROWEST:
            return []
        columns, rows = min(canvas.columns - 4, 4 * _HEIGHT), _HEIGHT
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        # The same scale in both directions, and the largest y at the top.
        scale = max((max(xs) - min(xs)) / (2 * columns - 1), (max(ys) - min(ys)) / (4 * rows - 1))
        if not 0 < scale < math.inf:
            return []
        dots = [(_nearest((x - min(xs)) / scale), _nearest((max(ys) - y) / scale)) for x, y in self.points]
        cells = [[0] * columns for _ in range(rows)]
        for (x, y), (to_x, to_y) in zip(dots, dots[1:]):
            steps = max(abs(to_x - x), abs(to_y - y), 1)
            for step in range(steps + 1):
                at_x, at_y = x + _nearest((to_x - x) * (step / steps)), y + _nearest((to_y - y) * (step / steps))
                if 0 <= at_x < 2 * columns and 0 <= at_y < 4 * rows:
                    cells[at_y // 4][at_x // 2] |= _bit(at_x % 2, at_y % 4)
        lines = ["".join(chr(_BRAILLE + dots) if dots else " " for dots in row).rstrip(" ") for row in cells]
        while lines and not lines[-1]:
            lines.pop()
        return [f"  {line}" for line in lines]


def _point(line: str) -> Optional[tuple[float, float]]:
    words = line.split(" ")
    if len(words) != 2:
        return None
    try:
        x, y = map(float, words)
    except ValueError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _nearest(value: float) -> int:
    """Rounds to the nearest whole number; halves round away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def _bit(column: int, row: int) -> int:
    """The bit of a dot. Dots are numbered down the left column, then down the right one, except for the last row."""
    return (0x80 if column else 0x40) if row == 3 else 1 << column * 3 + row
