"""Lists in memory: a length of eight bytes, and then the elements.

A condition takes one byte, a list four, and every other part of an element eight.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Callable

from . import sentences
from .link import Code
from .nodes import Const, Copy, Data, Get, Load, Make, Node, Statement, Store
from .operations import bounds
from .symbols import proved
from .types import BOOL, F64, I32, I64, Cell, Type, leaves

if TYPE_CHECKING:
    from .emit import Emitter

HEAD = 8
# A list of more elements would not fit into a module's memory.
MOST = 1 << 26
# Up to this many bytes a loop fills memory faster than a call.
SHORT = 1024


def shape(cell: Cell) -> tuple[list[Type], int, list[int]]:
    """The parts of an element, its size, and where each part begins."""
    parts = leaves(cell.root().item)
    if len(parts) == 1:
        return parts, 1 if parts[0] is BOOL else 4 if parts[0].machine == I32 else 8, [0]
    return parts, 8 * len(parts), [8 * place for place in range(len(parts))]


def access(part: Type, size: int, verb: str) -> str:
    if part is BOOL and size == 1:
        return "i32.load8_u" if verb == "load" else "i32.store8"
    return {I32: "i32.", I64: "i64.", F64: "f64."}[part.machine] + verb


def simple(node: Node) -> bool:
    """Whether an expression can be computed twice."""
    return isinstance(node, Const) or (isinstance(node, Get) and node.sure)


def index_check(e: Emitter, node: Node, index: int, length: Callable[[], None], line: int) -> None:
    """Counts a negative index from the end, and ends the run if it is outside."""
    e.get(index)
    length()
    e.op("i64.ge_u")
    if bounds(node)[0] >= 0:
        e.stop_if(line, sentences.INDEX)
        return
    # Outside, or negative: then it is within once it is counted from the end.
    e.begin_if()
    e.get(index)
    length()
    e.op("i64.add")
    e.tee(index)
    length()
    e.op("i64.ge_u")
    e.stop_if(line, sentences.INDEX)
    e.end()


def address(e: Emitter, list: Node, index: Node, cell: Cell, sure: bool, line: int) -> int:
    """Leaves the address of an element's list plus its place on the stack, and returns the offset to use."""
    _, size, _ = shape(cell)
    if isinstance(index, Const) and sure:
        e.node(list)
        return HEAD + size * int(index.value)
    if sure or proved(list, index):
        e.node(list)
        scaled(e, index, size)
        e.op("i32.add")
        return HEAD
    pointer = e.take(I32)
    e.node(list)
    e.set(pointer)
    place = e.take(I64)
    e.node(index)
    e.set(place)

    def length() -> None:
        e.get(pointer)
        e.memory("i64.load")

    index_check(e, index, place, length, line)
    e.get(pointer)
    e.get(place)
    e.op("i32.wrap")
    times(e, size)
    e.op("i32.add")
    e.give(pointer, place)
    return HEAD


def scaled(e: Emitter, index: Node, size: int) -> None:
    e.node(index)
    e.op("i32.wrap")
    times(e, size)


def times(e: Emitter, size: int) -> None:
    if size == 1:
        return
    shift = size.bit_length() - 1
    if 1 << shift == size:
        e.i32(shift)
        e.op("i32.shl")
    else:
        e.i32(size)
        e.op("i32.mul")


def element_load(e: Emitter, node: Node) -> None:
    assert isinstance(node, Load)
    parts, size, offsets = shape(node.cell)
    offset = address(e, node.list, node.index, node.cell, node.sure, node.line)
    e.memory(access(parts[node.part], size, "load"), offset + offsets[node.part])


def list_store(e: Emitter, statement: Statement) -> None:
    assert isinstance(statement, Store)
    parts, size, offsets = shape(statement.cell)
    offset = address(e, statement.list, statement.index, statement.cell, statement.sure, statement.line)
    if len(parts) == 1:
        e.node(statement.parts[0])
        e.memory(access(parts[0], size, "store"), offset)
        return
    place = e.take(I32)
    e.set(place)
    for part, node, at in zip(parts, statement.parts, offsets):
        e.get(place)
        e.node(node)
        e.memory(access(part, size, "store"), offset + at)
    e.give(place)


def list_make(e: Emitter, node: Node) -> None:
    """Makes a list whose elements are all alike."""
    assert isinstance(node, Make)
    parts, size, offsets = shape(node.cell)
    e.allocates = True
    mode = e.frames[-1].body.mode
    zero = all(
        isinstance(part, Const) and part.value == 0 and struct.pack("<d", part.value) == bytes(8) for part in node.parts
    )
    fill = e.take(I64)
    single = len(parts) == 1
    locals = [e.take(part.machine) for part in parts]
    for each in node.parts:
        e.node(each)
    for local in reversed(locals):
        e.set(local)
    count = e.take(I64)
    low, high = bounds(node.count)
    e.node(node.count)
    e.set(count)
    if low < 0:
        e.get(count)
        e.i64(0)
        e.get(count)
        e.i64(0)
        e.op("i64.gt_s", "select")
        e.set(count)
    if high > MOST:
        e.get(count)
        e.i64(MOST)
        e.op("i64.gt_s")
        e.stop_if(node.line, sentences.MEMORY)
    e.get(count)
    e.i32(size)
    if single and not zero:
        e.get(locals[0])
        if parts[0].machine == F64:
            e.op("i64.bits")
        elif parts[0].machine == I32:
            e.op("i64.extend_u")
            pattern = 0x0101010101010101 if size == 1 else 0x0000000100000001
            e.i64(pattern)
            e.op("i64.mul")
    else:
        e.i64(0)
    e.call(e.module.maker(mode))
    e.give(fill, *locals, count)
    if single or zero:
        return
    list = e.take(I32)
    at, end = e.take(I32), e.take(I32)
    e.tee(list)
    e.tee(at)
    e.get(count)
    e.op("i32.wrap")
    times(e, size)
    e.op("i32.add")
    e.set(end)
    done = e.block()
    top = e.loop()
    e.get(at)
    e.get(end)
    e.op("i32.ge_u")
    e.jump_if(done)
    for part, local, offset in zip(parts, locals, offsets):
        e.get(at)
        e.get(local)
        e.memory(access(part, size, "store"), HEAD + offset)
    e.get(at)
    e.i32(size)
    e.op("i32.add")
    e.set(at)
    e.jump(top)
    e.end()
    e.end()
    e.get(list)
    e.give(list, at, end)


def list_copy(e: Emitter, node: Node) -> None:
    """Copies a part of a list."""
    assert isinstance(node, Copy)
    _, size, _ = shape(node.cell)
    e.allocates = True
    source, first, count, list = e.take(I32), e.take(I32), e.take(I64), e.take(I32)
    e.node(node.list)
    e.set(source)
    e.node(node.first)
    e.op("i32.wrap")
    e.set(first)
    e.node(node.count)
    e.tee(count)
    e.op("i32.wrap")
    times(e, size)
    e.i32(HEAD)
    e.op("i32.add")
    e.runtime("rt_alloc" if e.frames[-1].body.mode == "prepare" else "rt_arena")
    e.tee(list)
    e.get(count)
    e.memory("i64.store")
    e.get(list)
    e.i32(HEAD)
    e.op("i32.add")
    e.get(source)
    e.i32(HEAD)
    e.op("i32.add")
    e.get(first)
    times(e, size)
    e.op("i32.add")
    e.get(count)
    e.op("i32.wrap")
    times(e, size)
    e.copy()
    e.get(list)
    e.give(source, first, count, list)


def maker(e: Emitter, lasting: bool) -> Code:
    """The function that makes a list: from the count, the size of an element and eight bytes to fill it with."""
    count, size, fill = 0, 1, 2
    list, at, end = e.new(I32), e.new(I32), e.new(I32)
    e.get(count)
    e.op("i32.wrap")
    e.get(size)
    e.op("i32.mul")
    e.i32(7)
    e.op("i32.add")
    e.i32(-8)
    e.op("i32.and")
    e.tee(end)
    e.i32(HEAD)
    e.op("i32.add")
    e.runtime("rt_alloc" if lasting else "rt_arena")
    e.tee(list)
    e.get(count)
    e.memory("i64.store")
    e.get(list)
    e.i32(HEAD)
    e.op("i32.add")
    e.tee(at)
    e.get(end)
    e.op("i32.add")
    e.set(end)
    # Zeros are filled by the engine where there are many.
    e.get(fill)
    e.op("i64.eqz")
    e.get(end)
    e.get(at)
    e.op("i32.sub")
    e.i32(SHORT)
    e.op("i32.gt_u", "i32.and")
    e.begin_if()
    e.get(at)
    e.i32(0)
    e.get(end)
    e.get(at)
    e.op("i32.sub")
    e.fill()
    e.get(list)
    e.op("return")
    e.end()
    done = e.block()
    # Four at once, and then the rest.
    for step in (32, 8):
        skip = e.block()
        top = e.loop()
        e.get(end)
        e.get(at)
        e.op("i32.sub")
        e.i32(step)
        e.op("i32.lt_u")
        e.jump_if(skip)
        for offset in range(0, step, 8):
            e.get(at)
            e.get(fill)
            e.memory("i64.store", offset)
        e.get(at)
        e.i32(step)
        e.op("i32.add")
        e.set(at)
        e.jump(top)
        e.end()
        e.end()
    e.end()
    e.get(list)
    assert done
    return e.finished


def list_data(e: Emitter, node: Node) -> None:
    assert isinstance(node, Data)
    e.i32(placed(e, node))


def placed(e: Emitter, node: Data) -> int:
    """Puts a constant list into the module, and returns its address."""
    parts, size, _ = shape(node.cell)
    octets = struct.pack("<q", len(node.rows))
    for row in node.rows:
        for part, each in zip(parts, row):
            octets += packed(e, part, each, size)
    octets += bytes(-len(octets) % 8)
    return e.module.program.data(octets)


def packed(e: Emitter, part: Type, node: Node, size: int) -> bytes:
    if isinstance(node, Data):
        address = placed(e, node)
        return struct.pack("<I", address) if size == 4 else struct.pack("<Q", address)
    assert isinstance(node, Const)
    if part is BOOL and size == 1:
        return bytes((int(node.value),))
    if part.machine == F64:
        return struct.pack("<d", float(node.value))
    return struct.pack("<q", int(node.value))
