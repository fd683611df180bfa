"""What a sweep varies: several values of a parameter, or the points themselves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable as IsIterable, Mapping as IsMapping, Set as IsSet
from dataclasses import dataclass
from os import PathLike
from typing import Iterable, Mapping, Optional, Sequence, Union

from . import _values
from ._errors import UsageError
from ._values import File, Value

#: What a parameter of a sweep can be: one value, several, or a text such as "3..10" or "0.1..0.5:0.05".
Values = Union[bool, int, float, str, Iterable[Union[bool, int, float, str]]]
#: What its points can be: a mapping of parameters for each, or a file of comma-separated values.
Points = Union[File, Iterable[Mapping[str, Value]]]

#: The most points that the program takes. Only so many are taken from what may have no end.
MOST = 10_000
#: Linux refuses arguments of 128 KiB and more. This leaves room for the name.
LONGEST_TEXT = 1 << 16
#: Where the program reads points that are in no file of the user's.
STDIN = "/dev/stdin"


@dataclass(frozen=True)
class Plan:
    """What the program is told about the points."""

    #: Each parameter's value or values, as they are typed.
    words: Mapping[str, str]
    #: The file of points; None if the words have them all.
    path: Optional[str] = None
    #: What that file contains if it is stdin.
    file: Optional[bytes] = None


def plan(given: Mapping[str, Values], points: Optional[Points]) -> Plan:
    """Returns how to tell the program these values."""
    texts = {name: _texts(name, value) for name, value in given.items()}
    words = {name: text if isinstance(text, str) else ",".join(text) for name, text in texts.items()}
    if isinstance(points, (str, PathLike)):
        return Plan(words, _values.path(points))
    if points is not None:
        return Plan(words, STDIN, _listed(points))
    several = {name: text for name, text in texts.items() if not isinstance(text, str)}
    if not several and not any(map(_is_several, words.values())):
        raise UsageError("give a parameter several values; use potluck.run for a single run")
    # A command line has no word for one point, and no room for ten thousand.
    if any(map(_is_several, words.values())) and all(len(text) <= LONGEST_TEXT for text in words.values()):
        return Plan(words)
    return Plan({name: text for name, text in words.items() if name not in several}, STDIN, _combined(several))


def _texts(name: str, value: Values) -> str | list[str]:
    """Returns a value as it is typed, or a list for several."""
    if isinstance(value, (bytes, bytearray, IsMapping, IsSet)):
        raise UsageError(f"the values of {name} must be in order; use a list")
    if isinstance(value, str) or not isinstance(value, IsIterable) or getattr(value, "ndim", 1) == 0:
        return _values.word(value)  # type: ignore[arg-type]
    texts = [_text(name, entry) for entry in itertools.islice(value, MOST + 1)]
    if not texts:
        raise UsageError(f"{name} has no values")
    if len(texts) > MOST:
        raise _too_many()
    return texts


def _text(name: str, value: Value) -> str:
    """Returns one of several values as it is typed."""
    # One with commas would become several.
    if isinstance(value, IsIterable) and not isinstance(value, str) and getattr(value, "ndim", 1) != 0:
        raise UsageError(f"{value!r} among the values of {name} is no single value")
    text = _values.word(value)
    if "," in text:
        raise UsageError(f"{text!r} among the values of {name} is no single value")
    return text


def _is_several(text: str) -> bool:
    """Whether the program may take a text for several values. Some simulations take a list as one value."""
    return "," in text or ".." in text


def _combined(texts: Mapping[str, Sequence[str]]) -> bytes:
    """Returns every combination of values, the last one changing fastest, as the program does."""
    if math.prod(map(len, texts.values())) > MOST:
        raise _too_many()
    rows = [list(values) for values in itertools.product(*texts.values())]
    return _separated([list(texts), *rows])


def _listed(points: Iterable[Mapping[str, Value]]) -> bytes:
    """Returns points that have the same parameters."""
    rows: list[list[str]] = []
    names: list[str] = []
    for number, point in enumerate(points, 1):
        if number > MOST:
            raise _too_many()
        if not isinstance(point, IsMapping):
            raise UsageError(f"point {number} is no mapping, such as {{'doors': 3}}")
        names = names or [str(name) for name in point]
        if set(point) != set(names):
            raise UsageError(f"point {number} has other parameters than the first one")
        rows.append([_values.word(point[name]) for name in names])
    if not names:
        raise UsageError("points has no points, or points without parameters")
    return _separated([names, *rows])


def _separated(rows: Sequence[Sequence[str]]) -> bytes:
    for cell in itertools.chain.from_iterable(rows):
        if "," in cell or cell != cell.strip() or len(cell.splitlines()) != 1:
            raise UsageError(f"{cell!r} cannot be in a list of points")
    return "".join(",".join(row) + "\n" for row in rows).encode("utf-8", "surrogateescape")


def _too_many() -> UsageError:
    return UsageError(f"more than {MOST} points; use fewer values")
