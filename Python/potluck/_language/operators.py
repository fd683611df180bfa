"""Operators: arithmetic, comparisons, conditions."""

from __future__ import annotations

import ast
from typing import Callable

from .constants import BINARY
from .errors import Refused
from .nodes import GREATEST, LEAST, Const, Get, If, Leaf, Node, Op, Run, Set, Statement
from .scope import EXPRESSIONS, Scope, describe, lacking, picked, unparse
from .types import (
    BOOL, FLOAT, INT, MIXED, NONE, NUMBERS, OPTIONAL, UNKNOWN, ChoiceType, ListType, SeveralType, Type, join,
)  # fmt: skip
from .values import Special, Tup, Value, Word, after, convert, converted, flat, got, held, hole

# The names of operations on whole and on real numbers.
WHOLE: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.LShift: "shl",
    ast.RShift: "shr",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
REAL: dict[type[ast.operator], str] = {
    ast.Add: "f.add",
    ast.Sub: "f.sub",
    ast.Mult: "f.mul",
    ast.Div: "divide",
    ast.FloorDiv: "f.floordiv",
    ast.Mod: "f.mod",
}
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
# Beyond this a whole number may have no real number of the same value.
EXACT = 1 << 53


def literal(node: ast.expr) -> int | float | bool | None:
    """The value of an expression of literals; None for any other."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, (bool, int, float)) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner = literal(node.operand)
        return None if inner is None else -inner if isinstance(node.op, ast.USub) else +inner
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        left, right = literal(node.left), literal(node.right)
        if left is None or right is None or isinstance(node.op, ast.MatMult):
            return None
        if isinstance(node.op, ast.Pow) and (
            isinstance(left, float) or not isinstance(right, int) or not 0 <= right < 128
        ):
            return None
        if isinstance(node.op, ast.LShift) and not (isinstance(right, int) and 0 <= right < 128):
            return None
        try:
            value = BINARY[type(node.op)](left, right)
        except (ArithmeticError, ValueError, TypeError):
            return None
        return value if isinstance(value, (int, float)) else None
    return None


def number(value: int | float | bool, node: ast.AST) -> Node:
    """A constant."""
    line = getattr(node, "lineno", 0)
    if isinstance(value, bool):
        return Const(BOOL, int(value), line)
    if isinstance(value, float):
        return Const(FLOAT, value, line)
    if not LEAST <= value <= GREATEST:
        raise Refused(
            node,
            f"{value} is beyond 64 bits: a whole number is from -2**63 to 2**63 - 1; write it as a real number, with .0",
        )
    return Const(INT, value, line)


def constant(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.Constant)
    value = node.value
    if isinstance(value, str):
        return Word(value)
    if value is None:
        return Const(NONE, float("nan"), node.lineno)
    if isinstance(value, (bool, int, float)):
        return number(value, node)
    if isinstance(value, complex):
        raise Refused(node, "a trial has no complex numbers; compute with two real numbers")
    raise Refused(node, f"'{unparse(node)}' is not part of the language of simulations")


def binary_expression(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.BinOp)
    known = literal(node)
    if known is not None:
        return number(known, node)
    filled = scope.program.filled(scope, node)
    if filled is not None:
        return filled
    return binary(scope, node.op, scope.value(node.left), lambda: scope.value(node.right), node, node.right, node.left)


def binary(
    scope: Scope,
    op: ast.operator,
    left: Value,
    second: Callable[[], Value],
    node: ast.AST,
    right_node: ast.expr,
    left_node: ast.AST | None = None,
) -> Value:
    """An operator with two sides. The right side is read when the left one has been."""
    line = getattr(node, "lineno", 0)
    right = second()
    sign = SIGNS[type(op)]
    for side, where in ((left, left_node or node), (right, right_node)):
        if isinstance(side, (Word, Special)):
            if isinstance(side, Word) and isinstance(op, (ast.Add, ast.Mod, ast.Mult)):
                raise Refused(where, 'a trial has no texts; compute with numbers, and note texts with self.note(f"…")')
            raise Refused(where, scope.program.misuse(side, f"a number beside '{sign}'"))
    if isinstance(left, Tup) or isinstance(right, Tup):
        return scope.program.joined(scope, op, left, right, node, right_node)
    assert isinstance(left, Node) and isinstance(right, Node)
    if isinstance(left.type, ListType) or isinstance(right.type, ListType):
        return scope.program.joined(scope, op, left, right, node, right_node)
    if left.type is UNKNOWN or right.type is UNKNOWN:
        return hole(line)
    for side, where in ((left, left_node or node), (right, right_node)):
        if side.type not in NUMBERS and side.type is not BOOL:
            raise Refused(where, f"'{sign}' needs numbers, and {lacking(side, where)}")
    if left.type is BOOL and right.type is BOOL and isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return Op("b." + WHOLE[type(op)], BOOL, line, left, right)
    left, right = (
        convert(left, INT, line) if left.type is BOOL else left,
        convert(right, INT, line) if right.type is BOOL else right,
    )
    if isinstance(op, ast.Pow):
        return scope.program.power(scope, left, right, node, line)
    if isinstance(op, ast.MatMult):
        raise Refused(node, "'@' is for matrices; write the sums with loops")
    if left.type is INT and right.type is INT:
        if isinstance(op, ast.Div):
            return Op("int.divide", FLOAT, line, left, right)
        return whole(WHOLE[type(op)], line, left, right)
    if type(op) not in REAL:
        raise Refused(node, f"'{sign}' needs whole numbers, and one of these is a real number; write int(…)")
    if FLOAT not in (left.type, right.type) and not isinstance(op, ast.Div):
        mixed = left_node if left.type is MIXED else right_node
        raise Refused(node, scope.program.mixture(scope, mixed or node, f"'{sign}'"))
    return Op(REAL[type(op)], FLOAT, line, convert(left, FLOAT, line), convert(right, FLOAT, line))


def whole(name: str, line: int, *args: Node) -> Node:
    """An operation on whole numbers, computed here if it is of constants."""
    values = [each.value for each in args if isinstance(each, Const)]
    if len(values) == len(args) and name in ("add", "sub", "mul"):
        a, b = int(values[0]), int(values[1])
        value = a + b if name == "add" else a - b if name == "sub" else a * b
        if LEAST <= value <= GREATEST:
            return Const(INT, value, line)
    return Op(name, INT, line, *args)


def unary(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.UnaryOp)
    known = literal(node)
    if known is not None and not isinstance(node.op, ast.Not):
        return number(known, node)
    line = node.lineno
    if isinstance(node.op, ast.Not):
        return opposite(scope.truth(node.operand), line)
    value = scope.number(node.operand)
    if value.type is UNKNOWN:
        return value
    if isinstance(node.op, ast.Invert):
        if value.type is not INT:
            raise Refused(node, "'~' needs a whole number")
        return Op("xor", INT, line, value, Const(INT, -1, line))
    if isinstance(node.op, ast.UAdd):
        return value
    if value.type is MIXED:
        raise Refused(node, scope.program.mixture(scope, node.operand, "'-'"))
    if value.type is FLOAT:
        return Op("f.neg", FLOAT, line, value)
    return whole("sub", line, Const(INT, 0, line), value)


def opposite(value: Node, line: int) -> Node:
    if isinstance(value, Const):
        return Const(BOOL, int(not value.value), line)
    return Op("b.not", BOOL, line, value) if value.type is not UNKNOWN else value


def junction(scope: Scope, node: ast.BoolOp) -> Node:
    """`and` and `or` as a condition."""
    # Later conditions are only computed on some paths, but they assign nothing.
    return combined([scope.truth(each) for each in node.values], isinstance(node.op, ast.And), node.lineno)


def combined(tests: list[Node], is_and: bool, line: int) -> Node:
    result = tests[-1]
    for test in reversed(tests[:-1]):
        if UNKNOWN in (test.type, result.type):
            result = hole(line)
        elif is_and:
            result = picked(BOOL, line, test, result, Const(BOOL, 0, line))
        else:
            result = picked(BOOL, line, test, Const(BOOL, 1, line), result)
    return result


def boolean(scope: Scope, node: ast.expr) -> Value:
    """`and` and `or` where a value is needed: Python's result is one of its sides."""
    assert isinstance(node, ast.BoolOp)
    tests: list[Node] = []
    for each in node.values:
        value = scope.value(each)
        if not (isinstance(value, Node) and value.type in (BOOL, UNKNOWN)):
            raise Refused(
                each,
                f"here 'and' and 'or' need conditions, and this is {describe(value)};"
                f" write a comparison, such as {unparse(each)} != 0, or 'a if test else b'",
            )
        tests.append(value)
    return combined(tests, isinstance(node.op, ast.And), node.lineno)


def conditional(scope: Scope, node: ast.expr) -> Value:
    assert isinstance(node, ast.IfExp)
    test = scope.truth(node.test)
    yes, no = scope.value(node.body), scope.value(node.orelse)
    line = node.lineno
    for side, where in ((yes, node.body), (no, node.orelse)):
        if isinstance(side, (Word, Special)):
            raise Refused(where, scope.program.misuse(side, "a number"))
    if isinstance(test, Const):
        return yes if test.value else no
    type = join(yes.type, no.type, line)
    if type is None:
        raise Refused(
            node, f"this is {describe(yes)} if the condition holds and {describe(no)} otherwise; make both of one type"
        )
    if type is UNKNOWN or test.type is UNKNOWN:
        return hole(line)
    left, right = converted(yes, type, line), converted(no, type, line)
    if len(left) == 1 and not isinstance(yes, Tup):
        return picked(type, line, test, left[0], right[0])
    parts = [Leaf("", leaf.type) for leaf in left]
    statements: list[Statement] = [If(test, [Set(parts, left)], [Set(parts, right)])]
    return after(statements, got(type, parts, line), line)


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
        raise Refused(node, "'is' compares objects; write == or !=")
    return related(scope, RELATIONS[type(op)], left, right, node, line)


def related(scope: Scope, relation: str, left: Value, right: Value, node: ast.AST, line: int) -> Node:
    """A comparison of two values."""
    for side in (left, right):
        if isinstance(side, Special):
            raise Refused(node, scope.program.misuse(side, "a number"))
    if isinstance(right, Word) and not isinstance(left, Word):
        left, right, relation = right, left, SWAPPED[relation]
    if isinstance(left, Word):
        return named(left, right, relation, node, line)
    if isinstance(left, Tup) or isinstance(right, Tup):
        return tuples(scope, relation, left, right, node, line)
    assert isinstance(left, Node) and isinstance(right, Node)
    a, b = left.type, right.type
    if a is UNKNOWN or b is UNKNOWN:
        return hole(line)
    if isinstance(a, ChoiceType) and isinstance(b, ChoiceType) and a.names == b.names and relation in ("eq", "ne"):
        return Op("i." + relation, BOOL, line, left, right)
    if isinstance(a, ListType) or isinstance(b, ListType):
        if isinstance(a, ListType) and isinstance(b, ListType) and relation in ("eq", "ne"):
            return scope.program.equal_lists(scope, left, right, relation, node, line)
        raise Refused(node, "only lists of numbers can be compared, with == and !=; compare their elements in a loop")
    if not (a in NUMBERS or a is BOOL) or not (b in NUMBERS or b is BOOL):
        none = NONE in (a, b) or OPTIONAL in (a, b)
        raise Refused(
            node, "nothing is None in a trial; compare with a number" if none else f"{a} and {b} cannot be compared"
        )
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


def run(name: str, type: Type, line: int, *args: Node) -> Node:
    return Run(name, type, line, *args)


EXPRESSIONS.update(
    {
        ast.Constant: constant,
        ast.BinOp: binary_expression,
        ast.UnaryOp: unary,
        ast.BoolOp: boolean,
        ast.IfExp: conditional,
        ast.Compare: comparison,
    }
)
