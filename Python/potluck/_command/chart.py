"""Draws a histogram as vertical bars."""

from __future__ import annotations

import math

from .._sandbox import Reading
from . import figures
from .canvas import Canvas, width

#: The most columns; a wider chart shows no more.
_WIDEST = 60
_STEPS, _ASCII = " ▁▂▃▄▅▆▇█", " .:#"


def histogram(reading: Reading, height: int, canvas: Canvas) -> list[str]:
    """Returns the lines of a reading's chart."""
    bins, steps = reading.bins[1:-1], _STEPS if canvas.unicode else _ASCII
    if reading.range is None or not bins or max(bins) == 0:
        return [reading.name, *canvas.wrapped("no trials yet", 2)]
    lines, indent = [reading.name], 1 if canvas.columns < 30 else 2
    heights = _columns(bins, max(1, canvas.columns - 2 * indent))
    tallest, last = max(heights), len(steps) - 1
    for row in reversed(range(height)):
        line = ""
        for share in heights:
            # A bin that is not empty shows at least the smallest mark, so that rare does not look like never.
            step = math.floor(share * (height * last) / tallest + 0.5) - row * last
            line += steps[max(0, min(last, max(1, step) if share > 0 and row == 0 else step))]
        lines.append(" " * indent + line.rstrip(" "))
    low, high = figures.short(reading.range[0]), figures.short(reading.range[1])
    gap = len(heights) - width(low) - width(high)
    lines.append(" " * indent + (low + " " * gap + high if gap > 0 else f"{low} … {high}"))
    outside = ((f"below {low}", reading.bins[0]), (f"above {high}", reading.bins[-1]))
    return lines + canvas.flow([f"{figures.grouped(count)} {where}" for where, count in outside if count > 0])


def _columns(bins: tuple[int, ...], columns: int) -> list[float]:
    """Scales the bins to the width: joins neighbours if they are too many, and repeats each if they are few."""
    if len(bins) > columns:
        together = -(-len(bins) // columns)
        parts = (bins[first:first + together] for first in range(0, len(bins), together))
        # The mean, because the last column may join fewer bins.
        return [sum(map(float, part)) / len(part) for part in parts]
    wide = max(1, min(columns, _WIDEST) // len(bins))
    return [float(share) for share in bins for _ in range(wide)]
