"""The code that reads tables of inputs: their rows, their columns, and the address of their numbers, in four bytes each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable

from .memory import index_check
from .nodes import Const, Run
from .types import I32, I64

if TYPE_CHECKING:
    from .emit import Emitter

ROWS, COLUMNS, NUMBERS = 0, 4, 8


def table(e: Emitter, node: Run) -> None:
    place = node.args[0]
    assert isinstance(place, Const)
    e.i32(e.module.declaration.inputs[int(place.value)].address)


def rows(e: Emitter, node: Run) -> None:
    e.node(node.args[0])
    e.memory("i64.load32_u", ROWS)


def columns(e: Emitter, node: Run) -> None:
    e.node(node.args[0])
    e.memory("i64.load32_u", COLUMNS)


def element(e: Emitter, node: Run) -> None:
    """`self.table[row][column]`."""
    head = e.take(I32)
    e.node(node.args[0])
    e.set(head)
    row, column = e.take(I64), e.take(I64)
    for arg, local, offset in ((node.args[1], row, ROWS), (node.args[2], column, COLUMNS)):
        e.node(arg)
        e.set(local)

        def length(offset: int = offset) -> None:
            e.get(head)
            e.memory("i64.load32_u", offset)

        index_check(e, arg, local, length, node.line)
    e.get(head)
    e.memory("i32.load", NUMBERS)
    e.get(row)
    e.get(head)
    e.memory("i64.load32_u", COLUMNS)
    e.op("i64.mul")
    e.get(column)
    e.op("i64.add", "i32.wrap")
    e.i32(3)
    e.op("i32.shl", "i32.add")
    e.memory("f64.load")
    e.give(head, row, column)


TABLES: dict[str, Callable[[Emitter, Run], None]] = {
    "table": table,
    "rows": rows,
    "columns": columns,
    "element": element,
}
