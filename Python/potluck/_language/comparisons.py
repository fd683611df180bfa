"""Comparisons, and what is in a tuple or a list."""

from __future__ import annotations

import ast

from . import missing
from .errors import Refused
from .nodes import Const, Get, Node, Op, Statement
from .scope import Scope, describe, picked
from .types import BOOL, FLOAT, INT, NONE, NUMBERS, OPTIONAL, UNKNOWN, ChoiceType, ListType, SeveralType
from .values import Special, Tup, Value, Word, after, convert, flat, held, hole

RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
ABSENT = f"nothing is None in a trial; {missing.NOTHING}, and compare with it"
# Beyond this a whole number may have no real number of the same value.
EXACT = 1 << 53


def opposite(value: Node, line: int) -> Node:
    if isinstance(value, Const):
        return Const(BOOL, int(not value.value), line)
    return Op("b.not", BOOL, line, value) if value.type is not UNKNOWN else value


def comparison(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.Compare)
    line = node.lineno
    left = scope.value(node.left)
    if len(node.ops) == 1:
        return compare(scope, node.ops[0], left, scope.value(node.comparators[0]), node, line)
    # Each middle value is computed once, and only if the comparisons before it hold.
    chain: list[tuple[list[Statement], Node]] = []
    for place, (op, each) in enumerate(zip(node.ops, node.comparators)):
        right = scope.value(each)
        statements: list[Statement] = []
        if place == 0 and not isinstance(left, (Word, Special)):
            statements, left = held(left, line)
        if place + 1 < len(node.ops) and not isinstance(right, (Word, Special)):
            more, right = held(right, line)
            statements += more
        chain.append((statements, compare(scope, op, left, right, node, line)))
        left = right
    result: Node | None = None
    for statements, test in reversed(chain):
        if test.type is UNKNOWN:
            return hole(line)
        both = test if result is None else picked(BOOL, line, test, result, Const(BOOL, 0, line))
        made = after(statements, both, line)
        assert isinstance(made, Node)
        result = made
    assert result is not None
    return result


def compare(scope: Scope, op: ast.cmpop, left: Value, right: Value, node: ast.AST, line: int) -> Node:
    if isinstance(op, (ast.In, ast.NotIn)):
        found = scope.program.contains(scope, left, right, node, line)
        return found if isinstance(op, ast.In) else opposite(found, line)
    if isinstance(op, (ast.Is, ast.IsNot)):
        if left.type is UNKNOWN or right.type is UNKNOWN:
            return hole(line)
        absent = left.type is NONE or right.type is NONE
        raise Refused(node, ABSENT if absent else "'is' compares objects; write == or !=")
    return related(scope, RELATIONS[type(op)], left, right, node, line)


def related(scope: Scope, relation: str, left: Value, right: Value, node: ast.AST, line: int) -> Node:
    """A comparison of two values."""
    for side in (left, right):
        if isinstance(side, Special):
            raise Refused(node, scope.program.misuse(side, "a number"))
    if any(isinstance(side, Node) and side.type is UNKNOWN for side in (left, right)):
        return hole(line)
    if isinstance(right, Word) and not isinstance(left, Word):
        left, right, relation = right, left, SWAPPED[relation]
    if isinstance(left, Word):
        return named(left, right, relation, node, line)
    if isinstance(left, Tup) or isinstance(right, Tup):
        return tuples(scope, relation, left, right, node, line)
    assert isinstance(left, Node) and isinstance(right, Node)
    a, b = left.type, right.type
    if isinstance(a, ChoiceType) and isinstance(b, ChoiceType) and a.names == b.names and relation in ("eq", "ne"):
        return Op("i." + relation, BOOL, line, left, right)
    if isinstance(a, ListType) or isinstance(b, ListType):
        if isinstance(a, ListType) and isinstance(b, ListType) and relation in ("eq", "ne"):
            return scope.program.equal_lists(scope, left, right, relation, node, line)
        raise Refused(node, "only lists of numbers can be compared, with == and !=; compare their elements in a loop")
    if not (a in NUMBERS or a is BOOL) or not (b in NUMBERS or b is BOOL):
        none = NONE in (a, b) or OPTIONAL in (a, b)
        raise Refused(node, ABSENT if none else f"{a} and {b} cannot be compared")
    if a is BOOL and b is BOOL:
        return Op("b." + relation, BOOL, line, left, right)
    left, right = convert(left, INT, line) if a is BOOL else left, convert(right, INT, line) if b is BOOL else right
    if left.type is INT and right.type is INT:
        return Op("i." + relation, BOOL, line, left, right)
    for one, other, name in ((left, right, relation), (right, left, SWAPPED[relation])):
        if one.type is INT:
            if isinstance(one, Const) and abs(one.value) <= EXACT:
                real = Const(FLOAT, float(one.value), line)
                return Op("f." + relation, BOOL, line, *((real, right) if one is left else (left, real)))
            if one is left:
                return Op("x." + name, BOOL, line, one, other)
            # The left side is computed first, and the operation takes the whole number first.
            statements, kept = held(left, line)
            made = after(statements, Op("x." + name, BOOL, line, one, flat(kept)[0]), line)
            assert isinstance(made, Node)
            return made
    return Op("f." + relation, BOOL, line, left, right)


def named(word: Word, other: Value, relation: str, node: ast.AST, line: int) -> Node:
    """A choice compared with one of its names."""
    if not isinstance(other, Node) or not isinstance(other.type, ChoiceType) or relation not in ("eq", "ne"):
        raise Refused(node, 'a text can only be compared with a choice parameter: self.kind == "call"')
    names = other.type.names
    if word.text not in names:
        raise Refused(node, f"the choice has no '{word.text}'; its names are {', '.join(names)}")
    return Op("i." + relation, BOOL, line, other, Const(INT, names.index(word.text), line))


def tuples(scope: Scope, relation: str, left: Value, right: Value, node: ast.AST, line: int) -> Node:
    """Tuples that are equal, or not."""
    if not isinstance(left, Tup) or not isinstance(right, Tup):
        raise Refused(node, f"{describe(left)} and {describe(right)} cannot be compared")
    if relation not in ("eq", "ne"):
        raise Refused(node, "tuples can be compared with == and != only; compare their items one by one")
    if len(left.items) != len(right.items):
        return Const(BOOL, int(relation == "ne"), line)
    before, kept = held(Tup([left, right]), line)
    assert isinstance(kept, Tup) and isinstance(kept.items[0], Tup) and isinstance(kept.items[1], Tup)
    result: Node = Const(BOOL, 1, line)
    for one, other in reversed(list(zip(kept.items[0].items, kept.items[1].items))):
        test = related(scope, "eq", one, other, node, line)
        if test.type is UNKNOWN:
            return hole(line)
        result = picked(BOOL, line, test, result, Const(BOOL, 0, line))
    made = after(before, result if relation == "eq" else opposite(result, line), line)
    assert isinstance(made, Node)
    return made


def contains(scope: Scope, left: Value, right: Value, node: ast.AST, line: int) -> Node:
    """`x in …`."""
    if isinstance(right, Node) and isinstance(right.type, SeveralType):
        if not isinstance(left, Word):
            raise Refused(node, 'a parameter of several names has texts: write "ham" in self.tops')
        if left.text not in right.type.names:
            raise Refused(node, f"the parameter has no '{left.text}'; its names are {', '.join(right.type.names)}")
        bit = Op("shr", INT, line, right, Const(INT, right.type.names.index(left.text), line))
        return Op("i.ne", BOOL, line, Op("and", INT, line, bit, Const(INT, 1, line)), Const(INT, 0, line))
    if isinstance(left, Word):
        if isinstance(right, Tup):
            # `"call" in (…)` is never what was meant.
            raise Refused(node, 'a text is compared with a choice parameter: self.kind in ("call", "put")')
        raise Refused(node, "a text is only found in a parameter of several names")
    if isinstance(right, Special) and right.kind == "range":
        return scope.program.in_range(scope, left, right, node, line)
    if isinstance(left, Special) or isinstance(right, (Special, Word)):
        raise Refused(node, "'in' needs a number, and a tuple or a list")
    if isinstance(right, Tup):
        statements, kept = held(left, line)
        if not any(isinstance(item, Word) for item in right.items):
            # The whole tuple is computed before the search.
            more, held_right = held(right, line)
            assert isinstance(held_right, Tup)
            statements, right = statements + more, held_right
        result: Node = Const(BOOL, 0, line)
        simple = all(
            isinstance(each, (Const, Get)) for item in right.items if not isinstance(item, Word) for each in flat(item)
        )
        for item in reversed(right.items):
            test = related(scope, "eq", kept, item, node, line)
            if test.type is UNKNOWN or result.type is UNKNOWN:
                return hole(line)
            if simple:
                result = test if isinstance(result, Const) else Op("b.or", BOOL, line, test, result)
            else:
                result = picked(BOOL, line, test, Const(BOOL, 1, line), result)
        made = after(statements, result, line)
        assert isinstance(made, Node)
        return made
    if isinstance(right.type, ListType):
        return scope.program.search(scope, left, right, node, line)
    if right.type is UNKNOWN:
        return hole(line)
    raise Refused(node, f"'in' needs a tuple or a list, and this is {describe(right)}")
