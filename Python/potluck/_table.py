"""Rows for spreadsheets and for pandas."""

from __future__ import annotations

import csv
import importlib
from typing import Any, Iterable, Mapping, Sequence

from ._errors import PotluckError

#: What spreadsheets take for the beginning of a formula.
FORMULA = tuple("=+-@＝＋－＠")


def names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns the columns of all rows, in the order in which they first occur."""
    return list(dict.fromkeys(name for row in rows for name in row))


def varied(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Returns the columns that are not the same in all rows."""
    return tuple(name for name in names(rows) if any(row.get(name) != rows[0].get(name) for row in rows))


def cell(value: Any) -> str:
    """Returns a cell. A text that a spreadsheet would evaluate gets an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    if isinstance(value, str) and value.lstrip().startswith(FORMULA):
        return "'" + value
    return str(value)


def write(path: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes a file of comma-separated values, with the quoting that the program uses."""
    heads = names(rows)
    try:
        with open(path, "w", newline="", encoding="utf-8", errors="replace") as file:
            writer = csv.writer(file)
            writer.writerow(map(cell, heads))
            writer.writerows([cell(row.get(name)) for name in heads] for row in rows)
    except OSError as error:
        raise PotluckError(f"cannot write {path}: {error.strerror}") from error


def frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Returns a DataFrame of pandas."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise PotluckError("to_pandas() needs pandas; install it with 'pip install pandas'") from error
    return pandas.DataFrame(list(rows), columns=names(rows))
