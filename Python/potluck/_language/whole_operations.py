"""The code of operations on whole numbers, with a check where a result may be beyond 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sentences
from .nodes import GREATEST, LEAST, Const, Node, Op
from .ranges import RULES, WHOLE
from .types import I64

if TYPE_CHECKING:
    from .emit import Emitter

EXACT = 1 << 53
SMALL = 1 << 32


def within(node: Op) -> bool:
    """Whether the result is within 64 bits in any case."""
    low, high = RULES[node.name](*[arg.bounds or WHOLE for arg in node.args])
    return LEAST <= low and high <= GREATEST


def bounds(node: Node) -> tuple[int, int]:
    return node.bounds or WHOLE


def both(e: Emitter, node: Op) -> tuple[int, int]:
    """Computes both sides into locals."""
    e.node(node.args[0])
    left = e.take(node.args[0].type.machine)
    e.set(left)
    e.node(node.args[1])
    right = e.take(node.args[1].type.machine)
    e.set(right)
    return left, right


def add(e: Emitter, node: Op) -> None:
    sum_of(e, node, "i64.add")


def sub(e: Emitter, node: Op) -> None:
    sum_of(e, node, "i64.sub")


def sum_of(e: Emitter, node: Op, op: str) -> None:
    """A sum or a difference."""
    left, right = node.args
    if within(node) or node.name == "count":
        e.node(left)
        e.node(right)
        e.op(op)
        return
    a, b = both(e, node)
    result = e.take(I64)
    e.get(a)
    e.get(b)
    e.op(op)
    e.tee(result)
    adds = op == "i64.add"
    is_lower, is_higher = ("i64.lt_s", "i64.gt_s") if adds else ("i64.gt_s", "i64.lt_s")
    if bounds(right)[0] >= 0:
        e.get(a)
        e.op(is_lower)
    elif bounds(right)[1] <= 0:
        e.get(a)
        e.op(is_higher)
    else:
        # The result has the wrong sign: both terms of a sum have the other one, or those of a difference differ.
        e.get(a)
        e.op("i64.xor")
        e.get(result if adds else a)
        e.get(b)
        e.op("i64.xor", "i64.and")
        e.i64(0)
        e.op("i64.lt_s")
    e.stop_if(node.line, sentences.OVERFLOW)
    e.get(result)
    e.give(a, b, result)


def mul(e: Emitter, node: Op) -> None:
    left, right = node.args
    if within(node):
        e.node(left)
        e.node(right)
        e.op("i64.mul")
        return
    a, b = both(e, node)
    # Products of numbers of 32 bits fit. Others are rare, and the kit looks at them.
    e.get(a)
    e.i64(1 << 31)
    e.op("i64.add")
    e.get(b)
    e.i64(1 << 31)
    e.op("i64.add", "i64.or")
    e.i64(32)
    e.op("i64.shr_u", "i64.eqz", "i32.eqz")
    e.begin_if()
    e.get(a)
    e.get(b)
    e.runtime("rt_mul_overflows")
    e.stop_if(node.line, sentences.OVERFLOW)
    e.end()
    e.get(a)
    e.get(b)
    e.op("i64.mul")
    e.give(a, b)


def absolute(e: Emitter, node: Op) -> None:
    low, _ = bounds(node.args[0])
    e.node(node.args[0])
    if low >= 0:
        return
    x, sign = e.take(I64), e.take(I64)
    e.tee(x)
    if low == LEAST:
        e.i64(LEAST)
        e.op("i64.eq")
        e.stop_if(node.line, sentences.OVERFLOW)
        e.get(x)
    e.i64(63)
    e.op("i64.shr_s")
    e.tee(sign)
    e.get(x)
    e.op("i64.xor")
    e.get(sign)
    e.op("i64.sub")
    e.give(x, sign)


def divisor(e: Emitter, node: Op, local: int) -> None:
    """Ends the run if the divisor is 0."""
    low, high = bounds(node.args[1])
    if low <= 0 <= high:
        e.get(local)
        e.op("i64.eqz")
        e.stop_if(node.line, sentences.DIVISION)


def unsigned_division(e: Emitter, node: Op, name: str) -> bool:
    """Divides numbers that are not negative; False if one may be."""
    (low, high), (least, most) = bounds(node.args[0]), bounds(node.args[1])
    if low < 0 or least < 0:
        return False
    e.node(node.args[0])
    narrow = high < SMALL and most < SMALL
    if least > 0:
        if narrow:
            e.op("i32.wrap")
        e.node(node.args[1])
    else:
        a = e.take(I64)
        e.set(a)
        e.node(node.args[1])
        b = e.take(I64)
        e.set(b)
        divisor(e, node, b)
        e.get(a)
        if narrow:
            e.op("i32.wrap")
        e.get(b)
        e.give(a, b)
    if narrow:
        e.op("i32.wrap", f"i32.{name}_u", "i64.extend_u")
    else:
        e.op(f"i64.{name}_u")
    return True


def power_of_two(node: Node) -> int | None:
    """The exponent of a constant power of two."""
    if isinstance(node, Const) and node.value > 0 and int(node.value) & (int(node.value) - 1) == 0:
        return int(node.value).bit_length() - 1
    return None


def floordiv(e: Emitter, node: Op) -> None:
    shift = power_of_two(node.args[1])
    if shift is not None:
        e.node(node.args[0])
        e.i64(shift)
        e.op("i64.shr_s")
        return
    if unsigned_division(e, node, "div"):
        return
    a, b = both(e, node)
    quotient, rest = e.take(I64), e.take(I64)
    divisor(e, node, b)
    if bounds(node.args[0])[0] == LEAST and bounds(node.args[1])[0] <= -1 <= bounds(node.args[1])[1]:
        e.get(a)
        e.i64(LEAST)
        e.op("i64.eq")
        e.get(b)
        e.i64(-1)
        e.op("i64.eq", "i32.and")
        e.stop_if(node.line, sentences.OVERFLOW)
    e.get(a)
    e.get(b)
    e.op("i64.div_s")
    e.tee(quotient)
    e.get(a)
    e.get(quotient)
    e.get(b)
    e.op("i64.mul", "i64.sub")
    e.tee(rest)
    # One less if there is a rest, and its sign is not the divisor's.
    e.get(b)
    e.op("i64.xor")
    e.i64(0)
    e.op("i64.lt_s")
    e.get(rest)
    e.op("i64.eqz", "i32.eqz", "i32.and", "i64.extend_u", "i64.sub")
    e.give(a, b, quotient, rest)


def mod(e: Emitter, node: Op) -> None:
    shift = power_of_two(node.args[1])
    if shift is not None:
        e.node(node.args[0])
        e.i64((1 << shift) - 1)
        e.op("i64.and")
        return
    if isinstance(node.args[1], Const) and unsigned_division(e, node, "rem"):
        return
    a, b = both(e, node)
    rest = e.take(I64)
    divisor(e, node, b)
    if bounds(node.args[1])[0] > 0 and not isinstance(node.args[1], Const):
        around(e, a, b, rest)
        return
    e.get(a)
    e.get(b)
    e.op("i64.rem_s")
    e.tee(rest)
    e.get(b)
    e.i64(0)
    e.get(rest)
    e.get(b)
    e.op("i64.xor")
    e.i64(0)
    e.op("i64.lt_s")
    e.get(rest)
    e.op("i64.eqz", "i32.eqz", "i32.and", "select", "i64.add")
    e.give(a, b, rest)


def around(e: Emitter, a: int, b: int, rest: int) -> None:
    """A remainder for a positive divisor. Most numbers are at most once around, and need no division."""
    e.get(a)
    e.get(b)
    e.get(a)
    e.i64(63)
    e.op("i64.shr_s", "i64.and", "i64.add")
    e.tee(rest)
    e.get(b)
    e.op("i64.ge_u")
    e.begin_if()
    e.get(a)
    e.get(b)
    e.op("i64.rem_s")
    e.tee(rest)
    e.get(b)
    e.get(rest)
    e.i64(63)
    e.op("i64.shr_s", "i64.and", "i64.add")
    e.set(rest)
    e.end()
    e.get(rest)
    e.give(a, b, rest)


def negative_shift(e: Emitter, node: Op, count: int) -> None:
    if bounds(node.args[1])[0] < 0:
        e.get(count)
        e.i64(0)
        e.op("i64.lt_s")
        e.stop_if(node.line, sentences.SHIFT)


def shl(e: Emitter, node: Op) -> None:
    if within(node) and bounds(node.args[1])[0] >= 0 and bounds(node.args[1])[1] < 64:
        e.node(node.args[0])
        e.node(node.args[1])
        e.op("i64.shl")
        return
    a, count = both(e, node)
    result = e.take(I64)
    negative_shift(e, node, count)
    # A shift by 64 or more leaves 0 of 0, and is beyond 64 bits otherwise.
    e.i64(0)
    e.get(a)
    e.get(count)
    e.op("i64.shl")
    e.get(count)
    e.i64(63)
    e.op("i64.gt_u", "select")
    e.tee(result)
    e.get(count)
    e.i64(63)
    e.get(count)
    e.i64(63)
    e.op("i64.lt_u", "select", "i64.shr_s")
    e.get(a)
    e.op("i64.ne")
    e.stop_if(node.line, sentences.OVERFLOW)
    e.get(result)
    e.give(a, count, result)


def shr(e: Emitter, node: Op) -> None:
    low, high = bounds(node.args[1])
    if low >= 0 and high < 64:
        e.node(node.args[0])
        e.node(node.args[1])
        e.op("i64.shr_s")
        return
    a, count = both(e, node)
    negative_shift(e, node, count)
    e.get(a)
    e.get(count)
    e.i64(63)
    e.get(count)
    e.i64(63)
    e.op("i64.lt_u", "select", "i64.shr_s")
    e.give(a, count)
