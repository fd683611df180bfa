"""What is wrong with an author's file, with the place and what to write instead."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import Iterator


# A list of errors that is longer helps nobody.
MOST = 10


class Place:
    """A line and a column of the author's file, both from 1."""

    __slots__ = ("column", "line")

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column

    @staticmethod
    def of(node: ast.AST) -> Place:
        return Place(getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


class Refused(Exception):
    """The file is outside the language, or contradicts itself. `notes` are other places that the sentence speaks of."""

    def __init__(self, at: ast.AST | Place, sentence: str, *notes: tuple[ast.AST | Place, str]) -> None:
        super().__init__(sentence)
        self.place = at if isinstance(at, Place) else Place.of(at)
        self.sentence = sentence
        self.notes = [(at if isinstance(at, Place) else Place.of(at), text) for at, text in notes]

    def lines(self, label: str) -> list[str]:
        """The lines that the compiler prints: the error, and then its notes."""
        out = [f"{label}:{self.place.line}:{self.place.column}: error: {self.sentence}"]
        for place, text in self.notes:
            out.append(f"{label}:{place.line}:{place.column}: note: {text}")
        return out


def close(name: str, names: list[str]) -> str:
    """The question whether another name was meant; nothing if none is close."""
    from difflib import get_close_matches

    found = get_close_matches(name, names, 1)
    return f"; did you mean '{found[0]}'?" if found else ""


def counted(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}" if count == 1 else f"{count or 'no'} {noun}s"


class RefusedAll(Exception):
    """Several errors of one file."""

    def __init__(self, errors: list[Refused]) -> None:
        super().__init__("; ".join(error.sentence for error in errors))
        self.errors = errors


def refuse(errors: list[Refused]) -> None:
    """Ends the compilation if there are errors."""
    if errors:
        raise RefusedAll(distinct(errors)[:MOST])


@contextmanager
def kept(errors: list[Refused]) -> Iterator[None]:
    """Keeps an error, so that what follows is read, too."""
    try:
        yield
    except Refused as error:
        errors.append(error)


def distinct(errors: list[Refused]) -> list[Refused]:
    """The errors in the order of their lines, each once."""
    found: dict[tuple[int, int, str], Refused] = {}
    for error in errors:
        found.setdefault((error.place.line, error.place.column, error.sentence), error)
    return [found[key] for key in sorted(found)]
