"""What becomes of many values: min, max, sum, any and all."""

from __future__ import annotations

import ast
from typing import Callable

from . import sentences
from .comparisons import related
from .errors import Refused, counted
from .flow import Count, If, Jump, Label, Stop
from .iteration import Walk, bind, through, walk
from .lists import of_generator
from .nodes import Const, Get, Leaf, Node, Op, Set, Statement
from .scope import Scope, describe, unparse
from .types import BOOL, FLOAT, INT, MIXED, NUMBERS, UNKNOWN, ListType, join
from .values import Special, Tup, Value, Word, after, convert, converted, flat, got, held, hole


def arguments(node: ast.Call, least: int, most: int, example: str) -> None:
    name = unparse(node.func)
    if node.keywords:
        raise Refused(node, f"'{name}' takes no names of arguments here; write {example}")
    if not least <= len(node.args) <= most:
        raise Refused(node, f"'{name}' does not take {counted(len(node.args), 'argument')}; write {example}")


def extreme(relation: str, empty: str) -> Callable[[Scope, ast.Call], Value]:
    """`min` and `max`. Of equal values the first one counts."""

    def read(scope: Scope, node: ast.Call) -> Value:
        line = node.lineno
        if node.keywords:
            name = unparse(node.func)
            raise Refused(
                node,
                f"'{name}' has no key and no default here; for a default, write {name}(list) if len(list) > 0 else -1,"
                " and for a key a loop",
            )
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
    element = generator.elt
    best, has = scope.kept((id(node), "best"), "best", node), Leaf("", BOOL)

    def use(value: Value) -> list[Statement] | None:
        if isinstance(value, (Word, Special)) or isinstance(value, Tup):
            raise Refused(element, f"this needs numbers, and this is {describe(value)}")
        if value.type is UNKNOWN:
            return None
        value = convert(value, INT, line) if value.type is BOOL else value
        scope.grow(best, value.type, element)
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
        listed = of_generator(scope, node.args[0])
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
