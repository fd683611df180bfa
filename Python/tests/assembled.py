"""Modules that tests assemble by hand with the compiler's linker, without its compiler."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path
from typing import NamedTuple, Sequence, Union

from potluck._language.declaration import Declaration, Field, Reading
from potluck._language.describe import describe
from potluck._language.link import Code, Program
from potluck._language.wasm import F64, I32, I64, signed, unsigned

from .support import PROGRAM, ROOT

RUNTIME = ROOT / ".build/python/runtime.wasm"

Number = Union[int, float]

ADD, SUBTRACT = b"\x7c", b"\x7d"
LOAD, STORE = b"\x29\3\0", b"\x37\3\0"
I32_ADD, I32_SUBTRACT, I32_XOR, I32_ROTATE, I32_SHIFT_LEFT, I32_SHIFT_RIGHT = (
    b"\x6a",
    b"\x6b",
    b"\x73",
    b"\x77",
    b"\x74",
    b"\x76",
)
I64_EXTEND, I64_EXTEND_SIGNED, F64_BITS, DROP, END = b"\xad", b"\xac", b"\xbd", b"\x1a", b"\x0b"


def get(local: int) -> bytes:
    return b"\x20" + unsigned(local)


def put(local: int) -> bytes:
    return b"\x21" + unsigned(local)


def constant(number: int) -> bytes:
    return b"\x41" + signed(number)


def long(number: int) -> bytes:
    return b"\x42" + signed(number)


def real(number: float) -> bytes:
    return b"\x44" + struct.pack("<d", number)


def call(function: int) -> bytes:
    return b"\x10" + unsigned(function)


def bits(number: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", number))[0])


def number(slot: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", slot))[0])


def word(a: int = 0, drawn: int = 6, kept: int = 7) -> bytes:
    """Draws a word from the stream whose state is in the locals `a` and the next three, into the local `drawn`."""
    b, c, d = a + 1, a + 2, a + 3
    mixed = [(c, a), (d, b), (b, c), (a, d)]
    return b"".join((
        get(a), get(d), I32_ADD, constant(7), I32_ROTATE, get(a), I32_ADD, put(drawn),
        get(b), constant(9), I32_SHIFT_LEFT, put(kept),
        *(get(to) + get(other) + I32_XOR + put(to) for to, other in mixed),
        get(c), get(kept), I32_XOR, put(c), get(d), constant(11), I32_ROTATE, put(d),
    ))  # fmt: skip


def program() -> Program:
    return Program(RUNTIME.read_bytes())


def declaration(shape: str = "tally", writes: str = "nothing", **more: list[object]) -> Declaration:
    lists: dict[str, list[object]] = {"parameters": [], "fields": [], "readings": [], "inputs": [], **more}
    return Declaration("assembled", "Assembled by hand", bytes(32), shape, writes, **lists)  # type: ignore[arg-type]


def ready(made: Program, block_size: int, units: int = 0) -> Program:
    """Defines what every module needs besides its trials."""
    made.define("configure", Code([], constant(0)))
    made.define("block_size", Code([], constant(block_size)))
    made.define("units", Code([], long(units)))
    return made


def coins(*more: Reading) -> tuple[Program, Declaration]:
    """A simulation whose trial tosses a coin, and adds 0 or 1 to moments."""
    made = program()
    work = declaration(
        fields=[Field("heads", "count"), Field("sides", "moments")],
        readings=[
            Reading("heads", "proportion", 0, has_exact=True),
            Reading("sides", "mean", 1),
            Reading("spread", "variance", 1),
            *more,
        ],
    )
    describe(made, work)
    ready(made, 65536)
    heads, sides = (field.address for field in work.fields)
    coin = get(6) + constant(31) + I32_SHIFT_RIGHT + I64_EXTEND
    trial = word() + constant(heads) * 2 + LOAD + coin + ADD + STORE
    trial += constant(sides) + coin + call(made.function("rt_moments_add_int"))
    trial += get(4) + constant(1) + I32_SUBTRACT + put(4)
    loop = b"\x02\x40\x03\x40" + get(4) + b"\x45\x0d\1" + trial + b"\x0c\0" + END + END
    made.define("lane", Code([I64, I32, I32], loop))
    made.define("exact", Code([], real(0.5)))
    return made, work


class Call(NamedTuple):
    """Calls of a function of the runtime, with rows of arguments of these types."""

    function: str
    types: Sequence[int]
    result: int
    rows: Sequence[Sequence[Number]]


def calculated(calls: Sequence[Call], folder: Path) -> list[list[int]]:
    """Returns the results of calls, each as the 64 bits that it has, with a sign. The program runs the module."""
    made = program()
    work = declaration("collect", "text")
    describe(made, work)
    ready(made, 1, 1)
    # The parameters of `block`, then the number of rows that are left, and where the row is.
    left, at = 6, 7
    code = b""
    for function, types, result, rows in calls:
        table = b"".join(
            struct.pack("<d" if type == F64 else "<q", value) for row in rows for type, value in zip(types, row)
        )
        loads = b"".join(
            get(at) + {I32: b"\x28\2", I64: b"\x29\3", F64: b"\x2b\3"}[type] + unsigned(8 * place)
            for place, type in enumerate(types)
        )
        shown = {I32: I64_EXTEND_SIGNED, I64: b"", F64: F64_BITS}[result]
        code += constant(len(rows)) + put(left) + constant(made.data(table)) + put(at)
        code += b"\x03\x40" + loads + call(made.function(function)) + shown
        code += call(made.function("rt_out_int")) + call(made.function("rt_out_newline"))
        code += get(at) + constant(8 * len(types)) + I32_ADD + put(at)
        code += get(left) + constant(1) + I32_SUBTRACT + b"\x22" + unsigned(left) + b"\x0d\0" + END
    made.define("block", Code([I32, I32], code))
    lines = iter(output(made, folder))
    return [[int(next(lines)) for _ in rows] for _, _, _, rows in calls]


def output(made: Program, folder: Path, *words: str) -> list[str]:
    """Returns the lines that a gathering writes."""
    module = folder / "assembled.wasm"
    module.write_bytes(made.octets())
    done = subprocess.run(
        [PROGRAM, "run", str(module), *words, "--output", "-"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
