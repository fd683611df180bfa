"""Statements of the typed program that decide what runs next."""

from __future__ import annotations

from .nodes import Leaf, Node, Statement


class If(Statement):
    __slots__ = ("no", "test", "yes")

    def __init__(self, test: Node, yes: list[Statement], no: list[Statement]) -> None:
        self.test = test
        self.yes = yes
        self.no = no


class Label:
    """A loop, for the statements that leave it or continue it."""

    __slots__ = ("breaks", "continues")

    def __init__(self) -> None:
        self.breaks = False
        self.continues = False


class While(Statement):
    __slots__ = ("body", "label", "orelse", "test")

    def __init__(self, label: Label, test: Node, body: list[Statement], orelse: list[Statement]) -> None:
        self.label = label
        self.test = test
        self.body = body
        self.orelse = orelse


class Count(Statement):
    """Counts `index` from `first` in steps of `step` while it is before `limit`. Both ends are computed once."""

    __slots__ = ("body", "first", "index", "label", "limit", "line", "orelse", "step")

    def __init__(
        self,
        line: int,
        label: Label,
        index: Leaf,
        first: Node,
        limit: Node,
        step: int,
        body: list[Statement],
        orelse: list[Statement],
    ) -> None:
        self.line = line
        self.label = label
        self.index = index
        self.first = first
        self.limit = limit
        self.step = step
        self.body = body
        self.orelse = orelse


class Each(Statement):
    """Runs the body for the parts of each of a few values, one after the other. They have been computed before."""

    __slots__ = ("body", "label", "leaves", "orelse", "rows")

    def __init__(
        self,
        label: Label,
        leaves: list[Leaf],
        rows: list[list[Node]],
        body: list[Statement],
        orelse: list[Statement],
    ) -> None:
        self.label = label
        self.leaves = leaves
        self.rows = rows
        self.body = body
        self.orelse = orelse


class Jump(Statement):
    """Leaves a loop, or continues it."""

    __slots__ = ("label", "leaves")

    def __init__(self, label: Label, leaves: bool) -> None:
        self.label = label
        self.leaves = leaves


class Return(Statement):
    __slots__ = ("nodes",)

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes


class Stop(Statement):
    """Ends the run with a sentence. In `prepare` a conflict says that the parameters do not fit together instead."""

    __slots__ = ("is_conflict", "line", "sentence")

    def __init__(self, line: int, sentence: str, is_conflict: bool = False) -> None:
        self.line = line
        self.sentence = sentence
        self.is_conflict = is_conflict
