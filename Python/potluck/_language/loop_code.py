"""The code of loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .flow import Count, Each, While
from .nodes import GREATEST, Const, Statement
from .operations import bounds
from .types import I64

if TYPE_CHECKING:
    from .emit import Emitter


def while_loop(e: Emitter, statement: Statement) -> None:
    assert isinstance(statement, While)
    label = statement.label
    always = isinstance(statement.test, Const) and bool(statement.test.value)
    outer = e.block()
    done = e.block() if statement.orelse else outer
    top = e.loop()
    e.loops[label] = (outer, top)
    with e.in_loop():
        if not always:
            e.node(statement.test)
            e.op("i32.eqz")
            e.jump_if(done)
        e.run(statement.body)
    e.jump(top)
    e.end()
    if statement.orelse:
        e.end()
        e.run(statement.orelse)
    e.end()


def count_loop(e: Emitter, statement: Statement) -> None:
    assert isinstance(statement, Count)
    label, step = statement.label, statement.step
    index, end = e.local(statement.index), statement.limit
    e.node(statement.first)
    fixed = isinstance(end, Const)
    limit = -1
    if not fixed:
        e.node(end)
        limit = e.take(I64)
        e.set(limit)
    e.set(index)

    def before() -> None:
        e.get(index)
        if isinstance(end, Const):
            e.i64(int(end.value))
        else:
            e.get(limit)
        e.op("i64.lt_s" if step > 0 else "i64.gt_s")

    outer = e.block()
    done = e.block() if statement.orelse else outer
    before()
    e.op("i32.eqz")
    e.jump_if(done)
    top = e.loop()
    next = e.block() if label.continues else 0
    e.loops[label] = (outer, next)
    with e.in_loop():
        e.run(statement.body)
    if next:
        e.end()
    ends = bounds(statement.limit)
    if (step > 0 and ends[1] + step > GREATEST) or (step < 0 and ends[0] + step < -GREATEST - 1):
        # The next index could be beyond 64 bits: leave the loop before it would.
        limit_check(e, index, statement, done, limit)
    e.get(index)
    e.i64(step)
    e.op("i64.add")
    e.set(index)
    before()
    e.jump_if(top)
    e.end()
    if statement.orelse:
        e.end()
        e.run(statement.orelse)
    e.end()
    if not fixed:
        e.give(limit)


def each(e: Emitter, statement: Statement) -> None:
    """A loop over a few values, without a loop."""
    assert isinstance(statement, Each)
    label = statement.label
    outer = e.block()
    for row in statement.rows:
        for leaf, node in zip(statement.leaves, row):
            e.node(node)
            e.set(e.local(leaf))
        next = e.block() if label.continues else 0
        e.loops[label] = (outer, next)
        e.run(statement.body)
        if next:
            e.end()
    e.run(statement.orelse)
    e.end()


def limit_check(e: Emitter, index: int, statement: Count, done: int, limit: int) -> None:
    """Leaves the loop if less than a step is left."""
    size = abs(statement.step)
    up = statement.step > 0
    if up:
        e.get(limit)
        e.get(index)
    else:
        e.get(index)
        e.get(limit)
    e.op("i64.sub")
    e.i64(size)
    e.op("i64.le_u")
    e.jump_if(done)
