"""Lists and tuples: how they are made, read, compared and searched."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .comparisons import related
from .errors import Refused
from .flow import Count, If, Jump, Label
from .iteration import bind, of_row, walk
from .nodes import Const, Data, Get, Leaf, Length, Load, Make, Node, Op, Set, SetLength, Statement, Store
from .scope import EXPRESSIONS, Scope, describe
from .types import BOOL, INT, UNKNOWN, Cell, ListType, Type, frozen, join, leaves, same
from .values import Special, Tup, Value, Word, after, built, converted, flat, held, hole

if TYPE_CHECKING:
    # Functions here have a parameter called `list`.
    list_of_nodes = list[Node]
    list_of_statements = list[Statement]


def length(value: Node, line: int) -> Node:
    return Length(value, line)


def load(list: Node, index: Node, line: int, sure: bool = False) -> Value:
    """An element of a list. The list and the index of one with several parts have been computed before."""
    type = list.type
    assert isinstance(type, ListType)
    item = type.item
    cell = type.cell.root()
    parts: list_of_nodes = [Load(part, line, list, index, cell, place, sure) for place, part in enumerate(leaves(item))]
    return built(item, iter(parts))


def grow(scope: Scope, cell: Cell, type: Type, node: ast.AST, line: int) -> Type:
    """Joins a type into the elements of a list."""
    cell = cell.root()
    joined = join(cell.item, type, line)
    if joined is None:
        raise Refused(node, f"a list has elements of one type; this one has {cell.item} (line {cell.line}) and {type}")
    if not same(joined, cell.root().item):
        scope.program.changed = True
        if cell.item is UNKNOWN:
            cell.line = line
        cell.root().item = joined
    return joined


def literal(scope: Scope, node: ast.expr) -> Value:
    """`[a, b, c]`."""
    assert isinstance(node, ast.List)
    values = [scope.value(each) for each in node.elts]
    if not values:
        raise Refused(
            node, "a list keeps its length, so an empty one stays empty; write [0] * n and assign its elements"
        )
    for value, each in zip(values, node.elts):
        if isinstance(value, (Word, Special)):
            raise Refused(each, scope.program.misuse(value, "a number or a list"))
    return made(scope, Tup(values), node)


def made(scope: Scope, items: Tup, node: ast.AST) -> Value:
    """A new list of these items."""
    line = getattr(node, "lineno", 0)
    cell = scope.program.cell((scope.unit, id(node)), line)
    for each in items.items:
        if each.type is UNKNOWN:
            return hole(line)
        grow(scope, cell, each.type, node, line)
    item = cell.root().item
    type = ListType(cell)
    before, kept = held(items, line)
    assert isinstance(kept, Tup)
    place = Leaf("", type)
    zero: list[Node] = [Const(part, 0, line) for part in leaves(item)]
    statements: list[Statement] = [
        *before,
        Set([place], [Make(type, line, cell, Const(INT, len(items.items), line), zero)]),
    ]
    for number, each in enumerate(kept.items):
        statements.append(
            Store(line, Get(place, line), Const(INT, number, line), cell, converted(each, item, line), True)
        )
    return after(statements, Get(place, line), line)


def listing(scope: Scope, value: Value, node: ast.AST) -> Value:
    """A tuple, a range or a row of a table as a list. Anything else stays as it is."""
    if isinstance(value, Special) and value.kind == "row":
        row = scope.program.helped(scope, "row_of", [*value.what], node)
        if isinstance(row, Node):
            # A row can only be read.
            row.type = frozen(row.type)
        return row
    if isinstance(value, Special) and value.kind == "range":
        before, ends = value.what
        return after(before, scope.program.helped(scope, "range_list", ends, node), getattr(node, "lineno", 0))
    if not isinstance(value, Tup) or not value.items:
        return value
    line = getattr(node, "lineno", 0)
    for item in value.items:
        if isinstance(item, (Word, Special)):
            raise Refused(node, scope.program.misuse(item, "a number"))
    if not all(isinstance(each, Const) for each in flat(value)):
        return made(scope, value, node)
    cell = scope.program.cell((scope.unit, id(node), "data"), line)
    for item in value.items:
        grow(scope, cell, item.type, node, line)
    return Data(ListType(cell, True), line, cell, [flat(item) for item in value.items])


def repeated(scope: Scope, list: Value, count: Node, node: ast.AST, line: int) -> Value:
    """`[x] * n`, and other lists a number of times."""
    if count.type is UNKNOWN or list.type is UNKNOWN:
        return hole(line)
    if count.type is not INT:
        raise Refused(
            node, f"a list is repeated a whole number of times, and this is {count.type}; write int(…), or //"
        )
    return scope.program.helped(scope, "repeated", [list, count], node)


def filled(scope: Scope, node: ast.BinOp) -> Value | None:
    """`[x] * n` with one element; None for anything else."""
    sides = (node.left, node.right)
    for place, (one, other) in enumerate((sides, sides[::-1])):
        if isinstance(one, ast.List) and len(one.elts) == 1 and isinstance(node.op, ast.Mult):
            line = node.lineno
            if place == 0:
                value, count = scope.value(one.elts[0]), scope.whole(other, "the length of a list")
            else:
                statements, kept = held(scope.whole(other, "the length of a list"), line)
                value, count = scope.value(one.elts[0]), flat(kept)[0]
                if not isinstance(value, (Word, Special)):
                    value = after(statements, value, line)
            if isinstance(value, (Word, Special)):
                raise Refused(one, scope.program.misuse(value, "a number or a list"))
            if isinstance(value, Node) and isinstance(value.type, ListType):
                raise Refused(node, "this would be the same list several times; write [[0] * n for _ in range(m)]")
            if value.type is UNKNOWN or count.type is UNKNOWN:
                return hole(line)
            cell = scope.program.cell((scope.unit, id(node)), line)
            item = grow(scope, cell, value.type, node, line)
            return Make(ListType(cell), line, cell, count, converted(value, item, line))
    return None


def joined(scope: Scope, op: ast.operator, left: Value, right: Value, node: ast.AST, right_node: ast.expr) -> Value:
    """Operators on tuples and lists: + joins, * repeats."""
    line = getattr(node, "lineno", 0)
    if isinstance(op, ast.Add):
        if isinstance(left, Tup) and isinstance(right, Tup):
            return Tup([*left.items, *right.items])
        if isinstance(left, Node) and isinstance(right, Node):
            if UNKNOWN in (left.type, right.type):
                return hole(line)
            if isinstance(left.type, ListType) and isinstance(right.type, ListType):
                return scope.program.helped(scope, "joined", [left, right], node)
        raise Refused(node, f"'+' cannot join {describe(left)} and {describe(right)}; add the elements in a loop")
    if isinstance(op, ast.Mult):
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Tup) and isinstance(other, Const) and other.type is INT and 0 <= other.value <= 64:
                before, kept = held(one, line)
                made_of = (
                    Tup([item for _ in range(int(other.value)) for item in kept.items])
                    if isinstance(kept, Tup)
                    else one
                )
                return after(before, made_of, line)
        if isinstance(left, Node) and isinstance(left.type, ListType) and isinstance(right, Node):
            return repeated(scope, left, right, node, line)
        if isinstance(right, Node) and isinstance(right.type, ListType) and isinstance(left, Node):
            before, kept = held(left, line)
            return repeated(scope, after(before, right, line), flat(kept)[0], node, line)
    raise Refused(
        node,
        f"this operator does not work on {describe(left)} and {describe(right)}; compute element by element in a loop",
    )


def of_generator(scope: Scope, node: ast.GeneratorExp) -> Value:
    """The list of a generator's items. Its tree is kept, because its variables are known by it."""
    made = ast.copy_location(ast.ListComp(node.elt, node.generators), node)
    return scope.value(scope.program.synthesized.setdefault(id(node), made))


def comprehension(scope: Scope, node: ast.expr) -> Value:
    """`[… for x in … if …]`."""
    assert isinstance(node, ast.ListComp)
    line = node.lineno
    cell = scope.program.cell((scope.unit, id(node)), line)
    if len(node.generators) > 1:
        return nested(scope, node, cell)
    clause = node.generators[0]
    steps = walk(scope, clause.iter)
    if steps is None:
        return hole(line)
    type = ListType(cell)
    place, index, number, limit = Leaf("", type), Leaf("", INT), Leaf("", INT), Leaf("", INT)
    counted, statements = steps.normal(line)
    statements = [*counted.before, *statements, Set([limit], [counted.limit])]
    scope.inner.append({})
    try:
        with scope.into([]) as body:
            bind(scope, clause.target, counted.item(index), node)
            tests = [scope.truth(each) for each in clause.ifs]
            at: Node = Get(number if tests else index, line)
            inside = element(scope, node, cell, place, at)
    finally:
        scope.inner.pop()
    if inside is None:
        return hole(line)
    if tests:
        inside.append(one_more(number, line))
    for test in reversed(tests):
        inside = [If(test, inside, [])]
    statements.append(Set([place], [empty(type, cell, Get(limit, line), line)]))
    if tests:
        statements.append(Set([number], [Const(INT, 0, line)]))
    first: Node = Const(INT, 0, line)
    statements.append(Count(line, Label(), index, first, Get(limit, line), 1, [*body, *inside], []))
    if tests:
        statements.append(SetLength(Get(place, line), Get(number, line)))
    return after(statements, Get(place, line), line)


def empty(type: Type, cell: Cell, count: Node, line: int) -> Node:
    """A list of zeros."""
    return Make(type, line, cell, count, [Const(part, 0, line) for part in leaves(cell.root().item)])


def one_more(number: Leaf, line: int) -> Statement:
    return Set([number], [Op("count", INT, line, Get(number, line), Const(INT, 1, line))])


def element(scope: Scope, node: ast.ListComp, cell: Cell, place: Leaf, at: Node) -> list_of_statements | None:
    """Computes an element and stores it; None if its type is not known in this pass."""
    line = node.lineno
    with scope.into([]) as inside:
        value = of_row(scope, scope.value(node.elt), node.elt)
    if isinstance(value, (Word, Special)):
        raise Refused(node.elt, scope.program.misuse(value, "a number or a list"))
    if value.type is UNKNOWN:
        return None
    item = grow(scope, cell, value.type, node.elt, line)
    parts = [Leaf("", leaf) for leaf in leaves(item)]
    kept: list_of_nodes = [Get(part, line) for part in parts]
    return [*inside, Set(parts, converted(value, item, line)), Store(line, Get(place, line), at, cell, kept, True)]


# A list of several 'for' has room for so many elements at first, and twice as many whenever it is full.
ROOM = 16


def nested(scope: Scope, node: ast.ListComp, cell: Cell) -> Value:
    """`[… for x in … for y in …]`: the number of elements shows at the end only."""
    line = node.lineno
    type = ListType(cell)
    place, number = Leaf("", type), Leaf("", INT)
    scope.inner.append({})
    try:
        inside = clauses(scope, node, cell, place, number, list(node.generators))
    finally:
        scope.inner.pop()
    if inside is None or cell.root().item is UNKNOWN:
        return hole(line)
    begin: list_of_statements = [
        Set([place], [empty(type, cell, Const(INT, ROOM, line), line)]),
        Set([number], [Const(INT, 0, line)]),
    ]
    return after([*begin, *inside, SetLength(Get(place, line), Get(number, line))], Get(place, line), line)


def clauses(
    scope: Scope, node: ast.ListComp, cell: Cell, place: Leaf, number: Leaf, left: list[ast.comprehension]
) -> list_of_statements | None:
    """The loops of a comprehension, from the outermost that is left."""
    line = node.lineno
    if not left:
        stored = element(scope, node, cell, place, Get(number, line))
        if stored is None:
            return None
        larger = scope.program.helped(scope, "grown", [Get(place, line)], node)
        if larger.type is UNKNOWN:
            return None
        full = Op("i.eq", BOOL, line, Get(number, line), Length(Get(place, line), line))
        return [*stored[:-1], If(full, [Set([place], flat(larger))], []), stored[-1], one_more(number, line)]
    clause = left[0]
    steps = walk(scope, clause.iter)
    if steps is None:
        return None
    index = Leaf("", INT)
    with scope.into([]) as body:
        bind(scope, clause.target, steps.item(index), node)
        tests = [scope.truth(each) for each in clause.ifs]
        inside = clauses(scope, node, cell, place, number, left[1:])
    if inside is None:
        return None
    for test in reversed(tests):
        inside = [If(test, inside, [])]
    return [*steps.before, Count(line, Label(), index, steps.first, steps.limit, steps.step, [*body, *inside], [])]


def search(scope: Scope, left: Value, right: Node, node: ast.AST, line: int) -> Node:
    """`x in list`."""
    assert isinstance(right.type, ListType)
    before, kept = held(left, line)
    statements, list = held(right, line)
    assert isinstance(list, Node)
    found, index, label = Leaf("", BOOL), Leaf("", INT), Label()
    label.breaks = True
    item = load(list, Get(index, line), line, True)
    if item.type is UNKNOWN:
        return hole(line)
    test = related(scope, "eq", item, kept, node, line)
    body: list_of_statements = [If(test, [Set([found], [Const(BOOL, 1, line)]), Jump(label, True)], [])]
    loop = Count(line, label, index, Const(INT, 0, line), Length(list, line), 1, body, [])
    out = after([*before, *statements, Set([found], [Const(BOOL, 0, line)]), loop], Get(found, line), line)
    assert isinstance(out, Node)
    return out


def equal_lists(scope: Scope, left: Node, right: Node, relation: str, node: ast.AST, line: int) -> Node:
    """`list == list`."""
    before, kept = held(Tup([left, right]), line)
    one, other = flat(kept)
    equal, index, label = Leaf("", BOOL), Leaf("", INT), Label()
    label.breaks = True
    test = related(
        scope, "ne", load(one, Get(index, line), line, True), load(other, Get(index, line), line, True), node, line
    )
    body: list_of_statements = [If(test, [Set([equal], [Const(BOOL, 0, line)]), Jump(label, True)], [])]
    loop = Count(line, label, index, Const(INT, 0, line), Length(one, line), 1, body, [])
    long = Op("i.eq", BOOL, line, Length(one, line), Length(other, line))
    result = Get(equal, line)
    out = after(
        [*before, Set([equal], [long]), If(Get(equal, line), [loop], [])],
        result if relation == "eq" else Op("b.not", BOOL, line, result),
        line,
    )
    assert isinstance(out, Node)
    return out


def tuple_literal(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.Tuple)
    return Tup([scope.value(each) for each in node.elts])


EXPRESSIONS.update(
    {
        ast.List: literal,
        ast.Tuple: tuple_literal,
        ast.ListComp: comprehension,
    }
)
