"""The code of the number of steps of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .nodes import GREATEST, Const, Op
from .types import I64

if TYPE_CHECKING:
    from .emit import Emitter


def steps(e: Emitter, node: Op) -> None:
    """How many steps lead from the first number to before the limit."""
    first, limit, step = node.args
    a, b, c = e.take(I64), e.take(I64), e.take(I64)
    for arg, local in ((first, a), (limit, b), (step, c)):
        e.node(arg)
        e.set(local)
    count = e.take(I64)

    def upwards(x: int, y: int, negative: bool) -> None:
        # ((y - x - 1) / step) + 1 as numbers without a sign, if x < y.
        e.get(x)
        e.get(y)
        e.op("i64.lt_s")
        e.begin_if(I64)
        e.get(y)
        e.get(x)
        e.op("i64.sub")
        e.i64(1)
        e.op("i64.sub")
        if negative:
            e.i64(0)
        e.get(c)
        if negative:
            e.op("i64.sub")
        e.op("i64.div_u")
        e.i64(1)
        e.op("i64.add", "else")
        e.i64(0)
        e.end()

    if isinstance(step, Const):
        upwards(*((a, b) if step.value > 0 else (b, a)), step.value < 0)
    else:
        e.get(c)
        e.i64(0)
        e.op("i64.gt_s")
        e.begin_if(I64)
        upwards(a, b, False)
        e.op("else")
        upwards(b, a, True)
        e.end()
    # More than 2⁶³ − 1 is as good as that.
    e.set(count)
    e.i64(GREATEST)
    e.get(count)
    e.get(count)
    e.i64(0)
    e.op("i64.lt_s", "select")
    e.give(a, b, c, count)
