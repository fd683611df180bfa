"""The table of a sweep, and a chart of each reading if one number distinguishes its points."""

from __future__ import annotations

import math
from typing import Optional, Sequence

from .._sandbox import Reading
from . import figures, readings_json, values
from .canvas import Canvas, width
from .experiment import half_width
from .result import Result

Row = tuple[tuple[str, ...], Result]

#: The lines of a chart, its most columns, and the most points in it.
_HEIGHT, _WIDEST, _MOST = 12, 120, 60


def lines(
    name: str, varied: Sequence[str], axis: str, seed: int, rows: Sequence[Row], canvas: Canvas
) -> list[str]:
    if not rows:
        return []
    found = [f"{name}, {len(rows)} {'point' if len(rows) == 1 else 'points'}", "", *_table(varied, rows, canvas)]
    if axis and len(rows) > 1:
        for place, reading in enumerate(rows[0][1].readings):
            if reading.is_number:
                found += ["", *_Chart(canvas).lines(reading.name, axis, _trend(rows, axis, place))]
    return [*found, "", *([] if rows[0][1].chosen.is_search else [f"seed {seed}"])]


def _table(varied: Sequence[str], rows: Sequence[Row], canvas: Canvas) -> list[str]:
    columns = [(name, [texts[place] for texts, _ in rows], True) for place, name in enumerate(varied)]
    for place, reading in enumerate(rows[0][1].readings):
        if not reading.is_number:
            continue
        cells = [_cell(result.readings[place]) for _, result in rows]
        columns.append((reading.name, [cell[0] for cell in cells], True))
        for head, part in (("±", 1), ("exact", 2)):
            if any(cell[part] for cell in cells):
                columns.append((head, [cell[part] for cell in cells], True))
    is_search = rows[0][1].chosen.is_search
    done = [figures.percent(result.trials) if is_search else figures.grouped(result.trials) for _, result in rows]
    columns.append(("searched" if is_search else f"{rows[0][1].chosen.unit}s", done, True))
    if any(result.expanded for _, result in rows):
        columns.append(
            ("expanded", [figures.grouped(result.expanded) if result.expanded else "–" for _, result in rows], True))
    columns.append(("digest", [result.digest[:8] for _, result in rows], False))
    sizes = [max(map(width, (head, *cells))) for head, cells, _ in columns]
    found = []
    for row in zip(*([head, *cells] for head, cells, _ in columns)):
        parts = [" " * (size - width(cell)) + cell if is_number else cell + " " * (size - width(cell))
                 for cell, size, (_, _, is_number) in zip(row, sizes, columns)]
        found.append("  ".join(parts).rstrip(" "))
    return found


def _cell(reading: Reading) -> tuple[str, str, str]:
    """The texts of a value, half its interval, and its exact answer. A text is empty if there is no such number."""
    formatted = figures.ReadingFigures(reading)
    half = half_width(reading) if readings_json.shown_interval(reading) is not None else None
    value = None if reading.is_spoilt else reading.value
    return (
        "–" if value is None else formatted.text(value), "" if half is None else formatted.text(half),
        "" if reading.exact is None else formatted.text(reading.exact))


Trend = list[tuple[str, Reading]]


def _trend(rows: Sequence[Row], axis: str, place: int) -> Trend:
    """A reading at each value of the axis, in their order. If there are many points, evenly spaced ones."""
    declared = rows[0][1].chosen.description.parameters
    at = next(at for at, parameter in enumerate(declared) if parameter.name == axis)
    texts = [(values.brief(declared[at], result.parameters[at]), result) for _, result in rows]
    ordered = sorted(texts, key=lambda each: float(each[0]))
    return [(text, result.readings[place]) for text, result in ordered[::-(-len(ordered) // _MOST)]]


class _Places:
    """The columns of points, at distances like those of their values (TrendChart.swift)."""

    #: The most columns from a point to its nearest neighbour.
    _WIDEST_STEP = 6

    def __init__(self, numbers: Sequence[float], room: int) -> None:
        # Halves, because the difference of two huge numbers would be infinite.
        halves = [number / 2 for number in numbers]
        known = sorted(set(halves))
        first, span = known[0], known[-1] - known[0]
        nearest = min((after - before for before, after in zip(known, known[1:])), default=1.0)
        gaps = span / nearest
        #: The columns of a point.
        self.step = max(1, min(self._WIDEST_STEP, int(room / (gaps + 1))))
        length = min(float(room - self.step), gaps * self.step)
        self.columns = [
            math.floor((half - first) / span * length + 0.5 if span > 0 else 0.0) + self.step // 2 for half in halves]
        self.width = math.floor(length + 0.5) + self.step


class _Chart:
    """Draws a reading over many runs: value, interval and, if known, the exact answer of each."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._exact, self._interval, self._value = ("┄", "│", "●") if canvas.unicode else ("-", "|", "o")

    def lines(self, name: str, axis: str, trend: Trend) -> list[str]:
        drawn = [(label, reading) for label, reading in trend if reading.value is not None]
        ends = _ends([reading for _, reading in drawn])
        if ends is None:
            return [f"{name}: nothing to plot"]
        low, high = ends
        labels = [figures.short(high), figures.short(low)]
        margin = max(map(width, labels)) + 1
        room = max(4, min(self._canvas.columns, _WIDEST) - margin - 2)
        places = _Places([float(label) for label, _ in drawn], room)
        found = [f"{name} by {axis}, {len(drawn)} {'run' if len(drawn) == 1 else 'runs'}"]
        for y, row in enumerate(self._grid([reading for _, reading in drawn], low, high, places)):
            label = labels[0] if y == 0 else labels[1] if y == _HEIGHT - 1 else ""
            found.append(" " * (margin - 1 - width(label)) + f"{label} {row}")
        found.append(" " * margin + _ticks([label for label, _ in drawn], places.columns, room))
        indent = min(margin, 10)
        found += self._canvas.wrapped(axis, indent)
        parts = [f"{self._value} value", f"{self._interval} 95 % interval"]
        parts += [f"{self._exact} exact answer"] * any(reading.exact is not None for _, reading in drawn)
        return found + self._canvas.wrapped(", ".join(parts), indent)

    def _grid(self, readings: Sequence[Reading], low: float, high: float, places: _Places) -> list[str]:
        grid = [[" "] * places.width for _ in range(_HEIGHT)]

        def row(value: float) -> int:
            span = high / 2 - low / 2
            depth = (high / 2 - value / 2) / span if span > 0 else 0.5
            return math.floor(max(0.0, min(1.0, depth)) * (_HEIGHT - 1) + 0.5)

        for column, reading in zip(places.columns, readings):
            if reading.exact is not None:
                start = column - places.step // 2
                grid[row(reading.exact)][start:start + places.step] = [self._exact] * places.step
        for column, reading in zip(places.columns, readings):
            if reading.interval is not None:
                for y in range(row(reading.interval[1]), row(reading.interval[0]) + 1):
                    grid[y][column] = self._interval
        for column, reading in zip(places.columns, readings):
            if reading.value is not None:
                grid[row(reading.value)][column] = self._value
        return ["".join(cells) for cells in grid]


def _ends(readings: Sequence[Reading]) -> Optional[tuple[float, float]]:
    """The range of all values, intervals and exact answers, with a margin. It does not reach below 0 if no value does, nor
    beyond 1 for a proportion."""
    numbers = [number for reading in readings for number in (reading.value, *(reading.interval or ()), reading.exact)]
    known = [number for number in numbers if number is not None and math.isfinite(number)]
    if not known or not math.isfinite(max(known) - min(known)):
        return None
    low, high = min(known), max(known)
    room = (high - low) * 0.04 if high > low else max(abs(high) * 0.01, 1e-9)
    is_proportion = all(reading.kind in ("proportion", "category") for reading in readings)
    return (
        max(0.0, low - room) if low >= 0 else low - room,
        min(1.0, high + room) if is_proportion and high <= 1 else high + room)


def _ticks(labels: Sequence[str], columns: Sequence[int], room: int) -> str:
    """The labels below the points, each once, as many as fit beside each other."""
    text, last = "", None
    for column, label in zip(columns, labels):
        if label == last:
            continue
        last = label
        start = max(0, column - (width(label) - 1) // 2)
        if (not text or start > width(text)) and start + width(label) <= room:
            text += " " * (start - width(text)) + label
    return text
