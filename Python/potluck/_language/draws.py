"""Random numbers. Each draw takes the words that docs/RANDOM.md says."""

from __future__ import annotations

import ast

from . import missing
from .errors import Refused, counted
from .nodes import Begun, Const, Draw, Leaf, Node, Op, Run, Set
from .scope import Scope, describe, unparse
from .types import BOOL, FLOAT, INT, LATTICE, UNKNOWN, WEIGHTED, ListType, Type
from .values import Special, Tup, Value, after, flat, got, held, hole

EXAMPLES = {
    "below": "random.below(n)",
    "integer": "random.integer(1, 6)",
    "pair": "random.pair(m, n)",
    "coin": "random.coin()",
    "unit": "random.unit()",
    "real": "random.real(a, b)",
    "chance": "random.chance(p)",
    "exponential": "random.exponential(mean)",
    "normal": "random.normal(mean, deviation)",
    "log_normal": "random.log_normal(mean, deviation)",
    "weibull": "random.weibull(shape, scale)",
    "triangular": "random.triangular(low, mode, high)",
    "gamma": "random.gamma(shape, scale)",
    "beta": "random.beta(a, b)",
    "chi_squared": "random.chi_squared(freedom)",
    "student_t": "random.student_t(freedom)",
    "geometric": "random.geometric(p)",
    "poisson": "random.poisson(mean)",
    "binomial": "random.binomial(n, p)",
    "negative_binomial": "random.negative_binomial(successes, p)",
    "in_disc": "random.in_disc()",
    "on_sphere": "random.on_sphere()",
    "dirichlet": "random.dirichlet(shapes)",
    "multinomial": "random.multinomial(n, weights)",
    "normals": "random.normals(factor)",
    "lattice": "random.lattice(points, dimensions)",
    "shuffle": "random.shuffle(list)",
    "choice": "random.choice(list)",
    "choices": "random.choices(count, list)",
    "sample": "random.sample(count, list)",
    "next": "random.next()",
    "stream": 'random.stream("arrivals")',
    "mirrored": "random.mirrored()",
}
NAMES = {
    "below": ("n",), "integer": ("low", "high"), "pair": ("m", "n"), "coin": (), "unit": (), "real": ("low", "high"),
    "log_normal": ("mean", "deviation"), "weibull": ("shape", "scale"), "triangular": ("low", "mode", "high"),
    "gamma": ("shape", "scale"), "beta": ("a", "b"), "chi_squared": ("freedom",), "student_t": ("freedom",),
    "geometric": ("p",), "poisson": ("mean",), "binomial": ("n", "p"), "negative_binomial": ("successes", "p"),
    "in_disc": (), "on_sphere": (), "lattice": ("points", "dimensions"), "dirichlet": ("shapes",), "multinomial": ("n", "weights"), "normals": ("factor",),
    "chance": ("p",), "exponential": ("mean",), "normal": ("mean", "deviation"), "shuffle": ("elements",),
    "choice": ("elements",), "choices": ("count", "elements"), "sample": ("count", "elements"), "next": (),
    "stream": ("name",), "mirrored": (),
}  # fmt: skip
DEFAULTS: dict[str, tuple[float | None, ...]] = {
    "exponential": (1.0,), "normal": (0.0, 1.0), "log_normal": (0.0, 1.0), "weibull": (None, 1.0), "gamma": (None, 1.0),
}  # fmt: skip
# Those that `distributions` has.
COMPOSED = (
    "log_normal", "weibull", "triangular", "gamma", "beta", "chi_squared", "student_t", "geometric", "poisson", "binomial",
    "negative_binomial", "in_disc", "on_sphere",
)  # fmt: skip
OF_LISTS = ("shuffle", "choice", "choices", "sample", "dirichlet", "multinomial", "normals")


def given(node: ast.Call, name: str) -> list[ast.expr | None]:
    """The arguments of a draw, in order; None for one that has its default."""
    names = NAMES[name]
    found: list[ast.expr | None] = [*node.args] + [None] * (len(names) - len(node.args))
    for keyword in node.keywords:
        if keyword.arg not in names or found[names.index(keyword.arg)] is not None:
            raise Refused(
                node, f"random.{name} has no argument '{keyword.arg}', or it is given twice; write {EXAMPLES[name]}"
            )
        found[names.index(keyword.arg)] = keyword.value
    needed = [each for each, default in zip(found, DEFAULTS.get(name, (None,) * len(names))) if default is None]
    if len(found) > len(names) or None in needed:
        count = len(node.args) + len(node.keywords)
        most = "at most " if name in DEFAULTS else ""
        raise Refused(
            node,
            f"random.{name} takes {most}{counted(len(names), 'argument')}, and {count or 'none'}"
            f" {'is' if count < 2 else 'are'} given; write {EXAMPLES[name]}",
        )
    return found


def draw(scope: Scope, what: tuple[Begun | None, str], node: ast.Call) -> Value:
    """`random.name(…)`."""
    stream, name = what
    if name not in EXAMPLES:
        raise Refused(node, missing.draw(name) or f"there is no draw '{name}'; there are {', '.join(EXAMPLES)}")
    if scope.unit.mode != "trial":
        raise Refused(node, "only a trial draws")
    args = given(node, name)
    if name in ("stream", "mirrored"):
        raise Refused(node, f"give the stream a name first, on a line of its own: arrivals = {unparse(node)}")
    line = node.lineno
    scope.body.does.add("draw")
    if name in OF_LISTS:
        return of_list(scope, what, node, args)
    if name in ("below", "integer", "pair", "lattice"):
        numbers = [scope.whole(each, f"an argument of random.{name}") for each in args if each is not None]
        if any(each.type is UNKNOWN for each in numbers):
            return hole(line)
        if name == "lattice":
            return made(scope.program.helped(scope, name, [Special("random"), *numbers], node), LATTICE, line)
        if name == "pair":
            parts = [Leaf("", INT), Leaf("", INT)]
            both = Tup([*got_pair(parts, line)])
            return after([Set(parts, [Draw("pair", INT, line, *numbers, stream=stream)])], both, line)
        return Draw(name, INT, line, *numbers, stream=stream)
    if name in ("coin", "unit", "next"):
        return Draw(name, {"coin": BOOL, "unit": FLOAT, "next": INT}[name], line, stream=stream)
    defaults = DEFAULTS.get(name, ())
    reals = [
        Const(FLOAT, defaults[place] or 0.0, line)
        if each is None
        else scope.whole(each, "the trials of random.binomial")
        if NAMES[name][place] == "n"
        else scope.real(each)
        for place, each in enumerate(args)
    ]
    if any(each.type is UNKNOWN for each in reals):
        return hole(line)
    if name in COMPOSED:
        return scope.program.helped(scope, name, [Special("random", stream), *reals], node)
    if name == "chance":
        return Draw("chance", BOOL, line, *reals, stream=stream)
    before, kept = held(Tup([*reals]), line)
    values = flat(kept)
    unit = Draw("unit", FLOAT, line, stream=stream)
    if name == "real":
        width = Op("f.sub", FLOAT, line, values[1], values[0])
        scaled = Op("f.mul", FLOAT, line, unit, width)
        return after(before, Op("f.add", FLOAT, line, values[0], scaled), line)
    if name == "exponential":
        rest = Op("f.sub", FLOAT, line, Const(FLOAT, 1.0, line), unit)
        logarithm = Run("rt_log", FLOAT, line, rest)
        return after(before, Op("f.mul", FLOAT, line, Op("f.neg", FLOAT, line, values[0]), logarithm), line)
    scaled = Op("f.mul", FLOAT, line, values[1], Draw("normal", FLOAT, line, stream=stream))
    return after(before, Op("f.add", FLOAT, line, values[0], scaled), line)


def got_pair(parts: list[Leaf], line: int) -> list[Node]:
    return [node for leaf in parts for node in flat(got(INT, [leaf], line))]


def of_list(
    scope: Scope, what: tuple[Begun | None, str], node: ast.Call, args: list[ast.expr | None]
) -> Value:
    stream, name = what
    values: list[Value] = [Special("random", stream)]
    for each in args[:-1]:
        assert each is not None
        try:
            values.append(scope.whole(each, "the number of elements"))
        except Refused as error:
            raise Refused(each, f"{error.sentence}; the number comes first: {EXAMPLES[name]}") from None
    last = args[-1]
    assert last is not None
    list = scope.listed(last, f"random.{name}")
    if list.type is UNKNOWN or any(value.type is UNKNOWN for value in values):
        return hole(node.lineno)
    assert isinstance(list.type, ListType)
    if name == "shuffle" and list.type.frozen:
        raise Refused(
            node, "this list belongs to the simulation, and a trial may only read it; copy it first: mine = list[:]"
        )
    return scope.program.helped(scope, name, [*values, list], node)


def cholesky(scope: Scope, node: ast.Call) -> Value:
    """`potluck.cholesky(covariance)`."""
    if len(node.args) != 1 or node.keywords:
        raise Refused(node, "cholesky takes a covariance: a list of rows")
    rows = scope.listed(node.args[0], "cholesky")
    if rows.type is UNKNOWN:
        return rows
    return scope.program.helped(scope, "cholesky", [rows], node)


def made(list: Value, type: Type, line: int) -> Value:
    """A list of a helper as what it stands for."""
    return Op("same", type, line, list) if isinstance(list, Node) and list.type is not UNKNOWN else hole(line)


def coordinate(scope: Scope, what: tuple[Node, str], node: ast.Call) -> Value:
    """`lattice.unit(point, dimension)` and `lattice.normal(point, dimension)`."""
    parts, name = what
    if name not in ("unit", "normal") or len(node.args) != 2 or node.keywords:
        raise Refused(node, "a lattice has two methods: lattice.unit(point, dimension), or lattice.normal(point, dimension)")
    numbers = [scope.whole(each, f"the number of a {word}") for each, word in zip(node.args, ("point", "dimension"))]
    if any(each.type is UNKNOWN for each in numbers):
        return hole(node.lineno)
    cell = scope.program.cell("lattice", node.lineno)
    cell.item = INT
    list = Op("same", ListType(cell, True), node.lineno, parts)
    return scope.program.helped(scope, f"lattice_{name}", [list, *numbers], node)


def weighted(scope: Scope, node: ast.Call) -> Value:
    """`potluck.WeightedChoice(weights)`."""
    line = node.lineno
    if scope.unit.mode != "prepare":
        raise Refused(node, "make a WeightedChoice once, in 'prepare': self.loot = WeightedChoice(weights)")
    if len(node.args) != 1 or node.keywords:
        raise Refused(node, "a WeightedChoice takes a list of weights")
    list = scope.listed(node.args[0], "a WeightedChoice")
    if list.type is UNKNOWN:
        return list
    assert isinstance(list.type, ListType)
    item = list.type.item
    if item is UNKNOWN:
        return hole(line)
    if item is not FLOAT:
        copied = scope.program.helped(scope, "real_copy", [list], node)
        if not isinstance(copied, Node) or copied.type is UNKNOWN:
            return hole(line)
        list = copied
    return Op("weighted", WEIGHTED, line, list)


def choose(scope: Scope, what: tuple[Node, str], node: ast.Call) -> Value:
    """`self.loot.draw(random)`."""
    table, name = what
    if name != "draw" or len(node.args) != 1 or node.keywords:
        raise Refused(node, "a WeightedChoice has one method: draw(random)")
    value = scope.value(node.args[0])
    if not (isinstance(value, Special) and value.kind == "random"):
        raise Refused(node, f"draw takes the generator: draw(random), and this is {describe(value)}")
    scope.body.does.add("draw")
    return Draw("weighted", INT, node.lineno, table, stream=value.what)
