"""The code that adds to a histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .declaration import Field
from .fit_code import is_number
from .nodes import Tally
from .types import F64, I32, I64

if TYPE_CHECKING:
    from .emit import Emitter


def add_histogram(e: Emitter, field: Field, tally: Tally) -> None:
    """Adds to a bin of a histogram, or to the counts below and above."""
    x, at, index = e.take(F64), e.take(I32), e.take(I64)
    e.node(tally.node)
    e.set(x)
    first, above = field.address + 8, field.address + 8 + 8 * field.bins
    done = e.block()
    e.get(x)
    e.f64(field.low)
    e.op("f64.lt")
    e.begin_if(I32)
    e.i32(field.address)
    e.op("else")
    e.get(x)
    e.f64(field.high)
    e.op("f64.lt", "i32.eqz")
    e.begin_if()
    is_number(e, x, tally.line)
    e.i32(above)
    e.i32(above)
    e.memory("i64.load")
    e.i64(1)
    e.op("i64.add")
    e.memory("i64.store")
    e.jump(done)
    e.end()
    # Rounding may lift a number just below the upper end to the bin after the last.
    e.get(x)
    e.f64(field.low)
    e.op("f64.sub")
    e.f64(field.bins / (field.high - field.low))
    e.op("f64.mul")
    e.saturate()
    e.tee(index)
    e.i64(field.bins - 1)
    e.get(index)
    e.i64(field.bins - 1)
    e.op("i64.lt_s", "select", "i32.wrap")
    e.i32(3)
    e.op("i32.shl")
    e.i32(first)
    e.op("i32.add")
    e.end()
    e.tee(at)
    e.get(at)
    e.memory("i64.load")
    e.i64(1)
    e.op("i64.add")
    e.memory("i64.store")
    e.end()
    e.give(x, at, index)
