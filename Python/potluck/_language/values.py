"""What an expression of the author stands for while the compiler reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Union

from .nodes import Const, Get, GetSlot, Leaf, Node, Op, Seq, Set, Slot, Statement
from .types import (
    BOOL, FLOAT, INT, MIXED, NONE, NUMBERS, OPTIONAL, UNKNOWN, ListType, TupleType, Type, leaves,
)  # fmt: skip

if TYPE_CHECKING:
    import ast


class Tup:
    """A tuple. Its items are computed one after the other."""

    __slots__ = ("items",)

    def __init__(self, items: list[Value]) -> None:
        self.items = items

    @property
    def type(self) -> Type:
        return TupleType(tuple(item.type for item in self.items))


# A text, or what only the compiler knows. It has no value in the module.
COMPILED = Type("something that has no value in a trial", 0)


class Word:
    """A text that is known when the file is compiled."""

    __slots__ = ("text",)
    type = Type("a text", 0)

    def __init__(self, text: str) -> None:
        self.text = text


# What messages call a value that only the compiler knows, by its kind. All others are functions.
KINDS = {
    "self": "the simulation", "random": "the generator", "draw": "a draw", "output": "the output", "class": "a class",
    "field": "a field of the tally", "tally": "the tally", "counted": "a field of the tally", "row": "a row of a table",
    "column": "a column of a table", "distribution": "an Empirical", "coordinate": "a lattice",
    "range": "a range", "units": "the block's units",
}  # fmt: skip


class Special:
    """`self`, `random`, the output, the tally, a field, a function, a module: `kind` says which, and `what` more of it."""

    __slots__ = ("kind", "what")
    type = COMPILED

    @property
    def words(self) -> str:
        return KINDS.get(self.kind, "a function")

    def __init__(self, kind: str, what: Any = None) -> None:
        self.kind = kind
        self.what = what


Value = Union[Node, Tup, Word, Special]


class Variable:
    """A variable of a function. Its type grows from pass to pass until nothing changes."""

    __slots__ = ("above", "given", "kept", "leaves", "name", "place", "type")

    def __init__(self, name: str, place: ast.AST) -> None:
        self.name = name
        # Another variable that turned out to be the same one.
        self.above: Variable | None = None
        self.type: Type = UNKNOWN
        # The type of what the assignment gives to it; `type` is that of all those that it is one with.
        self.given: Type | None = None
        # Where its type was decided, for messages.
        self.place = place
        self.leaves: list[Leaf] = []
        self.kept: Type | None = None

    def root(self) -> Variable:
        """The variable that it is one with."""
        variable = self
        while variable.above is not None:
            variable = variable.above
        return variable

    def parts(self) -> list[Leaf]:
        """Its scalar variables in this pass."""
        if self.kept is not self.type:
            self.kept = self.type
            self.leaves = [Leaf(self.name, part) for part in leaves(self.type)]
        return self.leaves


class Attribute:
    """An attribute that `prepare` assigns."""

    __slots__ = ("kept", "name", "place", "slots", "type")

    def __init__(self, name: str, place: ast.AST) -> None:
        self.name = name
        self.type: Type = UNKNOWN
        self.place = place
        self.slots: list[Slot] = []
        self.kept: Type | None = None

    def parts(self) -> list[Slot]:
        if self.kept is not self.type:
            self.kept = self.type
            self.slots = [Slot(self.name, part) for part in leaves(self.type)]
        return self.slots


class Holes:
    """The lines of expressions whose type was not known in this pass, except where no path leads."""

    lines: list[int] = []
    is_counting = True


def hole(line: int) -> Node:
    """The value of an expression whose type is not known in this pass."""
    if Holes.is_counting:
        Holes.lines.append(line)
    return Const(UNKNOWN, 0, line)


class NoValue(Exception):
    """A tuple of which a part is a text, or what only the compiler knows, stands where its value is needed."""

    def __init__(self, part: Word | Special) -> None:
        super().__init__(part)
        self.part = part


def without_value(value: Value) -> Word | Special | None:
    """The first part of a value that is a text, or what only the compiler knows."""
    if isinstance(value, Tup):
        return next((part for part in map(without_value, value.items) if part is not None), None)
    return value if isinstance(value, (Word, Special)) else None


def flat(value: Value) -> list[Node]:
    """The scalar nodes of a value, in the order in which they are computed."""
    if isinstance(value, Tup):
        return [node for item in value.items for node in flat(item)]
    if isinstance(value, (Word, Special)):
        raise NoValue(value)
    return [value]


def built(type: Type, nodes: Iterator[Node]) -> Value:
    """A value of this type from its scalar nodes."""
    if isinstance(type, TupleType):
        return Tup([built(item, nodes) for item in type.items])
    node = next(nodes)
    node.type = type
    return node


def got(type: Type, parts: list[Leaf], line: int, sure: bool = True) -> Value:
    """The value of scalar variables."""
    return built(type, iter([Get(leaf, line, sure) for leaf in parts]))


def got_slots(type: Type, slots: list[Slot], line: int, fixed: bool) -> Value:
    return built(type, iter([GetSlot(slot, line, fixed) for slot in slots]))


def after(statements: list[Statement], value: Value, line: int) -> Value:
    """The value, with statements that run before it."""
    if not statements:
        return value
    if isinstance(value, Tup):
        if not value.items:
            return value
        return Tup([after(statements, value.items[0], line), *value.items[1:]])
    assert isinstance(value, Node)
    return Seq(statements, value)


def held(value: Value, line: int, name: str = "") -> tuple[list[Statement], Value]:
    """Computes a value once: the statements that do so, and the value from then on."""
    nodes = flat(value)
    if all(isinstance(node, Const) for node in nodes):
        return [], value
    parts = [Leaf(name, node.type) for node in nodes]
    return [Set(parts, nodes)], got(value.type, parts, line)


def converted(value: Value, type: Type, line: int) -> list[Node]:
    """The scalar nodes of a value as a variable of this type holds it. `type` is a join of the value's own."""
    if isinstance(type, TupleType) and isinstance(value, Tup):
        return [node for item, part in zip(value.items, type.items) for node in converted(item, part, line)]
    if not isinstance(value, Node):
        return flat(value)
    return [convert(value, type, line)]


def convert(node: Node, type: Type, line: int) -> Node:
    have = node.type
    if have is type or type is UNKNOWN or have is UNKNOWN or isinstance(type, ListType):
        return node
    if have is NONE:
        return Const(OPTIONAL, float("nan"), line)
    if have is BOOL and type in (INT, FLOAT, MIXED):
        return convert(Op("widen", INT, line, node), type, line)
    if have is INT and type in (FLOAT, OPTIONAL):
        return Const(FLOAT, float(node.value), line) if isinstance(node, Const) else Op("float", type, line, node)
    if have is INT and type is MIXED:
        return Op("exact", MIXED, line, node)
    if have in NUMBERS and type in (FLOAT, MIXED, OPTIONAL):
        # The same number.
        return Op("same", type, line, node)
    return node
