"""The functions and constants of the module `math`, and powers."""

from __future__ import annotations

import ast
import math

from . import sentences
from .errors import Refused
from .flow import If, Stop
from .nodes import Const, Node, Op, Pick, Run, Statement
from .scope import Scope
from .types import BOOL, FLOAT, INT, MIXED, UNKNOWN
from .values import Special, Tup, Value, after, convert, flat, held, hole

CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}
# The kit's functions with one and with two arguments, and what can be wrong with the result.
KIT = {
    "log": "sign", "log2": "sign", "log10": "sign", "log1p": "below", "exp": "large", "expm1": "large", "sin": "finite",
    "cos": "finite", "tan": "finite", "asin": "nan", "acos": "nan", "atan": "", "atan2": "", "sinh": "large",
    "cosh": "large", "tanh": "", "cbrt": "", "hypot": "", "erf": "", "erfc": "", "gamma": "pole", "lgamma": "poles",
    "pow": "both",
}  # fmt: skip
ROUNDING = {"floor": "f.floor", "ceil": "f.ceil", "trunc": "f.trunc"}
WHOLE = {"gcd": 2, "lcm": 2, "factorial": 1, "comb": 2, "perm": 2, "isqrt": 1}
KNOWN = {
    *CONSTANTS, *KIT, *ROUNDING, *WHOLE, "sqrt", "fabs", "fmod", "copysign", "isnan", "isinf", "isfinite", "degrees", "radians",
}  # fmt: skip
# The quantile functions of `potluck`, with their numbers of arguments.
QUANTILES = {"normal_quantile": 1, "student_quantile": 2}
# A power up to this becomes multiplications.
FEW = 4


def constant(meaning: str, node: ast.AST) -> Value:
    """`math.pi`, or a function that is to be called."""
    module, _, name = meaning.partition(".")
    if module == "math" and name in CONSTANTS:
        return Const(FLOAT, CONSTANTS[name], getattr(node, "lineno", 0))
    return Special("outside", meaning)


def call(scope: Scope, meaning: str, node: ast.Call) -> Value:
    module, _, name = meaning.partition(".")
    if meaning == "potluck.normal_below" and len(node.args) == 1 and not node.keywords:
        return Run("rt_normal_below", FLOAT, node.lineno, scope.real(node.args[0]))
    if module == "potluck" and len(node.args) == QUANTILES.get(name) and not node.keywords:
        return scope.program.helped(scope, name, [scope.real(each) for each in node.args], node)
    if module != "math" or name not in KNOWN or name in CONSTANTS:
        raise Refused(node, scope.program.misuse(Special("outside", meaning), "a number"))
    if node.keywords:
        raise Refused(node, f"math.{name} takes no names of arguments")
    line = node.lineno
    wanted = 2 if name in ("atan2", "pow", "hypot", "fmod", "copysign") or WHOLE.get(name) == 2 else 1
    if name == "log" and len(node.args) == 2:
        return logarithm(scope, node, line)
    if name in ("perm",) and len(node.args) == 1:
        return scope.program.helped(scope, "factorial", [scope.whole(node.args[0], "the number")], node)
    if len(node.args) != wanted:
        raise Refused(node, f"math.{name} takes {wanted} argument{'s' if wanted > 1 else ''}")
    if name in WHOLE:
        return scope.program.helped(
            scope, name, [scope.whole(each, f"an argument of math.{name}") for each in node.args], node
        )
    numbers = [scope.number(each) for each in node.args]
    if any(each.type is UNKNOWN for each in numbers):
        return hole(line)
    if name in ROUNDING:
        value = numbers[0]
        return value if value.type is INT else Op("int", INT, line, Op(ROUNDING[name], FLOAT, line, value))
    args = [convert(each, FLOAT, line) for each in numbers]
    if name in KIT:
        return kit(name, args, line)
    if name == "sqrt":
        before, kept = held(args[0], line)
        x = flat(kept)[0]
        return after(
            [*before, unless(Op("f.lt", BOOL, line, x, Const(FLOAT, 0.0)), line, sentences.domain("sqrt"))],
            Op("f.sqrt", FLOAT, line, x),
            line,
        )
    if name in ("isnan", "isinf", "isfinite"):
        before, kept = held(args[0], line)
        return after(before, tested(name, flat(kept)[0], line), line)
    if name == "fmod":
        before, kept = held(Tup([*args]), line)
        x, y = flat(kept)
        zero = Op("f.eq", BOOL, line, y, Const(FLOAT, 0.0))
        wrong = Pick(
            BOOL,
            line,
            zero,
            opposite(tested("isnan", x, line), line),
            Pick(BOOL, line, tested("isinf", x, line), opposite(tested("isnan", y, line), line), Const(BOOL, 0)),
        )
        return after([*before, unless(wrong, line, sentences.domain("fmod"))], Run("rt_fmod", FLOAT, line, x, y), line)
    if name == "fabs":
        return Op("f.abs", FLOAT, line, args[0])
    if name == "copysign":
        return Op("f.copysign", FLOAT, line, *args)
    factor = 180.0 / math.pi if name == "degrees" else math.pi / 180.0
    return Op("f.mul", FLOAT, line, args[0], Const(FLOAT, factor, line))


def opposite(value: Node, line: int) -> Node:
    return Op("b.not", BOOL, line, value)


def unless(wrong: Node, line: int, sentence: str) -> Statement:
    """Ends the run if the condition holds."""
    return If(wrong, [Stop(line, sentence)], [])


def tested(name: str, x: Node, line: int) -> Node:
    """Whether a variable is NaN, infinite, or finite."""
    if name == "isnan":
        return Op("f.ne", BOOL, line, x, x)
    size = Op("f.abs", FLOAT, line, x)
    infinite = Const(FLOAT, math.inf, line)
    return Op("f.eq" if name == "isinf" else "f.lt", BOOL, line, size, infinite)


def kit(name: str, args: list[Node], line: int) -> Value:
    """A function of the kit. Where it has no value, or one that is too large, the run ends."""
    check = KIT[name]
    function = f"rt_{name}"
    if not check:
        return Run(function, FLOAT, line, *args)
    before, kept = held(Tup([*args]), line)
    given = flat(kept)
    x = given[0]
    if check in ("sign", "below"):
        # A NaN stays one.
        wrong = Op("f.le", BOOL, line, x, Const(FLOAT, 0.0 if check == "sign" else -1.0, line))
        return after([*before, unless(wrong, line, sentences.domain(name))], Run(function, FLOAT, line, *given), line)
    statements, result = held(Run(function, FLOAT, line, *given), line)
    value = flat(result)[0]
    statements = before + statements
    if check in ("finite", "nan", "both", "pole"):
        valid: Node = opposite(tested("isnan", x, line), line)
        if check == "both":
            valid = Pick(BOOL, line, valid, opposite(tested("isnan", given[1], line), line), Const(BOOL, 0, line))
        no_value = Pick(BOOL, line, tested("isnan", value, line), valid, Const(BOOL, 0, line))
        statements.append(unless(no_value, line, sentences.domain(name)))
    if check in ("large", "both", "pole", "poles"):
        finite = tested("isfinite", x, line)
        if check == "both":
            finite = Pick(BOOL, line, finite, tested("isfinite", given[1], line), Const(BOOL, 0, line))
        large = Pick(BOOL, line, tested("isinf", value, line), finite, Const(BOOL, 0, line))
        stops: list[Statement] = [Stop(line, sentences.too_large(name))]
        if check != "large":
            # log Γ is also infinite at -1, -2, -3 …
            zero = Op("f.le" if check == "poles" else "f.eq", BOOL, line, x, Const(FLOAT, 0.0, line))
            stops = [If(zero, [Stop(line, sentences.domain(name))], stops)]
        statements.append(If(large, stops, []))
    return after(statements, value, line)


def logarithm(scope: Scope, node: ast.Call, line: int) -> Value:
    """`math.log(x, base)`: the quotient of two logarithms."""
    x, base = scope.real(node.args[0]), scope.real(node.args[1])
    if UNKNOWN in (x.type, base.type):
        return hole(line)
    before, kept = held(Tup([x, base]), line)
    over, under = (kit("log", [each], line) for each in flat(kept))
    assert isinstance(over, Node) and isinstance(under, Node)
    return after(before, Op("divide", FLOAT, line, over, under), line)


def power(scope: Scope, left: Node, right: Node, node: ast.AST, line: int) -> Value:
    """`x ** y`."""
    if left.type is INT and right.type is INT:
        if isinstance(right, Const):
            exponent = int(right.value)
            if exponent < 0:
                return real_power(convert(left, FLOAT, line), Const(FLOAT, float(exponent), line), line)
            if 1 <= exponent <= FEW:
                before, kept = held(left, line)
                x = result = flat(kept)[0]
                for _ in range(exponent - 1):
                    result = Op("mul", INT, line, result, x)
                return after(before, result, line)
        return scope.program.helped(scope, "power_of_int_to_int", [left, right], node)
    if MIXED in (left.type, right.type) and FLOAT not in (left.type, right.type):
        raise scope.mixture(node, "'**'")
    return real_power(convert(left, FLOAT, line), convert(right, FLOAT, line), line)


def real_power(x: Node, y: Node, line: int) -> Value:
    """The kit's power, with Python's errors."""
    before, kept = held(Tup([x, y]), line)
    x, y = flat(kept)
    no = Const(BOOL, 0, line)
    zero = Op("f.eq", BOOL, line, x, Const(FLOAT, 0.0, line))
    negative = Op("f.lt", BOOL, line, y, Const(FLOAT, 0.0, line))
    before.append(unless(Pick(BOOL, line, zero, negative, no), line, sentences.DIVISION))
    statements, result = held(Run("rt_pow", FLOAT, line, x, y), line)
    value = flat(result)[0]
    numbers = Pick(BOOL, line, opposite(tested("isnan", x, line), line), opposite(tested("isnan", y, line), line), no)
    finite = Pick(BOOL, line, tested("isfinite", x, line), tested("isfinite", y, line), no)
    statements += [
        unless(Pick(BOOL, line, tested("isnan", value, line), numbers, no), line, sentences.COMPLEX),
        unless(Pick(BOOL, line, tested("isinf", value, line), finite, no), line, sentences.POWER_RANGE),
    ]
    return after(before + statements, value, line)
