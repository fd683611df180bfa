"""Draws a histogram in two dimensions as a map of its cells, which are the darker the more they hold."""

from __future__ import annotations

import math

from .._sandbox import Reading
from .._sandbox.cells import Cells, cells
from . import figures
from .canvas import Canvas, width

#: The most columns and lines; a larger map shows no more.
_WIDEST, _HIGHEST = 100, 16
_SIGNS, _ASCII = "░▒▓█", ".:+#"


def cell_map(reading: Reading, canvas: Canvas) -> list[str]:
    """Returns the lines of a reading's map."""
    found, lines = cells(reading.bins, reading.range), [reading.name]
    outside = [f"{figures.grouped(found.outside)} outside"] if found is not None and found.outside > 0 else []
    if found is None or max(found.counts) == 0:
        return [*lines, *canvas.wrapped("nothing counted yet", 2), *canvas.flow(outside)]
    ends = [figures.short(found.y[1]), figures.short(found.y[0])]
    margin = max(map(width, ends))
    # Leave out the ends of y if they would take most of the width.
    indent = margin + 2 if margin * 3 <= canvas.columns else 1
    room = min(_WIDEST, max(1, canvas.columns - indent - 1))
    signs = _SIGNS if canvas.unicode else _ASCII
    wide, tall = -(-found.columns // room), -(-found.rows // _HIGHEST)
    rows = _rows(found, wide, tall)
    down = _HIGHEST // len(rows)
    # A character is about twice as high as it is wide.
    across = max(1, min(room // len(rows[0]), 2 * down))
    most = max(mean for row in rows for _, mean in row)
    drawn = [line for row in reversed(rows) for line in [_line(row, most, signs, across)] * down]
    for at, line in enumerate(drawn):
        end = "" if indent == 1 else ends[0] if at == 0 else ends[1] if at == len(drawn) - 1 else ""
        lines.append(" " * max(0, indent - 1 - width(end)) + end + ("│" if canvas.unicode else "|") + line)
    low, high = figures.short(found.x[0]), figures.short(found.x[1])
    gap = across * len(rows[0]) - width(low) - width(high)
    lines.append(" " * indent + (low + " " * gap + high if gap > 0 else f"{low} … {high}"))
    size = "a cell" if wide * tall == 1 else f"{wide} × {tall} cells"
    largest = max(total for row in rows for total, _ in row)
    return lines + canvas.flow([f"{signs} up to {figures.grouped(largest)} in {size}", *outside])


def _rows(found: Cells, wide: int, tall: int) -> list[list[tuple[int, float]]]:
    """Joins so many columns and rows. Returns the sums from the lowest y, and the mean of a cell in each, because the last
    ones may join fewer."""
    made = []
    for first in range(0, found.rows, tall):
        own = range(first, min(found.rows, first + tall))
        row = []
        for left in range(0, found.columns, wide):
            right = min(found.columns, left + wide)
            total = sum(sum(found.counts[at * found.columns + left:at * found.columns + right]) for at in own)
            row.append((total, total / (len(own) * (right - left))))
        made.append(row)
    return made


def _line(row: list[tuple[int, float]], most: float, signs: str, across: int) -> str:
    """A cell that is not empty shows at least the lightest shade, so that rare does not look like never."""
    line = ""
    for _, mean in row:
        level = max(0, math.floor(mean / most * len(signs) + 0.5) - 1)
        line += (signs[level] if mean > 0 else " ") * across
    return line.rstrip(" ")
