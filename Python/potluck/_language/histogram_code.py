"""The code that adds to histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .declaration import Field
from .describe import first_at
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
    _bin(e, x, index, field.bins, field.low, field.high)
    e.op("i32.wrap")
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


def add_pair(e: Emitter, field: Field, tally: Tally) -> None:
    """Keeps the first number of a pair, and adds with the second one to a cell of a histogram, or to the count outside."""
    rectangle = field.rectangle
    assert rectangle is not None
    if tally.how == "0":
        x = e.take(F64)
        e.node(tally.node)
        e.set(x)
        is_number(e, x, tally.line)
        e.i32(first_at(field))
        e.get(x)
        e.memory("f64.store")
        e.give(x)
        return
    x, y, at, index = e.take(F64), e.take(F64), e.take(I32), e.take(I64)
    e.node(tally.node)
    e.set(y)
    is_number(e, y, tally.line)
    e.i32(first_at(field))
    e.memory("f64.load")
    e.set(x)
    _within(e, x, *rectangle.x)
    _within(e, y, *rectangle.y)
    e.op("i32.and")
    e.begin_if(I32)
    _bin(e, y, index, rectangle.rows, *rectangle.y)
    e.i64(rectangle.columns)
    e.op("i64.mul")
    _bin(e, x, index, rectangle.columns, *rectangle.x)
    e.op("i64.add", "i32.wrap")
    e.i32(3)
    e.op("i32.shl")
    e.i32(field.address + 8)
    e.op("i32.add", "else")
    e.i32(field.address)
    e.end()
    e.tee(at)
    e.get(at)
    e.memory("i64.load")
    e.i64(1)
    e.op("i64.add")
    e.memory("i64.store")
    e.give(x, y, at, index)


def _within(e: Emitter, x: int, low: float, high: float) -> None:
    """Leaves whether a number is in a range, whose upper end does not belong to it."""
    e.get(x)
    e.f64(low)
    e.op("f64.ge")
    e.get(x)
    e.f64(high)
    e.op("f64.lt", "i32.and")


def _bin(e: Emitter, x: int, index: int, bins: int, low: float, high: float) -> None:
    """Leaves the bin of a number in the range. `index`: a local to use."""
    # Rounding may lift a number just below the upper end to the bin after the last.
    e.get(x)
    e.f64(low)
    e.op("f64.sub")
    e.f64(bins / (high - low))
    e.op("f64.mul")
    e.saturate()
    e.tee(index)
    e.i64(bins - 1)
    e.get(index)
    e.i64(bins - 1)
    e.op("i64.lt_s", "select")
