"""Operators: arithmetic and conditions."""

from __future__ import annotations

import ast
from typing import Callable

from .comparisons import comparison, opposite
from .constants import BINARY
from .errors import Refused
from .flow import If
from .nodes import GREATEST, LEAST, Const, Leaf, Node, Op, Run, Set, Statement
from .scope import EXPRESSIONS, Scope, describe, lacking, picked, unparse
from .types import BOOL, FLOAT, INT, MIXED, NONE, NUMBERS, UNKNOWN, ListType, Type, join
from .values import Special, Tup, Value, Word, after, convert, converted, got, hole

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
    right = node.right
    return binary(scope, node.op, scope.value(node.left), lambda: scope.value(right), node, right, node.left)


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
        raise scope.mixture(mixed or node, f"'{sign}'")
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
        raise scope.mixture(node.operand, "'-'")
    if value.type is FLOAT:
        return Op("f.neg", FLOAT, line, value)
    return whole("sub", line, Const(INT, 0, line), value)


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
