"""The types of values: numbers, tuples, lists, and the few others that a simulation may hold."""

from __future__ import annotations

# WebAssembly's types of values, by their octet.
I32, I64, F64 = 0x7F, 0x7E, 0x7C


class Type:
    """A type without parts. Each is one object, so `is` compares them."""

    __slots__ = ("machine", "words")

    def __init__(self, words: str, machine: int) -> None:
        # What messages call a value of this type, such as "a whole number".
        self.words = words
        # The type of the WebAssembly value that holds it.
        self.machine = machine

    def __str__(self) -> str:
        return self.words


# Not known yet: a variable that inference has not reached, or what had an error.
UNKNOWN = Type("unknown", I64)
INT = Type("a whole number", I64)
FLOAT = Type("a real number", F64)
BOOL = Type("True or False", I32)
# Python would hold a whole number on one path and a real number on another. It is kept as a real number, and what Python would
# compute differently for the two is refused.
MIXED = Type("a whole number in one place and a real number in another", F64)
NONE = Type("None", F64)
# A number or None, which only answers may be. None is kept as NaN.
OPTIONAL = Type("a number or None", F64)
# A table that `potluck.WeightedChoice` made.
WEIGHTED = Type("a WeightedChoice", I32)
# Numbers that `potluck.Empirical` sorted: a list.
EMPIRICAL = Type("an Empirical", I32)
# What `random.lattice` returned: a list.
LATTICE = Type("a lattice", I32)
# An input.
TABLE = Type("a table", I32)


class Cell:
    """What the elements of some lists have in common. Lists that may be the same list share a cell: `root` finds it."""

    __slots__ = ("above", "item", "line", "measure")

    def __init__(self, item: Type, line: int) -> None:
        self.above: Cell | None = None
        self.item = item
        # The line that decided the type of the elements, for messages.
        self.line = line
        # What `ranges` knows of the elements, one interval for each leaf.
        self.measure: list[tuple[int, int] | None] | None = None

    def root(self) -> Cell:
        cell = self
        while cell.above is not None:
            cell = cell.above
        return cell


class ListType(Type):
    """A list. A frozen one may only be read: it belongs to the simulation or to the module."""

    __slots__ = ("cell", "frozen")

    def __init__(self, cell: Cell, frozen: bool = False) -> None:
        super().__init__("a list", I32)
        self.cell = cell
        self.frozen = frozen

    @property
    def item(self) -> Type:
        item = self.cell.root().item
        return frozen(item) if self.frozen else item

    def __str__(self) -> str:
        item = self.cell.root().item
        return "a list" if item is UNKNOWN else f"a list of {plural(item)}"


class TupleType(Type):
    """A tuple. It has no value of its own: its items are kept apart."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Type, ...]) -> None:
        super().__init__(f"a tuple of {len(items)}", I32)
        self.items = items


class ChoiceType(Type):
    """A choice parameter, kept as the index of its name."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__("a choice", I64)
        self.names = names


class SeveralType(Type):
    """A parameter of several names, kept as one bit for each name."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__("several names", I64)
        self.names = names


NUMBERS = (INT, FLOAT, MIXED)
PLURALS = {INT: "whole numbers", FLOAT: "real numbers", BOOL: "True or False", MIXED: "whole and real numbers"}


def plural(item: Type) -> str:
    if isinstance(item, ListType):
        return "lists"
    if isinstance(item, TupleType):
        return "tuples"
    return PLURALS.get(item, str(item))


def frozen(item: Type) -> Type:
    """The type of what is read from something frozen."""
    if isinstance(item, ListType):
        return ListType(item.cell, True)
    if isinstance(item, TupleType):
        return TupleType(tuple(frozen(part) for part in item.items))
    return item


def unify(a: Cell, b: Cell, line: int) -> bool:
    """Makes two cells one. False if their elements conflict."""
    a, b = a.root(), b.root()
    if a is b:
        return True
    item = join(a.item, b.item, line)
    if item is None:
        return False
    b.above = a
    a.root().item = item
    return True


def join(a: Type, b: Type, line: int = 0) -> Type | None:
    """The type of a variable that holds both; None if there is none. Lists that meet share a cell from then on."""
    if a is b or b is UNKNOWN:
        return a
    if a is UNKNOWN:
        return b
    if a in NUMBERS and b in NUMBERS:
        return MIXED
    for one, other in ((a, b), (b, a)):
        if (one is NONE or one is OPTIONAL) and (other in NUMBERS or other is NONE or other is OPTIONAL):
            return OPTIONAL
    if isinstance(a, ListType) and isinstance(b, ListType):
        if not unify(a.cell, b.cell, line):
            return None
        return a if a.frozen >= b.frozen else b
    if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.items) == len(b.items):
        joined = [join(x, y, line) for x, y in zip(a.items, b.items)]
        parts = [item for item in joined if item is not None]
        if len(parts) < len(joined):
            return None
        return TupleType(tuple(parts))
    if isinstance(a, ChoiceType) and isinstance(b, ChoiceType) and a.names == b.names:
        return a
    if isinstance(a, SeveralType) and isinstance(b, SeveralType) and a.names == b.names:
        return a
    return None


def same(a: Type, b: Type) -> bool:
    """Whether two types are equal, lists by the type of their elements."""
    if a is b:
        return True
    if isinstance(a, ListType) and isinstance(b, ListType):
        return a.frozen == b.frozen and a.cell.root() is b.cell.root()
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return len(a.items) == len(b.items) and all(same(x, y) for x, y in zip(a.items, b.items))
    if isinstance(a, ChoiceType) and isinstance(b, ChoiceType):
        return a.names == b.names
    if isinstance(a, SeveralType) and isinstance(b, SeveralType):
        return a.names == b.names
    return False


def leaves(item: Type) -> list[Type]:
    """The parts of a value that WebAssembly holds one by one: those of a tuple, otherwise the value itself."""
    if isinstance(item, TupleType):
        return [leaf for part in item.items for leaf in leaves(part)]
    return [item]


def key(item: Type) -> object:
    """Equal for types for which one version of a function will do. Lists of one kind of elements are one kind."""
    if isinstance(item, ListType):
        return ("list", item.frozen, key(item.cell.root().item))
    if isinstance(item, TupleType):
        return ("tuple", tuple(key(part) for part in item.items))
    if isinstance(item, ChoiceType):
        return ("choice", item.names)
    if isinstance(item, SeveralType):
        return ("several", item.names)
    return item.words
