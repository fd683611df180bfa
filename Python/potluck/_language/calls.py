"""Calls: functions of Python, of the file, methods of the class, and what belongs to values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Callable

from . import builtins, columns, draws, maths, missing, outputs, prelude, tallies
from .constants import Unknown
from .errors import Refused, close, counted
from .flow import Stop
from .iteration import of_row
from .nodes import Get, Leaf, Node, Run, Statement
from .scope import EXPRESSIONS, Scope, describe, unparse
from .types import EMPIRICAL, FLOAT, INT, LATTICE, TABLE, UNKNOWN, WEIGHTED, ListType
from .values import Special, Tup, Value, Word, flat, held, hole

if TYPE_CHECKING:
    from .program import Lowering

BUILTINS = builtins.FUNCTIONS


def misuse(program: Lowering, value: Value, what: str) -> str:
    """What is wrong with something that has no value, where one is needed."""
    if isinstance(value, Word):
        return f"this is a text, and {what} is needed here; trials compute with numbers only"
    if not isinstance(value, Special):
        return f"this is {value.type}, and {what} is needed here"
    name = str(value.what[1] if value.kind == "draw" else value.what)
    if value.kind == "outside":
        return outside(name)
    if value.kind == "builtin":
        return missing.FUNCTIONS.get(name, f"'{name}' is a function; call it: {name}(…)")
    if value.kind == "field":
        return tallies.advice(program.declaration.fields[value.what])
    if value.kind == "counted":
        name = tallies.advice(program.declaration.fields[value.what], "counted")
    advice = {
        "self": "write self.name",
        "random": "write random.unit() or another draw",
        "counted": name,
        "draw": f"call it: {draws.EXAMPLES.get(name, name)}",
        "class": "trials have no objects",
        "output": "write output.line(x)",
        "row": "write self.table[row][column]",
        "column": 'write self.table.column("name")',
        "distribution": "write self.numbers.pick(random)",
        "coordinate": "write lattice.unit(point, dimension)",
        "tally": "write tally.field.value",
        "range": "write list(range(…)) for a list of its numbers",
        "units": "write 'for number in units:'",
    }
    return f"this is {value.words}, and {what} is needed here; {advice.get(value.kind, 'call it with (…)')}"


def outside(meaning: str) -> str:
    """What to write in place of something of another module."""
    module, _, name = meaning.partition(".")
    if module == "math":
        have = missing.MATH.get(name) or f"it has {', '.join(sorted(maths.KNOWN))}"
        return f"math.{name} is not part of the language; {have}"
    if module == "potluck":
        return f"potluck.{name} has no meaning here" if name else "the module potluck has no value"
    return missing.MODULES.get(module, f"the module '{module}' is not there: a trial is compiled and travels without packages")


def attribute(scope: Scope, node: ast.expr) -> Value:
    """`owner.name`."""
    assert isinstance(node, ast.Attribute)
    owner = scope.value(node.value)
    name = node.attr
    if isinstance(owner, Special):
        if owner.kind == "self":
            return scope.program.own(scope, name, node)
        if owner.kind == "outside":
            return maths.constant(f"{owner.what}.{name}", node)
        if owner.kind == "random":
            return Special("draw", (owner.what, name))
        if owner.kind == "field":
            field = scope.program.declaration.fields[owner.what]
            if name not in ("add", "add_square"):
                raise Refused(node, tallies.advice(field))
            return Special("adding", (owner.what, name))
        if owner.kind == "tally":
            if name not in scope.program.fields:
                raise Refused(
                    node, f"the tally has no '{name}'; its fields are {', '.join(scope.program.fields) or 'none'}"
                )
            return Special("counted", scope.program.fields[name])
        if owner.kind == "counted":
            return tallies.counted(scope, owner.what, name, node)
        if owner.kind == "output":
            return Special("writing", name)
        if owner.kind == "units" and name in ("start", "stop"):
            first, limit = owner.what
            return Get(first if name == "start" else limit, node.lineno)
        if owner.kind == "class":
            if owner.what == scope.program.source.simulation.name:
                raise Refused(node, f"write self.{name} in place of {unparse(node)}")
            raise Refused(node, f"a trial has no objects; write a constant at the top of the file: {name} = 1")
        raise Refused(node, scope.program.misuse(owner, "a value"))
    if isinstance(owner, Node):
        if owner.type is TABLE and name == "columns":
            return Run("columns", INT, node.lineno, owner)
        if owner.type is TABLE and name == "column":
            return Special("column", owner)
        if owner.type is EMPIRICAL:
            return Special("distribution", (owner, name))
        if owner.type is LATTICE:
            return Special("coordinate", (owner, name))
        if owner.type is WEIGHTED:
            return Special("choosing", (owner, name))
        if isinstance(owner.type, ListType):
            return Special("listing", (owner, name))
        if owner.type is UNKNOWN:
            return owner
    raise Refused(node, f"{describe(owner)} has no '{name}'; trials have numbers, tuples and lists, and no objects")


def method_value(scope: Scope, name: str, node: ast.AST) -> Value:
    """`self.name` where `name` is a method: its value if it is a property."""
    method = scope.program.source.methods[name]
    kinds = [unparse(each) for each in method.decorator_list]
    if kinds == ["property"]:
        return scope.program.invoke(scope, name, method, arguments_of(method, [Special("self")]), node)
    if kinds and kinds != ["staticmethod"]:
        raise Refused(method.decorator_list[0], f"the decorator '{kinds[0]}' is not possible; leave it out")
    return Special("method", name)


def arguments_of(method: ast.FunctionDef, values: list[Value]) -> dict[str, Value]:
    return dict(zip([each.arg for each in method.args.args], values))


def call(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.Call)
    for each in node.args:
        if isinstance(each, ast.Starred):
            raise Refused(each, "'*' does not stand here; write the arguments one by one")
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Refused(keyword.value, "'**' does not stand here; write the arguments one by one")
    function = scope.value(node.func)
    if isinstance(function, Node) and function.type is UNKNOWN:
        return function
    if not isinstance(function, Special):
        raise Refused(node, f"this is {describe(function)}, which cannot be called")
    kind, what = function.kind, function.what
    if kind == "builtin":
        name = str(what)
        if scope.unit.is_helper and name in builtins.INTRINSIC:
            return builtins.INTRINSIC[name](scope, node)
        if name not in BUILTINS:
            raise Refused(node, missing.FUNCTIONS[name])
        return BUILTINS[name](scope, node)
    if kind == "helper":
        return scope.program.helped(scope, str(what), [scope.value(each) for each in node.args], node)
    if kind == "function":
        assert isinstance(what, ast.FunctionDef)
        if what.decorator_list:
            raise Refused(what.decorator_list[0], "a decorator is not possible here; leave it out")
        return author(scope, what.name, what, node, [])
    if kind == "method":
        name = str(what)
        method = scope.program.source.methods[name]
        own: list[Value] = [] if method.decorator_list else [Special("self")]
        return author(scope, name, method, node, own)
    if kind == "outside":
        if str(what) == "potluck.WeightedChoice":
            return draws.weighted(scope, node)
        if str(what) == "potluck.Empirical":
            return columns.empirical(scope, node)
        if str(what) == "potluck.cholesky":
            return draws.cholesky(scope, node)
        return maths.call(scope, str(what), node)
    if kind == "draw":
        return draws.draw(scope, what, node)
    if kind == "column":
        return columns.column(scope, what, node)
    if kind == "distribution":
        return columns.draw(scope, what, node)
    if kind == "coordinate":
        return draws.coordinate(scope, what, node)
    if kind == "choosing":
        return draws.choose(scope, what, node)
    if kind == "listing":
        return builtins.method(scope, what, node)
    if kind in ("adding", "writing", "note", "sketch"):
        raise Refused(node, f"'{unparse(node.func)}' returns nothing; write it as a statement of its own")
    if kind == "class":
        raise Refused(node, f"a trial makes no objects, and '{what}' is a class; use tuples and lists of numbers")
    raise Refused(node, scope.program.misuse(function, "a function"))


def perform(scope: Scope, node: ast.Call) -> bool:
    """Does what a statement that is a call does; False if it is to be computed as a value."""
    if scope.unit.is_helper and isinstance(node.func, ast.Name) and node.func.id == "stop":
        assert isinstance(node.args[0], ast.Name)
        scope.out.append(Stop(node.lineno, prelude.sentence(node.args[0].id)))
        scope.state = None
        return True
    if not isinstance(node.func, ast.Attribute):
        return False
    function = scope.value(node.func)
    if not isinstance(function, Special):
        return False
    if function.kind == "adding":
        tallies.add(scope, function.what, node)
    elif function.kind == "note":
        outputs.note(scope, node)
    elif function.kind == "sketch":
        outputs.sketch(scope, node)
    elif function.kind == "writing":
        outputs.write(scope, str(function.what), node)
    else:
        return False
    return True


def author(scope: Scope, name: str, function: ast.FunctionDef, node: ast.Call, own: list[Value]) -> Value:
    """A call of a function or method of the author."""
    spec = function.args
    if spec.vararg or spec.kwarg or spec.posonlyargs:
        raise Refused(function, f"'*', '**' and '/' are not possible here; write the arguments of {name} one by one")
    parameters = [each.arg for each in spec.args]
    names = parameters + [each.arg for each in spec.kwonlyargs]
    values: dict[str, Value] = dict(zip(parameters, own))
    places = parameters[len(own) :]
    if len(node.args) > len(places):
        raise Refused(node, f"{name} takes {counted(len(places), 'argument')}, and {len(node.args)} are given")
    given: list[tuple[str, ast.expr]] = list(zip(places, node.args))
    for keyword in node.keywords:
        assert keyword.arg is not None
        if keyword.arg not in names or any(keyword.arg == each for each, _ in given) or keyword.arg in values:
            given_twice = keyword.arg in names
            raise Refused(
                node,
                f"'{keyword.arg}' is given twice"
                if given_twice
                else f"{name} has no argument '{keyword.arg}'{close(keyword.arg, names)}",
            )
        given.append((keyword.arg, keyword.value))
    for parameter, each in given:
        value = of_row(scope, scope.value(each), each)
        if isinstance(value, Special) and value.kind not in ("random", "output", "self", "units", "tally"):
            raise Refused(each, scope.program.misuse(value, "a number or a list"))
        values[parameter] = value
    defaults = dict(zip(parameters[len(parameters) - len(spec.defaults) :], spec.defaults))
    defaults.update({each.arg: value for each, value in zip(spec.kwonlyargs, spec.kw_defaults) if value is not None})
    for parameter in names:
        if parameter not in values:
            if parameter not in defaults:
                raise Refused(node, f"{name} needs its argument '{parameter}'")
            values[parameter] = scope.program.literal(
                constant(scope, defaults[parameter]), defaults[parameter], (name, parameter)
            )
    return scope.program.invoke(scope, name, function, values, node)


def constant(scope: Scope, node: ast.expr):  # type: ignore[no-untyped-def]
    try:
        return scope.program.constants.value(node)
    except Unknown:
        raise Refused(node, "a default is a constant") from None


def special_item(scope: Scope, owner: Special, node: ast.Subscript) -> Value:
    """An element of something that only the compiler knows."""
    line = node.lineno
    if owner.kind == "row":
        table, row = owner.what
        column = scope.whole(node.slice, "the number of a column")
        return Run("element", FLOAT, line, table, row, column)
    if owner.kind == "counted":
        return tallies.bin(scope, owner.what, node)
    raise Refused(node, scope.program.misuse(owner, "a list"))


def row_walk(scope: Scope, row: Special, line: int) -> tuple[list[Statement], Node, Callable[[Leaf], Value]]:
    """The numbers of a row of a table."""
    table, number = row.what
    before, kept = held(Tup([table, number]), line)
    table, number = flat(kept)
    return (
        before,
        Run("columns", INT, line, table),
        lambda index: Run("element", FLOAT, line, table, number, Get(index, line)),
    )


EXPRESSIONS[ast.Attribute] = attribute
EXPRESSIONS[ast.Call] = call
