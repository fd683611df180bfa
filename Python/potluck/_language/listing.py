"""The readings that loops in a class add to its list.

In Python a comprehension in a class does not see the names of the class, so the list is made with a loop:

    readings = []
    for part in (0.5, 0.9, 0.99):
        readings.append(quantile(f"{part:.0%}", waits, part))

What such a loop runs over is known when the file is compiled. So it is unrolled, with the values in place of its names.
"""

from __future__ import annotations

import ast
import builtins
import copy
from typing import TYPE_CHECKING, Callable, Iterator

from . import names
from .errors import Refused

if TYPE_CHECKING:
    from .constants import Known
    from .declare import Declaring
    from .source import Source

EXAMPLE = "for part in (0.5, 0.9): readings.append(…)"
# A class has no more readings, and each round adds one.
MOST_ROUNDS = 256


def is_listing(member: ast.stmt) -> bool:
    """Whether a statement of a class is about the list of readings: a loop, or an addition to it."""
    return isinstance(member, ast.For) or added(member) is not None


def added(statement: ast.stmt) -> list[ast.expr] | None:
    """The entries that a statement adds to the list; None for any other statement."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add) and is_list(statement.target):
        return entries(statement.value)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and is_list(call.func.value):
        if len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred):
            if call.func.attr == "append":
                return [call.args[0]]
            if call.func.attr == "extend":
                return entries(call.args[0])
    return None


def is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "readings"


def entries(several: ast.expr) -> list[ast.expr]:
    """The entries of a list, or of proportions."""
    if isinstance(several, (ast.List, ast.Tuple)):
        return several.elts
    return [ast.copy_location(ast.Starred(several, ast.Load()), several)]


def loop_names(target: ast.expr) -> list[ast.Name]:
    """The names that a loop sets."""
    inner = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    found = [each for each in inner if isinstance(each, ast.Name)]
    if len(found) < len(inner):
        raise Refused(target, f"a loop that adds readings has plain names: {EXAMPLE}")
    return found


def check_names(source: Source, loop: ast.For) -> None:
    """Refuses a name of a loop that means something else: after the loop it is an attribute of the class."""
    for each in loop_names(loop.target):
        others = {*source.imports, *source.functions, *source.constants, *source.classes, *source.places}
        if names.is_reserved(each.id) or hasattr(builtins, each.id) or each.id in others:
            raise Refused(each, f"'{each.id}' means something else in this file; give the loop's variable another name")
    for statement in loop.body:
        if isinstance(statement, ast.For):
            check_names(source, statement)


class Bound(ast.NodeTransformer):
    """Puts values in place of names. What has a scope of its own does not see the names of a class: functions without
    a name, but for their defaults, and comprehensions."""

    def __init__(self, values: dict[str, Known]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or node.id not in self.values:
            return node
        return literal(self.values[node.id], node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return node


class Inside(Bound):
    """The same within the body of a function."""

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        self.generic_visit(node)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        self.generic_visit(node)
        return node


def bound(node: ast.expr, values: dict[str, Known]) -> ast.expr:
    """A copy of an expression of a class, with the values of its names."""
    made = Bound(values).visit(copy.deepcopy(node))
    assert isinstance(made, ast.expr)
    return made


def literal(value: Known, place: ast.AST) -> ast.expr:
    """An expression with this value, as Python's parser makes it."""
    made: ast.expr
    if isinstance(value, (tuple, list)):
        items = [literal(each, place) for each in value]
        made = ast.Tuple(items, ast.Load()) if isinstance(value, tuple) else ast.List(items, ast.Load())
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and str(value).startswith("-"):
        made = ast.UnaryOp(ast.USub(), ast.copy_location(ast.Constant(-value), place))
    else:
        made = ast.Constant(value)
    return ast.copy_location(made, place)


def with_defaults(function: ast.Lambda, declaring: Declaring) -> ast.Lambda:
    """The same function without arguments that have a default, whose values stand where they are read."""
    defaults = function.args.defaults
    if not defaults:
        return function
    values: dict[str, Known] = {}
    for argument, default in zip(function.args.args[-len(defaults):], defaults):
        value = declaring.known(default, function, "a default", "lambda self, part=part: …")
        if isinstance(value, list):
            raise Refused(default, "a default is a number or a tuple; a list could change")
        values[argument.arg] = value
    for each in ast.walk(function.body):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in values:
            raise Refused(each, f"'{each.id}' is an argument of this function; give this variable another name")
    made = copy.deepcopy(function)
    made.args.args, made.args.defaults = made.args.args[:-len(defaults)], []
    made.body = Inside(values).visit(made.body)
    return made


def written(node: ast.expr, declaring: Declaring) -> str | None:
    """A text that is known: f"{part:.0%}", too. None for any other expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    text = ""
    for part in node.values:
        if not isinstance(part, ast.FormattedValue):
            text += written(part, declaring) or ""
            continue
        known = declaring.known(part.value, node, "a part of a text", 'f"{part}"')
        conversions: dict[int, Callable[[object], str]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}
        convert = conversions.get(part.conversion)
        value = known if convert is None else convert(known)
        form = "" if part.format_spec is None else written(part.format_spec, declaring)
        try:
            text += format(value, form or "")
        except (ValueError, TypeError) as error:
            raise Refused(node, f"Python cannot write this text: {error}") from None
    return text


class Listing:
    """Unrolls the statements of a class that add to its list of readings."""

    def __init__(self, declaring: Declaring) -> None:
        self.declaring = declaring
        # The names that loops have set; they keep their last values.
        self.values: dict[str, Known] = {}
        self.rounds = 0

    def entries(self, statements: list[ast.stmt]) -> Iterator[ast.expr]:
        """The entries in the order in which Python adds them."""
        for statement in statements:
            if isinstance(statement, ast.For):
                yield from self.loop(statement)
            elif isinstance(statement, ast.Pass):
                continue
            else:
                found = added(statement)
                if found is None:
                    raise Refused(statement, f"a loop in the class only adds to the list of readings: {EXAMPLE}")
                yield from (bound(each, self.values) for each in found)

    def loop(self, loop: ast.For) -> Iterator[ast.expr]:
        if loop.orelse:
            raise Refused(loop.orelse[0], "a loop that adds readings has no 'else'")
        targets = loop_names(loop.target)
        for value in self.over(loop.iter):
            self.rounds += 1
            if self.rounds > MOST_ROUNDS:
                raise Refused(loop, f"loops that add readings run more than {MOST_ROUNDS} times, which is the limit of readings")
            if isinstance(loop.target, ast.Name):
                self.values[loop.target.id] = value
            elif isinstance(value, (tuple, list)) and len(value) == len(targets):
                self.values.update((target.id, part) for target, part in zip(targets, value))
            else:
                raise Refused(loop.target, f"this loop runs over values that are not {len(targets)} each")
            yield from self.entries(loop.body)

    def over(self, node: ast.expr) -> list[Known]:
        """What a loop runs over."""
        pairing = {"enumerate": enumerate, "zip": zip}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in pairing and not node.keywords:
            parts = [self.over(each) for each in node.args]
            if node.func.id == "zip" or len(parts) == 1:
                return list(pairing[node.func.id](*parts))
        values = self.declaring.known(bound(node, self.values), node, "what a loop runs over", EXAMPLE)
        if not isinstance(values, (tuple, list)):
            raise Refused(node, f"a loop that adds readings runs over a range, a list or a tuple: {EXAMPLE}")
        return list(values)
