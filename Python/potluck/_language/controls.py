"""The true means of a reading with controls: one function of a control's number in the place of several functions."""

from __future__ import annotations

import ast
import copy

from .errors import Refused
from .source import Source


class Renamed(ast.NodeTransformer):
    """Calls the simulation `self`, whatever a function calls it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("self", node.ctx) if node.id == self.name else node


def numbered(functions: list[ast.Lambda | ast.FunctionDef], source: Source, call: ast.Call) -> ast.Lambda:
    """A function of the simulation and a number, from 1, that gives what the function of this number does."""
    made = ast.parse("lambda self, number: 0.0", mode="eval").body
    assert isinstance(made, ast.Lambda)
    for number, function in reversed(list(enumerate(functions, 1))):
        if len(function.args.args) != 1:
            raise Refused(function, "a true mean is a function of the simulation: write lambda self: …")
        if isinstance(function, ast.Lambda):
            value = Renamed(function.args.args[0].arg).visit(copy.deepcopy(function.body))
        else:
            name = function.name
            text = f"self.{name}()" if name in source.methods else f"{name}(self)"
            value = ast.parse(text, mode="eval").body
        made.body = ast.IfExp(ast.parse(f"number < {number}.5", mode="eval").body, value, made.body)
    for part in ast.walk(made):
        if isinstance(part, (ast.expr, ast.arg)):
            part.lineno, part.col_offset = call.lineno, call.col_offset
    return made
