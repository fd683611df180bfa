"""Python values as the words that the program reads."""

from __future__ import annotations

import math
import os
from datetime import timedelta
from typing import Mapping, Optional, Sequence, SupportsFloat, SupportsIndex, TypeVar, Union

from ._errors import UsageError
from ._language import names

T = TypeVar("T")

#: What a parameter can be: a number, a flag, a choice, or several names.
Value = Union[bool, int, float, str, Sequence[str]]
#: What a time can be: seconds, or a text such as "1h30m".
Time = Union[int, float, str, timedelta]
#: What a precision can be: that of all readings, or those of some by their names.
Precision = Union[float, str, Mapping[str, Union[float, str]]]
#: What a file can be.
File = Union[str, "os.PathLike[str]"]


def word(value: Value) -> str:
    """Returns a parameter's value as it is typed."""
    if getattr(value, "ndim", None) == 0:
        # A scalar of NumPy, which becomes Python's number, flag or text of the same value.
        value = getattr(value, "item")()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ",".join(str(name) for name in value)
    return number(value)


def number(value: object) -> str:
    """Returns a number as it is typed. Whole ones have no point, so `1e9` is a number of trials. Takes what behaves
    like a number, too, such as those of NumPy."""
    if isinstance(value, str):
        return value
    if isinstance(value, SupportsIndex):
        return str(value.__index__())
    if not isinstance(value, SupportsFloat):
        raise UsageError(f"{value!r} is not a number")
    real = float(value)
    if not math.isfinite(real):
        raise UsageError(f"{real} is not a finite number")
    return str(int(real)) if real.is_integer() and abs(real) < 1e21 else repr(real)


def whole(name: str, value: object) -> int:
    """Returns a whole number that is not negative. `1e9` is one, too."""
    text = number(value)
    if not text.isdigit():
        raise UsageError(f"{name} must be a whole number, 0 or more, and is {value!r}")
    return int(text)


def precision(value: Precision) -> str:
    """Returns a precision as it is typed: that of all readings, or those of some by their names."""
    if not isinstance(value, Mapping):
        return number(value)
    if not value:
        raise UsageError("until names no reading")
    return " and ".join(f"{name}<{number(limit)}" for name, limit in value.items())


def time(value: Time) -> str:
    """Returns a time as it is typed."""
    return number(value.total_seconds() if isinstance(value, timedelta) else value)


def path(value: File) -> str:
    """Returns a file as it is typed. A name that begins with ~ is in the user's folder, as in a shell."""
    return os.path.expanduser(os.fspath(value))


def name(keyword: str) -> str:
    """Returns the parameter that a keyword means."""
    return names.of_attribute(keyword)


def given(parameters: Optional[Mapping[str, T]], keywords: Mapping[str, T]) -> dict[str, T]:
    """Returns the values of parameters by their names, whether they were given by `parameters=` or by keywords."""
    values = dict(parameters or {})
    for keyword, value in keywords.items():
        parameter = name(keyword)
        if parameter in values:
            raise UsageError(f"parameter '{parameter}' is given twice")
        values[parameter] = value
    return values
