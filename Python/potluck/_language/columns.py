"""Columns of tables as lists, and the distributions of their numbers."""

from __future__ import annotations

import ast

from .draws import made
from .errors import Refused, close
from .nodes import Const, Node, Op, Run
from .scope import Scope, describe
from .types import EMPIRICAL, FLOAT, INT, UNKNOWN, ListType
from .values import Special, Value, hole

EXAMPLES = "self.heights.pick(random), or self.heights.interpolate(random)"


def column(scope: Scope, table: Node, node: ast.Call) -> Value:
    """`self.table.column("name")`, or with the number of the column."""
    if len(node.args) != 1 or node.keywords:
        raise Refused(node, 'column takes the name of a column, or its number: self.table.column("height")')
    which = node.args[0]
    if isinstance(which, ast.Constant) and isinstance(which.value, str):
        number: Node = Const(INT, _place(scope, table, which.value, node), node.lineno)
    else:
        number = scope.whole(which, "the number of a column")
    return scope.program.helped(scope, "column_of", [table, number], node)


def _place(scope: Scope, table: Node, name: str, node: ast.Call) -> int:
    if not isinstance(table, Run) or not isinstance(table.args[0], Const):
        raise Refused(node, f"it is open which table this is; write self.table.column('{name}')")
    input = scope.program.declaration.inputs[int(table.args[0].value)]
    if name not in input.columns:
        names = f"it has {', '.join(input.columns)}" if input.columns else f'declare it: columns=["{name}"]'
        raise Refused(node, f"the table declares no column '{name}'{close(name, list(input.columns)) or f'; {names}'}")
    return input.columns.index(name)


def empirical(scope: Scope, node: ast.Call) -> Value:
    """`potluck.Empirical(numbers)`."""
    if scope.unit.mode != "prepare":
        raise Refused(node, "make an Empirical once, in 'prepare': self.heights = Empirical(numbers)")
    if len(node.args) != 1 or node.keywords:
        raise Refused(node, "an Empirical takes a list of numbers")
    list = scope.listed(node.args[0], "an Empirical")
    if list.type is UNKNOWN or isinstance(list.type, ListType) and list.type.item is UNKNOWN:
        return hole(node.lineno)
    return made(scope.program.helped(scope, "empirical", [list], node), EMPIRICAL, node.lineno)


def draw(scope: Scope, what: tuple[Node, str], node: ast.Call) -> Value:
    """`self.heights.pick(random)` and `self.heights.interpolate(random)`."""
    ordered, name = what
    if name not in ("pick", "interpolate") or len(node.args) != 1 or node.keywords:
        raise Refused(node, f"an Empirical has two methods: {EXAMPLES}")
    value = scope.value(node.args[0])
    if not (isinstance(value, Special) and value.kind == "random"):
        raise Refused(node, f"{name} takes the generator: {name}(random), and this is {describe(value)}")
    scope.body.does.add("draw")
    cell = scope.program.cell("empirical", node.lineno)
    cell.item = FLOAT
    list = Op("same", ListType(cell, True), node.lineno, ordered)
    return scope.program.helped(scope, f"empirical_{name}", [value, list], node)
