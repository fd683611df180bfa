"""Python's own functions: abs, len, round, int and others."""

from __future__ import annotations

import ast
from typing import Callable

from . import sentences
from .errors import Refused, counted
from .flow import If, Stop
from .iteration import WALKS
from .lists import of_generator
from .nodes import Const, Get, Node, Op, Run
from .reductions import arguments, every, extreme, total
from .scope import Scope, describe, unparse
from .types import BOOL, FLOAT, INT, TABLE, UNKNOWN, ListType, SeveralType
from .values import Special, Tup, Value, after, convert, flat, held, hole


def length(scope: Scope, node: ast.Call) -> Value:
    arguments(node, 1, 1, "len(list)")
    value = scope.value(node.args[0])
    line = node.lineno
    if isinstance(value, Tup):
        return Const(INT, len(value.items), line)
    if isinstance(value, Special) and value.kind == "units":
        first, limit = value.what
        return Op("sub", INT, line, Get(limit, line), Get(first, line))
    if isinstance(value, Special) and value.kind == "range":
        return range_steps(value, line)
    if isinstance(value, Special) and value.kind == "row":
        return Run("columns", INT, line, value.what[0])
    if isinstance(value, Node):
        if value.type is UNKNOWN:
            return hole(line)
        if isinstance(value.type, ListType):
            return scope.program.length(value, line)
        if value.type is TABLE:
            return Run("rows", INT, line, value)
        if isinstance(value.type, SeveralType):
            return Op("i.popcnt", INT, line, value)
    raise Refused(node, f"'len' needs a list or a tuple, and this is {describe(value)}")


def absolute(scope: Scope, node: ast.Call) -> Value:
    arguments(node, 1, 1, "abs(x)")
    value = scope.number(node.args[0])
    if value.type is INT:
        return Op("abs", INT, node.lineno, value)
    return value if value.type is UNKNOWN else Op("f.abs", value.type, node.lineno, value)


def integer(scope: Scope, node: ast.Call) -> Value:
    arguments(node, 1, 1, "int(x)")
    value = scope.number(node.args[0])
    return value if value.type in (INT, UNKNOWN) else Op("int", INT, node.lineno, value)


def real(scope: Scope, node: ast.Call) -> Value:
    arguments(node, 1, 1, "float(x)")
    given = node.args[0]
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        try:
            return Const(FLOAT, float(given.value), node.lineno)
        except ValueError:
            raise Refused(node, "this text is no number; write math.inf or math.nan") from None
    return scope.real(given)


def truth(scope: Scope, node: ast.Call) -> Value:
    arguments(node, 1, 1, "bool(x)")
    return scope.truth(node.args[0])


def rounded(scope: Scope, node: ast.Call) -> Value:
    if len(node.args) > 1:
        raise Refused(node, "'round' gives a whole number here; write round(x * 100) / 100 for two places")
    arguments(node, 1, 1, "round(x)")
    value = scope.number(node.args[0])
    if value.type in (INT, UNKNOWN):
        return value
    return Op("int", INT, node.lineno, Op("f.nearest", FLOAT, node.lineno, value))


def power(scope: Scope, node: ast.Call) -> Value:
    arguments(node, 2, 2, "x ** y")
    made = ast.copy_location(ast.BinOp(node.args[0], ast.Pow(), node.args[1]), node)
    return scope.value(made)


def divided(scope: Scope, node: ast.Call) -> Value:
    """`divmod`."""
    arguments(node, 2, 2, "divmod(a, b)")
    left, right = scope.number(node.args[0]), scope.number(node.args[1])
    line = node.lineno
    if UNKNOWN in (left.type, right.type):
        return hole(line)
    before, kept = held(Tup([left, right]), line)
    a, b = flat(kept)
    items: list[Value] = [
        scope.program.binary(scope, op, a, lambda: b, node, node.args[1]) for op in (ast.FloorDiv(), ast.Mod())
    ]
    return after(before, Tup(items), line)


def new_list(scope: Scope, node: ast.Call) -> Value:
    """`list(…)`: a copy, or the numbers of a range."""
    if not node.args:
        raise Refused(node, "a list keeps its length, so an empty one stays empty; write [0] * n")
    arguments(node, 1, 1, "list(range(n))")
    given = node.args[0]
    if isinstance(given, ast.GeneratorExp):
        return of_generator(scope, given)
    name = ast.Name("item", ast.Load())
    target = ast.Name("item", ast.Store())
    clause = ast.comprehension(target, given, [], 0)
    key = scope.program.synthesized.setdefault(id(node), ast.ListComp(name, [clause]))
    for each in (key, name, target):
        ast.copy_location(each, node)
    return scope.value(key)


def new_tuple(scope: Scope, node: ast.Call) -> Value:
    arguments(node, 1, 1, "(a, b)")
    value = scope.value(node.args[0])
    if isinstance(value, Tup):
        return value
    raise Refused(node, "a tuple has a length that is known when the file is compiled; keep the list")


def ordered(scope: Scope, node: ast.Call) -> Value:
    falls = falling(node)
    arguments(ast.copy_location(ast.Call(node.func, node.args, []), node), 1, 1, "sorted(list)")
    given = node.args[0]
    value = of_generator(scope, given) if isinstance(given, ast.GeneratorExp) else scope.listed(given, "'sorted'")
    if not isinstance(value, Node) or value.type is UNKNOWN:
        return value
    sortable(value, node)
    return scope.program.helped(scope, "sorted_down" if falls else "sorted_copy", [value], node)


def falling(node: ast.Call) -> bool:
    """Whether a list is sorted with the greatest element first."""
    for keyword in node.keywords:
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if keyword.arg != "reverse" or not isinstance(value, bool):
            raise Refused(
                node,
                "a list of numbers is sorted by them, and reverse=True is possible; for a key, sort numbers that hold"
                " the key and the place: key * 1000 + place",
            )
        return value
    return False


def sortable(value: Node, node: ast.AST) -> None:
    assert isinstance(value.type, ListType)
    if value.type.item not in (INT, FLOAT, UNKNOWN):
        raise Refused(node, f"only whole numbers, or real numbers, can be sorted, and the list has {value.type.item}")


def iterated(scope: Scope, node: ast.Call) -> Value:
    name = unparse(node.func)
    raise Refused(node, f"'{name}' is something to go through; write 'for … in {name}(…)', or list({name}(…))")


def method(scope: Scope, what: tuple[Node, str], node: ast.Call) -> Value:
    """A method of a list."""
    list, name = what
    assert isinstance(list.type, ListType)
    lengthening = {
        "append": "write [0] * n first and assign the elements: list[count] = x; count += 1",
        "extend": "write a new list: a + b",
        "insert": "write [0] * n first and assign the elements",
        "pop": "keep the number of elements in a variable: count -= 1; x = list[count]",
        "remove": "keep the number of elements in a variable",
        "clear": "keep the number of elements in a variable: count = 0",
    }
    if name in lengthening:
        raise Refused(node, f"a list keeps its length, so it has no '{name}'; {lengthening[name]}")
    falls = name == "sort" and falling(node)
    if node.keywords and name != "sort":
        raise Refused(node, f"'{name}' takes no names of arguments here")
    args = [scope.value(each) for each in node.args]
    takes = {"copy": 0, "sort": 0, "reverse": 0, "count": 1, "index": 1}
    if name not in takes:
        raise Refused(node, f"a list has no '{name}' here; it has {', '.join(takes)}")
    if len(args) != takes[name]:
        raise Refused(node, f"'{name}' takes {counted(takes[name], 'argument')}, and {len(args) or 'none'} is given")
    if name in ("sort", "reverse"):
        if list.type.frozen:
            raise Refused(
                node, "this list belongs to the simulation, and a trial may only read it; copy it first: mine = list[:]"
            )
        if name == "sort":
            sortable(list, node)
        return scope.program.helped(scope, "sort_down" if falls else name, [list], node)
    names = {"copy": "copied", "count": "count_of", "index": "index_of"}
    return scope.program.helped(scope, names[name], [list, *args], node)


def ranged_value(scope: Scope, node: ast.Call) -> Value:
    """A range that is no loop's: for `in` and `len`, and for functions that take a list."""
    line = node.lineno
    arguments(node, 1, 3, "range(a, b)")
    ends = [scope.whole(each, "an end of a range") for each in node.args]
    if any(each.type is UNKNOWN for each in ends):
        return hole(line)
    first = ends[0] if len(ends) > 1 else Const(INT, 0, line)
    limit = ends[1] if len(ends) > 1 else ends[0]
    step = ends[2] if len(ends) > 2 else Const(INT, 1, line)
    if isinstance(step, Const) and step.value == 0:
        raise Refused(node, "a range with a step of 0 does not move")
    before, kept = held(Tup([first, limit, step]), line)
    if not isinstance(step, Const):
        moves = Op("i.ne", BOOL, line, flat(kept)[2], Const(INT, 0, line))
        before.append(If(moves, [], [Stop(line, sentences.STEP)]))
    return Special("range", (before, flat(kept)))


def range_steps(value: Special, line: int) -> Value:
    before, ends = value.what
    return after(before, Op("steps", INT, line, *ends), line)


def in_range(scope: Scope, left: Value, value: Special, node: ast.AST, line: int) -> Node:
    """`x in range(a, b, step)`."""
    before, ends = value.what
    statements, kept = held(left, line)
    if not isinstance(kept, Node) or kept.type not in (INT, BOOL):
        if isinstance(kept, Node) and kept.type is UNKNOWN:
            return hole(line)
        raise Refused(node, "only a whole number is found in a range; write a <= x < b")
    x = convert(kept, INT, line)
    made = scope.program.helped(scope, "in_range", [x, *ends], node)
    out = after([*statements, *before], made, line)
    assert isinstance(out, Node)
    return out


FUNCTIONS: dict[str, Callable[[Scope, ast.Call], Value]] = {
    "len": length,
    "abs": absolute,
    "int": integer,
    "float": real,
    "bool": truth,
    "round": rounded,
    "pow": power,
    "divmod": divided,
    "min": extreme("lt", "least"),
    "max": extreme("gt", "greatest"),
    "sum": total,
    "any": every(False),
    "all": every(True),
    "list": new_list,
    "tuple": new_tuple,
    "sorted": ordered,
    **{name: iterated for name in WALKS},
    "range": ranged_value,
}


def _plain(name: str, wanted: int) -> Callable[[Scope, ast.Call], Value]:
    """An operation that only the compiler's own functions have."""

    def read(scope: Scope, node: ast.Call) -> Value:
        numbers = [scope.number(each) for each in node.args]
        if any(each.type is UNKNOWN for each in numbers):
            return hole(node.lineno)
        return Op(name, INT if name == "count" else FLOAT, node.lineno, *numbers)

    return read


def _kit(function: str) -> Callable[[Scope, ast.Call], Value]:
    """A function of the kit without Python's errors, which only the compiler's own functions have."""

    def read(scope: Scope, node: ast.Call) -> Value:
        x = scope.real(node.args[0])
        return hole(node.lineno) if x.type is UNKNOWN else Run(function, FLOAT, node.lineno, x)

    return read


INTRINSIC = {
    # A sum of whole numbers that cannot be beyond 64 bits.
    "_plus": _plain("count", 2),
    "_root": _plain("f.sqrt", 1),
    # Functions of real numbers that end no run.
    "_log": _kit("rt_log"),
    "_log1p": _kit("rt_log1p"),
    "_exp": _kit("rt_exp"),
    "_gamma": _kit("rt_gamma"),
    # The end of a sum of real numbers.
    "_compensated": _plain("f.compensated", 2),
}
