"""Which indices are below the length of their list in any case, because both come from the same value.

A symbol stands for a value that stays the same while a function runs. `random.below(self.days)` is below the symbol of
`self.days`, which is also the length of `[False] * self.days`.
"""

from __future__ import annotations

from .nodes import Const, Draw, Get, GetSlot, Leaf, Length, Make, Node, Op, Seq
from .operations import bounds, within


def proved(list: Node, index: Node) -> bool:
    """Whether an index is within its list in any case."""
    if bounds(index)[0] < 0:
        return False
    above = limit(index)
    return above is not None and above == size(list)


def only(leaf: Leaf) -> tuple[Node | None, int] | None:
    """The one expression that is assigned to a variable, with the number of loops around it."""
    return next(iter(leaf.sets.values())) if len(leaf.sets) == 1 else None


def symbol(node: Node) -> object:
    """Equal for expressions with the same value; None for a value that may change."""
    if isinstance(node, Const):
        return node.value
    if isinstance(node, GetSlot):
        return node.slot if node.fixed else None
    if isinstance(node, Length):
        return size(node.list)
    if isinstance(node, Op) and node.name in ("add", "sub", "mul") and within(node):
        left, right = (symbol(arg) for arg in node.args)
        return None if left is None or right is None else (node.name, left, right)
    if isinstance(node, Get) and node.sure:
        found = only(node.leaf)
        if found is None or found[0] is None:
            return None
        inner = symbol(found[0])
        return inner if inner is not None else node.leaf if found[1] == 0 else None
    return None


def limit(node: Node) -> object:
    """The symbol of a value that is greater than the expression."""
    if isinstance(node, Draw) and node.kind == "below":
        return symbol(node.args[0])
    if isinstance(node, Get) and node.sure:
        found = only(node.leaf)
        if node.leaf.limit is not None:
            return symbol(node.leaf.limit) if len(node.leaf.sets) == 1 else None
        if found is not None and found[0] is not None:
            return limit(found[0])
    return None


def size(list: Node) -> object:
    """The symbol of a list's length."""
    if isinstance(list, Make):
        return symbol(list.count)
    if isinstance(list, GetSlot):
        return ("length", list.slot) if list.fixed else None
    if isinstance(list, Seq):
        return size(list.value)
    if isinstance(list, Get) and list.sure:
        found = only(list.leaf)
        return None if found is None or found[0] is None else size(found[0])
    return None
