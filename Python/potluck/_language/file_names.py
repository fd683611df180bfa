"""What names of the file and attributes of the simulation stand for."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from . import calls, maths, missing, operators
from .constants import Unknown
from .errors import Refused, close
from .nodes import Const, Data, GetSlot, Node, Run
from .scope import Scope
from .types import INT, NONE, OPTIONAL, TABLE, UNKNOWN, ListType, frozen, join, same
from .values import Attribute, Special, Tup, Value, Word, flat, got_slots, hole

if TYPE_CHECKING:
    from .constants import Known
    from .program import Lowering


def outer(program: Lowering, name: str, node: ast.AST, scope: Scope | None = None) -> Value:
    """A name of the file, or of Python."""
    source = program.source
    if name in source.variables:
        raise Refused(
            node,
            f"'{name}' of the file changes, and a trial may only read what is assigned once; assign self.{name} in 'prepare'",
            (source.variables[name], f"'{name}' is assigned here, too"),
        )
    if name in source.constants:
        try:
            return program.literal(program.constants.name(name), node, name)
        except Unknown:
            return program.computed(name, node)
    if name in source.functions:
        return Special("function", source.functions[name])
    if name in source.imports:
        return maths.constant(source.imports[name], node)
    if name in source.classes:
        return Special("class", name)
    if name in calls.BUILTINS or name in missing.FUNCTIONS:
        return Special("builtin", name)
    if name in source.methods or name in source.attributes or name in program.attributes:
        raise Refused(node, f"unknown name '{name}'; write self.{name}")
    if name == "math" or name in missing.MODULES:
        raise Refused(node, missing.MODULES.get(name, "math is not imported; write 'import math' at the top"))
    known = [*source.functions, *source.constants, *calls.BUILTINS, *(scope.locals if scope else ())]
    raise Refused(node, f"unknown name '{name}'{close(name, known)}")


def computed(program: Lowering, name: str, node: ast.AST) -> Value:
    """A value of the file that is computed when the simulation is configured, before `prepare`."""
    line = getattr(node, "lineno", 0)
    found = program.globals.get(name)
    if found is None:
        found = program.globals[name] = Attribute(name, node)
    if name not in program.lambdas:
        expression = program.source.constants[name]
        if type(expression) in missing.CONSTANTS:
            raise Refused(expression, f"'{name}' is {missing.CONSTANTS[type(expression)].format(name)}")
        arguments = ast.arguments([], [], None, [], [], None, [])
        program.lambdas[name] = ast.copy_location(ast.Lambda(arguments, expression), expression)
    if name in program.open:
        raise Refused(node, f"'{name}' is computed from itself")
    program.open.append(name)
    try:
        body = program.entry_of(("file", name), name, program.lambdas[name], "prepare", [])
    finally:
        program.open.pop()
    if name not in program.order:
        program.order.append(name)
    program.file_values[name] = body
    if body.result is UNKNOWN:
        return hole(line)
    if body.result is NONE or body.result is OPTIONAL:
        raise Refused(node, f"'{name}' is None; {missing.NOTHING}")
    if not same(found.type, body.result):
        found.type = body.result
        program.changed = True
    return got_slots(frozen(found.type), found.parts(), line, True)


def literal(program: Lowering, value: Known, node: ast.AST, key: object) -> Value:
    """A value that is known when the file is compiled."""
    line = getattr(node, "lineno", 0)
    if isinstance(value, (bool, int, float)):
        return operators.number(value, node)
    if value is None:
        return Const(NONE, float("nan"), line)
    if isinstance(value, str):
        return Word(value)
    if isinstance(value, tuple):
        return Tup([program.literal(each, node, (key, place)) for place, each in enumerate(value)])
    return program.data(value, node, key)


def data(program: Lowering, value: list[Known], node: ast.AST, key: object) -> Value:
    """A list of the file."""
    line = getattr(node, "lineno", 0)
    cell = program.cell(("constant", key), line)
    rows: list[list[Node]] = []
    for each in value:
        item = program.literal(each, node, (key, "item"))
        if isinstance(item, (Word, Special)):
            raise Refused(node, "a list of texts cannot be used in a trial; a choice is a Parameter")
        joined = join(cell.root().item, item.type, line)
        if joined is None:
            raise Refused(node, f"the elements of this list differ: {cell.root().item} and {item.type}")
        cell.root().item = joined
        rows.append(flat(item))
    if not rows:
        raise Refused(node, "an empty list stays empty; leave it out, and count in a field of the tally")
    return Data(ListType(cell, True), line, cell, rows)


def own(program: Lowering, scope: Scope, name: str, node: ast.AST) -> Value:
    """`self.name`."""
    line = getattr(node, "lineno", 0)
    if name in program.parameters:
        return GetSlot(program.parameters[name], line)
    if name in program.fields:
        if scope.unit.mode == "reading":
            raise Refused(node, f"a reading gets the tally as its argument: lambda self, tally, trials: tally.{name}")
        return Special("field", program.fields[name])
    if name in program.inputs:
        return Run("table", TABLE, line, Const(INT, program.inputs[name], line))
    if name in program.declaring.values:
        return program.literal(program.declaring.values[name], node, ("program", name))
    if name in program.source.methods:
        return calls.method_value(scope, name, node)
    if name in program.attributes:
        found = program.attributes[name]
        if found.type is UNKNOWN:
            program.unknown.append((node, f"self.{name}"))
            return hole(line)
        if scope.unit.mode == "prepare" and scope.state is not None and f"self.{name}" not in scope.state.sure:
            raise Refused(
                node, f"self.{name} has no value on every path to here; assign it at the beginning of 'prepare'"
            )
        type = found.type if scope.unit.mode == "prepare" else frozen(found.type)
        return got_slots(type, found.parts(), line, scope.unit.mode != "prepare")
    if name in ("note", "sketch"):
        return Special(name)
    hint = close(
        name, [*program.parameters, *program.fields, *program.attributes, *program.source.methods, *program.declaring.values]
    )
    fields = f"; the fields are {', '.join(program.fields)}" if program.fields and not hint else ""
    raise Refused(
        node,
        f"self.{name} is no parameter, no field of the tally and no method, and 'prepare' does not assign it{hint or fields}",
    )
