"""The kinds of values in a random program. A kind has a limit, so that most programs stay within 64 bits."""

from __future__ import annotations

from typing import NamedTuple

#: Elements of lists, and numbers within tuples, lie within these.
SMALL = 1000
#: Sums in loops lie within this: a program adds fewer than 2^20 numbers up to 2^20 to one.
LARGE = 2**40
#: The largest whole numbers that a program without accidents has.
HUGE = 2**62


class Kind(NamedTuple):
    """`name` is int, float, bool, list or tuple. A number is at most `limit` in size."""

    name: str
    limit: float = 0
    parts: tuple[Kind, ...] = ()

    @property
    def element(self) -> Kind:
        return self.parts[0]

    def same(self, other: Kind) -> bool:
        """Whether Python would call both the same type."""
        return (self.name == other.name and len(self.parts) == len(other.parts)
                and all(a.same(b) for a, b in zip(self.parts, other.parts)))


INT = Kind("int", SMALL)
FLOAT = Kind("float", SMALL)
BOOL = Kind("bool")
TOTAL = Kind("int", LARGE)
ANY_INT = Kind("int", HUGE)
REAL_TOTAL = Kind("float", float(LARGE))


def list_of(element: Kind) -> Kind:
    return Kind("list", 0, (element,))


def tuple_of(*parts: Kind) -> Kind:
    return Kind("tuple", 0, parts)


INTS, FLOATS, BOOLS = list_of(INT), list_of(FLOAT), list_of(BOOL)
GRID, REAL_GRID = list_of(INTS), list_of(FLOATS)
PAIR, MIXED = tuple_of(INT, INT), tuple_of(INT, FLOAT)
PAIRS = list_of(PAIR)


class Variable(NamedTuple):
    """A name that an expression may use."""

    text: str
    kind: Kind
    #: A list has at least so many elements.
    length: int = 0
    #: Whether statements may assign to it, or to its elements.
    writable: bool = True


class Function(NamedTuple):
    """A function of the program that expressions may call."""

    text: str
    parameters: tuple[Kind, ...]
    result: Kind
    draws: bool
    #: About how many statements a call runs.
    cost: int
