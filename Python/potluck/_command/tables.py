"""Reads tables of numbers: one row per line, with blanks or commas between the numbers (TableRows.swift)."""

from __future__ import annotations

import hashlib
import re
import struct
from pathlib import Path
from typing import NamedTuple, Optional, Sequence

from .._sandbox import Input
from .._sandbox.records import numbers, slots
from . import named_columns, named_rows, numpy_file, spelling, values
from .failures import Failure, UsageError

#: The most numbers of a table: a matrix of 8192 rows and columns.
_MOST = 1 << 26
#: Room for as many numbers of more than twenty digits each.
_LARGEST = _MOST * 24


class Table(NamedTuple):
    rows: int
    columns: int
    numbers: tuple[float, ...]


def payload(tables: Sequence[Optional[Table]]) -> bytes:
    """Returns the bytes that configure a module with tables; none if there is no table."""
    if not any(tables):
        return b""
    parts = []
    for table in tables:
        made = table or Table(0, 0, ())
        parts.append(numbers(made.rows, made.columns) + struct.pack(f"<{len(made.numbers)}d", *made.numbers))
    return b"".join(parts)


def hash_slots(payload: bytes) -> tuple[int, ...]:
    """What stands for tables among the parameters of a result."""
    return slots(hashlib.sha256(payload).digest()) if payload else ()


def of_inputs(given: Sequence[tuple[str, str]], inputs: Sequence[Input], owner: str) -> list[Optional[Table]]:
    """Reads the tables that a user gave, in the order of the simulation's inputs."""
    names = [input.name for input in inputs]
    found: list[Optional[Table]] = [None] * len(names)
    for name, path in given:
        if name not in names:
            known = f"; inputs: {', '.join(names)}" if names else "; it reads no files"
            raise UsageError(
                f"unknown input {spelling.quoted(name)} of {owner}{spelling.hint(name, names) or known}")
        if found[names.index(name)] is not None:
            raise UsageError(f"input '{name}' is given twice")
        found[names.index(name)] = read(path, inputs[names.index(name)])
    return found


def octets(path: str) -> bytes:
    """Returns the contents of a file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Failure(f"cannot read {spelling.path(path)}: {error.strerror}") from None


def read(path: str, input: Input) -> Table:
    """Reads a file for an input: its columns or, without names, all columns."""
    label, content = spelling.path(path), octets(path)
    if len(content) > _LARGEST:
        raise too_large(label)
    if content.startswith(b"PK\3\4"):
        raise Failure(f"{label} is an archive, as .npz and .xlsx are; save one array with numpy.save, or the sheet as .csv")
    if content.startswith(b"\x1f\x8b"):
        raise Failure(f"{label} is compressed; unpack it first, with gunzip")
    if not input.has_row_names:
        return _plain(content, input.columns, label)
    if not numpy_file.is_one(content):
        named = named_rows.read(content.decode("utf-8-sig", "replace"), label)
        if named is not None:
            return _checked(Table(*named), label)
    return named_rows.unnamed(_plain(content, (), label), label)


def _plain(content: bytes, columns: Sequence[str], label: str) -> Table:
    if numpy_file.is_one(content):
        return _only(Table(*numpy_file.read(content, label, _MOST)), columns, label)
    if columns:
        found = named_columns.read(content.decode("utf-8-sig", "replace"), columns, label)
        if found is not None:
            return _checked(Table(len(found) // len(columns), len(columns), tuple(found)), label)
    elif re.match(rb"\s*[A-Z_]+\s*:", content):
        raise Failure(f"{label} looks like a file of cities, which only the program for Linux reads; make it a table")
    return _only(_table(content.decode("utf-8-sig", "replace"), label), columns, label)


def _only(table: Table, columns: Sequence[str], label: str) -> Table:
    """Returns a table without a line of names if it has as many columns as the input."""
    if columns and table.columns != len(columns):
        raise Failure(
            f"{label} has no line of names, and its rows have {table.columns} numbers instead of {len(columns)}: "
            f"{spelling.names(columns)}")
    return table


def _checked(table: Table, label: str) -> Table:
    if len(table.numbers) > _MOST:
        raise too_large(label)
    if not table.numbers:
        raise Failure(f"{label} has no numbers")
    return table


def too_large(label: str) -> Failure:
    return Failure(
        f"{label} is too large: a table has at most {_MOST} numbers, such as 8192 rows of as many; split it")


def _table(text: str, label: str) -> Table:
    found: list[float] = []
    first: Optional[tuple[int, int]] = None
    rows, is_beginning = 0, True
    for number, line in enumerate(text.split("\n"), 1):
        words = re.split(r"[ \t\r,]+", line.strip(" \t\r,"))
        if words == [""]:
            continue
        if is_beginning and all(map(_is_name, words)):
            is_beginning = False
            continue
        is_beginning = False
        found += [_expected(word, label, number) for word in words]
        if len(found) > _MOST:
            raise too_large(label)
        rows, first = rows + 1, first or (number, len(words))
        if len(words) != first[1]:
            raise Failure(
                f"{label}, line {number}: expected {first[1]} numbers as in line {first[0]}, found {len(words)}")
    if first is None:
        raise Failure(f"{label} has no numbers")
    return Table(rows, first[1], tuple(found))


def _expected(word: str, label: str, line: int) -> float:
    number = values.decimal(word)
    if number is None:
        raise Failure(f"{label}, line {line}: {spelling.quoted(word)} is not a number")
    return number


def _is_name(word: str) -> bool:
    """Whether a word of the first line names a column. `nan` and `inf` do not, so that no row is lost unnoticed."""
    if not (word[:1].isalpha() or word[:1] in "_\"'#("):
        return False
    return word.lower() not in ("nan", "inf", "infinity")
