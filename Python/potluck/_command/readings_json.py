"""Results as JSON, with the members of the program for Linux."""

from __future__ import annotations

import math
import re
import struct
import unicodedata
from typing import Any, Iterator, Optional

from .._kit import tally as kit
from .._kit.comoments import Comoments
from .._kit.quantiles import Quantiles
from .._kit.series import Series
from .._sandbox import Field, FieldKind, Layout, Reading
from .._sandbox.cells import cells
from .._sandbox.layout import GREATEST, MOMENTS
from .._sandbox.records import numbers, signed, slots
from . import figures

#: The probability that an interval contains the true value.
_CONFIDENCE = 0.95
_JOINERS = "\u200c\u200d"


def text(value: Any) -> str:
    """Returns a value on one line without blanks."""
    if value is None or isinstance(value, float) and not math.isfinite(value):
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return figures.number(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(key)}:{text(member)}" for key, member in value.items()) + "}"
    return "[" + ",".join(text(member) for member in value) + "]"


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _quoted(text: str) -> str:
    if re.fullmatch(r'[ !#-\[\]-~]*', text):
        return f'"{text}"'
    return '"' + "".join(_ESCAPES.get(c, _escaped(c)) for c in text) + '"'


def _escaped(character: str) -> str:
    kind = unicodedata.category(character)
    if kind in ("Cc", "Zl", "Zp") or kind == "Cf" and character not in _JOINERS:
        units = character.encode("utf-16-be")
        return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    return character


def shown_interval(reading: Reading) -> Optional[tuple[float, float]]:
    """The interval if it says something: that of numbers that were all alike has no width, whatever the truth is."""
    ends = reading.interval
    return None if ends is None or not reading.varies and ends[0] == ends[1] else ends


def reading(reading: Reading) -> dict[str, Any]:
    ends = shown_interval(reading)
    members: dict[str, Any] = {
        "name": reading.name, "value": reading.value, "low": ends and ends[0], "high": ends and ends[1],
        "confidence": None if ends is None else _CONFIDENCE, "exact": reading.exact}
    if reading.is_spoilt:
        members["spoilt"] = True
    if reading.kind == "category":
        members["category"] = True
    if reading.kind == "histogram2d":
        members.update(_cells(reading))
    elif reading.kind == "series":
        columns = zip(*curve(reading))
        members["series"] = dict(zip(("means", "low", "high"), map(list, columns)))
    elif reading.range is not None and len(reading.bins) >= 2:
        members["histogram"] = _histogram(reading.bins, reading.range)
    return members


def curve(reading: Reading) -> list[tuple[Optional[float], Optional[float], Optional[float]]]:
    """The mean at each time of a series, and the ends of its interval."""
    words = [_finite(number) for number in struct.unpack(f"<{len(reading.bins)}d", numbers(*reading.bins))]
    return list(zip(words[::3], words[1::3], words[2::3]))


def _cells(reading: Reading) -> dict[str, Any]:
    found = cells(reading.bins, reading.range)
    if found is None:
        return {}
    x, y = ({"from": low, "to": high} for low, high in (found.x, found.y))
    rows = [list(found.counts[at:at + found.columns]) for at in range(0, len(found.counts), found.columns)]
    return {"histogram2d": {"x": x, "y": y, "outside": found.outside, "rows": rows}}


def tally(octets: bytes, layout: Layout, output: Optional[int]) -> dict[str, Any]:
    """The fields of a tally. `output`: the bytes that were written, of a gathering."""
    members = {
        field.name: _field(field, slots(octets[8 * at:8 * (at + field.slots)])) for field, at in layout.places()}
    if output is not None:
        members["output"] = {"octets": output}
    return members


def _field(field: Field, own: tuple[int, ...]) -> Any:
    if field.kind == FieldKind.COUNT:
        return own[0]
    if field.kind == FieldKind.COUNTS:
        return list(own)
    if field.kind == FieldKind.BEST:
        key = signed(own[0])
        return None if key == GREATEST else {"key": key, "point": own[1]}
    if field.kind == FieldKind.HISTOGRAM:
        return _histogram(own, field.range or (0.0, 0.0))
    made = _accumulator(field)
    made.merge(own)
    is_spoilt = field.is_spoilt(own)
    if isinstance(made, kit.Moments):
        return {
            "count": made.count, "sum": None if own[5] else _finite(made.sum.value),
            "squares": None if own[10] else _finite(made.squares.value),
            "mean": None if is_spoilt else _finite(made.mean),
            "variance": None if is_spoilt else _finite(made.variance)}
    if isinstance(made, Comoments):
        places = range(made.size)
        return {
            "count": made.count, "means": [None if is_spoilt else _finite(made.mean(i)) for i in places],
            "covariances": [[None if is_spoilt else _finite(made.covariance(i, j)) for j in places] for i in places]}
    if isinstance(made, Series):
        return [_field(Field(field.name, FieldKind.MOMENTS, None), own[at:at + MOMENTS]) for at in range(0, len(own), MOMENTS)]
    if isinstance(made, Quantiles):
        return {"below": made.below, "above": made.above, "buckets": [[*ends, count] for ends, count in _buckets(made)]}
    return None if is_spoilt or not isinstance(made, (kit.ExactSum, kit.Minimum, kit.Maximum)) else _finite(made.value)


def _buckets(quantiles: Quantiles) -> Iterator[tuple[tuple[float, float], int]]:
    """The ends of the buckets that have numbers, and how many these are."""
    for place, count in quantiles.counted():
        ends = quantiles.ends(place)
        if ends is not None:
            yield ends, int(count)


def _accumulator(field: Field) -> kit.Field:
    if field.kind == FieldKind.COMOMENTS:
        return Comoments(field.bins)
    if field.kind == FieldKind.SERIES:
        return Series(field.bins)
    kinds: dict[FieldKind, type[kit.Field]] = {
        FieldKind.SUM: kit.ExactSum, FieldKind.MINIMUM: kit.Minimum, FieldKind.MAXIMUM: kit.Maximum,
        FieldKind.MOMENTS: kit.Moments, FieldKind.QUANTILES: Quantiles}
    return kinds[field.kind]()


def _finite(value: Optional[float]) -> Optional[float]:
    return None if value is None or not math.isfinite(value) else float(value)


def _histogram(own: tuple[int, ...], ends: tuple[float, float]) -> dict[str, Any]:
    return {"from": float(ends[0]), "to": float(ends[1]), "below": own[0], "bins": list(own[1:-1]), "above": own[-1]}
