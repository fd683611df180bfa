"""Draws readings as SVG: dots with intervals, exact answers marked, numbers beside them. No scripts, no styles."""

from __future__ import annotations

import math
from typing import Iterable

from . import _figures, _xml
from ._reading import CellCounts, HistogramCounts, Reading, SeriesMeans

WIDTH = 640
#: The drawing between the names and the values.
LEFT, RIGHT = 150, 490
ROW, BARS, PART_ROW, MAP = 52, 96, 30, 286
LONGEST_NAME = 18
#: An interval is at most this part of the drawing, so that its ends and the exact answer beside it can be seen.
PART = 0.5
#: Narrower intervals have one label for both ends, because two would overlap.
NARROW = 150
#: The most bars that are still wider than a pixel.
MOST_BARS = 300
#: The shades of a map that a reader tells apart; each is one path.
SHADES = 16

INK, FAINT, DOT, EXACT = "currentColor", "#888", "#1769aa", "#c2410c"


def chart(readings: Iterable[Reading]) -> str:
    """Returns the drawing; empty if there is nothing to draw."""
    rows: list[str] = []
    top = 0
    for reading in readings:
        if reading.histogram is not None and len(reading.histogram.bins) > 1:
            rows.append(group(top, _name(reading), _bars(reading.histogram)))
            top += BARS
        elif reading.cells is not None and reading.cells.most > 0:
            rows.append(group(top, _name(reading), _map(reading.cells)))
            top += MAP
        elif reading.series is not None and reading.series.points():
            rows.append(group(top, _name(reading), _curve(reading.series)))
            top += BARS
        elif reading.is_category and reading.value is not None:
            rows.append(group(top, _name(reading), _part(reading, reading.value)))
            top += PART_ROW
        elif reading.value is not None and math.isfinite(reading.value):
            rows.append(group(top, _name(reading), _dot(reading, reading.value)))
            top += ROW
    if not rows:
        return ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{top}" '
        f'viewBox="0 0 {WIDTH} {top}" font-family="sans-serif" font-size="12">'
        f'<title>Readings with their intervals</title>{"".join(rows)}</svg>')


def group(top: int, *parts: str) -> str:
    return f'<g transform="translate(0 {top})">{"".join(parts)}</g>'


def label(x: float, y: float, text: str, *, anchor: str = "middle", fill: str = INK, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">{text}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>')


def _name(reading: Reading) -> str:
    return f"<g><title>{_xml.text(reading.name)}</title>" + label(
        LEFT - 12, 30, _xml.clipped(reading.name, LONGEST_NAME), anchor="end", size=13) + "</g>"


def _dot(reading: Reading, value: float) -> str:
    """A dot in the middle of a scale of its own, on which the interval and the exact answer can be seen."""
    half = reading.half_width or 0.0
    exact = reading.exact if reading.exact is not None and math.isfinite(reading.exact) else None
    reach = max(half / PART, 0.0 if exact is None else 1.15 * abs(exact - value)) or 1.0
    middle = (LEFT + RIGHT) / 2

    def place(number: float) -> float:
        return middle + max(-1.0, min(1.0, (number - value) / reach)) * (RIGHT - LEFT) / 2

    parts = [line(LEFT, 26, RIGHT, 26, FAINT, 0.5)]
    if reading.low is not None and reading.high is not None:
        low, high = place(reading.low), place(reading.high)
        parts.append(line(low, 26, high, 26, DOT, 3))
        parts += [line(end, 20, end, 32, DOT, 2) for end in (low, high)]
        if high - low < NARROW:
            parts.append(label(middle, 46, _figures.interval(reading), fill=FAINT, size=11))
        else:
            parts += [
                label(place(end), 46, _figures.number(end, half), fill=FAINT, size=11)
                for end in (reading.low, reading.high)]
    if exact is not None:
        x = place(exact)
        parts.append(line(x, 15, x, 37, EXACT, 2))
        text = "exact " + _figures.number(exact, half)
        parts.append(label(max(LEFT + 40.0, min(RIGHT - 40.0, x)), 11, text, fill=EXACT, size=11))
    parts.append(f'<circle cx="{middle:.1f}" cy="26" r="4.5" fill="{DOT}"/>')
    parts.append(label(RIGHT + 12, 30, _figures.number(value, half), anchor="start", size=13))
    return "".join(parts)


def _bars(histogram: HistogramCounts) -> str:
    """Bars that begin at zero, with the bounds below and the largest count above."""
    each = -(-len(histogram.bins) // MOST_BARS)
    counts = [sum(histogram.bins[start:start + each]) for start in range(0, len(histogram.bins), each)]
    most = max([*counts, 1])
    wide, base, high = (RIGHT - LEFT) / len(counts), 76, 60
    parts = [
        f'<rect x="{LEFT + place * wide:.2f}" y="{base - high * count / most:.2f}" width="{wide * 0.92:.2f}" '
        f'height="{high * count / most:.2f}" fill="{DOT}"/>'
        for place, count in enumerate(counts) if count > 0]
    parts.append(line(LEFT, base, RIGHT, base, FAINT, 0.5))
    parts.append(label(LEFT, 90, _figures.number(histogram.start), fill=FAINT, size=11))
    parts.append(label(RIGHT, 90, _figures.number(histogram.end), fill=FAINT, size=11))
    parts.append(label(RIGHT + 12, 24, f"most {_figures.whole(most)}", anchor="start", size=11))
    for count, word, y in ((histogram.below, "below", 40), (histogram.above, "above", 56)):
        if count:
            parts.append(label(RIGHT + 12, y, f"{_figures.whole(count)} {word}", anchor="start", size=11))
    return "".join(parts)


def _map(cells: CellCounts) -> str:
    """The cells of a histogram in two dimensions, which are the darker the more they hold."""
    columns, rows, top, base = len(cells.rows[0]), len(cells.rows), 8, 262
    most = cells.most
    paths = [""] * (SHADES + 1)
    for row, counts in enumerate(reversed(cells.rows)):
        levels = [max(1, math.floor(count / most * SHADES + 0.5)) if count else 0 for count in counts]
        start = 0
        # Neighbours with the same shade are one rectangle.
        for column in range(1, columns + 1):
            if column == columns or levels[column] != levels[start]:
                paths[levels[start]] += f"M{start} {row}h{column - start}v1h-{column - start}z"
                start = column
    shades = "".join(
        f'<path fill="{DOT}" fill-opacity="{0.1 + 0.9 * level / SHADES:.2f}" d="{path}"/>'
        for level, path in enumerate(paths) if level > 0 and path)
    # Whole pixels, because cells that touch would otherwise have seams.
    parts = [
        f'<g transform="translate({LEFT} {top}) scale({(RIGHT - LEFT) / columns:.4f} {(base - top) / rows:.4f})" '
        f'shape-rendering="crispEdges">{shades}</g>',
        f'<rect x="{LEFT}" y="{top}" width="{RIGHT - LEFT}" height="{base - top}" fill="none" stroke="{FAINT}"/>']
    for number, y in ((cells.y[1], top + 10), (cells.y[0], base)):
        parts.append(label(RIGHT + 6, y, _figures.number(number), anchor="start", fill=FAINT, size=11))
    for number, x in zip(cells.x, (LEFT, RIGHT)):
        parts.append(label(x, base + 14, _figures.number(number), fill=FAINT, size=11))
    parts.append(label(RIGHT + 12, 40, f"most {_figures.whole(most)}", anchor="start", size=11))
    if cells.outside:
        parts.append(label(RIGHT + 12, 56, f"{_figures.whole(cells.outside)} outside", anchor="start", size=11))
    return "".join(parts)


def _part(reading: Reading, value: float) -> str:
    """A bar from 0 to 1 for a category's part of all, with the interval at its end."""
    width = RIGHT - LEFT
    parts = [f'<rect x="{LEFT}" y="18" width="{value * width:.2f}" height="14" fill="{DOT}"/>']
    if reading.low is not None and reading.high is not None:
        parts.append(line(LEFT + reading.low * width, 25, LEFT + reading.high * width, 25, INK, 1.5))
    if reading.exact is not None and math.isfinite(reading.exact):
        x = LEFT + max(0.0, min(1.0, reading.exact)) * width
        parts.append(line(x, 15, x, 35, EXACT, 2))
    parts.append(label(RIGHT + 12, 30, _figures.number(value, reading.half_width or 0.0), anchor="start", size=13))
    return "".join(parts)


def _curve(series: SeriesMeans) -> str:
    """The mean at each time as a line in the band of the intervals."""
    points = series.points()
    ends = [number for _, *numbers in points for number in numbers if number is not None]
    low, high, last = min(ends), max(ends), max(1, len(series.means) - 1)
    base, top = 76.0, 16.0

    def place(time: int, number: float) -> str:
        part = (number - low) / (high - low) if high > low else 0.5
        return f"{LEFT + (RIGHT - LEFT) * time / last:.1f},{base - part * (base - top):.1f}"

    upper = [place(time, end) for time, _, _, end in points if end is not None]
    lower = [place(time, start) for time, _, start, _ in points if start is not None]
    path = " ".join(place(time, mean) for time, mean, _, _ in points)
    return "".join([
        f'<polygon points="{" ".join(upper + lower[::-1])}" fill="{DOT}" fill-opacity="0.22"/>' if upper else "",
        f'<polyline points="{path}" fill="none" stroke="{DOT}" stroke-width="2"/>',
        line(LEFT, base, RIGHT, base, FAINT, 0.5), label(LEFT, 90, "0", fill=FAINT, size=11),
        label(RIGHT, 90, str(len(series.means) - 1), fill=FAINT, size=11),
        label(RIGHT + 12, top + 4, _figures.number(high), anchor="start", size=11),
        label(RIGHT + 12, base, _figures.number(low), anchor="start", size=11)])
