"""From the class's body to a declaration: parameters, fields of the tally, inputs, and the size of blocks."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any, Iterator

from . import names
from .constants import Constants, Unknown, within
from .declaration import Declaration, Field, Input, Parameter
from .errors import Refused, kept, refuse
from .listing import bound
from .rectangles import rectangle_field
from .source import Source

if TYPE_CHECKING:
    from .constants import Known

FIELDS = {
    "potluck.Count": "count",
    "potluck.ExactSum": "sum",
    "potluck.Minimum": "minimum",
    "potluck.Maximum": "maximum",
    "potluck.Histogram": "histogram",
    "potluck.Histogram2D": "histogram2d",
    "potluck.Moments": "moments",
    "potluck.Comoments": "comoments",
    "potluck.Pairs": "pairs",
    "potluck.Quantiles": "quantiles",
    "potluck.Counts": "counts",
    "potluck.Series": "series",
}
# The limits of docs/AUTHORS.md.
MOST_PARAMETERS, MOST_FIELDS, MOST_BINS, MOST_INPUTS, MOST_COLUMNS = 64, 256, 4096, 16, 256
# Those of Sources/Kit/Tally.
MOST_NUMBERS, PAIRS, MOST_CATEGORIES, MOST_TIMES = 16, 5, 256, 1000
# Names of several have one bit each, and those of a choice are listed in menus.
MOST_SEVERAL, MOST_CHOICES = 64, 256
LONGEST_WORD, LONGEST_TEXT = 64, 500
# What a shell or a list of names would read as something else.
SPECIAL = set(" \t\n,'\"\\$`&|;<>()[]{}*?!#~=")
# What messages show.
EXAMPLE = 'Parameter(6, "sides of a die", 2, 100)'
BINS = "Histogram(61, -0.5, 60.5)"
COMOMENTS = "Comoments(2)"
COUNTS = 'Counts("low", "high")'
SERIES = "Series(60)"
NAMES = 'Parameter("call", "kind of option", ["call", "put"])'
TABLE = 'Table("what it is")'
COLUMNS = 'Table("people", columns=["height", "weight"])'


class Declaring:
    """Reads the attributes of the class in their order."""

    def __init__(self, source: Source, constants: Constants) -> None:
        self.source = source
        self.constants = constants
        self.parameters: list[Parameter] = []
        self.fields: list[Field] = []
        self.inputs: list[Input] = []
        # The calls that make readings, by the attribute that holds one, and the list of them.
        self.single: dict[str, ast.Call] = {}
        self.readings: ast.expr | None = None
        # Numbers that methods may read as `self.name`.
        self.values: dict[str, Known] = {}
        # The attributes that the class has so far.
        self.seen: set[str] = set()

    def read(self) -> None:
        hidden: set[str] = set()
        for attribute, value in self.source.attributes.items():
            with kept(self.source.errors):
                for name in _called(value):
                    if name.id in hidden:
                        raise Refused(
                            name, f"'{name.id}' is an attribute of the class here, no longer the import; rename the attribute"
                        )
                self.attribute(attribute, value)
            self.seen.add(attribute)
            if attribute in self.source.imports:
                hidden.add(attribute)
        refuse(self.source.errors)
        if not self.fields and self.source.shape == "tally":
            raise Refused(
                self.source.simulation,
                "the simulation counts nothing; declare a field of the tally, such as won = Count()",
            )
        for count, most, what, place in (
            (len(self.parameters), MOST_PARAMETERS, "parameters", self.source.simulation),
            (len(self.fields), MOST_FIELDS, "fields of the tally", self.source.simulation),
            (len(self.inputs), MOST_INPUTS, "tables", self.source.simulation),
        ):
            if count > most:
                raise Refused(place, f"{count} {what}, more than the limit of {most}")

    def attribute(self, attribute: str, value: ast.expr) -> None:
        meaning = self.source.meaning(value.func) if isinstance(value, ast.Call) else None
        if isinstance(value, ast.Call) and meaning is not None and meaning.startswith("potluck."):
            if names.is_reserved(attribute) and meaning in (*FIELDS, "potluck.Parameter", "potluck.Table"):
                raise Refused(value, names.reserved(attribute))
            if meaning == "potluck.Parameter":
                self.parameters.append(self.parameter(attribute, value))
            elif meaning in FIELDS:
                self.fields.append(self.field(attribute, FIELDS[meaning], value))
            elif meaning == "potluck.Table":
                self.inputs.append(self.input(attribute, value))
            elif meaning in READINGS:
                self.single[attribute] = value
            elif meaning in MADE:
                raise Refused(value, f"make this in 'prepare': self.{attribute} = {MADE[meaning]}")
            else:
                raise Refused(value, f"{meaning} cannot be an attribute of the class")
        elif self.source.meaning(value) in FIELDS:
            raise Refused(value, f"a field is made with brackets; write {attribute} = {ast.unparse(value)}()")
        elif attribute == "readings":
            self.readings = value
        elif (name := self.source.missing(value)) is not None:
            raise Refused(value, f"{name} is not imported; write 'from potluck import {name}' at the top")
        elif attribute not in ("name", "writes"):
            try:
                self.values[attribute] = self.constants.value(value)
            except Unknown:
                raise Refused(
                    value, f"{attribute} is not known before the simulation runs; assign self.{attribute} in 'prepare'"
                ) from None

    def argument(self, call: ast.Call, place: int, keyword: str) -> ast.expr | None:
        if place < len(call.args):
            return call.args[place]
        return next((each.value for each in call.keywords if each.arg == keyword), None)

    def known(self, node: ast.expr | None, call: ast.expr, what: str, example: str = EXAMPLE) -> Known:
        """The value of an expression of the class, which sees the attributes before it, and then the file's names."""
        if node is None:
            raise Refused(call, f"{what} is missing; write {example}")
        inner = bound(node, self.values)
        try:
            for each in ast.walk(inner):
                if isinstance(each, ast.Name) and each.id in self.seen:
                    raise Unknown(each.id)
            return within(self.constants.value(inner), node)
        except Unknown:
            raise Refused(node, f"{what} must be known before the simulation runs; write {example}") from None

    def text(self, call: ast.Call, place: int, example: str = EXAMPLE) -> str:
        node = self.argument(call, place, "help")
        value = self.known(node, call, "the text that explains it", example)
        if not isinstance(value, str):
            raise Refused(node or call, f"here is the text that explains it; write {example}")
        return sentence(value, node or call)

    def parameter(self, attribute: str, call: ast.Call) -> Parameter:
        check_arguments(call, ("default", "help", "low", "high"), ("count",), "a parameter", EXAMPLE)
        default = self.known(self.argument(call, 0, "default"), call, "the default")
        help = self.text(call, 1)
        low, high = self.argument(call, 2, "low"), self.argument(call, 3, "high")
        made: dict[str, Any] = {"attribute": attribute, "word": names.of_attribute(attribute), "help": help}
        if isinstance(default, bool):
            if low is not None:
                raise Refused(low, "a parameter that is True or False has no range")
            return Parameter(**made, kind="flag", default=default)
        if isinstance(default, (int, float)):
            if low is None or high is None:
                raise Refused(call, f"a parameter needs the least and the greatest value; write {EXAMPLE}")
            return self.number(
                call, made, default, self.known(low, call, "the least value"), self.known(high, call, "the greatest value")
            )
        if isinstance(default, (str, list, tuple)):
            return self.names(call, made, default, self.known(low, call, "the list of its names", NAMES))
        raise Refused(call, "a parameter's default is a number, True or False, or a name")

    def number(self, call: ast.Call, made: dict[str, Any], default: int | float, low: Known, high: Known) -> Parameter:
        if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
            raise Refused(call, f"the least and the greatest value are numbers; write {EXAMPLE}")
        if isinstance(default, float):
            default, low, high = float(default), float(low), float(high)
            if not (math.isfinite(low) and math.isfinite(high)):
                raise Refused(call, "the range of a parameter is finite")
        elif isinstance(low, float) or isinstance(high, float):
            raise Refused(
                call,
                f"the default {default} is a whole number, and its range is not; write {default}.0 for a real number",
            )
        if not low <= default <= high:
            raise Refused(call, f"the default {default} is not from {low} to {high}")
        kind = "real" if isinstance(default, float) else "integer"
        return Parameter(**made, kind=kind, default=default, low=low, high=high)

    def names(self, call: ast.Call, made: dict[str, Any], default: Known, names: Known) -> Parameter:
        known = [each for each in names if isinstance(each, str)] if isinstance(names, (list, tuple)) else []
        if not isinstance(names, (list, tuple)) or not known or len(known) < len(names):
            raise Refused(call, 'the names to choose from are a list of texts, such as ["call", "put"]')
        most = MOST_CHOICES if isinstance(default, str) else MOST_SEVERAL
        if len(known) > most:
            raise Refused(call, f"{len(known)} names, more than the limit of {most}")
        for name in known:
            if not name or len(name.encode()) > LONGEST_WORD or not SPECIAL.isdisjoint(name):
                raise Refused(call, f"'{name}' is no name that users can type; it has no spaces, commas or quotes")
        if len(set(known)) < len(known):
            raise Refused(call, "the names to choose from differ")
        if isinstance(default, str):
            if default not in known:
                raise Refused(call, f"the default '{default}' is none of the names")
            return Parameter(**made, kind="choice", default=default, names=tuple(known))
        chosen = [each for each in default if isinstance(each, str)] if isinstance(default, (list, tuple)) else []
        for name in chosen:
            if name not in known:
                raise Refused(call, f"the default '{name}' is none of the names")
            if name in ("none", "all") or name.startswith("0x"):
                raise Refused(call, f"'{name}' has a meaning of its own where users type several names")
        given = next((each.value for each in call.keywords if each.arg == "count"), None)
        count = (0, len(known)) if given is None else self.known(given, call, "count", "count=(1, 2)")
        if not (
            isinstance(count, tuple) and len(count) == 2 and isinstance(count[0], int) and isinstance(count[1], int)
        ):
            raise Refused(given or call, "count has the least and the greatest number of names: count=(1, 2)")
        least, greatest = count[0], min(count[1], len(known))
        if not 0 <= least <= len(chosen) <= greatest:
            raise Refused(call, f"the default has {len(chosen)} names, which is not from {count[0]} to {count[1]}")
        ordered = tuple(name for name in known if name in chosen)
        return Parameter(**made, kind="several", default=ordered, names=tuple(known), count=(least, greatest))

    def field(self, attribute: str, kind: str, call: ast.Call) -> Field:
        if kind == "comoments":
            check_arguments(call, ("size",), (), "this field", COMOMENTS)
            size = self.known(self.argument(call, 0, "size"), call, "the count of numbers", COMOMENTS)
            if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= MOST_NUMBERS:
                raise Refused(call, f"comoments are of 1 to {MOST_NUMBERS} numbers")
            return Field(attribute, kind, size)
        if kind == "counts":
            return self.counts(attribute, call)
        if kind == "histogram2d":
            return rectangle_field(self, attribute, call)
        if kind == "series":
            check_arguments(call, ("size",), (), "a series", SERIES)
            size = self.known(self.argument(call, 0, "size"), call, "the number of times", SERIES)
            if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= MOST_TIMES:
                raise Refused(call, f"a series has 1 to {MOST_TIMES} times")
            return Field(attribute, kind, size)
        if kind != "histogram":
            if call.args or call.keywords:
                raise Refused(call, f"a field begins empty; write {attribute} = {ast.unparse(call.func)}()")
            return Field(attribute, kind, PAIRS if kind == "pairs" else 0)
        words = ("bins", "low", "high")
        check_arguments(call, words, (), "a histogram", BINS)
        what = {"bins": "the number of bins", "low": "the lower end", "high": "the upper end"}
        values = [
            self.known(self.argument(call, place, word), call, f"{what[word]} of a histogram", BINS)
            for place, word in enumerate(words)
        ]
        bins, low, high = values
        if not isinstance(bins, int) or isinstance(bins, bool) or not 1 <= bins <= MOST_BINS:
            raise Refused(call, f"a histogram has from 1 to {MOST_BINS} bins")
        if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or not low < high:
            raise Refused(call, "a histogram's range ends above its beginning")
        low, high = float(low), float(high)
        if not math.isfinite(high - low) or not math.isfinite(bins / (high - low)):
            raise Refused(call, "a histogram's range is finite, and its bins are not too narrow")
        return Field(attribute, kind, bins, low, high)

    def counts(self, attribute: str, call: ast.Call) -> Field:
        """The categories: their names, or a list of them with `*`."""
        given: list[str] = []
        for each in call.args:
            known = self.known(each.value if isinstance(each, ast.Starred) else each, call, "the name of a category", COUNTS)
            names = known if isinstance(each, ast.Starred) and isinstance(known, (list, tuple)) else [known]
            for name in names:
                if not isinstance(name, str) or not name:
                    raise Refused(each, f"the name of a category is a text; write {COUNTS}")
                if name in given:
                    raise Refused(each, f'two categories are called "{name}"')
                given.append(sentence(name, each))
        if call.keywords or not 1 <= len(given) <= MOST_CATEGORIES:
            raise Refused(call, f"counts are of 1 to {MOST_CATEGORIES} categories, given by their names; write {COUNTS}")
        return Field(attribute, "counts", len(given), names=tuple(given))

    def input(self, attribute: str, call: ast.Call) -> Input:
        check_arguments(call, ("help", "columns"), (), "a table", TABLE)
        given = [*call.args[1:2], *[each.value for each in call.keywords if each.arg == "columns"]]
        columns: list[str] = []
        for each in given[0].elts if given and isinstance(given[0], (ast.List, ast.Tuple)) else given:
            if not isinstance(each, ast.Constant) or not isinstance(each.value, str) or not each.value:
                raise Refused(each, f"the columns of a table are a list of names; write {COLUMNS}")
            if each.value in columns:
                raise Refused(each, f"two columns are called '{each.value}'")
            columns.append(sentence(each.value, each))
        if len(columns) > MOST_COLUMNS:
            raise Refused(call, f"{len(columns)} columns, more than the limit of {MOST_COLUMNS}")
        return Input(attribute, names.of_attribute(attribute), self.text(call, 0, TABLE), tuple(columns))

    def declaration(self, digest: bytes) -> Declaration:
        """The declaration without readings, which `readings` adds."""
        simulation = self.source.simulation
        lines = (ast.get_docstring(simulation) or "").strip().splitlines()
        writes = "text" if self.source.shape == "collect" else "nothing"
        name = names.of_class(simulation.name)
        if "name" in self.source.attributes:
            node = self.source.attributes["name"]
            given = self.constants.value(node) if isinstance(node, ast.Constant) else None
            if (
                not isinstance(given, str)
                or not given
                or not SPECIAL.isdisjoint(given)
                or len(given.encode()) > LONGEST_WORD
            ):
                raise Refused(node, 'the name is a word without spaces, such as name = "craps"')
            name = given
        if "writes" in self.source.attributes:
            node = self.source.attributes["writes"]
            given = self.constants.value(node) if isinstance(node, ast.Constant) else None
            if self.source.shape == "tally":
                raise Refused(node, "a simulation writes nothing; write a potluck.Gathering for output")
            if not isinstance(given, str) or given not in ("text", "rows", "nothing"):
                raise Refused(node, 'writes is "text", "rows" or "nothing"')
            writes = given
        summary = sentence(lines[0].strip(), simulation) if lines else ""
        return Declaration(
            name, summary, digest, self.source.shape, writes, self.parameters, self.fields, [], self.inputs
        )


# What only `prepare` makes.
MADE = {"potluck.WeightedChoice": "WeightedChoice(weights)", "potluck.Empirical": "Empirical(numbers)"}
READINGS = {
    "potluck.proportion": "proportion",
    "potluck.mean": "mean",
    "potluck.variance": "variance",
    "potluck.histogram": "histogram",
    "potluck.derived": "derived",
    "potluck.covariance": "covariance",
    "potluck.correlation": "correlation",
    "potluck.slope": "slope",
    "potluck.intercept": "intercept",
    "potluck.ratio": "ratio",
    "potluck.controlled": "controlled",
    "potluck.effective": "effective",
    "potluck.quantile": "quantile",
    "potluck.median": "median",
    "potluck.expected_shortfall": "shortfall",
    "potluck.proportions": "proportions",
    "potluck.series": "series",
}


def check_arguments(
    call: ast.Call, words: tuple[str, ...], others: tuple[str, ...], what: str, example: str
) -> None:
    """Refuses arguments that Python would refuse. `others` are those that only have a name."""
    if len(call.args) > len(words):
        raise Refused(call.args[len(words)], f"{what} has no such argument; write {example}")
    for keyword in call.keywords:
        if keyword.arg not in (*words, *others):
            raise Refused(keyword.value, f"{what} has no '{keyword.arg}'; write {example}")
        if keyword.arg in words[: len(call.args)]:
            raise Refused(keyword.value, f"'{keyword.arg}' is given twice; write {example}")


def sentence(text: str, node: ast.AST) -> str:
    """A text of one line, for people."""
    if len(text.encode()) > LONGEST_TEXT or any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
        raise Refused(node, f"a text has one line of at most {LONGEST_TEXT} bytes")
    return text


def _called(node: ast.AST) -> Iterator[ast.Name]:
    """The names that are called while the class is made: not within a lambda."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield node.func
    if not isinstance(node, ast.Lambda):
        for each in ast.iter_child_nodes(node):
            yield from _called(each)
