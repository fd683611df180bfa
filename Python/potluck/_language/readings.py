"""The readings of a class: what is computed from the tally, and the exact answers."""

from __future__ import annotations

import ast

from .declaration import Reading
from .declare import READINGS, Declaring, sentence
from .errors import Refused, counted, kept

MOST_READINGS = 256
KINDS = {"proportion": "count", "mean": "moments", "variance": "moments", "histogram": "histogram"}
NAMES = {
    "count": "Count",
    "moments": "Moments",
    "histogram": "Histogram",
    "sum": "ExactSum",
    "minimum": "Minimum",
    "maximum": "Maximum",
}

Function = "ast.Lambda | ast.FunctionDef"


class Readings:
    """Reads the list `readings`. The functions in it are kept for the compiler, by the reading."""

    def __init__(self, declaring: Declaring) -> None:
        self.declaring = declaring
        self.source = declaring.source
        self.made: dict[int, Reading] = {}
        self.exact: dict[int, ast.Lambda | ast.FunctionDef] = {}
        self.function: dict[int, ast.Lambda | ast.FunctionDef] = {}

    def read(self) -> list[Reading]:
        given = self.declaring.readings
        if given is None:
            return self.usual()
        if not isinstance(given, (ast.List, ast.Tuple)):
            raise Refused(given, 'readings is a list: readings = [mean("rolls", rolls)]')
        if len(given.elts) > MOST_READINGS:
            raise Refused(given, f"{len(given.elts)} readings, more than the limit of {MOST_READINGS}")
        found: list[Reading] = []
        for each in given.elts:
            with kept(self.source.errors):
                made = self.reading(each)
                if any(made.name == before.name for before in found):
                    raise Refused(each, f'two readings are called "{made.name}"')
                found.append(made)
        return found

    def usual(self) -> list[Reading]:
        """A reading for each field that has one, named as the field."""
        kinds = {"count": "proportion", "moments": "mean", "histogram": "histogram"}
        return [
            Reading(field.attribute, kinds[field.kind], place)
            for place, field in enumerate(self.declaring.fields)
            if field.kind in kinds
        ]

    def reading(self, node: ast.expr) -> Reading:
        if isinstance(node, ast.Name) and node.id in self.declaring.single:
            node = self.declaring.single[node.id]
        if id(node) in self.made:
            return self.made[id(node)]
        meaning = self.source.meaning(node.func) if isinstance(node, ast.Call) else None
        kind = READINGS.get(meaning or "")
        name = self.source.missing(node)
        if name is not None:
            raise Refused(node, f"{name} is not imported; write 'from potluck import {name}' at the top")
        if not isinstance(node, ast.Call) or kind is None:
            raise Refused(node, "a reading is one of proportion, mean, variance, histogram and derived")
        made = self.derived(node) if kind == "derived" else self.plain(node, kind)
        self.made[id(node)] = made
        return made

    def name(self, node: ast.Call) -> str:
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Constant) or not isinstance(first.value, str) or not first.value:
            raise Refused(node, 'a reading begins with its name, a text: mean("rolls", rolls)')
        return sentence(first.value, first)

    def keyword(self, node: ast.Call) -> ast.Lambda | ast.FunctionDef | None:
        found = None
        for keyword in node.keywords:
            if keyword.arg != "exact":
                raise Refused(node, f"a reading has no '{keyword.arg}'; it may have exact=lambda self: …")
            found = self.callable(keyword.value)
        return found

    def callable(self, node: ast.expr) -> ast.Lambda | ast.FunctionDef:
        if isinstance(node, ast.Lambda):
            return node
        if isinstance(node, ast.Name):
            found = self.source.methods.get(node.id) or self.source.functions.get(node.id)
            if found is not None:
                return found
        if isinstance(node, (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Attribute)):
            raise Refused(node, f"this is a function of the simulation: write lambda self: {ast.unparse(node)}")
        raise Refused(node, "this is a function of the simulation: lambda self: …")

    def plain(self, node: ast.Call, kind: str) -> Reading:
        name = self.name(node)
        if len(node.args) != 2:
            raise Refused(
                node, f'{kind} takes a name and a field: {kind}("{name}", field); an exact answer is exact=lambda self: …'
            )
        place = self.field(node.args[1])
        field = self.declaring.fields[place]
        if field.kind != KINDS[kind]:
            raise Refused(
                node.args[1],
                f"{kind} needs a field of {NAMES[KINDS[kind]]}, and '{field.attribute}' is {NAMES[field.kind]}",
            )
        exact = self.keyword(node)
        if exact is not None and kind == "histogram":
            raise Refused(node, "a histogram has no exact answer")
        made = Reading(name, kind, place, has_exact=exact is not None)
        if exact is not None:
            self.exact[id(made)] = exact
        return made

    def field(self, node: ast.expr) -> int:
        attributes = [field.attribute for field in self.declaring.fields]
        if isinstance(node, ast.Name) and node.id in attributes:
            return attributes.index(node.id)
        have = ", ".join(attributes) or "none"
        raise Refused(node, f"this is no field of the tally; the fields are {have}")

    def derived(self, node: ast.Call) -> Reading:
        name = self.name(node)
        if len(node.args) == 2:
            function, source, wanted = self.callable(node.args[1]), None, 3
        elif len(node.args) == 3:
            function, source, wanted = self.callable(node.args[2]), self.reading(node.args[1]), 2
            if source.kind == "histogram":
                raise Refused(node.args[1], "a histogram has no single value to compute with")
        else:
            raise Refused(
                node,
                "derived takes a name and lambda self, tally, trials: …, or a name, a reading and lambda self, x: …",
            )
        if len(function.args.args) != wanted:
            shape = "lambda self, x: …" if wanted == 2 else "lambda self, tally, trials: …"
            raise Refused(function, f"this function has {counted(len(function.args.args), 'argument')}; write {shape}")
        exact = self.keyword(node)
        made = Reading(name, "derived", None, source, True, exact is not None)
        self.function[id(made)] = function
        if exact is not None:
            self.exact[id(made)] = exact
        return made
