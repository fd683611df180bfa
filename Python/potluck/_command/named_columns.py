"""Takes the columns that an input names from a file; other columns may have any text (NamedColumns.swift)."""

from __future__ import annotations

import re
from typing import Iterator, Optional, Sequence

from . import spelling, values
from .failures import Failure

_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
#: Before a line of names, in files of numbers.
_MARK = re.compile(r"[\x00-\x20]*[# ]*")


def read(text: str, names: Sequence[str], label: str) -> Optional[list[float]]:
    """Returns the numbers of the columns, row by row; None for a file whose first line has numbers."""
    mark = _MARK.match(text)
    start = mark.end() if mark else 0
    head = text[start:].split("\n", 1)[0]
    # A line that is one name may have blanks.
    separator = "," if [head.strip()] == list(names) else separator_of(head)
    rows = rows_of(text, start, separator)
    first = next(rows, None)
    if first is None:
        raise Failure(f"{label} has no numbers")
    line, found = first
    if not set(found) & set(names) and all(values.decimal(cell) is not None for cell in found):
        return None
    places = [_place(name, found, label, line) for name in names]
    numbers: list[float] = []
    for at, cells in rows:
        expect(cells, len(found), label, at, line)
        for name, place in zip(names, places):
            number = values.decimal(cells[place])
            if number is None:
                what = f"is {spelling.quoted(cells[place])}, which is no number" if cells[place] else "is empty"
                raise Failure(f"{label}, line {at}: {spelling.quoted(name)} {what}; leave out the line")
            numbers.append(number)
    return numbers


def expect(cells: Sequence[str], count: int, label: str, line: int, first: int) -> None:
    """Raises unless a row has as many cells as the one at line `first`."""
    if len(cells) != count:
        raise Failure(f"{label}, line {line}: expected {count} cells as in line {first}, found {len(cells)}")


def _place(name: str, found: Sequence[str], label: str, line: int) -> int:
    if found.count(name) > 1:
        raise Failure(f"{label}, line {line}: two columns are called {spelling.quoted(name)}")
    if name in found:
        return found.index(name)
    # A hint is shown as it is, so only plain names are hints.
    hint = spelling.hint(name, [each for each in found if spelling.quoted(each) == f"'{each}'"])
    raise Failure(
        f"{label} has no column {spelling.quoted(name)}{hint or f'; its columns are {spelling.names(found)}'}")


def separator_of(line: str) -> str:
    """Returns the separator that occurs most often outside of quotes; a blank for any number of blanks."""
    found, most = " ", 0
    for candidate in "\t;,":
        count = sum(part.count(candidate) for part in line.split('"')[::2])
        if count > most:
            found, most = candidate, count
    return found


def rows_of(text: str, at: int, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows that are not empty, each with the line at which it begins."""
    blanks = " \r" if separator == "\t" else " \r\t"
    end = re.compile(r"[^\n \t]*" if separator == " " else f"[^\n{separator}]*")
    line = 1 + text.count("\n", 0, at)
    while at < len(text):
        cells, begun = [], line
        while True:
            while at < len(text) and text[at] in blanks:
                at += 1
            quoted = _QUOTED.match(text, at)
            rest = end.match(text, quoted.end() - 1 if quoted else at)
            assert rest is not None
            if quoted:
                line += quoted.group().count("\n")
            cells.append(quoted.group(1).replace('""', '"') if quoted else rest.group().strip(blanks))
            at = rest.end()
            if at >= len(text) or text[at] == "\n":
                break
            at += 1
        at, line = at + 1, line + 1
        if separator == " " and len(cells) > 1 and cells[-1] == "":
            cells.pop()
        if len(cells) > 1 or cells[0]:
            yield begun, cells
