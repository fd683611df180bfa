"""The readings of a class: what is computed from the tally, and the exact answers."""

from __future__ import annotations

import ast

from .controls import numbered
from .declaration import Field, Reading
from .declare import READINGS, Declaring, sentence
from .errors import Refused, counted, kept
from .listing import Listing, with_defaults, written

MOST_READINGS = 256
KINDS = {
    "proportion": "count", "mean": "moments", "variance": "moments", "histogram": "histogram",
    "covariance": "pairs", "correlation": "pairs", "slope": "pairs", "intercept": "pairs", "ratio": "comoments",
    "effective": "moments", "controlled": "comoments", "quantile": "quantiles", "median": "quantiles",
    "shortfall": "quantiles", "series": "series",
}  # fmt: skip
NAMES = {
    "count": "Count",
    "moments": "Moments",
    "histogram": "Histogram",
    "histogram2d": "Histogram2D",
    "sum": "ExactSum",
    "minimum": "Minimum",
    "maximum": "Maximum",
    "comoments": "Comoments",
    "pairs": "Pairs",
    "quantiles": "Quantiles",
    "counts": "Counts",
    "series": "Series",
}

# The readings that are no numbers.
PICTURES = ("histogram", "histogram2d", "series")
LOOP = 'readings = [] and then for part in (0.5, 0.9): readings.append(quantile(f"{part}", field, part))'


class Readings:
    """Reads the list `readings`. The functions in it are kept for the compiler, by the reading."""

    def __init__(self, declaring: Declaring) -> None:
        self.declaring = declaring
        self.source = declaring.source
        # The entries of the list; they stay, because readings are known by their place.
        self.entries: list[ast.expr] = []
        self.made: dict[int, Reading] = {}
        self.exact: dict[int, ast.Lambda | ast.FunctionDef] = {}
        self.function: dict[int, ast.Lambda | ast.FunctionDef] = {}

    def read(self) -> list[Reading]:
        given = self.declaring.readings
        if given is None:
            return self.usual()
        if isinstance(given, (ast.ListComp, ast.GeneratorExp)):
            raise Refused(given, f"a comprehension does not see the fields of the class; write a loop: {LOOP}")
        if not isinstance(given, (ast.List, ast.Tuple)):
            raise Refused(given, 'readings is a list: readings = [mean("rolls", rolls)]')
        self.entries = list(given.elts)
        with kept(self.source.errors):
            self.entries += Listing(self.declaring).entries(self.source.listing)
        if len(self.entries) > MOST_READINGS:
            raise Refused(given, f"{len(self.entries)} readings, more than the limit of {MOST_READINGS}")
        found: list[Reading] = []
        for each in self.entries:
            with kept(self.source.errors):
                for made in self.several(each):
                    if any(made.name == before.name for before in found):
                        raise Refused(each, f'two readings are called "{made.name}"')
                    found.append(made)
        if len(found) > MOST_READINGS:
            raise Refused(given, f"{len(found)} readings, more than the limit of {MOST_READINGS}")
        return found

    def usual(self) -> list[Reading]:
        """A reading for each field that has one, named as the field."""
        kinds = {
            "count": "proportion", "moments": "mean", "histogram": "histogram", "pairs": "correlation",
            "quantiles": "median", "series": "series", "histogram2d": "histogram2d",
        }  # fmt: skip
        found: list[Reading] = []
        for place, field in enumerate(self.declaring.fields):
            if field.kind in kinds:
                found.append(ruled(field.attribute, kinds[field.kind], place))
            elif field.kind == "counts":
                found += categories(field, place)
        return found

    def several(self, node: ast.expr) -> list[Reading]:
        """The readings of an entry of the list."""
        is_starred = isinstance(node, ast.Starred)
        if isinstance(node, ast.Starred):
            node = node.value
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            raise Refused(node, f"a comprehension does not see the fields of the class; write a loop: {LOOP}")
        call = self.declaring.single.get(node.id, node) if isinstance(node, ast.Name) else node
        if not isinstance(call, ast.Call) or READINGS.get(self.source.meaning(call.func) or "") != "proportions":
            if is_starred:
                raise Refused(node, "this is no list of readings; only proportions(…) is one")
            return [self.reading(node)]
        shape = "proportions(hands); an exact answer is exact=lambda self: [0.4, 0.6]"
        if len(call.args) != 1:
            raise Refused(call, f"proportions takes a field of Counts: {shape}")
        place = self.field(call.args[0])
        field = self.declaring.fields[place]
        if field.kind != "counts":
            raise Refused(
                call.args[0], f"proportions needs a field of Counts, and '{field.attribute}' is {NAMES[field.kind]}")
        found, exact = categories(field, place), self.keyword(call)
        if exact is None:
            return found
        if not isinstance(exact, ast.Lambda) or not isinstance(exact.body, (ast.List, ast.Tuple)) or any(
                isinstance(part, ast.Starred) for part in exact.body.elts):
            raise Refused(exact, f"the exact answers are a list of numbers, one for each category: {shape}")
        if len(exact.body.elts) != field.bins:
            raise Refused(exact, f"there are {counted(len(exact.body.elts), 'exact answer')} for {field.bins} categories")
        parts = exact.body.elts
        for place, (made, part) in enumerate(zip(found, parts)):
            made.has_exact = True
            if not all(isinstance(each, ast.Constant) for each in parts):
                # If one of them fails there are none, as in Python.
                all_parts, number = ast.copy_location(ast.Tuple(parts, ast.Load()), part), ast.Constant(place)
                part = ast.copy_location(ast.Subscript(all_parts, ast.copy_location(number, part), ast.Load()), part)
            self.exact[id(made)] = ast.copy_location(ast.Lambda(exact.args, part), part)
        return found

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
            have = [each.split(".")[1] for each in READINGS]
            raise Refused(node, f"a reading is one of {', '.join(have[:-1])} and {have[-1]}")
        if kind == "proportions":
            raise Refused(node, "proportions are several readings, so nothing is derived from them")
        special = {"derived": self.derived, "controlled": self.controlled}.get(kind)
        made = self.plain(node, kind) if special is None else special(node)
        self.made[id(node)] = made
        return made

    def name(self, node: ast.Call) -> str:
        first = node.args[0] if node.args else None
        text = written(first, self.declaring) if first is not None else None
        if first is None or not text:
            raise Refused(node, 'a reading begins with its name, a text: mean("rolls", rolls)')
        return sentence(text, first)

    def keyword(self, node: ast.Call) -> ast.Lambda | ast.FunctionDef | None:
        found = None
        for keyword in node.keywords:
            if keyword.arg != "exact":
                raise Refused(node, f"a reading has no '{keyword.arg}'; it may have exact=lambda self: …")
            found = self.callable(keyword.value)
        return found

    def callable(self, node: ast.expr) -> ast.Lambda | ast.FunctionDef:
        if isinstance(node, ast.Lambda):
            return with_defaults(node, self.declaring)
        if isinstance(node, ast.Name):
            found = self.source.methods.get(node.id) or self.source.functions.get(node.id)
            if found is not None:
                return found
        if isinstance(node, (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Attribute)):
            raise Refused(node, f"this is a function of the simulation: write lambda self: {ast.unparse(node)}")
        raise Refused(node, "this is a function of the simulation: lambda self: …")

    def plain(self, node: ast.Call, kind: str) -> Reading:
        name = self.name(node)
        word = "expected_shortfall" if kind == "shortfall" else kind
        more = {"quantile": 1, "shortfall": 1, "ratio": 2}.get(kind, 0)
        if not (2 if kind == "ratio" else 2 + more) <= len(node.args) <= 2 + more:
            shape = f'{word}("{name}", field{", 0.99" if more == 1 else ""})'
            what = "a name, a field and a part of the numbers" if more == 1 else "a name and a field"
            raise Refused(node, f"{word} takes {what}: {shape}; an exact answer is exact=lambda self: …")
        place = self.field(node.args[1])
        field = self.declaring.fields[place]
        if kind == "histogram" and field.kind == "histogram2d":
            kind = "histogram2d"
        elif field.kind != KINDS[kind]:
            raise Refused(
                node.args[1],
                f"{word} needs a field of {NAMES[KINDS[kind]]}, and '{field.attribute}' is {NAMES[field.kind]}",
            )
        exact = self.keyword(node)
        if exact is not None and kind in PICTURES:
            raise Refused(node, f"a {word} has no exact answer")
        made = ruled(name, kind, place, exact is not None)
        if more == 1:
            part = self.declaring.known(node.args[2], node, "the part of a quantile")
            if isinstance(part, bool) or not isinstance(part, (int, float)) or not 0 < part < 1:
                raise Refused(node.args[2], "a quantile is of a part above 0 and below 1")
            made.part = float(part)
        elif kind == "ratio":
            made.part = field.bins
            self.function[id(made)] = self.division(node, field.bins)
        if exact is not None:
            self.exact[id(made)] = exact
        return made

    def division(self, node: ast.Call, size: int) -> ast.Lambda:
        """The function of a ratio: one mean divided by another."""
        places = [0, 1]
        for index, each in enumerate(node.args[2:]):
            place = self.declaring.known(each, node, "the number of a number, from 0")
            if isinstance(place, bool) or not isinstance(place, int):
                raise Refused(each, "the number of a number is a whole one, from 0")
            places[index] = place
        for place in places:
            if not 0 <= place < size:
                raise Refused(node, f"the field has {size} numbers, from 0, and none of number {place}")
        names = ", ".join(f"x{place}" for place in range(size))
        made: ast.expr = ast.parse(f"lambda self, {names}: x{places[0]} / x{places[1]}", mode="eval").body
        assert isinstance(made, ast.Lambda)
        for part in ast.walk(made):
            if isinstance(part, (ast.expr, ast.arg)):
                part.lineno, part.col_offset = node.lineno, node.col_offset
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
        elif len(node.args) == 3 and self.is_field(node.args[1]):
            return self.means(node, name)
        elif len(node.args) == 3:
            function, source, wanted = self.callable(node.args[2]), self.reading(node.args[1]), 2
            if source.kind in PICTURES:
                raise Refused(node.args[1], f"a {source.kind.removesuffix('2d')} has no single value to compute with")
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

    def controlled(self, node: ast.Call) -> Reading:
        """A mean with controls: its function gives the true mean of a control by its number, from 1."""
        name = self.name(node)
        shape = 'controlled("price", price, mean=lambda self: self.spot)'
        means = node.args[2] if len(node.args) == 3 else None
        for keyword in node.keywords:
            if keyword.arg == "mean" and means is None:
                means = keyword.value
        if means is None or not 2 <= len(node.args) <= 3:
            raise Refused(node, f"controlled takes a name, a field and the true mean of its control: {shape}")
        place = self.field(node.args[1])
        field = self.declaring.fields[place]
        if field.kind != "comoments":
            raise Refused(
                node.args[1], f"controlled needs a field of Comoments, and '{field.attribute}' is {NAMES[field.kind]}"
            )
        given = means.elts if isinstance(means, (ast.List, ast.Tuple)) else [means]
        if len(given) != field.bins - 1:
            raise Refused(means, f"the field has {field.bins - 1} controls, and {len(given)} true means are given")
        rest = ast.Call(node.func, node.args, [each for each in node.keywords if each.arg != "mean"])
        exact = self.keyword(ast.copy_location(rest, node))
        made = Reading(name, "derived", place, None, True, exact is not None, "controlled", field.bins)
        self.function[id(made)] = numbered([self.callable(each) for each in given], self.source, node)
        if exact is not None:
            self.exact[id(made)] = exact
        return made

    def is_field(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and any(each.attribute == node.id for each in self.declaring.fields)

    def means(self, node: ast.Call, name: str) -> Reading:
        """A function of the means of comoments."""
        place, function = self.field(node.args[1]), self.callable(node.args[2])
        field = self.declaring.fields[place]
        if field.kind != "comoments":
            raise Refused(
                node.args[1], f"derived needs a reading or a field of Comoments here, and this is {NAMES[field.kind]}"
            )
        if len(function.args.args) != 1 + field.bins:
            names = ", ".join("xyzabcdefghijklm"[: field.bins])
            raise Refused(
                function, f"this function has {len(function.args.args)} arguments; write lambda self, {names}: …"
            )
        exact = self.keyword(node)
        made = Reading(name, "derived", place, None, True, exact is not None, "means", field.bins)
        self.function[id(made)] = function
        if exact is not None:
            self.exact[id(made)] = exact
        return made


def ruled(name: str, kind: str, place: int, has_exact: bool = False) -> Reading:
    """A reading of a field."""
    if kind in ("proportion", "mean", "variance", *PICTURES):
        return Reading(name, kind, place, has_exact=has_exact)
    rule = {"ratio": "means", "median": "quantile"}.get(kind, kind)
    return Reading(name, "derived", place, None, rule == "means", has_exact, rule, 0.5)


def categories(field: Field, place: int) -> list[Reading]:
    """A reading for each category of a field."""
    return [Reading(name, "category", place, part=float(index)) for index, name in enumerate(field.names)]
