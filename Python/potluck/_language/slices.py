"""Elements and slices of lists and tuples."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .errors import Refused
from .lists import grow, length, listing, load
from .nodes import Const, Copy, Get, Node
from .scope import EXPRESSIONS, Scope, describe
from .types import BOOL, INT, TABLE, UNKNOWN, ListType, leaves, same
from .values import Special, Tup, Value, Word, after, flat, held, hole

if TYPE_CHECKING:
    list_of_values = list[Value]


def subscript(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.Subscript)
    line = node.lineno
    owner = scope.value(node.value)
    if isinstance(node.slice, ast.Slice):
        return sliced(scope, owner, node, node.slice)
    if isinstance(owner, Special):
        return scope.program.special_item(scope, owner, node)
    if isinstance(owner, Word):
        raise Refused(node, "a trial has no texts; compute with numbers")
    if isinstance(owner, Node) and owner.type is TABLE:
        return Special("row", (owner, scope.whole(node.slice, "the number of a row")))
    index = scope.whole(node.slice, "an index")
    if isinstance(owner, Tup):
        if isinstance(index, Const):
            place = int(index.value)
            if not -len(owner.items) <= place < len(owner.items):
                raise Refused(node, f"the tuple has {len(owner.items)} items, so there is no item {place}")
            before, kept = held(owner, line) if not all_simple(owner) else ([], owner)
            assert isinstance(kept, Tup)
            return after(before, kept.items[place], line)
        owner = listing(scope, owner, node.value)
    if isinstance(owner, Node) and (owner.type is UNKNOWN or index.type is UNKNOWN):
        return hole(line)
    if not isinstance(owner, Node) or not isinstance(owner.type, ListType):
        raise Refused(node, f"only lists and tuples have elements, and this is {describe(owner)}")
    if len(leaves(owner.type.item)) == 1:
        return load(owner, index, line)
    before, kept = held(Tup([owner, index]), line)
    list, place_node = flat(kept)
    return after(before, load(list, place_node, line), line)


def all_simple(value: Value) -> bool:
    return all(isinstance(node, (Const, Get)) and getattr(node, "sure", True) for node in flat(value))


def sliced(scope: Scope, owner: Value, node: ast.Subscript, slice: ast.Slice) -> Value:
    """`list[a:b]`: a copy. `tuple[a:b]` with constants: a tuple."""
    line = node.lineno
    ends = [slice.lower, slice.upper, slice.step]
    if isinstance(owner, Tup):
        known = [None if each is None else scope.whole(each, "an end of a slice") for each in ends]
        if all(each is None or isinstance(each, Const) for each in known):
            values = [int(each.value) if isinstance(each, Const) else None for each in known]
            before, kept = held(owner, line) if not all_simple(owner) else ([], owner)
            assert isinstance(kept, Tup)
            if values[2] == 0:
                raise Refused(node, "a slice with a step of 0")
            items = kept.items[values[0] : values[1] : values[2]]
            return after(before, Tup(items), line)
    owner = listing(scope, owner, node.value)
    if isinstance(owner, Node) and owner.type is UNKNOWN:
        return owner
    if not isinstance(owner, Node) or not isinstance(owner.type, ListType):
        raise Refused(node, f"only lists and tuples have slices, and this is {describe(owner)}")
    step = ends[2]
    if step is None:
        return part(scope, owner, node, ends[:2])
    args: list_of_values = [owner]
    for place, each in enumerate(ends):
        args.append(Const(BOOL, int(each is not None), line))
        args.append(Const(INT, 0, line) if each is None else scope.whole(each, "an end of a slice"))
        if place == 2 and args[-1].type is UNKNOWN:
            return hole(line)
    return scope.program.helped(scope, "stepped", args, node)


def part(scope: Scope, owner: Node, node: ast.Subscript, ends: list[ast.expr | None]) -> Value:
    """`list[a:b]`: a copy of a part."""
    line = node.lineno
    assert isinstance(owner.type, ListType)
    before, kept = held(owner, line)
    assert isinstance(kept, Node)
    args: list_of_values = [length(kept, line)]
    for each in ends:
        args.append(Const(BOOL, int(each is not None), line))
        args.append(Const(INT, 0, line) if each is None else scope.whole(each, "an end of a slice"))
    span = scope.program.helped(scope, "span", args, node)
    cell = scope.program.cell((scope.unit, id(node)), line)
    item = owner.type.item
    if not isinstance(span, Tup) or item is UNKNOWN:
        return hole(line)
    grow(scope, cell, item, node, line)
    more, held_span = held(span, line)
    first, count = flat(held_span)
    if same(cell.root().item, item):
        copy = Copy(ListType(cell), line, cell, kept, owner.type.cell.root(), first, count)
        return after([*before, *more], copy, line)
    # Whole numbers become real ones in the copy.
    return after([*before, *more], scope.program.helped(scope, "sliced", [kept, first, count], node), line)


EXPRESSIONS[ast.Subscript] = subscript
