"""Values that are known when a file is compiled: numbers, texts, and tuples and lists of them."""

from __future__ import annotations

import ast
import math
import operator
from typing import TYPE_CHECKING, Any

from .errors import Refused
from .nodes import GREATEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from .source import Source

    Known = int | float | bool | str | None | tuple["Known", ...] | list["Known"]

# A file's constants are part of the module, which has a limit. So a list has at most this many elements.
MOST_ELEMENTS = 65536
# Parts of an expression of constants may have so many bits, more than the result: -2**63 has the part 2**63.
WIDE = (1 << 128) - 1

BINARY: dict[type[ast.operator], Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
UNARY: dict[type[ast.unaryop], Callable[..., object]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
# Those functions of `math` that are exact, so that every machine computes the same.
EXACT = {
    "math.sqrt": math.sqrt,
    "math.floor": math.floor,
    "math.ceil": math.ceil,
    "math.factorial": math.factorial,
    "math.comb": math.comb,
    "math.gcd": math.gcd,
    "math.isqrt": math.isqrt,
}
NUMBERS = {"math.pi": math.pi, "math.e": math.e, "math.tau": math.tau, "math.inf": math.inf, "math.nan": math.nan}


class Unknown(Exception):
    """The expression has no value before the simulation runs."""


class Constants:
    """Evaluates the constants of a file, each once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.known: dict[str, Known] = {}
        self.open: set[str] = set()

    def name(self, name: str) -> Known:
        """The value of a constant of the file."""
        if name in self.known:
            return self.known[name]
        if name not in self.source.constants or name in self.source.variables or name in self.open:
            raise Unknown(name)
        self.open.add(name)
        try:
            value = self.value(self.source.constants[name])
        finally:
            self.open.discard(name)
        self.known[name] = value
        return value

    def value(self, node: ast.expr) -> Known:
        """The value of an expression of constants. Raises `Unknown` if it has none yet."""
        return within(self.computed(node), node)

    def computed(self, node: ast.expr) -> Known:
        """The value of a part of an expression, which may be somewhat beyond 64 bits: -2**63 has the part 2**63."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, (bool, int, float, str)) or node.value is None:
                return within(node.value, node, WIDE)
        elif isinstance(node, ast.Name):
            return self.name(node.id) if node.id not in self.source.imports else self.outside(node)
        elif isinstance(node, ast.Attribute):
            return self.outside(node)
        elif isinstance(node, (ast.Tuple, ast.List)):
            items = [self.value(item) for item in node.elts]
            return tuple(items) if isinstance(node, ast.Tuple) else items
        elif isinstance(node, ast.UnaryOp):
            return self.operate(node, UNARY[type(node.op)], [self.computed(node.operand)])
        elif isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            sides = [self.computed(node.left), self.computed(node.right)]
            if any(isinstance(side, float) for side in sides) and isinstance(node.op, ast.Pow):
                raise Unknown("a power of a real number is the kit's own")
            if isinstance(node.op, (ast.Pow, ast.LShift)) and not (isinstance(sides[1], int) and abs(sides[1]) < 64):
                raise Unknown("too large")
            if isinstance(node.op, ast.Mult):
                for one, other in (sides, sides[::-1]):
                    if isinstance(one, (list, tuple)):
                        short(range(min(len(one) * other, GREATEST) if isinstance(other, int) else GREATEST), node)
            return self.operate(node, BINARY[type(node.op)], sides)
        elif isinstance(node, ast.Call) and not node.keywords:
            return self.call(node)
        elif isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            return self.operate(node, operator.getitem, [self.value(node.value), self.value(node.slice)])
        raise Unknown("not constant")

    def outside(self, node: ast.expr) -> Known:
        meaning = self.source.meaning(node)
        if meaning in NUMBERS:
            return NUMBERS[meaning]
        raise Unknown("not constant")

    def call(self, node: ast.Call) -> Known:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name and name not in self.source.functions and name not in self.source.imports:
            if name == "len" and len(node.args) == 1:
                return self.operate(node, len, [self.value(node.args[0])])
            if name == "range" and 1 <= len(node.args) <= 3:
                ends: list[Known] = [self.integer(each) for each in node.args]
                return self.operate(node, lambda *ends: short(range(*ends), node), ends)
            if name == "list" and len(node.args) == 1:
                inner = self.value(node.args[0])
                if isinstance(inner, (list, tuple)):
                    return list(inner)
        function = EXACT.get(self.source.meaning(node.func) or "")
        if function is None:
            raise Unknown("not constant")
        return self.operate(node, function, [self.value(each) for each in node.args])

    def integer(self, node: ast.expr) -> int:
        value = self.value(node)
        if not isinstance(value, int):
            raise Unknown("not a whole number")
        return value

    def operate(self, node: ast.expr, function: Any, values: list[Known]) -> Known:
        """Applies an operation of Python, whose own words say what is wrong with it."""
        if any(isinstance(value, str) or value is None for value in values):
            raise Unknown("a text")
        try:
            value = function(*values)
        except (ArithmeticError, ValueError, TypeError, IndexError) as error:
            raise Refused(node, f"this constant cannot be computed: {error}") from None
        if not isinstance(value, (int, float, tuple, list)):
            raise Unknown("not constant")
        return within(value, node, WIDE)


def short(whole: range, node: ast.AST) -> list[int]:
    """The numbers of a range. Refuses one that is too long for a constant list."""
    if len(whole) > MOST_ELEMENTS:
        raise Refused(node, f"a constant list has at most {MOST_ELEMENTS} elements; make it in 'prepare'")
    return list(whole)


def within(value: Known, node: ast.AST, most: int = GREATEST) -> Known:
    """Refuses a whole number of more than 64 bits, or one beyond another limit."""
    if isinstance(value, int) and not -most - 1 <= value <= most:
        raise Refused(node, "whole numbers have 64 bits: from -2**63 to 2**63 - 1; use a real number for larger ones")
    return value
