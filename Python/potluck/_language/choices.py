"""Which conditions are computed without a jump."""

from __future__ import annotations

from .flow import If
from .nodes import Const, Get, GetSlot, Node, Op, Pick, Seq, Set
from .operations import within

# A value of at most so many operations is computed in vain rather than jumped over: a jump that depends on a draw is often
# guessed wrong, and that costs as much as twenty of them.
CHEAP = 8
# Operations that cannot end the run where their result is within 64 bits.
CHECKED = {"add", "sub", "mul", "abs"}
FREE = {"and", "or", "xor", "count", "i.min", "i.max", "widen", "float", "same", "f.least", "f.greatest", "f.select"}


def cost(node: Node) -> int:
    """The number of operations of an expression that can be computed in vain; many if it cannot."""
    if isinstance(node, (Const, GetSlot)) or (isinstance(node, Get) and node.sure):
        return 1
    if isinstance(node, Pick):
        return 1 + cost(node.test) + cost(node.yes) + cost(node.no)
    if isinstance(node, Op):
        free = node.name in FREE or node.name[:2] in ("i.", "b.", "f.") and node.name not in ("f.floordiv", "f.mod")
        if free or node.name in CHECKED and within(node):
            return 1 + sum(cost(arg) for arg in node.args)
    return CHEAP + 1


def cheap(*nodes: Node) -> bool:
    """Whether computing values in vain costs less than a jump, and does nothing else."""
    return sum(cost(node) for node in nodes) <= CHEAP


def merged(statement: If) -> Set | None:
    """A condition that only decides what one variable becomes, as an assignment."""
    sides = [side for side in (statement.yes, statement.no) if side]
    sets = [side[0] for side in sides if len(side) == 1 and isinstance(side[0], Set) and len(side[0].leaves) == 1]
    if not sets or len(sets) < len(sides):
        return None
    leaf = sets[0].leaves[0]
    if leaf.flag is not None or any(each.leaves[0] is not leaf for each in sets):
        return None
    values: list[Node] = []
    for side in (statement.yes, statement.no):
        value = side[0].nodes[0] if side and isinstance(side[0], Set) else Get(leaf, 0)
        values.append(value)
    if not cheap(*values) or cost(statement.test) > CHEAP and has_flow(statement.test):
        return None
    return Set([leaf], [Pick(leaf.type, 0, statement.test, values[0], values[1])])


def has_flow(node: Node) -> bool:
    """Whether a condition has parts that may not be computed."""
    return isinstance(node, (Pick, Seq))
