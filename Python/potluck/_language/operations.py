"""The code of operations on real numbers, of conversions, and of choices; and all operations by their name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Callable

from . import sentences
from .nodes import Const, Node, Op
from .step_code import steps
from .types import F64, I32, I64
from .whole_operations import EXACT, absolute, add, both, bounds, divisor, floordiv, mod, mul, shl, shr, sub, within

if TYPE_CHECKING:
    from .emit import Emitter

__all__ = ["OPERATIONS", "bounds", "within"]


def integer(e: Emitter, node: Op) -> None:
    """A real number without its fraction."""
    x = e.take(F64)
    e.node(node.args[0])
    e.tee(x)
    e.f64(2.0**63)
    e.op("f64.lt")
    e.get(x)
    e.f64(-(2.0**63))
    e.op("f64.ge", "i32.and", "i32.eqz")
    e.stop_if(node.line, sentences.CONVERSION)
    e.get(x)
    e.op("i64.trunc_s")
    e.give(x)


def exact(e: Emitter, node: Op) -> None:
    """A whole number as a real number of the same value."""
    low, high = bounds(node.args[0])
    e.node(node.args[0])
    if low < -EXACT or high > EXACT:
        n = e.take(I64)
        e.tee(n)
        e.i64(EXACT)
        e.op("i64.add")
        e.i64(2 * EXACT)
        e.op("i64.gt_u")
        e.stop_if(node.line, "a whole number beyond 2**53 in a variable that also has real numbers; use float(…)")
        e.get(n)
        e.give(n)
    e.op("f64.convert_s")


def int_divide(e: Emitter, node: Op) -> None:
    """`/` of whole numbers, correctly rounded."""
    a, b = both(e, node)
    divisor(e, node, b)
    e.get(a)
    small = all(-EXACT <= bounds(arg)[0] and bounds(arg)[1] <= EXACT for arg in node.args)
    if small:
        e.op("f64.convert_s")
    e.get(b)
    if small:
        e.op("f64.convert_s", "f64.div")
    else:
        e.runtime("rt_int_divide")
    e.give(a, b)


def reciprocal(divisor: Node) -> float | None:
    """1 / divisor if the divisor is a constant power of two. Multiplying by that gives the same bits, and is faster."""
    if not isinstance(divisor, Const) or abs(math.frexp(divisor.value)[0]) != 0.5:
        return None
    # Beyond these, one of the two would lose bits.
    return 1 / divisor.value if 2.0**-1000 <= abs(divisor.value) <= 2.0**1000 else None


def real_division(code: str, runtime: bool) -> Callable[[Emitter, Op], None]:
    def emit(e: Emitter, node: Op) -> None:
        right = node.args[1]
        factor = None if runtime else reciprocal(right)
        if factor is not None:
            e.node(node.args[0])
            e.f64(factor)
            e.op("f64.mul")
            return
        if isinstance(right, Const) and right.value != 0:
            e.node(node.args[0])
            e.node(right)
        else:
            a, b = both(e, node)
            e.get(b)
            e.f64(0.0)
            e.op("f64.eq")
            e.stop_if(node.line, sentences.DIVISION)
            e.get(a)
            e.get(b)
            e.give(a, b)
        e.runtime(code) if runtime else e.op(code)

    return emit


def chosen(compare: str) -> Callable[[Emitter, Op], None]:
    """The second value if it compares so with the first, otherwise the first."""

    def emit(e: Emitter, node: Op) -> None:
        a, b = both(e, node)
        e.get(b)
        e.get(a)
        e.get(b)
        e.get(a)
        e.op(compare, "select")
        e.give(a, b)

    return emit


def select(e: Emitter, node: Op) -> None:
    for arg in node.args:
        e.node(arg)
    e.op("select")


def compensated(e: Emitter, node: Op) -> None:
    total, lost = both(e, node)
    e.get(total)
    e.get(lost)
    e.op("f64.add")
    e.get(total)
    e.get(lost)
    e.f64(0.0)
    e.op("f64.ne")
    e.get(lost)
    e.op("f64.abs")
    e.f64(math.inf)
    e.op("f64.lt", "i32.and", "select")
    e.give(total, lost)


def weighted(e: Emitter, node: Op) -> None:
    list = e.take(I32)
    e.node(node.args[0])
    e.tee(list)
    e.i32(8)
    e.op("i32.add")
    e.get(list)
    e.memory("i64.load")
    e.op("i32.wrap")
    e.runtime("rt_weighted")
    e.give(list)


def plain(*codes: str) -> Callable[[Emitter, Op], None]:
    def emit(e: Emitter, node: Op) -> None:
        for arg in node.args:
            e.node(arg)
        e.op(*codes)

    return emit


def mixed(relation: str) -> Callable[[Emitter, Op], None]:
    """A comparison of a whole with a real number."""
    # -1, 0 or 1 if the whole number is less, equal or greater; 2 if the real one is NaN.
    tests = {
        "lt": (-1, "i32.eq"),
        "gt": (1, "i32.eq"),
        "eq": (0, "i32.eq"),
        "ne": (0, "i32.ne"),
        "le": (0, "i32.le_s"),
        "ge": (2, "i32.lt_u"),
    }
    against, compare = tests[relation]

    def emit(e: Emitter, node: Op) -> None:
        low, high = bounds(node.args[0])
        e.node(node.args[0])
        if -EXACT <= low and high <= EXACT:
            e.op("f64.convert_s")
            e.node(node.args[1])
            e.op(f"f64.{relation}")
            return
        e.node(node.args[1])
        e.runtime("rt_compare")
        e.i32(against)
        e.op(compare)

    return emit


OPERATIONS: dict[str, Callable[[Emitter, Op], None]] = {
    "add": add,
    "count": add,
    "sub": sub,
    "mul": mul,
    "abs": absolute,
    "floordiv": floordiv,
    "mod": mod,
    "shl": shl,
    "shr": shr,
    "and": plain("i64.and"),
    "or": plain("i64.or"),
    "xor": plain("i64.xor"),
    "i.min": chosen("i64.lt_s"),
    "i.max": chosen("i64.gt_s"),
    "i.popcnt": plain("i64.popcnt"),
    "f.least": chosen("f64.lt"),
    "f.greatest": chosen("f64.gt"),
    "f.select": select,
    "f.compensated": compensated,
    "f.nearest": plain("f64.nearest"),
    "divide": real_division("f64.div", False),
    "f.floordiv": real_division("rt_float_floordiv", True),
    "f.mod": real_division("rt_float_mod", True),
    "int.divide": int_divide,
    "int": integer,
    "float": plain("f64.convert_s"),
    "exact": exact,
    "same": plain(),
    "widen": plain("i64.extend_u"),
    "steps": steps,
    "weighted": weighted,
    "b.not": plain("i32.eqz"),
    "b.and": plain("i32.and"),
    "b.or": plain("i32.or"),
    "b.xor": plain("i32.xor"),
}
for _name in ("add", "sub", "mul", "neg", "abs", "sqrt", "floor", "ceil", "trunc", "copysign"):
    OPERATIONS[f"f.{_name}"] = plain(f"f64.{_name}")
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    OPERATIONS[f"f.{_name}"] = plain(f"f64.{_name}")
    OPERATIONS[f"i.{_name}"] = plain(f"i64.{_name}" + ("" if _name in ("eq", "ne") else "_s"))
    OPERATIONS[f"b.{_name}"] = plain(f"i32.{_name}" + ("" if _name in ("eq", "ne") else "_u"))
    OPERATIONS[f"x.{_name}"] = mixed(_name)
