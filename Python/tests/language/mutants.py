"""Programs with a random mistake: each is refused with a sentence, or does what Python does."""

from __future__ import annotations

import ast
from typing import Any, Callable

from .dice import Dice
from .programs import Program, program

#: What a constant becomes.
_CONSTANTS: list[object] = [
    0, 1, -1, 2, 7, 0.5, 1.0, -0.0, True, False, None, "six", 2**31, 2**62, 2**63, 1e300, 10**25]
_NAMES = ["x", "self", "random", "math", "sum", "max", "len", "range", "print", "Count", "potluck", "list", "numpy"]
_OPERATORS: list[Callable[[], ast.operator]] = [
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr,
    ast.BitXor, ast.MatMult]
_COMPARISONS: list[Callable[[], ast.cmpop]] = [ast.Eq, ast.NotEq, ast.Lt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot]
_STATEMENTS = [
    "global x", "x = {}", "x = {1, 2}", "x = 'a'", "del x", "import numpy", "x = [1]\nx.append(2)", "x: int = 0.5",
    "return 1",
    "raise", "x = lambda: 0", "def f():\n    pass", "try:\n    pass\nfinally:\n    pass", "self.size = 2",
    "self.new = 3",
    "x = y = []", "x = [[0] * 2] * 2\nx[0][1] = 5", "nonlocal x", "yield 3", "print(1)", "x = None",
    "a, *b = [1, 2, 3]",
    "x = [1, 2.5]", "x = (1, 2)\nx[0] = 3", "x = range(3)\nx = x[1]", "for x in 5:\n    pass", "assert (False, 'no')",
    "x = 1 if True else 2.0", "x = 5\nx()", "x = f'{5}'", "while x < 3:\n    x += 1", "x = [0] * 3\nx[1:2] = [5]",
    "...", "1",
    "x = (y := 3)", "x = 'a' in self.tops", "x = sum(k for k in range(3))", "x = sorted([2, 1], reverse=True)",
    "x = 1j",
    "x = [0] * -1\nx[0] = 1", "x = min([])", "for x, y in [1, 2]:\n    pass", "x = int('5')", "x = -2 ** 63",
    "x = 'a' * 3"]


class _Picked(ast.NodeTransformer):
    """Changes the node of a number."""

    def __init__(self, wanted: int, change: Callable[[ast.AST], Any]) -> None:
        self.left, self.change = wanted, change

    def visit(self, node: ast.AST) -> Any:
        self.left -= 1
        if self.left == -1:
            return self.change(node)
        return self.generic_visit(node)


def _changed(node: ast.AST, all_nodes: list[ast.AST], dice: Dice) -> Any:
    """Returns something in place of a node; it may not be a program any more."""
    if isinstance(node, ast.Constant):
        return ast.Constant(dice.pick(_CONSTANTS))
    if isinstance(node, ast.Name):
        names = [each.id for each in all_nodes if isinstance(each, ast.Name)] + _NAMES
        return ast.Name(dice.pick(names), node.ctx)
    if isinstance(node, ast.operator):
        return dice.pick(_OPERATORS)()
    if isinstance(node, ast.cmpop):
        return dice.pick(_COMPARISONS)()
    if isinstance(node, ast.Attribute) and dice.chance(0.5):
        attributes = [each.attr for each in all_nodes if isinstance(each, ast.Attribute)]
        attributes += ["append", "value", "random"]
        return ast.Attribute(node.value, dice.pick(attributes), node.ctx)
    if isinstance(node, ast.Call) and dice.chance(0.5):
        if node.args and dice.chance(0.5):
            return ast.Call(node.func, node.args[1:], node.keywords)
        return ast.Call(node.func, node.args + [ast.Constant(dice.pick(_CONSTANTS))], node.keywords)
    if isinstance(node, ast.expr):
        others = [each for each in all_nodes if isinstance(each, ast.expr) and not isinstance(each, ast.Starred)]
        return dice.pick(others)
    if isinstance(node, ast.stmt) and not isinstance(node, (ast.ClassDef, ast.Import, ast.ImportFrom)):
        way = dice.below(4)
        if way == 0:
            return ast.Pass()
        if way == 1:
            return ast.parse(dice.pick(_STATEMENTS)).body
        if way == 2:
            return [node, *ast.parse(dice.pick(_STATEMENTS)).body]
        others = [each for each in all_nodes if isinstance(each, ast.stmt) and not isinstance(each, ast.ClassDef)]
        return [node, dice.pick(others)]
    return node


def mutant(seed: int) -> Program:
    """Returns the program of a seed with one or two changes."""
    dice, made = Dice(seed + 1_000_000_007), program(seed)
    source = made.source
    for _ in range(dice.between(1, 2)):
        tree = ast.parse(source)
        nodes = list(ast.walk(tree))
        wanted = dice.between(1, len(nodes) - 1)
        try:
            changed = _Picked(wanted, lambda node: _changed(node, nodes, dice)).visit(tree)
            text = ast.unparse(ast.fix_missing_locations(changed)) + "\n"
            ast.parse(text)
        except Exception:
            # Not every change leaves a program.
            continue
        source = text
    if dice.chance(0.03):
        # Nor does every file parse.
        place = dice.below(len(source))
        source = source[:place] + dice.pick(["", "(", ":", "\n", '"', " ", "\t", "é", "\\"]) + source[place + 1:]
    return made._replace(source=source)
