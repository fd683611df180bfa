"""The code that reads a field of the tally, for an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sentences
from .describe import QUANTILES
from .fit_code import not_negative
from .memory import index_check
from .nodes import Counted, Node
from .types import I64, INT

if TYPE_CHECKING:
    from .emit import Emitter


def counted(e: Emitter, node: Node) -> None:
    """A value of a field of the tally."""
    assert isinstance(node, Counted)
    field = e.module.declaration.fields[node.field]
    if node.what == "bin":
        assert node.index is not None
        index = e.take(I64)
        e.node(node.index)
        e.set(index)
        index_check(e, node.index, index, lambda: e.i64(field.bins), node.line)
        e.get(index)
        e.op("i32.wrap")
        e.i32(8)
        e.op("i32.mul")
        e.memory("i64.load", field.address + 8)
        e.give(index)
        return
    above = QUANTILES - 2 if field.kind == "quantiles" else field.bins + 1
    offsets = {"below": 0, "above": 8 * above, "count": 0, "value": 0, "outside": 0}
    if node.type is INT:
        e.i32(field.address + offsets[node.what])
        e.memory("i64.load")
        if field.kind == "count":
            # A count goes up to 2⁶⁴ - 1.
            not_negative(e, node.line, sentences.OVERFLOW)
        return
    functions = {"sum": "rt_sum_value", "minimum": "rt_minimum_value", "maximum": "rt_maximum_value"}
    e.i32(field.address)
    e.runtime(functions.get(field.kind, f"rt_moments_{node.what}"))
