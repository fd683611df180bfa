"""Tables that a program reads from a file, given as files, as arrays or as lists."""

from __future__ import annotations

import importlib
import io
import os
import re
from typing import Any, Iterable, Protocol, Union

from . import _kept, _values
from ._errors import UsageError
from ._values import File


class Array(Protocol):
    """What NumPy makes an array of: its own arrays, and columns of pandas."""

    def __array__(self) -> Any: ...


#: What a table can be: a file, a list of numbers or of rows, an array, or a DataFrame of pandas.
Data = Union[File, Array, Iterable[float], Iterable[Iterable[float]]]

#: The kinds of numbers that the program reads from a file of NumPy. It refuses others, except those that become float64
#: without loss.
READ = ("<f8", "<f4", "<i8", "<i4", "|u1", "|b1")


def path(name: str, data: Data) -> str:
    """Returns the file of a table. One that is no file yet is written, and kept for the command that repeats the run."""
    if isinstance(data, (str, os.PathLike)):
        return _values.path(data)
    ending, octets = _octets(name, data)
    return _kept.write(re.sub(r"[^a-z0-9-]", "", name) or "table", ending, octets)


def _octets(name: str, data: Any) -> tuple[str, bytes]:
    if hasattr(data, "to_csv") and hasattr(data, "columns"):
        # Names of columns are in text only.
        return ".csv", str(data.to_csv(index=False)).encode()
    if hasattr(data, "__array__"):
        numpy = importlib.import_module("numpy")
        array = numpy.ascontiguousarray(data)
        kind = array.dtype
        if kind.str not in READ and (kind.kind == "f" or kind.kind in "iu" and kind.itemsize <= 4):
            array = array.astype("<f8")
        file = io.BytesIO()
        try:
            numpy.save(file, array, allow_pickle=False)
        except ValueError:
            raise _refusal(name, data) from None
        return ".npy", file.getvalue()
    try:
        rows = [_row(name, number, row) for number, row in enumerate(data, 1)]
    except TypeError:
        raise _refusal(name, data) from None
    return ".csv", "".join(f"{row}\n" for row in rows).encode()


def _row(name: str, number: int, row: Any) -> str:
    """Returns a line of a file."""
    cells = [row] if isinstance(row, str) or not hasattr(row, "__iter__") else list(row)
    for cell in cells:
        if isinstance(cell, str) or not hasattr(cell, "__float__"):
            raise UsageError(f"row {number} of input '{name}' has {cell!r}, which is not a number")
    return ",".join(_values.number(cell) for cell in cells)


def _refusal(name: str, data: object) -> UsageError:
    return UsageError(
        f"'{type(data).__name__}' has no numbers for input '{name}'; give a file, a list of numbers or of rows, or an array")
