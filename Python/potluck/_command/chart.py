"""Draws readings: a histogram as vertical bars, a part of all as a bar, and a series as a curve."""

from __future__ import annotations

import math
from typing import Optional

from .._sandbox import Reading
from . import figures, readings_json
from .canvas import Canvas, width

#: The most columns; a wider chart shows no more.
_WIDEST = 60
_STEPS, _ASCII = " ▁▂▃▄▅▆▇█", " .:#"
#: The columns of the bar of a category, and what fills a part of a column.
_BAR = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"


def histogram(reading: Reading, height: int, canvas: Canvas) -> list[str]:
    """Returns the lines of a reading's chart."""
    bins, steps = reading.bins[1:-1], _STEPS if canvas.unicode else _ASCII
    if reading.range is None or not bins or max(bins) == 0:
        return [reading.name, *canvas.wrapped("nothing counted yet", 2)]
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


def bar(reading: Reading, canvas: Canvas) -> str:
    """Returns the bar of a category; empty for another reading."""
    if reading.kind != "category" or reading.value is None:
        return ""
    eighths = math.floor(reading.value * _BAR * 8 + 0.5)
    # A category that came shows at least the smallest mark, so that rare does not look like never.
    eighths = max(1, eighths) if reading.value > 0 else 0
    if canvas.unicode:
        return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip(" ")
    return "#" * -(-eighths // 8)


def curve(reading: Reading, height: int, canvas: Canvas) -> list[str]:
    """Returns the lines of a series' chart: the mean at each time, in the band of its intervals."""
    points = readings_json.curve(reading)
    known = [number for point in points for number in point if number is not None]
    if not known:
        return [reading.name, *canvas.wrapped("no trials yet", 2)]
    low, high = min(known), max(known)
    labels = [figures.short(high), figures.short(low)]
    margin = max(map(width, labels)) + 2
    room = max(1, min(canvas.columns - margin - 1, _WIDEST))
    columns = [points[at * len(points) // room] for at in range(room)] if len(points) > room else [
        point for point in points for _ in range(room // len(points))]
    line, band, edge = ("●", "░", "│") if canvas.unicode else ("*", ":", "|")
    found = [f"{reading.name}  {line} mean  {band} 95 % interval at each time"]

    def row(value: float) -> int:
        depth = (high - value) / (high - low) if high > low else 0.5
        return min(height - 1, int(depth * height))

    def sign(at: int, point: tuple[Optional[float], ...]) -> str:
        mean, start, end = point
        if mean is not None and row(mean) == at:
            return line
        return band if start is not None and end is not None and row(end) <= at <= row(start) else " "

    for at in range(height):
        label = labels[0] if at == 0 else labels[1] if at == height - 1 else ""
        cells = "".join(sign(at, point) for point in columns).rstrip(" ")
        found.append(" " * (margin - 1 - width(label)) + label + edge + cells)
    last = str(len(points) - 1)
    return [*found, " " * margin + "0" + " " * max(1, len(columns) - 1 - len(last)) + last]
