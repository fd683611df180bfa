"""Statements: assignments, conditions, loops and returns."""

from __future__ import annotations

import ast

from . import missing, sentences, streams
from .errors import Refused
from .flow import If, Jump, Label, Stop, While
from .iteration import of_row
from .nodes import Const, Drop, Leaf, Node, Op, Seq, Set, SetSlot, Store
from .scope import STATEMENTS, Scope, State, conflict, describe, unparse
from .types import BOOL, INT, NONE, OPTIONAL, UNKNOWN, ListType, join, plural, same
from .values import Attribute, Special, Tup, Value, Word, converted, flat, held, hole, without_value


def expression(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.Expr)
    if isinstance(node.value, ast.Constant):
        # A text that explains, or `...`.
        return
    if isinstance(node.value, ast.Call) and scope.program.perform(scope, node.value):
        return
    value = scope.value(node.value)
    if isinstance(value, (Word, Special)):
        return
    for part in flat(value):
        if part.type is not UNKNOWN:
            scope.out.append(Drop(part))


def assignment(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.Assign)
    if streams.begin(scope, node):
        return
    value = scope.value(node.value)
    targets = node.targets
    if len(targets) > 1 and isinstance(value, (Tup, Node)):
        statements, value = held(value, node.lineno)
        scope.out += statements
    for target in targets:
        assign(scope, target, value, node)


def annotated(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.AnnAssign)
    if node.value is None:
        return
    value = scope.value(node.value)
    scope.program.check(node.annotation, value, f"'{unparse(node.target)}'")
    assign(scope, node.target, value, node)


def augmented(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.AugAssign)
    target = node.target
    if isinstance(target, ast.Name):
        read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        value = scope.program.binary(
            scope, node.op, scope.value(read), lambda: scope.value(node.value), node, node.value, target
        )
        if isinstance(value, Node) and isinstance(value.type, ListType):
            raise Refused(node, "a list keeps its length; write a new list: a = b + c")
        assign(scope, target, value, node)
    elif isinstance(target, ast.Subscript):
        element(scope, target, node, node.op, node.value)
    elif isinstance(target, ast.Attribute):
        before = scope.value(ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target))
        if isinstance(before, Special) and before.kind == "field":
            raise Refused(node, f"add to a field of the tally with self.{target.attr}.add(…)")
        value = scope.program.binary(scope, node.op, before, lambda: scope.value(node.value), node, node.value)
        assign(scope, target, value, node)


def assign(scope: Scope, target: ast.expr, value: Value, statement: ast.AST) -> None:
    """Assigns a value to a variable, an attribute, an element, or to several."""
    line = getattr(statement, "lineno", 0)
    value = of_row(scope, value, statement)
    if isinstance(target, ast.Name):
        variable = scope.assign(target.id, value, target)
        if value.type is not UNKNOWN:
            scope.out.append(Set(variable.parts(), converted(value, variable.type, line)))
    elif isinstance(target, (ast.Tuple, ast.List)):
        unpack(scope, target, value, statement)
    elif isinstance(target, ast.Subscript):
        statements, value = held(value, line)
        scope.out += statements
        element(scope, target, statement, None, None, value)
    elif isinstance(target, ast.Attribute):
        attribute(scope, target, value, line)
    elif isinstance(target, ast.Starred):
        raise Refused(target, "'*' does not stand here; write the items one by one")
    else:
        raise Refused(target, "this cannot be assigned")


def unpack(scope: Scope, target: ast.Tuple | ast.List, value: Value, statement: ast.AST) -> None:
    line = getattr(statement, "lineno", 0)
    wanted = len(target.elts)
    if isinstance(value, Node) and isinstance(value.type, ListType):
        statements, kept = held(value, line)
        assert isinstance(kept, Node)
        scope.out += statements
        length = scope.program.length(kept, line)
        right = Op("i.eq", BOOL, line, length, Const(INT, wanted, line))
        scope.out.append(If(right, [], [Stop(line, sentences.UNPACK)]))
        value = Tup([scope.program.load(kept, Const(INT, place, line), line) for place in range(wanted)])
    if isinstance(value, Node) and value.type is UNKNOWN:
        for each in ast.walk(target):
            if isinstance(each, ast.Name):
                scope.assign(each.id, hole(line), each)
        return
    if not isinstance(value, Tup):
        raise Refused(target, f"{wanted} names on the left need a tuple or a list, and this is {describe(value)}")
    if len(value.items) != wanted:
        raise Refused(target, f"{wanted} names on the left, and {len(value.items)} values on the right")
    if (
        all(isinstance(each, ast.Name) for each in target.elts)
        and len({ast.dump(each) for each in target.elts}) == wanted
    ):
        # All values are computed before the first is assigned.
        leaves: list[Leaf] = []
        nodes: list[Node] = []
        for each, item in zip(target.elts, value.items):
            assert isinstance(each, ast.Name)
            variable = scope.assign(each.id, item, each)
            if item.type is not UNKNOWN:
                leaves += variable.parts()
                nodes += converted(item, variable.type, line)
        scope.out.append(Set(leaves, nodes))
        return
    if any(node.type is UNKNOWN for node in flat(value)):
        for each in ast.walk(target):
            if isinstance(each, ast.Name):
                scope.assign(each.id, hole(line), each)
        return
    statements, held_value = held(value, line)
    scope.out += statements
    assert isinstance(held_value, Tup)
    for each, item in zip(target.elts, held_value.items):
        assign(scope, each, item, statement)


def attribute(scope: Scope, target: ast.Attribute, value: Value, line: int) -> None:
    """Assigns an attribute of the simulation, in `prepare`."""
    name = target.attr
    owner = scope.value(target.value)
    if not (isinstance(owner, Special) and owner.kind == "self"):
        raise Refused(target, f"'{unparse(target)}' cannot be assigned; a trial changes its variables and lists only")
    program = scope.program
    if name in program.parameters:
        raise Refused(target, f"'{name}' is a parameter, which users set; assign to a variable of another name")
    if name in program.fields:
        raise Refused(target, f"'{name}' is a field of the tally; write self.{name}.add(…)")
    if scope.unit.mode != "prepare" or scope.unit.name != "prepare":
        raise Refused(
            target,
            f"self.{name} can only be assigned in 'prepare': a trial leaves nothing behind; use a variable '{name}',"
            f" or a field such as {name} = Count() to count",
        )
    if name in program.declaring.values or name in program.source.methods:
        raise Refused(target, f"'{name}' is defined in the class; use another name for self.{name}")
    found = program.attributes.setdefault(name, Attribute(name, target))
    if (part := without_value(value)) is not None:
        raise Refused(target, program.misuse(part, "a number or a list"))
    if value.type is NONE or value.type is OPTIONAL:
        raise Refused(target, f"self.{name} would be None; {missing.NOTHING}")
    joined = join(found.type, value.type, line)
    if joined is None:
        raise Refused(
            target,
            conflict(f"self.{name}", found.type, found.place, value.type),
            (found.place, f"here it is {found.type}"),
        )
    if not same(joined, found.type):
        program.changed = True
        found.type = joined
    if scope.state is not None:
        scope.state.sure.add(f"self.{name}")
    nodes = converted(value, joined, line)
    parts = found.parts()
    if len(parts) == 1:
        scope.out.append(SetSlot(parts[0], nodes[0]))
        return
    statements, kept = held(Tup(list(nodes)), line)
    scope.out += statements
    for slot, node in zip(parts, flat(kept)):
        scope.out.append(SetSlot(slot, node))


def element(
    scope: Scope,
    target: ast.Subscript,
    statement: ast.AST,
    operator: ast.operator | None,
    right: ast.expr | None,
    value: Value | None = None,
) -> None:
    """Changes an element of a list: to a value, or by an operator with the right side."""
    line = getattr(statement, "lineno", target.lineno)
    if isinstance(target.slice, ast.Slice):
        raise Refused(target, "a slice can only be read; assign the elements one by one in a loop")
    owner = scope.value(target.value)
    if isinstance(owner, Tup):
        raise Refused(target, "a tuple cannot change; make a list: [1, 2, 3]")
    if not isinstance(owner, Node) or not isinstance(owner.type, ListType):
        if isinstance(owner, Node) and owner.type is UNKNOWN:
            return
        raise Refused(target, f"only a list has elements that can change, and this is {describe(owner)}")
    type = owner.type
    if type.frozen:
        raise Refused(
            target,
            f"'{unparse(target.value)}' belongs to the simulation, and a trial may only read it; copy it first:"
            f" mine = {unparse(target.value)}[:]",
        )
    statements, kept = held(owner, line)
    index = scope.whole(target.slice, "an index")
    more, place = held(index, line)
    assert isinstance(kept, Node) and isinstance(place, Node)
    scope.out += statements + more
    if operator is not None and right is not None:
        before = scope.program.load(kept, place, target.lineno)
        value = scope.program.binary(scope, operator, before, lambda: scope.value(right), statement, right)
    assert value is not None
    store(scope, kept, place, value, target, line)


def store(scope: Scope, list: Node, index: Node, value: Value, target: ast.AST, line: int) -> None:
    """Stores a value in a list."""
    type = list.type
    assert isinstance(type, ListType)
    if (part := without_value(value)) is not None:
        raise Refused(target, scope.program.misuse(part, "a number or a list"))
    cell = type.cell.root()
    if value.type is UNKNOWN:
        return
    joined = join(cell.item, value.type, line)
    if joined is None or joined is OPTIONAL:
        what = f"this list has {plural(cell.item)}"
        raise Refused(
            target, f"{what} (line {cell.line}), and this is {describe(value)}; a list has elements of one type"
        )
    if not same(joined, cell.root().item):
        scope.program.changed = True
        cell.root().item = joined
    nodes = converted(value, joined, line)
    if not all(isinstance(node, Const) for node in nodes):
        statements, kept = held(Tup([*nodes]), line)
        scope.out += statements
        nodes = flat(kept)
    scope.out.append(Store(line, list, index, cell, nodes))


def condition(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.If)
    test = scope.truth(node.test)
    before = scope.split()
    with scope.into([]) as yes:
        scope.run(node.body)
    after_yes = scope.state
    scope.state = before
    with scope.into([]) as no:
        scope.run(node.orelse)
    if isinstance(test, Const):
        # What is never reached is read, but it is not there.
        scope.state = after_yes if test.value else scope.state
        scope.out += yes if test.value else no
        return
    scope.meet(after_yes, scope.state)
    scope.out.append(If(test, yes, no))


def loop(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.While)
    label = Label()
    breaks: list[State | None] = []
    continues: list[State | None] = []
    scope.begin_round(node)
    with scope.into([]) as tests:
        test = scope.truth(node.test)
    if tests:
        test = Seq(tests, test)
    before = scope.split()
    scope.loops.append((label, breaks, continues))
    with scope.into([]) as body:
        scope.run(node.body)
    scope.loops.pop()
    scope.end_round(node, scope.state, *continues)
    forever = isinstance(test, Const) and bool(test.value)
    # The test is false after the first round, or after another.
    scope.meet(*([] if forever else [before, scope.state, *continues]))
    if scope.state is not None and before is not None:
        scope.state.sure = before.sure
    with scope.into([]) as orelse:
        scope.run(node.orelse)
    scope.meet(scope.state, *breaks)
    scope.out.append(While(label, test, body, orelse))


def leave(scope: Scope, node: ast.stmt) -> None:
    label, breaks, _ = scope.loops[-1]
    label.breaks = True
    breaks.append(scope.split())
    scope.out.append(Jump(label, True))
    scope.state = None


def proceed(scope: Scope, node: ast.stmt) -> None:
    label, _, continues = scope.loops[-1]
    label.continues = True
    continues.append(scope.split())
    scope.out.append(Jump(label, False))
    scope.state = None


def back(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.Return)
    value: Value = Const(NONE, float("nan"), node.lineno) if node.value is None else scope.value(node.value)
    value = of_row(scope, value, node)
    if isinstance(value, (Word, Special)):
        raise Refused(node, scope.program.misuse(value, "a number, a tuple or a list"))
    scope.program.give(scope, value, node, bare=node.value is None)
    scope.state = None


def passing(scope: Scope, node: ast.stmt) -> None:
    return


def asserting(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.Assert)
    test = scope.truth(node.test)
    sentence = sentences.ASSERTION if node.msg is None else constant_text(scope, node.msg)
    scope.out.append(If(test, [], [stopping(scope, node, sentence)]))


def raising(scope: Scope, node: ast.stmt) -> None:
    assert isinstance(node, ast.Raise)
    sentence = sentences.RAISED
    if isinstance(node.exc, ast.Call) and node.exc.args:
        sentence = constant_text(scope, node.exc.args[0])
    elif node.exc is not None:
        name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        sentence = unparse(name)
    scope.out.append(stopping(scope, node, sentence))
    scope.state = None


def stopping(scope: Scope, node: ast.stmt, sentence: str) -> Stop:
    conflict = scope.unit.mode == "prepare"
    if conflict:
        scope.body.does.add("conflict")
    return Stop(node.lineno, sentence, conflict)


def constant_text(scope: Scope, node: ast.expr) -> str:
    """The text of an `assert` or a `raise`."""
    value: object = None
    try:
        value = scope.program.constants.value(node)
    except Exception:  # noqa: BLE001 - anything else is refused below
        value = None
    if not isinstance(value, str):
        raise Refused(node, "the sentence of an error is a constant text, without values in it")
    return value


STATEMENTS.update(
    {
        ast.Expr: expression,
        ast.Assign: assignment,
        ast.AnnAssign: annotated,
        ast.AugAssign: augmented,
        ast.If: condition,
        ast.While: loop,
        ast.Break: leave,
        ast.Continue: proceed,
        ast.Return: back,
        ast.Pass: passing,
        ast.Assert: asserting,
        ast.Raise: raising,
    }
)
