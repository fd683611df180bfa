"""The code of notes, and of a gathering's output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .nodes import Node, Statement, Text
from .outputs import INKS, SHAPES
from .types import BOOL, INT

if TYPE_CHECKING:
    from .emit import Emitter


def text(e: Emitter, statement: Statement) -> None:
    assert isinstance(statement, Text)
    if statement.to == "note":
        told(e, statement.parts)
        return
    if statement.to == "sketch":
        shape, ink, *rest = statement.parts
        assert isinstance(shape, bytes) and isinstance(ink, bytes)
        told(e, rest, shape.decode(), ink.decode())
        return
    for part in statement.parts:
        if isinstance(part, bytes):
            if statement.to != "nothing":
                constant(e, "rt_out_text", part)
            continue
        e.node(part)
        if statement.to == "nothing":
            e.op("drop")
        elif statement.to == "put":
            e.runtime("rt_out_real")
        else:
            e.runtime("rt_out_int" if part.type is INT else "rt_out_float")
    if statement.to == "line":
        e.runtime("rt_out_newline")


def told(e: Emitter, parts: list[bytes | Node], shape: str = "", ink: str = "") -> None:
    """A note or a shape, which is written while the log is on."""
    # A value that ends the run does so without the log, too.
    values = []
    for part in parts:
        if isinstance(part, Node):
            e.node(part)
            values.append(e.new(part.type.machine))
            e.set(values[-1])
    numbers = 2 if shape == "picture" else SHAPES.get(shape, 0)
    e.runtime("rt_note_is_on")
    e.begin_if()
    if shape in ("", "text"):
        noted(e, parts[numbers:], values[numbers:])
    if shape:
        for value in values[:numbers]:
            e.get(value)
        if shape != "picture":
            e.i32(INKS.index(ink))
        if shape in FILLED:
            e.i32(FILLED[shape][1])
        e.runtime(f"rt_sketch_{FILLED[shape][0] if shape in FILLED else shape}")
    else:
        e.runtime("rt_note_end")
    e.end()


#: The functions of the shapes that may be filled, and whether they are.
FILLED = {"box": ("box", 0), "block": ("box", 1), "circle": ("circle", 0), "disc": ("circle", 1)}


def noted(e: Emitter, parts: list[bytes | Node], values: list[int]) -> None:
    """Makes a text of parts, whose values are in locals."""
    e.runtime("rt_note_begin")
    for part in parts:
        if isinstance(part, bytes):
            constant(e, "rt_note_text", part)
            continue
        e.get(values.pop(0))
        kind = "bool" if part.type is BOOL else "int" if part.type is INT else "float"
        e.runtime(f"rt_note_{kind}")


def constant(e: Emitter, function: str, text: bytes) -> None:
    if text:
        e.i32(e.module.program.data(text, 1))
        e.i32(len(text))
        e.runtime(function)
