"""The code that adds several numbers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .declaration import Field
from .describe import numbers_at
from .nodes import Tally

if TYPE_CHECKING:
    from .emit import Emitter


def add_number(e: Emitter, field: Field, tally: Tally) -> None:
    """Puts one of the numbers where the runtime takes them from, and adds all after the last one."""
    place = int(tally.how)
    e.i32(numbers_at(field))
    e.node(tally.node)
    e.memory("f64.store", 8 * place)
    if place < (2 if field.kind == "pairs" else field.bins) - 1:
        return
    e.i32(field.address)
    if field.kind == "pairs":
        e.runtime("rt_pairs_add")
    else:
        e.i32(field.bins)
        e.runtime("rt_comoments_add")
