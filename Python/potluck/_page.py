"""Results as a notebook shows them: well-formed XML, with every name escaped."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Iterable, Mapping, Sequence

from . import _chart, _figures, _plot, _table, _xml
from ._reading import Reading, Readings

if TYPE_CHECKING:
    from ._history import Run
    from ._result import Result
    from ._sweep import Point, Sweep

HEADS = ("reading", "value", "95 % interval", "exact")
#: More rows make a notebook slow.
MOST_ROWS = 200


def told(reading: Reading) -> str:
    """Returns a reading's value as a person says it: `0.3333 ± 0.0002`."""
    if reading.value is None:
        return "unknown"
    half = reading.half_width
    shown = _figures.number(reading.value, half)
    return shown if half is None else f"{shown} ± {_figures.number(half, half)}"


def summary(readings: Readings) -> str:
    """Returns all numbers on one line; a histogram or a series is none."""
    return ", ".join(
        f"{reading.name} {told(reading)}" for reading in readings.values() if reading.is_number)


def values(parameters: Mapping[str, object]) -> str:
    """Returns parameters on one line."""
    return ", ".join(f"{name} {_plain(value)}" for name, value in parameters.items())


def amount(result: Result) -> str:
    """Returns how much was computed."""
    done = "trials" if result.trials is not None else "searched"
    much = _figures.whole(result.trials) if result.trials is not None else f"{100 * (result.searched or 0):.4g} %"
    stopped = "" if result.complete else ", stopped early"
    return f"{much} {done}{stopped}"


def result(result: Result) -> str:
    """Returns a result as a table, a chart and a line about the run."""
    seed = {} if result.seed is None else {"seed": result.seed}
    given = ", ".join(filter(None, (values(result.parameters), values(seed))))
    readings = result.readings.values()
    rows = [
        (reading.name, _value(reading), _figures.interval(reading),
         "" if reading.exact is None else _figures.number(reading.exact, reading.half_width))
        for reading in readings if reading.is_number]
    speed = "" if result.rate is None else f", {_figures.rate(result.rate)}"
    solution = "" if result.solution is None else f"<pre>{_xml.text(result.solution)}</pre>"
    return (
        f'<div class="potluck"><p><b>{_xml.text(result.simulation)}</b> {_xml.text(given)}</p>'
        f"{_rows(HEADS, rows)}{_chart.chart(readings)}{solution}"
        f"<p>{_xml.text(amount(result))}, {_xml.text(_figures.seconds(result.elapsed))}{_xml.text(speed)}, "
        f"digest <code>{_xml.text(result.digest[:16])}…</code></p></div>")


def history(runs: Sequence[Run]) -> str:
    """Returns runs as a table."""
    rows = [
        (run.id, run.simulation, values(run.parameters),
         "" if run.trials is None else _figures.whole(run.trials), summary(run.readings),
         run.started.astimezone().strftime("%Y-%m-%d %H:%M"), run.digest[:8])
        for run in runs[:MOST_ROWS]]
    more = f"<p>{len(rows)} of {len(runs)} runs shown</p>" if len(runs) > len(rows) else ""
    heads = ("id", "simulation", "parameters", "trials", "readings", "started", "digest")
    return f'<div class="potluck">{_rows(heads, rows)}{more}</div>'


def points(sweep: Sweep) -> str:
    """Returns how many points there are, and by what."""
    count = f"{len(sweep)} {'point' if len(sweep) == 1 else 'points'}"
    by = f" by {', '.join(sweep.varied)}" if sweep.varied else ""
    return f"{count}{by}{'' if sweep.complete else ', stopped early'}"


def sweep(sweep: Sweep) -> str:
    """Returns a sweep as a table, with a drawing of each reading if one number differs."""
    every = _table.names(point.parameters for point in sweep)
    varied = sweep.varied or tuple(every)
    fixed = {name: sweep[0].parameters.get(name) for name in every if name not in varied}
    readings = [
        name for name in _table.names(point.readings for point in sweep)
        if all(point.readings[name].is_number for point in sweep if name in point.readings)]
    exact = {name for point in sweep for name, reading in point.readings.items() if reading.exact is not None}
    heads = [*varied, *(head for name in readings for head in (name, f"{name}, exact")[:1 + (name in exact)]), "digest"]
    rows = [
        [*(_plain(point.parameters.get(name, "")) for name in varied),
         *(cell for name in readings for cell in _cells(point.readings.get(name))[:1 + (name in exact)]),
         point.digest[:8]]
        for point in sweep[:MOST_ROWS]]
    more = f"<p>{len(rows)} of {len(sweep)} points shown</p>" if len(sweep) > len(rows) else ""
    number = f", sweep <code>{_xml.text(sweep[0].sweep)}</code>" if sweep else ""
    return (
        f'<div class="potluck"><p><b>{_xml.text(sweep.simulation)}</b> {_xml.text(values(fixed))}</p>'
        f"{_rows(heads, rows)}{more}{_drawing(sweep)}<p>{_xml.text(points(sweep))}{number}</p></div>")


def _cells(reading: Reading | None) -> tuple[str, str]:
    """Returns a reading with its interval, and its exact answer."""
    if reading is None:
        return "", ""
    return told(reading), "" if reading.exact is None else _figures.number(reading.exact, reading.half_width)


def _drawing(sweep: Sweep) -> str:
    if len(sweep.varied) != 1:
        return ""
    name = sweep.varied[0]
    rows = [(at, point.readings) for point in sweep for at in _number(point, name)]
    return _plot.plot(name, rows) if len(rows) == len(sweep) else ""


def _number(point: Point, name: str) -> list[float]:
    """Returns the parameter if it is a number that can be drawn, or nothing."""
    value = point.parameters.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    return [float(value)] if abs(value) <= sys.float_info.max else []


def _value(reading: Reading) -> str:
    return "unknown" if reading.value is None else _figures.number(reading.value, reading.half_width)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def table(title: str, rows: Sequence[Mapping[str, object]], closing: str) -> str:
    """Returns flat rows as a table, with a line below it."""
    heads = _table.names(rows)
    cells = [[_number_or_text(row.get(name)) for name in heads] for row in rows[:MOST_ROWS]]
    return (
        f'<div class="potluck"><p><b>{_xml.text(title)}</b></p>{_rows(heads, cells)}'
        f"<p>{_xml.text(closing)}</p></div>")


def _number_or_text(value: object) -> str:
    return "" if value is None else _figures.number(value, None) if isinstance(value, float) else _plain(value)


def _rows(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    body = "".join(f'<tr>{"".join(f"<td>{_xml.text(cell)}</td>" for cell in row)}</tr>' for row in rows)
    head = "".join(f"<th>{_xml.text(name)}</th>" for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""
