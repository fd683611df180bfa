"""Intervals of whole numbers: what cannot overflow, and which indices cannot be outside.

A variable has one interval for the whole function: all that is ever assigned to it. Intervals grow until nothing changes.
"""

from __future__ import annotations

from typing import Callable, Optional

from .body import Body
from .flow import Count, Each, If, Jump, Return, Stop, While
from .nodes import (
    GREATEST, LEAST, Call, Const, Copy, Counted, Data, Draw, Drop, Get, GetSlot, Leaf, Length, Load, Make, Node, Op,
    Pick, Run, Seq, Set, SetLength, SetSlot, Statement, Store, Tally, Text,
)  # fmt: skip
from .types import BOOL, INT, Cell, ChoiceType

Bounds = Optional[tuple[int, int]]
WHOLE: tuple[int, int] = (LEAST, GREATEST)
BIT = (0, 1)
# After this many rounds an interval that still grows is taken to the next of these.
PATIENCE = 4
STEPS = (0, 1 << 8, 1 << 16, 1 << 31, 1 << 32, 1 << 53, 1 << 62, GREATEST)
# A variable that only changes by at most this much at once needs 2⁴³ steps to leave ±2⁶², which is hours of one call. A call
# is ended after seconds. So it is a counter, and cannot overflow.
STRIDE = 1 << 18
FAR = 1 << 61
REACH = 1 << 62


class Ranges:
    """Finds the intervals of a program."""

    def __init__(self) -> None:
        self.round = 0
        self.grew = False
        # The results of functions, by their identity.
        self.results: dict[int, list[Bounds]] = {}
        self.open: list[Body] = []
        self.size = 0
        # Loops around what is looked at.
        self.depth = 0

    def settle(self, bodies: list[Body]) -> None:
        """Runs until nothing grows. `bodies` are all functions, those that call before those that are called."""
        for self.round in range(64):
            self.grew = False
            for body in bodies:
                self.open = [body]
                self.size = 0
                self.run(body.statements)
                body.size = self.size
            if not self.grew:
                return

    # What grows

    def wider(self, old: Bounds, new: tuple[int, int]) -> tuple[int, int]:
        if old is None:
            self.grew = True
            return new
        low, high = min(old[0], new[0]), max(old[1], new[1])
        if (low, high) == old:
            return old
        self.grew = True
        if self.round >= PATIENCE:
            if low < old[0]:
                low = -next(step for step in STEPS if -step <= low) if low > LEAST else LEAST
            if high > old[1]:
                high = next(step for step in STEPS if step >= high)
        return max(low, LEAST), min(high, GREATEST)

    def assign(self, leaf: Leaf, node: Node) -> None:
        """A variable gets a value."""
        if leaf.type is not INT:
            self.of(node)
            return
        if isinstance(node, Op) and node.name in ("add", "sub", "count") and len(node.args) == 2:
            left, right = node.args
            if isinstance(left, Get) and left.leaf is leaf:
                step = self.of(right)
                self.of(left)
                if -STRIDE <= step[0] and step[1] <= STRIDE:
                    down, up = (step[0], step[1]) if node.name != "sub" else (-step[1], -step[0])
                    leaf.drift = (min(leaf.drift[0], down), max(leaf.drift[1], up))
                    node.bounds = self.counter(leaf)
                    return
        self.widen(leaf, self.of(node))

    def widen(self, leaf: Leaf, new: tuple[int, int]) -> None:
        leaf.bounds = self.wider(leaf.bounds, new)

    def counter(self, leaf: Leaf) -> tuple[int, int]:
        """The interval of a variable with what it drifts in any number of steps."""
        low, high = leaf.bounds or (0, 0)
        down, up = leaf.drift
        if down < 0:
            low = low - REACH if low >= -FAR else LEAST
        if up > 0:
            high = high + REACH if high <= FAR else GREATEST
        return max(low, LEAST), min(high, GREATEST)

    def run(self, statements: list[Statement]) -> None:
        for statement in statements:
            self.size += 1
            self.step(statement)

    def loop(self, statements: list[Statement]) -> None:
        self.depth += 1
        self.run(statements)
        self.depth -= 1

    def note(self, leaf: Leaf, node: Node | None) -> None:
        """Remembers what is assigned to a variable."""
        leaf.sets[id(node)] = (node, self.depth)

    def step(self, statement: Statement) -> None:
        if isinstance(statement, Set):
            if (
                len(statement.nodes) == 1
                and isinstance(statement.nodes[0], (Call, Draw))
                and len(statement.leaves) != 1
            ):
                for leaf, bounds in zip(statement.leaves, self.several(statement.nodes[0])):
                    self.note(leaf, None)
                    if leaf.type is INT:
                        self.widen(leaf, bounds or WHOLE)
                return
            for leaf, node in zip(statement.leaves, statement.nodes):
                self.note(leaf, node)
                self.assign(leaf, node)
        elif isinstance(statement, SetSlot):
            bounds = self.of(statement.node)
            if statement.slot.type is INT:
                statement.slot.bounds = self.wider(statement.slot.bounds, bounds)
        elif isinstance(statement, Store):
            self.of(statement.list)
            self.of(statement.index)
            self.keep(statement.cell, [self.of(part) for part in statement.parts])
        elif isinstance(statement, SetLength):
            self.of(statement.list)
            self.of(statement.length)
            if isinstance(statement.list, Get):
                self.note(statement.list.leaf, None)
        elif isinstance(statement, If):
            self.of(statement.test)
            self.run(statement.yes)
            self.run(statement.no)
        elif isinstance(statement, While):
            self.depth += 1
            self.of(statement.test)
            self.depth -= 1
            self.loop(statement.body)
            self.run(statement.orelse)
        elif isinstance(statement, Count):
            first, limit = self.of(statement.first), self.of(statement.limit)
            inside = (
                (first[0], max(first[0], limit[1] - 1))
                if statement.step > 0
                else (min(first[1], limit[0] + 1), first[1])
            )
            self.widen(statement.index, inside)
            if statement.step > 0 and first[0] >= 0:
                statement.index.limit = statement.limit
            self.note(statement.index, None)
            self.loop(statement.body)
            self.run(statement.orelse)
        elif isinstance(statement, Each):
            for row in statement.rows:
                for leaf, node in zip(statement.leaves, row):
                    self.note(leaf, None)
                    self.assign(leaf, node)
            self.loop(statement.body)
            self.run(statement.orelse)
        elif isinstance(statement, Return):
            kept = self.results.setdefault(id(self.open[-1]), [None] * len(statement.nodes))
            for place, node in enumerate(statement.nodes):
                bounds = self.of(node)
                if node.type is INT and place < len(kept):
                    kept[place] = self.wider(kept[place], bounds)
                    if self.open[-1].into:
                        slot = self.open[-1].into[place]
                        slot.bounds = self.wider(slot.bounds, bounds)
        elif isinstance(statement, Drop):
            if isinstance(statement.node, Call):
                self.several(statement.node)
            else:
                self.of(statement.node)
        elif isinstance(statement, Tally):
            self.of(statement.node)
        elif isinstance(statement, Text):
            for part in statement.parts:
                if isinstance(part, Node):
                    self.of(part)
        else:
            assert isinstance(statement, (Jump, Stop))

    def keep(self, cell: Cell, bounds: list[tuple[int, int]]) -> None:
        """Elements of a list get values."""
        cell = cell.root()
        if cell.measure is None or len(cell.measure) != len(bounds):
            cell.measure = [None] * len(bounds)
        for place, new in enumerate(bounds):
            cell.measure[place] = self.wider(cell.measure[place], new)

    def several(self, node: Node) -> list[Bounds]:
        if isinstance(node, Call):
            for leaf, arg in zip(node.instance.parameters, node.args):
                self.note(leaf, None)
                bounds = self.of(arg)
                if leaf.type is INT:
                    self.widen(leaf, bounds)
            return self.results.get(id(node.instance), [])
        assert isinstance(node, Draw)
        limits = [self.of(arg) for arg in node.args]
        return [(0, max(0, limit[1] - 1)) for limit in limits]

    # Expressions

    def of(self, node: Node) -> tuple[int, int]:
        """The interval of an expression; anything for one that is no whole number."""
        self.size += 1
        bounds = self.found(node)
        node.bounds = bounds
        return bounds

    def found(self, node: Node) -> tuple[int, int]:
        if isinstance(node, Const):
            return (int(node.value), int(node.value)) if node.type in (INT, BOOL) else WHOLE
        if isinstance(node, Get):
            if node.type is INT:
                return self.counter(node.leaf) if node.leaf.bounds is not None or node.leaf.drift != (0, 0) else (0, 0)
            return BIT if node.type is BOOL else WHOLE
        if isinstance(node, GetSlot):
            if isinstance(node.type, ChoiceType):
                return node.slot.bounds or WHOLE
            if node.type is INT:
                return node.slot.bounds or (0, 0)
            return BIT if node.type is BOOL else WHOLE
        if isinstance(node, Op):
            return self.operation(node)
        if isinstance(node, Pick):
            self.of(node.test)
            yes, no = self.of(node.yes), self.of(node.no)
            return min(yes[0], no[0]), max(yes[1], no[1])
        if isinstance(node, Seq):
            self.run(node.body)
            return self.of(node.value)
        if isinstance(node, Load):
            self.of(node.list)
            self.of(node.index)
            measure = node.cell.root().measure
            known = measure[node.part] if measure is not None and node.part < len(measure) else None
            return (known or (0, 0)) if node.type is INT else BIT if node.type is BOOL else WHOLE
        if isinstance(node, Length):
            self.of(node.list)
            return 0, 1 << 28
        if isinstance(node, Make):
            self.open[-1].makes = True
            self.of(node.count)
            self.keep(node.cell, [self.of(part) for part in node.parts])
            return WHOLE
        if isinstance(node, Copy):
            self.open[-1].makes = True
            for each in (node.list, node.first, node.count):
                self.of(each)
            copied = node.source.root().measure
            if copied is not None and node.source.root() is not node.cell.root():
                self.keep(node.cell, [each or (0, 0) for each in copied])
            return WHOLE
        if isinstance(node, Data):
            for row in node.rows:
                self.keep(node.cell, [self.of(part) for part in row])
            return WHOLE
        if isinstance(node, Call):
            results = self.several(node)
            return (results[0] if results else None) or ((0, 0) if node.type is INT else WHOLE)
        if isinstance(node, Draw):
            return self.draw(node)
        if isinstance(node, Run):
            for arg in node.args:
                self.of(arg)
            return (0, 1 << 28) if node.name in ("rows", "columns") else WHOLE
        if isinstance(node, Counted):
            if node.index is not None:
                self.of(node.index)
            return (0, GREATEST) if node.type is INT else WHOLE
        raise AssertionError(type(node))

    def draw(self, node: Draw) -> tuple[int, int]:
        args = [self.of(arg) for arg in node.args]
        if node.kind == "below":
            return 0, max(0, args[0][1] - 1)
        if node.kind == "integer":
            return args[0][0], max(args[0][0], args[1][1])
        if node.kind == "next":
            return 0, (1 << 32) - 1
        if node.kind == "weighted":
            return 0, (1 << 32) - 1
        return BIT if node.type is BOOL else WHOLE

    def operation(self, node: Op) -> tuple[int, int]:
        args = [self.of(arg) for arg in node.args]
        if node.type is BOOL:
            return BIT
        if node.type is not INT:
            return WHOLE
        rule = RULES.get(node.name)
        if rule is None:
            return WHOLE
        low, high = rule(*args)
        # Beyond 64 bits the run ends.
        return max(LEAST, min(low, GREATEST)), min(GREATEST, max(high, LEAST))


Pair = tuple[int, int]


def exact(node: Op) -> Pair:
    """The interval of an operation before the check that it is within 64 bits."""
    args = [arg.bounds or WHOLE for arg in node.args]
    return RULES[node.name](*args)


def product(a: Pair, b: Pair) -> Pair:
    all_four = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(all_four), max(all_four)


def quotient(a: Pair, b: Pair) -> Pair:
    divisors = [each for each in (b[0], b[1], -1, 1) if each != 0 and b[0] <= each <= b[1]]
    if not divisors:
        return WHOLE
    values = [x // y for x in a for y in divisors]
    return min(values), max(values)


def remainder(a: Pair, b: Pair) -> Pair:
    if b[0] > 0:
        # A number below the divisor stays as it is.
        return (0, min(b[1] - 1, a[1])) if a[0] >= 0 else (0, b[1] - 1)
    if b[1] < 0:
        return b[0] + 1, 0
    return min(b[0] + 1, 0), max(b[1] - 1, 0)


def conjunction(a: Pair, b: Pair) -> Pair:
    highs = [each[1] for each in (a, b) if each[0] >= 0]
    return (0, min(highs)) if highs else WHOLE


def bits(a: Pair, b: Pair) -> Pair:
    """`|` and `^`."""
    if a[0] >= 0 and b[0] >= 0:
        return 0, (1 << max(a[1], b[1]).bit_length()) - 1
    size = max(abs(each) for each in (*a, *b)).bit_length()
    return -(1 << size), (1 << size) - 1


def left(a: Pair, b: Pair) -> Pair:
    if b[0] < 0 or b[1] > 64:
        return (0, 1 << 70) if a[0] >= 0 else (-(1 << 70), 1 << 70)
    return product(a, (1 << b[0], 1 << b[1]))


def right(a: Pair, b: Pair) -> Pair:
    shifts = (max(0, min(b[0], 63)), max(0, min(b[1], 63)))
    values = [x >> y for x in a for y in shifts]
    return min(values), max(values)


def sizes(a: Pair) -> Pair:
    if a[0] >= 0:
        return a
    return (0 if a[1] >= 0 else -a[1]), max(-a[0], a[1])


RULES: dict[str, Callable[..., Pair]] = {
    "add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "count": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "sub": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "mul": product,
    "abs": sizes,
    "floordiv": quotient,
    "mod": remainder,
    "and": conjunction,
    "or": bits,
    "xor": bits,
    "shl": left,
    "shr": right,
    "i.min": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "i.max": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "i.popcnt": lambda a: (0, 64),
    "widen": lambda a: BIT,
    "steps": lambda a, b, c: (0, max(0, (b[1] - a[0]) if c[0] > 0 else max(b[1] - a[0], a[1] - b[0]))),
    "int": lambda a: WHOLE,
}
