"""The result of a run, as text and as JSON."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Sequence

from .._kit.output import Print
from .._sandbox import FieldKind, Layout, Parameter, Reading
from .._sandbox.records import numbers, slots
from . import bundle, figures, readings_json, spelling, values, void
from .canvas import Canvas, width
from .cell_map import cell_map
from .chart import bar, curve, histogram
from .chosen import Chosen
from .experiment import STREAMS, digest, half_width
from .failures import Failure
from .solution import Solution

#: How far the ends of a 95 % interval are from the value, in standard errors.
_STANDARD_ERRORS = 1.959963984540054
#: With fewer trials, the intervals of a simulation's means are Student's.
_FEW = 256
#: A larger distance says nothing more.
_FARTHEST = 1e6
#: From this many standard errors on, chance alone does not explain how far a value is off.
_IMPOSSIBLE = 5
#: The version of the members of a run's JSON (RunJSON.swift).
_SCHEMA = 1
_MARGIN = len("  digest   ")
_CHART = 6


class Input(NamedTuple):
    """A table that was read from a file."""

    name: str
    path: str
    rows: int
    columns: int

    @property
    def option(self) -> str:
        return f"--input {spelling.shell(f'{self.name}={self.path}')}"


class Result(NamedTuple):
    """What came of a run."""

    chosen: Chosen
    #: The slots of its parameters, without the hash of its tables.
    parameters: tuple[int, ...]
    hash: tuple[int, ...]
    inputs: tuple[Input, ...]
    seed: int
    block_size: int
    trials: int
    tally: bytes
    #: The print of what a gathering wrote; None for other work.
    print: Optional[Print]
    readings: tuple[Reading, ...]
    #: "trials", "precision", "time" or "stopped".
    ended: str
    elapsed: float
    cores: int
    #: Of a search: the nodes that were looked at, and the best solution, as its author shows it.
    expanded: int = 0
    solution: Optional[bytes] = None

    @property
    def whole(self) -> bytes:
        """The tally with the print of the output."""
        return self.tally + (numbers(*self.print.slots()) if self.print is not None else b"")

    @property
    def digest(self) -> str:
        return digest(
            self.chosen.name, self.chosen.source, (*self.parameters, *self.hash), self.seed, self.block_size, self.trials,
            self.whole)

    @property
    def counts(self) -> list[tuple[str, int]]:
        """The plain counts of the tally."""
        own = slots(self.tally)
        return [(field.name, own[at]) for field, at in self.chosen.description.layout.places()
                if field.kind == FieldKind.COUNT]

    def members(self, warnings: Sequence[str] = ()) -> dict[str, Any]:
        """The members of its JSON, with what is doubtful about it."""
        chosen, is_search = self.chosen, self.chosen.is_search
        found: dict[str, Any] = {
            "schema": _SCHEMA, "simulation": chosen.name,
            "parameters": {
                parameter.name: values.plain(parameter, slot) for parameter, slot in self._effective()}}
        if is_search:
            found["searched"] = self.trials / figures.POINTS
        else:
            found.update(seed=self.seed, trials=self.trials)
        written = None if self.print is None else self.print.slots()[0]
        found["tally"] = readings_json.tally(self.tally, chosen.description.layout, written)
        found["readings"] = [readings_json.reading(reading) for reading in self.readings]
        found.update(digest=self.digest, complete=self.ended != "stopped")
        found["ended"] = "proven" if is_search and self.ended == "trials" else self.ended
        found["elapsed"] = self.elapsed
        if not is_search:
            found["rate"] = self.trials / self.elapsed if self.elapsed > 0 and self.trials > 0 else None
            found["merit"] = self._merit()
        found.update(cores=self.cores, source=chosen.source, streams=STREAMS)
        if not is_search:
            found["blockSize"] = self.block_size
        found.update(counts=dict(self.counts), slots=list(slots(self.whole)), program=bundle.version())
        if is_search:
            found.update(expanded=self.expanded, inVain=0)
            if self.solution is not None:
                found["solution"] = self.solution.decode("utf-8", "replace")
        if warnings:
            found["warnings"] = list(warnings)
        return found

    def _merit(self) -> dict[str, float]:
        """The figures of merit of the readings that have one, by name."""
        found: dict[str, float] = {}
        for reading in self.readings:
            half = half_width(reading)
            if reading.value and reading.varies and half and self.elapsed > 0:
                found[reading.name] = (reading.value * _STANDARD_ERRORS / half) ** 2 / (self.elapsed * self.cores)
        return found

    def lines(self, canvas: Canvas) -> list[str]:
        """Its text."""
        lines = [*self._opening(canvas), ""]
        table = _table(self.readings, self._missing, canvas)
        lines += [*table, ""] * bool(table)
        remarks = interval_remarks(self.readings, self.trials)
        if remarks:
            lines += [line for remark in remarks for line in canvas.wrapped(remark, 2)] + [""]
        for reading in self.readings:
            if not reading.is_number:
                if reading.kind == "histogram2d":
                    lines += [*cell_map(reading, canvas), ""]
                    continue
                draw = histogram if reading.kind == "histogram" else curve
                lines += [*draw(reading, _CHART, canvas), ""]
        if self.solution is not None:
            lines += [*Solution(self.solution).lines(canvas), ""]
        return lines + self._facts(canvas)

    @property
    def _missing(self) -> str:
        if not self.chosen.is_search:
            return "no value"
        return "no solution yet" if self.trials < figures.POINTS else "no solution"

    def _opening(self, canvas: Canvas) -> list[str]:
        how = {"precision": "precision reached after ", "time": "time limit reached after ", "stopped": "stopped after "}
        what = how.get(self.ended, "") + figures.done(self.trials, self.chosen.unit)
        on = f"on {self.cores} {'core' if self.cores == 1 else 'cores'}"
        phrases = [f"{self.chosen.name}:", what, f"in {figures.time(self.elapsed)}", on]
        if self.elapsed > 0 and self.trials > 0 and not self.chosen.is_search:
            phrases[2:] = [f"{phrases[2]},", figures.rate(self.trials / self.elapsed), on]
        return canvas.flow(phrases, 1, 0)

    def _facts(self, canvas: Canvas) -> list[str]:
        given = [f"{parameter.name} {values.brief(parameter, slot)}" for parameter, slot in self._effective()]
        is_search = self.chosen.is_search
        nodes = f"{figures.grouped(self.expanded)} {'node' if self.expanded == 1 else 'nodes'} expanded"
        digest = _pieces(self.digest, canvas)
        entries = [
            ("tally", [f"{name} {figures.grouped(count)}" for name, count in self.counts], 3),
            ("given", given + [f"{input.name} {input.path}" for input in self.inputs], 3),
            ("seed", [] if is_search else [str(self.seed)], 3),
            ("tree", [nodes] if is_search and self.expanded > 0 else [], 3), ("digest", digest, 0)]
        room = canvas.columns - _MARGIN
        # Lay them out together, so that either all or none are beside their names.
        is_beside = all(width(text) <= room for _, texts, _ in entries for text in texts)
        lines = [line for name, texts, gap in entries if texts for line in _entry(name, texts, gap, is_beside, canvas)]
        is_whole = not is_search or self.ended == "trials"
        return lines + (_command(self.command(), canvas) if self.trials > 0 and is_whole else [])

    def _effective(self) -> list[tuple[Parameter, int]]:
        """The parameters that have an effect, with their slots."""
        declared = list(zip(self.chosen.description.parameters, self.parameters))
        texts = {parameter.name: values.brief(parameter, slot) for parameter, slot in declared}
        unused = void.names(self.chosen.name, texts, bool(self.hash))
        return [(parameter, slot) for parameter, slot in declared if parameter.name not in unused]

    def command(self) -> list[str]:
        """The command that computes the same again, as words that must not be broken."""
        declared = zip(self.chosen.description.parameters, self.parameters)
        set = [f"-p {spelling.shell(f'{parameter.name}={values.brief(parameter, slot)}')}"
               for parameter, slot in declared if slot != parameter.standard]
        words = ["potluck", "run", spelling.shell(self.chosen.typed), *set, *(input.option for input in self.inputs)]
        if self.chosen.is_search:
            return words
        return [*words, f"--trials {figures.typed(self.trials)}", f"--seed {self.seed}"]

    def remarks(self) -> list[str]:
        """Why a reading has no value, and why the solution of a search is not shown."""
        if self.chosen.is_search:
            has_value = any(reading.value is not None for reading in self.readings)
            return ["the solution is not shown because finding it again takes too long; only its readings are known"] * (
                self.solution is None and has_value)
        return [
            f"{reading.name} has no value, because it has no numbers yet, or its function gives no finite one" for reading in self.readings
            if self.trials > 0 and reading.value is None and reading.kind == "derived" and not reading.is_spoilt]

    def check(self) -> None:
        """Raises if the tally or a reading is spoilt. A derived reading may hide that the sum that it comes from is."""
        name, field = self.chosen.name, spoilt(self.tally, self.chosen.description.layout)
        if field is not None:
            raise Failure(
                f"{name} added something to {field} that is not a number or too large for it; find the trial with 'potluck "
                "check' or 'potluck replay'")
        for reading in self.readings:
            if reading.is_spoilt:
                why = "it is not a finite number; find the error with 'potluck check'"
                if reading.kind == "proportion":
                    why = "it counts more than there are trials; add to it once in a trial, or take the mean of Moments"
                raise Failure(f"{name} has no valid value for {reading.name}: {why}")


def spoilt(tally: bytes, layout: Layout) -> Optional[str]:
    """Returns the first field that got a number that it cannot hold; None if none did."""
    own = slots(tally)
    return next((field.name for field, at in layout.places() if field.is_spoilt(own[at:at + field.slots])), None)


def interval_remarks(readings: Sequence[Reading], trials: int) -> list[str]:
    """Says which readings have trials that were all alike or are far off, and whether intervals are Student's."""
    if trials == 0:
        return []
    found = [remark for remark in (undecided(reading, trials) or _off(reading) for reading in readings) if remark]
    has_mean = any(reading.kind == "mean" and readings_json.shown_interval(reading) for reading in readings)
    student = f"With fewer than {_FEW} trials, the intervals of means are Student's t intervals."
    return found + [student] * (has_mean and trials < _FEW)


def undecided(reading: Reading, trials: int) -> str:
    """Says that the trials of a reading were all alike; empty if they were not."""
    if reading.varies or reading.is_spoilt or reading.value is None or reading.interval is None:
        return ""
    bound = figures.significant(1 - math.pow(0.05, 1 / trials) if trials < 4 else 3 / trials, 2)
    if reading.kind == "proportion" and reading.value == 0:
        return f"{reading.name} never happened, so it is at most {bound} (95 %, rule of three)."
    if reading.kind == "proportion" and reading.value == 1:
        return f"{reading.name} happened in every trial, so it is at least 1 − {bound} (95 %, rule of three)."
    if reading.kind == "mean":
        return f"All values of {reading.name} are the same so far, so nothing shows how precise its mean is."
    return ""


def _distance(reading: Reading) -> Optional[float]:
    """How many standard errors a reading is off its exact answer; None if that is unknown."""
    half = half_width(reading)
    if reading.value is None or reading.exact is None or half is None or half <= 0:
        return None
    return abs(reading.value - reading.exact) / (half / _STANDARD_ERRORS)


def _off(reading: Reading) -> str:
    off = _distance(reading)
    if off is None or off < _IMPOSSIBLE:
        return ""
    return (f"{reading.name} is {figures.fixed(min(off, _FARTHEST), 1)} standard errors off its exact answer. Chance does "
            "that once in two million runs, so the simulation or the exact answer is wrong.")


class _Row:
    """The texts of one reading."""

    def __init__(self, reading: Reading, missing: str) -> None:
        formatted = figures.ReadingFigures(reading)
        ends = readings_json.shown_interval(reading)
        self.name = reading.name
        self.value = missing if reading.value is None else formatted.text(reading.value)
        if reading.is_spoilt:
            self.value = "invalid"
        self.low, self.high = ("", "") if ends is None else (formatted.text(ends[0]), formatted.text(ends[1]))
        self.interval = f"{self.low} … {self.high}" if ends is not None else ""
        self.exact = "" if reading.exact is None else formatted.text(reading.exact)
        off = _distance(reading)
        self.distance = "" if off is None else figures.fixed(min(off, _FARTHEST), 1)


def _table(readings: Sequence[Reading], missing: str, canvas: Canvas) -> list[str]:
    rows = [_Row(reading, missing) for reading in readings if reading.is_number]
    if not rows:
        return []
    bars = [bar(reading, canvas) for reading in readings if reading.is_number]
    for unit, has_bars in (("std. errors", True), ("std. errors", False), ("s.e.", False)):
        columns = [
            ("", [row.name for row in rows]), ("value", [row.value for row in rows]), ("", bars if has_bars else []),
            ("95 % interval", [row.interval for row in rows]), ("exact", [row.exact for row in rows]),
            ("off by", [f"{row.distance} {unit}" if row.distance else "" for row in rows])]
        shown = [column for place, column in enumerate(columns) if place < 2 or any(column[1])]
        lines = _columns(shown)
        if all(width(line) <= canvas.columns for line in lines):
            return lines
    return [line for row in rows for line in _stacked(row, canvas)]


def _columns(columns: Sequence[tuple[str, list[str]]]) -> list[str]:
    sizes = [max(width(cell) for cell in (head, *cells)) for head, cells in columns]
    lines = []
    for row in zip(*([head, *cells] for head, cells in columns)):
        cells = [cell + " " * (size + 3 - width(cell)) for cell, size in zip(row, sizes)]
        lines.append(("  " + "".join(cells)).rstrip(" "))
    return lines


def _stacked(row: _Row, canvas: Canvas) -> list[str]:
    pieces = [row.value, *([f"from {row.low}", f"to {row.high}"] if row.low else [])]
    pieces += [f"exact {row.exact}"] * bool(row.exact) + [f"off by {row.distance} s.e."] * bool(row.distance)
    return [row.name, *canvas.flow(pieces, 2)]


def _pieces(digest: str, canvas: Canvas) -> list[str]:
    """The digest as a whole if it fits, else in pieces that can still be compared."""
    size = len(digest) if len(digest) <= canvas.columns - _MARGIN else min(16, max(1, canvas.columns - 1))
    return [digest[at:at + size] for at in range(0, len(digest), size)]


def _entry(name: str, texts: Sequence[str], gap: int, is_beside: bool, canvas: Canvas) -> list[str]:
    if not is_beside:
        return [name, *canvas.flow(texts, gap, 1)]
    lines = canvas.beside(_MARGIN).flow(texts, gap, 0)
    return [f"{f'  {name}' if place == 0 else '':{_MARGIN}}{line}" for place, line in enumerate(lines)]


def _command(words: Sequence[str], canvas: Canvas) -> list[str]:
    """The command that repeats a run, in a form that can be copied: long lines end in a backslash."""
    whole = " ".join(words)
    if _MARGIN + width(whole) <= canvas.columns:
        return _entry("repeat", [whole], 0, True, canvas)
    lines: list[str] = []
    for word in words:
        if lines and width(lines[-1]) + width(word) + 3 <= canvas.columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    pieces = [piece for place, line in enumerate(lines)
              for piece in _split(line + " " * (place < len(lines) - 1), canvas.columns - 1)]
    return ["repeat", *(f"{piece}\\" for piece in pieces[:-1]), *pieces[-1:]]


def _split(text: str, size: int) -> list[str]:
    """Splits a word that is wider than the terminal, but no quoted text, where a backslash would be literal."""
    if "'" in text:
        return [text]
    return [text[at:at + max(1, size)] for at in range(0, len(text), max(1, size))]
