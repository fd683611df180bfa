"""Python's own functions: min, max, sum, abs, len, round, int and others."""

from __future__ import annotations

import ast
from typing import Callable

from . import sentences
from .errors import Refused
from .iteration import WALKS, Walk, bind, through, walk
from .nodes import Const, Count, Get, If, Jump, Label, Leaf, Node, Op, Run, Set, Statement, Stop
from .operators import related
from .scope import Scope, describe, unparse
from .types import BOOL, FLOAT, INT, MIXED, NUMBERS, TABLE, UNKNOWN, ListType, SeveralType, join
from .values import Special, Tup, Value, Word, after, convert, converted, flat, got, held, hole


def arguments(node: ast.Call, least: int, most: int, example: str) -> None:
    name = unparse(node.func)
    if node.keywords:
        raise Refused(node, f"'{name}' takes no names of arguments here; write {example}")
    if not least <= len(node.args) <= most:
        raise Refused(node, f"'{name}' does not take {len(node.args)} arguments; write {example}")


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
    if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
        raise Refused(node, "a trial has no texts; write math.inf or math.nan")
    return scope.real(node.args[0])


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


def extreme(relation: str, empty: str) -> Callable[[Scope, ast.Call], Value]:
    """`min` and `max`. Of equal values the first one counts."""

    def read(scope: Scope, node: ast.Call) -> Value:
        line = node.lineno
        if node.keywords:
            raise Refused(node, "'min' and 'max' take numbers or a list, without 'key' and 'default'")
        if not node.args:
            raise Refused(node, "'min' and 'max' need two numbers or a list; write min(a, b)")
        if len(node.args) == 1:
            if isinstance(node.args[0], ast.GeneratorExp):
                return generated_extreme(scope, node, relation)
            value = scope.value(node.args[0])
            if isinstance(value, Tup) and value.items:
                return smallest(scope, list(value.items), relation, node)
            value = scope.program.listing(scope, value, node.args[0])
            if isinstance(value, Node) and value.type is UNKNOWN:
                return hole(line)
            if not isinstance(value, Node) or not isinstance(value.type, ListType):
                raise Refused(node, f"this needs two numbers or a list, and this is {describe(value)}")
            if value.type.item is not UNKNOWN and value.type.item not in NUMBERS:
                raise Refused(node, f"this needs numbers, and the list has {value.type.item}")
            return scope.program.helped(scope, empty, [value], node)
        return smallest(scope, [scope.number(each) for each in node.args], relation, node)

    return read


def smallest(scope: Scope, values: list[Value], relation: str, node: ast.Call) -> Value:
    line = node.lineno
    for value in values:
        if isinstance(value, (Word, Special)) or value.type not in (*NUMBERS, BOOL, UNKNOWN):
            raise Refused(node, f"this needs numbers, and one of these is {describe(value)}")
        if value.type is UNKNOWN:
            return hole(line)
    before, kept = held(Tup(values), line)
    nodes = [convert(each, INT, line) if each.type is BOOL else each for each in flat(kept)]
    if all(each.type is INT for each in nodes):
        result = nodes[0]
        for each in nodes[1:]:
            result = Op("i.min" if relation == "lt" else "i.max", INT, line, result, each)
        return after(before, result, line)
    best = nodes[0]
    for each in nodes[1:]:
        if best.type is FLOAT and each.type is FLOAT:
            best = Op("f.least" if relation == "lt" else "f.greatest", FLOAT, line, best, each)
            continue
        type = join(best.type, each.type)
        assert type is not None
        more, kept_best = held(best, line)
        before += more
        best = flat(kept_best)[0]
        test = related(scope, relation, each, best, node, line)
        best = Op("f.select", type, line, convert(each, type, line), convert(best, type, line), test)
    return after(before, best, line)


def generated(scope: Scope, node: ast.Call, generator: ast.GeneratorExp) -> tuple[Walk, Leaf] | None:
    if len(generator.generators) != 1:
        raise Refused(generator, "one 'for' here; write a loop")
    steps = walk(scope, generator.generators[0].iter)
    return None if steps is None else (steps, Leaf("", INT))


def looped(
    scope: Scope,
    node: ast.Call,
    generator: ast.GeneratorExp,
    use: Callable[[Value], list[Statement] | None],
    label: Label,
) -> list[Statement] | None:
    """A loop that does something with each value of a generator; None if a type is not known in this pass."""
    line = node.lineno
    made = generated(scope, node, generator)
    if made is None:
        return None
    steps, index = made
    clause = generator.generators[0]
    scope.inner.append({})
    try:
        with scope.into([]) as body:
            bind(scope, clause.target, steps.item(index), generator)
            tests = [scope.truth(each) for each in clause.ifs]
            with scope.into([]) as inside:
                used = use(scope.value(generator.elt))
    finally:
        scope.inner.pop()
    if used is None:
        return None
    inside += used
    for test in reversed(tests):
        inside = [If(test, inside, [])]
    return [*steps.before, Count(line, label, index, steps.first, steps.limit, steps.step, [*body, *inside], [])]


def generated_extreme(scope: Scope, node: ast.Call, relation: str) -> Value:
    line = node.lineno
    generator = node.args[0]
    assert isinstance(generator, ast.GeneratorExp)
    best, has = scope.kept((id(node), "best"), "best", node), Leaf("", BOOL)

    def use(value: Value) -> list[Statement] | None:
        if isinstance(value, (Word, Special)) or isinstance(value, Tup):
            raise Refused(generator.elt, f"this needs numbers, and this is {describe(value)}")
        if value.type is UNKNOWN:
            return None
        value = convert(value, INT, line) if value.type is BOOL else value
        scope.grow(best, value.type, generator.elt)
        before, kept = held(value, line)
        part = best.parts()[0]
        test = related(scope, relation, kept, Get(part, line), node, line)
        take = Set([part], converted(kept, best.type, line))
        return [*before, If(Get(has, line), [If(test, [take], [])], [take, Set([has], [Const(BOOL, 1, line)])])]

    loop = looped(scope, node, generator, use, Label())
    if loop is None:
        return hole(line)
    begin: Statement = Set([has], [Const(BOOL, 0, line)])
    check: Statement = If(Get(has, line), [], [Stop(line, sentences.EMPTY)])
    return after([begin, *loop, check], got(best.type, best.parts(), line), line)


def total(scope: Scope, node: ast.Call) -> Value:
    """`sum`, of real numbers as Python 3.12 has it."""
    line = node.lineno
    begins = [each.value for each in node.keywords if each.arg == "start"] + node.args[1:]
    if not node.args or len(begins) > 1 or len(node.keywords) > 1:
        raise Refused(node, "'sum' takes a list, and a number to start with")
    if isinstance(node.args[0], ast.GeneratorExp):
        listed = scope.value(ast.copy_location(ast.ListComp(node.args[0].elt, node.args[0].generators), node.args[0]))
    else:
        listed = scope.value(node.args[0])
    start: Node = scope.number(begins[0]) if begins else Const(INT, 0, line)
    listed = scope.program.listing(scope, listed, node.args[0])
    if isinstance(listed, Tup):
        return start
    if isinstance(listed, Node) and listed.type is UNKNOWN:
        return hole(line)
    if not isinstance(listed, Node) or not isinstance(listed.type, ListType):
        walked = walk(scope, node.args[0])
        if walked is None or isinstance(listed, (Word, Special)):
            raise Refused(node, f"'sum' needs a list, and this is {describe(listed)}")
        raise Refused(node, f"'sum' needs a list, and this is {describe(listed)}")
    item = listed.type.item
    if item is UNKNOWN or start.type is UNKNOWN:
        return hole(line)
    if item is MIXED or start.type is MIXED or (item is INT and start.type is FLOAT):
        raise Refused(node, "'sum' of whole and real numbers together; write [float(x) for x in list]")
    if item not in (INT, BOOL, FLOAT):
        raise Refused(node, f"'sum' needs numbers, and the list has {item}")
    if item is FLOAT:
        return scope.program.helped(scope, "real_total", [listed, convert(start, FLOAT, line)], node)
    return scope.program.helped(scope, "total", [listed, start], node)


def every(wanted: bool) -> Callable[[Scope, ast.Call], Value]:
    """`all` and `any`."""

    def read(scope: Scope, node: ast.Call) -> Value:
        line = node.lineno
        arguments(node, 1, 1, "any(x > 3 for x in list)")
        result, label = Leaf("", BOOL), Label()
        label.breaks = True

        def use(value: Value) -> list[Statement] | None:
            if not isinstance(value, Node):
                raise Refused(node, f"this needs conditions, and this is {describe(value)}")
            if value.type is UNKNOWN:
                return None
            test = scope.true(value, node)
            found: list[Statement] = [Set([result], [Const(BOOL, int(not wanted), line)]), Jump(label, True)]
            return [If(test, [], found) if wanted else If(test, found, [])]

        given = node.args[0]
        if isinstance(given, ast.GeneratorExp):
            loop = looped(scope, node, given, use, label)
        else:
            list = scope.listed(given, "'any'" if not wanted else "'all'")
            if list.type is UNKNOWN:
                return hole(line)
            steps, index = through(scope, list, line), Leaf("", INT)
            used = use(steps.item(index))
            loop = (
                None
                if used is None
                else [*steps.before, Count(line, label, index, steps.first, steps.limit, 1, used, [])]
            )
        if loop is None:
            return hole(line)
        return after([Set([result], [Const(BOOL, int(wanted), line)]), *loop], Get(result, line), line)

    return read


def new_list(scope: Scope, node: ast.Call) -> Value:
    """`list(…)`: a copy, or the numbers of a range."""
    if not node.args:
        raise Refused(node, "a list keeps its length, so an empty one stays empty; write [0] * n")
    arguments(node, 1, 1, "list(range(n))")
    given = node.args[0]
    if isinstance(given, ast.GeneratorExp):
        return scope.value(ast.copy_location(ast.ListComp(given.elt, given.generators), node))
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
    if len(node.args) != 1 or node.keywords:
        raise Refused(
            node, "'sorted' takes a list of numbers, without 'key' and 'reverse'; go through it with reversed(…)"
        )
    value = (
        scope.listed(node.args[0], "'sorted'")
        if not isinstance(node.args[0], ast.GeneratorExp)
        else scope.node(node.args[0])
    )
    if value.type is UNKNOWN:
        return value
    sortable(value, node)
    return scope.program.helped(scope, "sorted_copy", [value], node)


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
    if node.keywords:
        raise Refused(node, f"'{name}' takes no names of arguments here")
    args = [scope.value(each) for each in node.args]
    takes = {"copy": 0, "sort": 0, "reverse": 0, "count": 1, "index": 1}
    if name not in takes:
        raise Refused(node, f"a list has no '{name}' here; it has {', '.join(takes)}")
    if len(args) != takes[name]:
        raise Refused(node, f"'{name}' does not take {len(args)} arguments")
    if name in ("sort", "reverse"):
        if list.type.frozen:
            raise Refused(
                node, "this list belongs to the simulation, and a trial may only read it; copy it first: mine = list[:]"
            )
        if name == "sort":
            sortable(list, node)
        return scope.program.helped(scope, name, [list], node)
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


INTRINSIC = {
    # A sum of whole numbers that cannot be beyond 64 bits.
    "_plus": _plain("count", 2),
    "_root": _plain("f.sqrt", 1),
    # The end of a sum of real numbers.
    "_compensated": _plain("f.compensated", 2),
}
