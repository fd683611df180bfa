"""What a loop goes through: ranges, lists, and several of them at once."""

from __future__ import annotations

import ast
from typing import Callable

from . import sentences
from .errors import Refused
from .flow import Count, Each, If, Label, Stop
from .nodes import Const, Get, Leaf, Length, Node, Op, Run, Set, Statement
from .scope import STATEMENTS, Scope, State, describe
from .types import BOOL, INT, TABLE, UNKNOWN, ListType, Type, join, leaves
from .values import Special, Tup, Value, Word, after, converted, flat, got, held, hole


class Walk:
    """An index from `first` in steps of `step` while it is before `limit`, and what belongs to each index."""

    def __init__(
        self, before: list[Statement], first: Node, limit: Node, step: int, item: Callable[[Leaf], Value]
    ) -> None:
        self.before = before
        self.first = first
        self.limit = limit
        self.step = step
        self.item = item

    def normal(self, line: int) -> tuple[Walk, list[Statement]]:
        """The same from 0 in steps of 1, and statements that belong before it."""
        if isinstance(self.first, Const) and self.first.value == 0 and self.step == 1:
            return self, []
        statements, kept = held(Tup([self.first, self.limit]), line)
        first, limit = flat(kept)
        count = Op("steps", INT, line, first, limit, Const(INT, self.step, line))

        def item(index: Leaf) -> Value:
            at = Leaf("", INT)
            far = (
                Get(index, line)
                if self.step == 1
                else Op("mul", INT, line, Get(index, line), Const(INT, self.step, line))
            )
            return after([Set([at], [Op("add", INT, line, first, far)])], self.item(at), line)

        return Walk(self.before, Const(INT, 0, line), count, 1, item), statements


def walk(scope: Scope, node: ast.expr) -> Walk | None:
    """What the loop `for … in node` goes through; None if its type is not known in this pass."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not scope.is_own(node.func.id):
        name = node.func.id
        if name in WALKS:
            if node.keywords and name != "enumerate":
                raise Refused(node, f"'{name}' takes no names of arguments here")
            return WALKS[name](scope, node)
    value = scope.value(node)
    line = node.lineno
    if isinstance(value, Special) and value.kind == "units":
        first, limit = value.what
        return Walk([], Get(first, line), Get(limit, line), 1, lambda index: Get(index, line))
    if isinstance(value, Special) and value.kind == "row":
        before, columns, item = scope.program.row_walk(scope, value, line)
        return Walk(before, Const(INT, 0, line), columns, 1, item)
    if isinstance(value, Node) and value.type is TABLE:
        table = value
        rows = Run("rows", INT, line, table)
        return Walk([], Const(INT, 0, line), rows, 1, lambda index: Special("row", (table, Get(index, line))))
    value = scope.program.listing(scope, value, node)
    if isinstance(value, Tup):
        return Walk([], Const(INT, 0, line), Const(INT, 0, line), 1, lambda index: Get(index, line))
    if isinstance(value, (Word, Special)):
        raise Refused(node, scope.program.misuse(value, "a range or a list to go through"))
    if value.type is UNKNOWN:
        return None
    if not isinstance(value.type, ListType):
        advice = f"; write range({ast.unparse(node)})" if value.type is INT else ""
        raise Refused(node, f"a loop goes through a range or a list, and this is {describe(value)}{advice}")
    return through(scope, value, line)


def through(scope: Scope, list: Node, line: int) -> Walk:
    """The elements of a list."""
    before, kept = held(list, line)
    assert isinstance(kept, Node)
    length = Length(kept, line)
    return Walk(
        before, Const(INT, 0, line), length, 1, lambda index: scope.program.load(kept, Get(index, line), line, True)
    )


def ranged(scope: Scope, node: ast.Call) -> Walk | None:
    line = node.lineno
    if not 1 <= len(node.args) <= 3:
        raise Refused(node, "range has one to three numbers: range(n), range(a, b) or range(a, b, step)")
    ends = [scope.whole(each, "an end of a range") for each in node.args]
    if any(each.type is UNKNOWN for each in ends):
        return None
    first: Node = Const(INT, 0, line) if len(ends) == 1 else ends[0]
    limit = ends[0] if len(ends) == 1 else ends[1]
    step = ends[2] if len(ends) == 3 else Const(INT, 1, line)
    if isinstance(step, Const):
        if step.value == 0:
            raise Refused(node, "a range with a step of 0 does not move")
        return Walk([], first, limit, int(step.value), lambda index: Get(index, line))
    before, kept = held(Tup([first, limit, step]), line)
    first, limit, step = flat(kept)
    moves = Op("i.ne", BOOL, line, step, Const(INT, 0, line))
    before.append(If(moves, [], [Stop(line, sentences.STEP)]))
    count = Op("steps", INT, line, first, limit, step)

    def item(index: Leaf) -> Value:
        return Op("add", INT, line, first, Op("mul", INT, line, Get(index, line), step))

    return Walk(before, Const(INT, 0, line), count, 1, item)


def backwards(scope: Scope, node: ast.Call) -> Walk | None:
    line = node.lineno
    if len(node.args) != 1:
        raise Refused(node, "reversed takes one range or list")
    inner = walk(scope, node.args[0])
    if inner is None:
        return None
    if inner.step == 1 and not (isinstance(inner.first, Const) and inner.first.value == 0):
        one = Const(INT, 1, line)
        statements, kept = held(Tup([inner.first, inner.limit]), line)
        first, limit = flat(kept)
        last, end = Op("sub", INT, line, limit, one), Op("sub", INT, line, first, one)
        return Walk([*inner.before, *statements], last, end, -1, inner.item)
    normal, statements = inner.normal(line)
    count = Leaf("", INT)
    before = [*normal.before, *statements, Set([count], [normal.limit])]
    last = Op("sub", INT, line, Get(count, line), Const(INT, 1, line))
    return Walk(before, last, Const(INT, -1, line), -1, normal.item)


def numbered(scope: Scope, node: ast.Call) -> Walk | None:
    line = node.lineno
    start: Node = Const(INT, 0, line)
    extra = [each.value for each in node.keywords if each.arg == "start"] + node.args[1:]
    if not node.args or len(extra) > 1 or len(node.keywords) > 1:
        raise Refused(node, "enumerate takes a list, and a number to start with: enumerate(list, 1)")
    inner = walk(scope, node.args[0])
    if inner is None:
        return None
    normal, statements = inner.normal(line)
    before = [*normal.before, *statements]
    if extra:
        more, kept = held(scope.whole(extra[0], "the number to start with"), line)
        before += more
        start = flat(kept)[0]
    known = isinstance(start, Const) and start.value == 0

    def item(index: Leaf) -> Value:
        number: Node = Get(index, line)
        return Tup([number if known else Op("add", INT, line, start, number), normal.item(index)])

    return Walk(before, normal.first, normal.limit, 1, item)


def zipped(scope: Scope, node: ast.Call) -> Walk | None:
    line = node.lineno
    walks = [walk(scope, each) for each in node.args]
    known = [each for each in walks if each is not None]
    if len(known) < len(walks):
        return None
    if not known:
        raise Refused(node, "zip needs lists")
    before: list[Statement] = []
    normals: list[Walk] = []
    limit: Node | None = None
    for each in known:
        normal, statements = each.normal(line)
        more, kept = held(normal.limit, line)
        before += [*normal.before, *statements, *more]
        one = flat(kept)[0]
        limit = one if limit is None else Op("i.min", INT, line, limit, one)
        normals.append(normal)
    assert limit is not None
    return Walk(before, Const(INT, 0, line), limit, 1, lambda index: Tup([each.item(index) for each in normals]))


WALKS: dict[str, Callable[[Scope, ast.Call], Walk | None]] = {
    "range": ranged,
    "reversed": backwards,
    "enumerate": numbered,
    "zip": zipped,
}


def of_row(scope: Scope, value: Value, node: ast.AST) -> Value:
    """A row of a table as a list. Anything else stays as it is."""
    return scope.program.listing(scope, value, node) if isinstance(value, Special) and value.kind == "row" else value


def bind(scope: Scope, target: ast.expr, value: Value, node: ast.AST) -> None:
    """Assigns the element of a comprehension or a generator to its own variables."""
    value = of_row(scope, value, node)
    if isinstance(target, ast.Name):
        if isinstance(value, (Word, Special)):
            raise Refused(target, scope.program.misuse(value, "a number or a list"))
        variable = scope.kept((id(node), target.id), target.id, target)
        scope.inner[-1][target.id] = variable
        if value.type is UNKNOWN:
            return
        scope.grow(variable, value.type, target)
        line = target.lineno
        scope.out.append(Set(variable.parts(), converted(value, variable.type, line)))
    elif isinstance(target, (ast.Tuple, ast.List)):
        if isinstance(value, Node) and value.type is UNKNOWN:
            for each in ast.walk(target):
                if isinstance(each, ast.Name):
                    bind(scope, each, value, node)
            return
        if not isinstance(value, Tup) or len(value.items) != len(target.elts):
            raise Refused(target, f"{len(target.elts)} names need as many values, and this is {describe(value)}")
        for each, item in zip(target.elts, value.items):
            bind(scope, each, item, node)
    else:
        raise Refused(target, "a loop assigns to names")


# A loop over at most so many values that are computed is written once for each, if it is not longer than this.
FEW, SHORT = 8, 120


def unrolled(scope: Scope, node: ast.For) -> tuple[Type, list[Leaf], list[list[Node]]] | None:
    """The values of a loop over a tuple of a few values that are computed; None for any other loop."""
    if not isinstance(node.iter, ast.Tuple) or not 1 < len(node.iter.elts) <= FEW:
        return None
    if all(isinstance(each, ast.Constant) for each in node.iter.elts):
        return None
    if sum(1 for statement in node.body for _ in ast.walk(statement)) > SHORT:
        return None
    line = node.lineno
    value = scope.value(node.iter)
    assert isinstance(value, Tup)
    type: Type | None = UNKNOWN
    for item, each in zip(value.items, node.iter.elts):
        if isinstance(item, (Word, Special)):
            raise Refused(each, scope.program.misuse(item, "a number"))
        type = None if type is None else join(type, item.type, line)
        if type is None:
            raise Refused(each, f"this is {describe(item)}, and others in the tuple are not; make them of one type")
    if type is None or any(item.type is UNKNOWN for item in value.items):
        return None
    statements, kept = held(value, line)
    assert isinstance(kept, Tup)
    scope.out += statements
    parts = [Leaf("", part) for part in leaves(type)]
    return type, parts, [converted(item, type, line) for item in kept.items]


def loop(scope: Scope, node: ast.stmt) -> None:
    """`for`."""
    assert isinstance(node, ast.For)
    from .statements import assign

    line = node.lineno
    few = unrolled(scope, node)
    steps = None if few is not None else walk(scope, node.iter)
    label, index = Label(), Leaf("", INT)
    breaks: list[State | None] = []
    continues: list[State | None] = []
    if steps is not None:
        scope.out += steps.before
    before = scope.split()
    scope.begin_round(node)
    scope.loops.append((label, breaks, continues))
    with scope.into([]) as body:
        if few is not None:
            assign(scope, node.target, got(few[0], few[1], line), node)
        else:
            assign(scope, node.target, hole(line) if steps is None else steps.item(index), node)
        scope.run(node.body)
    scope.loops.pop()
    scope.end_round(node, scope.state, *continues)
    scope.meet(before, scope.state, *continues)
    if scope.state is not None and before is not None:
        scope.state.sure = before.sure
    with scope.into([]) as orelse:
        scope.run(node.orelse)
    scope.meet(scope.state, *breaks)
    if few is not None:
        scope.out.append(Each(label, few[1], few[2], body, orelse))
    elif steps is not None:
        scope.out.append(Count(line, label, index, steps.first, steps.limit, steps.step, body, orelse))


STATEMENTS[ast.For] = loop
