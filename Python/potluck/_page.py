"""Results as a notebook shows them: well-formed XML, with every name escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Sequence

from . import _chart, _figures, _xml
from ._reading import Reading, Readings

if TYPE_CHECKING:
    from ._history import Run
    from ._result import Result

HEADS = ("reading", "value", "95 % interval", "exact")
#: More rows make a notebook slow.
MOST_RUNS = 200


def told(reading: Reading) -> str:
    """Returns a reading's value as a person says it: `0.3333 ± 0.0002`."""
    if reading.value is None:
        return "unknown"
    half = reading.half_width
    shown = _figures.number(reading.value, half)
    return shown if half is None else f"{shown} ± {_figures.number(half, half)}"


def summary(readings: Readings) -> str:
    """Returns all numbers on one line; a histogram is none."""
    return ", ".join(
        f"{reading.name} {told(reading)}" for reading in readings.values() if reading.histogram is None)


def amount(result: Result) -> str:
    """Returns how much was computed."""
    done = "trials" if result.trials is not None else "searched"
    much = _figures.whole(result.trials) if result.trials is not None else f"{100 * (result.searched or 0):.4g} %"
    stopped = "" if result.complete else ", stopped early"
    return f"{much} {done}{stopped}"


def result(result: Result) -> str:
    """Returns a result as a table, a chart and a line about the run."""
    values = [f"{name} {_plain(value)}" for name, value in result.parameters.items()]
    if result.seed is not None:
        values.append(f"seed {result.seed}")
    readings = result.readings.values()
    rows = [
        (reading.name, _value(reading), _figures.interval(reading),
         "" if reading.exact is None else _figures.number(reading.exact, reading.half_width))
        for reading in readings if reading.histogram is None]
    speed = "" if result.rate is None else f", {_figures.rate(result.rate)}"
    solution = "" if result.solution is None else f"<pre>{_xml.text(result.solution)}</pre>"
    return (
        f'<div class="potluck"><p><b>{_xml.text(result.simulation)}</b> {_xml.text(", ".join(values))}</p>'
        f"{_table(HEADS, rows)}{_chart.chart(readings)}{solution}"
        f"<p>{_xml.text(amount(result))}, {_xml.text(_figures.seconds(result.elapsed))}{_xml.text(speed)}, "
        f"digest <code>{_xml.text(result.digest[:16])}…</code></p></div>")


def history(runs: Sequence[Run]) -> str:
    """Returns runs as a table."""
    rows = [
        (run.id, run.simulation, ", ".join(f"{name} {_plain(value)}" for name, value in run.parameters.items()),
         "" if run.trials is None else _figures.whole(run.trials),
         summary(run.readings),
         run.started.astimezone().strftime("%Y-%m-%d %H:%M"), run.digest[:8])
        for run in runs[:MOST_RUNS]]
    more = f"<p>{len(rows)} of {len(runs)} runs shown</p>" if len(runs) > len(rows) else ""
    heads = ("id", "simulation", "parameters", "trials", "readings", "started", "digest")
    return f'<div class="potluck">{_table(heads, rows)}{more}</div>'


def _value(reading: Reading) -> str:
    return "unknown" if reading.value is None else _figures.number(reading.value, reading.half_width)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    body = "".join(f'<tr>{"".join(f"<td>{_xml.text(cell)}</td>" for cell in row)}</tr>' for row in rows)
    head = "".join(f"<th>{_xml.text(name)}</th>" for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""
