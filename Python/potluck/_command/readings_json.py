"""Results as JSON, with the members of the program for Linux."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Any, Optional

from .._kit import tally as kit
from .._sandbox import Field, FieldKind, Layout, Reading
from .._sandbox.layout import GREATEST
from .._sandbox.records import signed, slots
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
    if reading.range is not None and len(reading.bins) >= 2:
        members["histogram"] = _histogram(reading.bins, reading.range)
    return members


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
    if field.kind == FieldKind.BEST:
        key = signed(own[0])
        return None if key == GREATEST else {"key": key, "point": own[1]}
    if field.kind == FieldKind.HISTOGRAM:
        return _histogram(own, field.range or (0.0, 0.0))
    made = accumulator(field, own)
    if isinstance(made, kit.Moments):
        return {
            "count": made.count, "sum": _finite(made.sum.value), "squares": _finite(made.squares.value),
            "mean": _finite(made.mean), "variance": _finite(made.variance)}
    return _finite(made.value) if isinstance(made, (kit.ExactSum, kit.Minimum, kit.Maximum)) else None


def accumulator(field: Field, own: tuple[int, ...]) -> kit.Field:
    """Returns a field with these slots."""
    kinds: dict[FieldKind, type[kit.Field]] = {
        FieldKind.SUM: kit.ExactSum, FieldKind.MINIMUM: kit.Minimum, FieldKind.MAXIMUM: kit.Maximum,
        FieldKind.MOMENTS: kit.Moments}
    made = kinds.get(field.kind, kit.Count)()
    made.merge(own)
    return made


def _finite(value: Optional[float]) -> Optional[float]:
    return None if value is None or not math.isfinite(value) else float(value)


def _histogram(own: tuple[int, ...], ends: tuple[float, float]) -> dict[str, Any]:
    return {"from": float(ends[0]), "to": float(ends[1]), "below": own[0], "bins": list(own[1:-1]), "above": own[-1]}
