"""What a module says about its simulation, checked."""

from __future__ import annotations

import math
import re
from enum import IntEnum
from typing import NamedTuple, Optional, Union

from .errors import ModuleError
from .layout import Field, FieldKind, Layout
from .records import Record, real, repeated, signed

#: Limits, which keep descriptions readable and small.
_PARAMETERS, _CHOICES, _SEVERAL, _FIELDS, _READINGS, _INPUTS = 64, 256, 64, 256, 256, 16
_COLUMNS, _BINS, _NUMBERS, _CATEGORIES, _TIMES, _SLOTS, _LINE, _HASH = 256, 4096, 16, 256, 1000, 65_536, 500, 64
#: The version of the kit's random streams. 0 stands for a module with random numbers of its own.
_STREAMS = 1


class Shape(IntEnum):
    """How the results of blocks are joined."""

    #: Tallies are merged.
    TALLY = 1
    #: Tallies are merged, and outputs joined in order.
    COLLECT = 2
    #: A search with work of its own form, which no program runs.
    SEARCH = 3
    #: The best of a space of points.
    SPACE = 4
    #: A program with ranks.
    RANKS = 5


class Writes(IntEnum):
    """What a gathering writes."""

    NOTHING = 0
    TEXT = 1
    ROWS = 2


class Parameter(NamedTuple):
    """A parameter: `kind` is "integer", "real", "choice", "flag" or "several"."""

    name: str
    help: str
    kind: str
    #: The least and the greatest value, or of how many names there may be.
    low: Union[int, float]
    high: Union[int, float]
    #: The names to choose from.
    names: tuple[str, ...]
    #: The slot of the default value.
    standard: int

    def allows(self, slot: int) -> bool:
        if self.kind == "integer":
            return self.low <= signed(slot) <= self.high
        if self.kind == "real":
            value = real(slot)
            return not math.isnan(value) and self.low <= value <= self.high
        if self.kind == "several":
            return slot >> len(self.names) == 0 and self.low <= bin(slot).count("1") <= self.high
        return slot < (len(self.names) if self.kind == "choice" else 2)


class Input(NamedTuple):
    """A table that users may give."""

    name: str
    help: str
    #: The names of its columns; none for all columns of a file.
    columns: tuple[str, ...] = ()
    #: Whether the rows of a file may have names: one column of texts among the numbers.
    has_row_names: bool = False


#: The kinds of readings, by their numbers.
READINGS = ("proportion", "mean", "variance", "derived", "histogram", "category", "series", "histogram2d")
_KINDS = ("integer", "real", "choice", "flag", "several")


class Description(NamedTuple):
    """A module's description of its simulation."""

    shape: Shape
    name: str
    summary: str
    #: The hash of the source; empty for a module that `potluck build` did not make.
    source: str
    parameters: tuple[Parameter, ...]
    layout: Layout
    #: The name and the kind of each reading.
    readings: tuple[tuple[str, str], ...]
    inputs: tuple[Input, ...]

    @classmethod
    def of(cls, record: bytes) -> Description:
        reader = Record("potluck_describe", record)
        number = reader.number()
        if number not in list(Shape):
            raise unknown_shape(number)
        shape, streams = Shape(number), reader.number()
        if streams not in (0, _STREAMS):
            raise ModuleError(
                f"the module uses version {streams} of the random streams instead of {_STREAMS}; build it again")
        name, summary = reader.word("the name"), reader.line("the summary", _LINE)
        source = reader.line("the source's hash", _HASH)
        if source and not re.fullmatch("[0-9a-f]{64}", source):
            raise reader.wrong("the source's hash is invalid")
        parameters = tuple(_parameter(reader) for _ in range(reader.count("parameters", _PARAMETERS)))
        layout = _layout(reader, shape)
        readings = _readings(reader)
        if shape == Shape.RANKS and (layout.fields or readings):
            raise reader.wrong("a program with ranks has no tally and no readings")
        inputs = () if shape == Shape.TALLY and reader.is_at_end else _inputs(reader)
        reader.end()
        _expect_once(reader, "parameters", [parameter.name for parameter in parameters])
        if repeated(input.name for input in inputs):
            raise reader.wrong("two inputs have the same name")
        return cls(shape, name, summary, source, parameters, layout, readings, inputs)


def unknown_shape(number: int) -> ModuleError:
    return ModuleError(f"its kind of work ({number}) is unknown; update potluck")


def _expect_once(reader: Record, what: str, names: list[str]) -> None:
    twice = repeated(names)
    if twice:
        raise reader.wrong(f'two {what} are called "{twice}"; give each its own name')


def _inputs(reader: Record) -> tuple[Input, ...]:
    found = []
    for _ in range(reader.count("inputs", _INPUTS)):
        name = reader.word("an input's name")
        found.append(Input(name, reader.line(f"the help for {name}", _LINE)))
    # Modules whose inputs name no columns and no rows end here.
    if not reader.is_at_end:
        found = [input._replace(columns=_columns(reader, input)) for input in found]
    # And here those whose inputs name no rows.
    if not reader.is_at_end:
        found = [input._replace(has_row_names=_has_row_names(reader, input)) for input in found]
    return tuple(found)


def _has_row_names(reader: Record, input: Input) -> bool:
    number = reader.number()
    if number > 1 or number and input.columns:
        raise reader.wrong(f"{input.name} neither has names of rows nor lacks them")
    return number == 1


def _columns(reader: Record, input: Input) -> tuple[str, ...]:
    names = [reader.line("a column's name", _LINE) for _ in range(reader.count("columns", _COLUMNS))]
    _expect_once(reader, f"columns of {input.name}", names)
    if "" in names:
        raise reader.wrong(f"a column of {input.name} has no name")
    return tuple(names)


def _layout(reader: Record, shape: Shape) -> Layout:
    fields: list[Optional[Field]] = []
    names = []
    for _ in range(reader.count("fields", _FIELDS)):
        name, field = _field(reader)
        names.append(name)
        fields.append(field)
    _expect_once(reader, "fields of the tally", names)
    found = [field for field in fields if field is not None]
    layout = Layout(found)
    if len(found) < len(fields) or layout.slots > _SLOTS:
        raise reader.wrong("invalid tally fields")
    kinds = [field.kind for field in found]
    if (kinds == [FieldKind.BEST]) != (shape == Shape.SPACE) or shape != Shape.SPACE and FieldKind.BEST in kinds:
        raise reader.wrong("a tally that does not fit the kind of work")
    return layout


def _field(reader: Record) -> tuple[str, Optional[Field]]:
    """Returns a field's name and the field; None if its bins do not fit its kind."""
    name, kind = reader.line("a field's name", _LINE), reader.number()
    if kind not in list(FieldKind):
        raise reader.wrong(f"unknown kind of field {name}")
    bins, (low, high) = reader.count("bins", _BINS), reader.range(f"the range of {name}")
    if kind == FieldKind.COMOMENTS:
        return name, Field(name, FieldKind.COMOMENTS, None, bins) if 1 <= bins <= _NUMBERS else None
    most = {FieldKind.COUNTS: _CATEGORIES, FieldKind.SERIES: _TIMES}.get(FieldKind(kind))
    if most is not None:
        return name, Field(name, FieldKind(kind), None, bins) if 1 <= bins <= most else None
    if kind != FieldKind.HISTOGRAM:
        return name, Field(name, FieldKind(kind), None) if bins == 0 else None
    is_valid = bins > 0 and low < high and math.isfinite(high - low)
    return name, Field(name, FieldKind.HISTOGRAM, (low, high), bins) if is_valid else None


def _readings(reader: Record) -> tuple[tuple[str, str], ...]:
    found = []
    for _ in range(reader.count("readings", _READINGS)):
        name, kind = reader.line("a reading's name", _LINE), reader.number()
        if not 1 <= kind <= len(READINGS):
            raise reader.wrong(f"unknown kind of reading {name}")
        if not name:
            raise reader.wrong("a reading has no name")
        found.append((name, READINGS[kind - 1]))
    _expect_once(reader, "readings", [name for name, _ in found])
    return tuple(found)


def _parameter(reader: Record) -> Parameter:
    name = reader.word("a parameter's name")
    help, number = reader.line(f"the help for {name}", _LINE), reader.number()
    if not 1 <= number <= len(_KINDS):
        raise ModuleError(f"the kind of its parameter {name} ({number}) is unknown; update potluck")
    kind = _KINDS[number - 1]
    low: Union[int, float] = 0
    high: Union[int, float] = 0
    names: tuple[str, ...] = ()
    if kind == "integer":
        low, high = signed(reader.number()), signed(reader.number())
        if low > high:
            raise reader.wrong(f"the range of {name} ends before it begins")
    elif kind == "real":
        low, high = reader.range(f"the range of {name}")
    elif kind == "choice":
        names = tuple(reader.word(f"a choice of {name}") for _ in range(reader.count("choices", _CHOICES)))
    elif kind == "several":
        names, low, high = _several(reader, name)
    made = Parameter(name, help, kind, low, high, names, reader.number())
    if not made.allows(made.standard):
        raise reader.wrong(f"the default of {name} is outside its range")
    return made


def _several(reader: Record, parameter: str) -> tuple[tuple[str, ...], int, int]:
    names: list[str] = []
    for _ in range(reader.count("names", _SEVERAL)):
        name = reader.word(f"a name of {parameter}")
        if name in (*names, "none", "all") or "," in name or name.startswith("0x"):
            raise reader.wrong(f"the name {name} of {parameter} cannot be typed among others")
        names.append(name)
    least, most = reader.count("names to choose", len(names)), reader.count("names to choose", len(names))
    if not names or least > most:
        raise reader.wrong(f"nothing can be chosen for {parameter}")
    return tuple(names), least, most
