"""Adding to the tally, and reading it in answers."""

from __future__ import annotations

import ast

from .declaration import Field
from .errors import Refused
from .nodes import Const, Counted, Get, Leaf, Node, Set, Tally
from .scope import Scope, describe
from .types import BOOL, FLOAT, INT, UNKNOWN, Type
from .values import Value, convert

# What a field has, for readings: the name, and whether it is a whole number.
VALUES: dict[str, dict[str, Type]] = {
    "count": {"value": INT},
    "sum": {"value": FLOAT},
    "minimum": {"value": FLOAT},
    "maximum": {"value": FLOAT},
    "histogram": {"below": INT, "above": INT},
    "histogram2d": {"outside": INT},
    "moments": {"mean": FLOAT, "variance": FLOAT, "count": INT},
    "comoments": {"count": INT},
    "pairs": {"count": INT},
    "quantiles": {"below": INT, "above": INT},
    "counts": {},
    "series": {},
}


def advice(field: Field, kind: str = "field") -> str:
    """What a trial may do with a field, or with what a reading gets of it, whose kind is "counted"."""
    name = field.attribute
    if kind == "field":
        return f"a trial only adds to the field '{name}': self.{name}.add(x); what it needs itself is in its variables"
    if field.kind in ("counts", "series"):
        return f"it has readings of its own: {'proportions' if field.kind == 'counts' else 'series'}(…)"
    if field.kind == "histogram2d":
        return f"write tally.{name}.outside; its cells are in the reading histogram(…)"
    if field.kind == "histogram":
        return f"write tally.{name}[bin] for each of its {field.bins} bins: for bin in range({field.bins})"
    return f"write {' or '.join(f'tally.{name}.{each}' for each in VALUES[field.kind])}"


def add(scope: Scope, what: tuple[int, str], node: ast.Call) -> None:
    """`self.won.add(…)`."""
    place, name = what
    field = scope.program.declaration.fields[place]
    line = node.lineno
    if scope.unit.mode != "trial":
        raise Refused(node, "only a trial adds to the tally")
    methods = ("add", "add_square") if field.kind == "sum" else ("add",)
    if name not in methods:
        raise Refused(node, advice(field))
    if field.kind in ("comoments", "pairs", "histogram2d"):
        return several(scope, place, node)
    if field.kind == "series":
        return at_time(scope, place, node)
    if node.keywords or len(node.args) > 1 or (not node.args and field.kind != "count"):
        raise Refused(node, f"add takes one number: self.{field.attribute}.{name}(x)")
    scope.body.does.add("tally")
    if not node.args:
        scope.out.append(Tally(line, place, "one", Const(INT, 1, line)))
        return
    value = scope.node(node.args[0], "a number")
    if value.type is UNKNOWN:
        return
    if field.kind == "count":
        if value.type is BOOL:
            scope.out.append(Tally(line, place, "bool", value))
        elif value.type is INT:
            scope.out.append(Tally(line, place, "int", value))
        else:
            raise Refused(
                node,
                f"a Count adds True or False, or a whole number, and this is {describe(value)}; use Moments or ExactSum",
            )
        return
    if field.kind == "counts":
        if value.type is not INT:
            raise Refused(node, f"a category is a whole number, from 0, and this is {describe(value)}")
        scope.out.append(Tally(line, place, "int", value))
        return
    number = scope.numeric(value, node.args[0])
    if name == "add_square":
        scope.out.append(Tally(line, place, "square int" if number.type is INT else "square", number))
    elif field.kind in ("sum", "moments") and number.type is INT:
        scope.out.append(Tally(line, place, "int", number))
    else:
        scope.out.append(Tally(line, place, "float", convert(number, FLOAT, line)))


def several(scope: Scope, place: int, node: ast.Call) -> None:
    """Several numbers at once. All are computed before the first one is put where the field takes them from."""
    field = scope.program.declaration.fields[place]
    count = 2 if field.kind in ("pairs", "histogram2d") else field.bins
    if node.keywords or len(node.args) != count:
        shape = ", ".join("xyzabcdefghijklm"[:count])
        raise Refused(node, f"add takes {count} numbers here: self.{field.attribute}.add({shape})")
    scope.body.does.add("tally")
    numbers = [scope.real(each) for each in node.args]
    if any(each.type is UNKNOWN for each in numbers):
        return
    parts = [Leaf("", FLOAT) for _ in numbers]
    scope.out.append(Set(list(parts), numbers))
    for index, part in enumerate(parts):
        scope.out.append(Tally(node.lineno, place, str(index), Get(part, node.lineno)))


def at_time(scope: Scope, place: int, node: ast.Call) -> None:
    """A number at a time. Both are computed before either is used."""
    field = scope.program.declaration.fields[place]
    if node.keywords or len(node.args) != 2:
        raise Refused(node, f"add takes a time and a number: self.{field.attribute}.add(time, x)")
    scope.body.does.add("tally")
    time, number = scope.node(node.args[0], "a number"), scope.real(node.args[1])
    if time.type is UNKNOWN or number.type is UNKNOWN:
        return
    if time.type is not INT:
        raise Refused(node.args[0], f"a time is a whole number, from 0, and this is {describe(time)}")
    parts = [Leaf("", INT), Leaf("", FLOAT)]
    scope.out.append(Set(list(parts), [time, number]))
    scope.out.append(Tally(node.lineno, place, "time", Get(parts[0], node.lineno)))
    scope.out.append(Tally(node.lineno, place, "float", Get(parts[1], node.lineno)))


def counted(scope: Scope, field: object, name: str, node: ast.AST) -> Value:
    """`tally.won.value`."""
    assert isinstance(field, int)
    kind = scope.program.declaration.fields[field].kind
    known = VALUES[kind]
    if name not in known:
        have = advice(scope.program.declaration.fields[field], "counted")
        raise Refused(node, f"this field has no '{name}'; {have}")
    return Counted(known[name], getattr(node, "lineno", 0), field, name, None)


def bin(scope: Scope, field: object, node: ast.Subscript) -> Value:
    """`tally.sums[bin]`."""
    assert isinstance(field, int)
    of = scope.program.declaration.fields[field]
    if of.kind != "histogram":
        raise Refused(node, f"only a histogram has bins; {advice(of, 'counted')}")
    index = scope.whole(node.slice, "the number of a bin")
    if isinstance(index, Const) and not -of.bins <= index.value < of.bins:
        raise Refused(node, f"the histogram has {of.bins} bins, from 0 to {of.bins - 1}")
    return Counted(INT, getattr(node, "lineno", 0), field, "bin", index)
