"""The code that adds to the counts of categories and to series."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sentences
from .declaration import Field
from .describe import time_at
from .fit_code import fits
from .nodes import Tally
from .types import F64, I32, I64

if TYPE_CHECKING:
    from .emit import Emitter


def add_category(e: Emitter, field: Field, tally: Tally) -> None:
    """Counts a category."""
    index, at = e.take(I64), e.take(I32)
    e.node(tally.node)
    e.set(index)
    _check(e, index, field, tally.line, sentences.CATEGORY)
    e.i32(field.address)
    e.get(index)
    e.op("i32.wrap")
    e.i32(3)
    e.op("i32.shl", "i32.add")
    e.tee(at)
    e.get(at)
    e.memory("i64.load")
    e.i64(1)
    e.op("i64.add")
    e.memory("i64.store")
    e.give(index, at)


def add_time(e: Emitter, field: Field, tally: Tally) -> None:
    """Keeps the time, and adds the number at it."""
    if tally.how == "time":
        time = e.take(I64)
        e.node(tally.node)
        e.set(time)
        _check(e, time, field, tally.line, sentences.TIME)
        e.i32(time_at(field))
        e.get(time)
        e.op("i32.wrap")
        e.memory("i32.store")
        e.give(time)
        return
    x = e.take(F64)
    e.node(tally.node)
    e.set(x)
    fits(e, x, True, tally.line, sentences.SERIES)
    e.i32(field.address)
    e.i32(time_at(field))
    e.memory("i32.load")
    e.get(x)
    e.runtime("rt_series_add")
    e.give(x)


def _check(e: Emitter, index: int, field: Field, line: int, sentence: str) -> None:
    e.get(index)
    e.i64(field.bins)
    e.op("i64.ge_u")
    e.stop_if(line, sentence)
