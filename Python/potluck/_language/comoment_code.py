"""The code that adds several numbers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sentences
from .declaration import Field
from .describe import numbers_at
from .fit_code import fits
from .nodes import Tally
from .types import F64

if TYPE_CHECKING:
    from .emit import Emitter


def add_number(e: Emitter, field: Field, tally: Tally) -> None:
    """Puts one of the numbers where the runtime takes them from, and adds all after the last one."""
    place, x, power = int(tally.how), e.take(F64), e.take(F64)
    e.node(tally.node)
    e.set(x)
    if field.kind == "pairs":
        # Its square is one of the numbers whose squares are added.
        e.get(x)
        e.get(x)
        e.op("f64.mul")
        e.set(power)
        fits(e, power, True, tally.line, sentences.PAIRS)
    else:
        fits(e, x, True, tally.line, sentences.COMOMENTS)
    e.i32(numbers_at(field))
    e.get(x)
    e.memory("f64.store", 8 * place)
    e.give(x, power)
    if place < (2 if field.kind == "pairs" else field.bins) - 1:
        return
    e.i32(field.address)
    if field.kind == "pairs":
        e.runtime("rt_pairs_add")
    else:
        e.i32(field.bins)
        e.runtime("rt_comoments_add")
