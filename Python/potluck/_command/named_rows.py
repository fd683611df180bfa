"""Reads a table whose rows have names: one column of texts among columns of numbers (NamedRows.swift)."""

from __future__ import annotations

import itertools
import struct
from typing import TYPE_CHECKING, Optional, Sequence

from .._sandbox.errors import is_fit
from . import spelling, values
from .failures import Failure
from .named_columns import expect, rows_of, separator_of

if TYPE_CHECKING:
    from .tables import Table

#: The longest name in bytes; a longer one is a slip, such as a missing quotation mark.
_LONGEST = 120
#: The bytes of a name in one number, and the first two bytes of such a number (RowNames.swift).
_BYTES, _MARK = 6, b"\x7f\xe0"
#: The least number that stands for a part of a name.
_LEAST = float.fromhex("0x1p1023")


def read(text: str, label: str) -> Optional[tuple[int, int, tuple[float, ...]]]:
    """Returns rows, columns, and numbers with the names behind them; None for a file whose rows have no names."""
    rows = rows_of(text, 0, separator_of(text.lstrip().split("\n", 1)[0]))
    first = next(rows, None)
    # A line without any number names the columns.
    if first and len(_texts(first[1])) == len(first[1]):
        first = next(rows, None)
    if first is None:
        return None
    line, cells = first
    texts = _texts(cells)
    if not 0 < len(texts) < len(cells):
        return None
    if len(texts) > 1:
        words = spelling.names([cells[place] for place in texts])
        raise Failure(f"{label}, line {line}: {words} are no numbers; a row has one name")
    names: list[bytes] = []
    numbers: list[list[float]] = []
    for at, row in itertools.chain([first], rows):
        expect(row, len(cells), label, at, line)
        names.append(_name(row[texts[0]], label, at))
        numbers.append([_number(cell, label, at) for place, cell in enumerate(row) if place != texts[0]])
    wide = max(-(-len(name) // _BYTES) for name in names)
    whole = (number for row, name in zip(numbers, names) for number in [*row, *_packed(name, wide)])
    return len(names), len(cells) - 1 + wide, tuple(whole)


def own_columns(table: Table) -> int:
    """How many columns of numbers a table has before those of names."""
    return sum(abs(number) < _LEAST for number in table.numbers[:table.columns])


def unnamed(table: Table, label: str) -> Table:
    """Returns a table whose rows have no names. Raises if a number would be taken for a part of one."""
    if any(abs(number) >= _LEAST for number in table.numbers):
        raise Failure(f"{label} has a number beyond 8.9e307")
    return table


def _texts(cells: Sequence[str]) -> list[int]:
    return [place for place, cell in enumerate(cells) if values.decimal(cell) is None]


def _packed(name: bytes, wide: int) -> list[float]:
    octets = name.ljust(_BYTES * wide, b"\0")
    return [
        struct.unpack(">d", _MARK + octets[at:at + _BYTES])[0] for at in range(0, len(octets), _BYTES)]


def _name(text: str, label: str, line: int) -> bytes:
    what = None
    if not text:
        what = "the name is missing"
    elif values.decimal(text) is not None:
        what = f"{spelling.quoted(text)} is a number in the place of a name"
    elif len(text.encode()) > _LONGEST:
        what = f"the name is longer than {_LONGEST} bytes"
    elif not all(map(is_fit, text)):
        what = f"{spelling.quoted(text)} is not plain text"
    if what:
        raise Failure(f"{label}, line {line}: {what}")
    return text.encode()


def _number(cell: str, label: str, line: int) -> float:
    number = values.decimal(cell)
    if number is None or abs(number) >= _LEAST:
        raise Failure(f"{label}, line {line}: {spelling.quoted(cell) if cell else 'an empty cell'} is not a number")
    return number
