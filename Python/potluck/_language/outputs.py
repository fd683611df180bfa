"""Notes of a trial, and the output of a gathering."""

from __future__ import annotations

import ast

from .errors import Refused
from .nodes import Node, Text
from .scope import Scope, describe
from .types import BOOL, FLOAT, INT, MIXED, UNKNOWN
from .values import Word


def note(scope: Scope, node: ast.Call) -> None:
    """`self.note(f"…")`."""
    if len(node.args) != 1 or node.keywords:
        raise Refused(node, 'note takes one text: self.note(f"rolled {roll}")')
    does = set(scope.body.does)
    parts = texts(scope, node.args[0], "a note", True)
    if parts is None:
        return
    if scope.body.does - does:
        raise Refused(node, "a note must not draw or add to the tally; assign it to a variable before")
    if scope.unit.mode == "trial":
        scope.body.does.add("text")
    scope.out.append(Text(node.lineno, "note" if scope.unit.mode == "trial" else "nothing", parts))


#: How many numbers a shape of a picture takes.
SHAPES = {"line": 4, "box": 4, "block": 4, "circle": 3, "disc": 3, "text": 2}
#: The inks, by their numbers in the log.
INKS = ("plain", "faint", "good", "bad", "marked")


def sketch(scope: Scope, node: ast.Call) -> None:
    """`self.sketch(width, height)`, which begins a picture, and `self.sketch("disc", x, y, radius, "good")`."""
    first, *rest = node.args or [node]
    shape = str(first.value) if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    count = SHAPES.get(shape, 0)
    said = rest[count : count + 1] if shape == "text" else []
    ink = rest[count + len(said) :]
    name = ink[0].value if len(ink) == 1 and isinstance(ink[0], ast.Constant) else "" if ink else "plain"
    if not shape:
        rest, count, name = node.args, 2, "plain"
        ink = rest[2:]
    is_known = shape in SHAPES or not (shape or ink)
    if node.keywords or not is_known or len(rest) < count or (shape == "text") > len(said) or name not in INKS:
        raise Refused(
            node,
            'a sketch is self.sketch(width, height), or a shape with its numbers and its ink: "line", "box" or "block" with'
            ' x, y, x, y; "circle" or "disc" with x, y, radius; "text" with x, y, text;'
            f" the inks are {', '.join(INKS)}",
        )
    does = set(scope.body.does)
    parts: list[bytes | Node] = [(shape or "picture").encode(), str(name).encode()]
    numbers = [scope.real(each) for each in rest[:count]]
    parts += numbers
    for each in said:
        words = texts(scope, each, "a picture", True)
        if words is None:
            return
        parts += words
    if scope.body.does - does:
        raise Refused(node, "a sketch must not draw random numbers or add to the tally; assign it to a variable before")
    if any(number.type is UNKNOWN for number in numbers):
        return
    if scope.unit.mode == "trial":
        scope.body.does.add("text")
    scope.out.append(Text(node.lineno, "sketch" if scope.unit.mode == "trial" else "nothing", parts))


def write(scope: Scope, name: str, node: ast.Call) -> None:
    """`output.write(x)`, `output.line(x)` and `output.put(x)`."""
    writes = scope.program.declaration.writes
    if name not in ("write", "line", "put"):
        raise Refused(node, f"the output has no '{name}'; it has write, line and put")
    if len(node.args) != 1 and not (name == "line" and not node.args) or node.keywords:
        raise Refused(node, f"output.{name} takes one value")
    if name == "put":
        if writes != "rows":
            raise Refused(
                node, 'output.put is for rows of numbers: write writes = "rows" in the class, or use output.line(x)'
            )
        value = scope.real(node.args[0])
        scope.body.does.add("text")
        if value.type is not UNKNOWN:
            scope.out.append(Text(node.lineno, "put", [value]))
        return
    if writes != "text":
        instead = "output.put(x)" if writes == "rows" else 'writes = "text" in the class'
        raise Refused(node, f"output.{name} is for text, and this gathering writes {writes}; write {instead}")
    parts = texts(scope, node.args[0], "an output", False) if node.args else []
    scope.body.does.add("text")
    if parts is not None:
        scope.out.append(Text(node.lineno, name, parts))


def texts(scope: Scope, node: ast.expr, what: str, is_note: bool) -> list[bytes | Node] | None:
    """The parts of a text; None if the type of one is not known in this pass."""
    if isinstance(node, ast.JoinedStr):
        parts: list[bytes | Node] = []
        known = True
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                if each.format_spec is not None:
                    raise Refused(node, f"{what} shows values as they are; write {{x}} without a format behind ':'")
                if each.conversion not in (-1, 114, 115):
                    raise Refused(node, f"{what} shows values as they are; write {{x}} without '!'")
                inner = texts(scope, each.value, what, is_note)
                known = known and inner is not None
                parts += inner or []
            elif isinstance(each, ast.Constant):
                parts.append(str(each.value).encode())
        return parts if known else None
    value = scope.value(node)
    if isinstance(value, Word):
        return [value.text.encode()]
    if isinstance(value, Node):
        if value.type is UNKNOWN:
            return None
        if value.type in (INT, FLOAT) or (value.type is BOOL and is_note):
            return [value]
        if value.type is MIXED:
            raise scope.mixture(node, what)
    loop = 'for x in …: self.note(f"{x}")' if is_note else "for x in …: output.line(x)"
    raise Refused(node, f"{what} shows numbers and constant texts, and this is {describe(value)}; write {loop}")
