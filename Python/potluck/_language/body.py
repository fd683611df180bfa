"""A function of the typed program."""

from __future__ import annotations

from .nodes import Leaf, Slot, Statement
from .types import INT, Type

# The modes of what may return a number in one place and none in another.
ANSWERS = ("answer", "reading")


class Body:
    """A function for certain types of its arguments."""

    __slots__ = (
        "calls",
        "does",
        "flags",
        "inline",
        "into",
        "line",
        "makes",
        "mode",
        "name",
        "parameters",
        "result",
        "size",
        "statements",
    )

    def __init__(self, name: str, line: int, mode: str) -> None:
        self.name = name
        self.line = line
        # "prepare", "trial", "answer" or "reading": what may happen in it. What goes wrong in a reading ends no run.
        self.mode = mode
        self.parameters: list[Leaf] = []
        self.result: Type = INT
        self.statements: list[Statement] = []
        self.calls: list[Body] = []
        # "draw", "tally", "text", "conflict": why it must be inlined.
        self.does: set[str] = set()
        # Whether its code is written where it is called.
        self.inline = True
        # The variables that say whether others have a value.
        self.flags: list[Leaf] = []
        # The attributes that keep its result, if it computes a value of the file.
        self.into: list[Slot] = []
        # Whether it makes lists.
        self.makes = False
        # The number of its expressions and statements.
        self.size = 0
