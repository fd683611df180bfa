"""WebAssembly's instructions, one after the other."""

from __future__ import annotations

import struct

from .types import F64, I32, I64
from .wasm import signed, unsigned

EMPTY = 0x40

PLAIN = {
    "unreachable": 0x00, "else": 0x05, "end": 0x0B, "return": 0x0F, "drop": 0x1A, "select": 0x1B,
    "i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_s": 0x48, "i32.lt_u": 0x49, "i32.gt_s": 0x4A,
    "i32.gt_u": 0x4B, "i32.le_s": 0x4C, "i32.le_u": 0x4D, "i32.ge_s": 0x4E, "i32.ge_u": 0x4F,
    "i64.eqz": 0x50, "i64.eq": 0x51, "i64.ne": 0x52, "i64.lt_s": 0x53, "i64.lt_u": 0x54, "i64.gt_s": 0x55,
    "i64.gt_u": 0x56, "i64.le_s": 0x57, "i64.le_u": 0x58, "i64.ge_s": 0x59, "i64.ge_u": 0x5A,
    "f64.eq": 0x61, "f64.ne": 0x62, "f64.lt": 0x63, "f64.gt": 0x64, "f64.le": 0x65, "f64.ge": 0x66,
    "i32.add": 0x6A, "i32.sub": 0x6B, "i32.mul": 0x6C, "i32.div_u": 0x6E, "i32.rem_u": 0x70, "i32.and": 0x71,
    "i32.or": 0x72, "i32.xor": 0x73, "i32.shl": 0x74, "i32.shr_u": 0x76, "i32.rotl": 0x77,
    "i64.popcnt": 0x7B, "i64.add": 0x7C, "i64.sub": 0x7D, "i64.mul": 0x7E, "i64.div_s": 0x7F, "i64.div_u": 0x80,
    "i64.rem_s": 0x81, "i64.rem_u": 0x82, "i64.and": 0x83, "i64.or": 0x84, "i64.xor": 0x85, "i64.shl": 0x86,
    "i64.shr_s": 0x87, "i64.shr_u": 0x88,
    "f64.abs": 0x99, "f64.neg": 0x9A, "f64.ceil": 0x9B, "f64.floor": 0x9C, "f64.trunc": 0x9D, "f64.nearest": 0x9E,
    "f64.sqrt": 0x9F, "f64.add": 0xA0, "f64.sub": 0xA1, "f64.mul": 0xA2, "f64.div": 0xA3, "f64.copysign": 0xA6,
    "i32.wrap": 0xA7, "i64.extend_s": 0xAC, "i64.extend_u": 0xAD, "i64.trunc_s": 0xB0, "f64.convert_s": 0xB9,
    "i64.bits": 0xBD, "f64.bits": 0xBF,
}  # fmt: skip
MEMORY = {
    "i32.load": (0x28, 2), "i64.load": (0x29, 3), "f64.load": (0x2B, 3), "i32.load8_u": (0x2D, 0),
    "i64.load32_u": (0x35, 2), "i32.store": (0x36, 2), "i64.store": (0x37, 3), "f64.store": (0x39, 3),
    "i32.store8": (0x3A, 0),
}  # fmt: skip
CODES = {name: bytes((code,)) for name, code in PLAIN.items()}


class Assembler:
    """The code of one function. Its first locals are the parameters."""

    def __init__(self, parameters: list[int]) -> None:
        self.code = bytearray()
        self.types = list(parameters)
        self.parameters = len(parameters)
        # Blocks that are open.
        self.depth = 0
        # Locals that an inlined function or an expression no longer needs.
        self.free: dict[int, list[int]] = {I32: [], I64: [], F64: []}
        # Where in the code each of them was last given back.
        self.given: dict[int, int] = {}

    def op(self, *names: str) -> None:
        """Instructions without an operand."""
        for name in names:
            self.code += CODES[name]

    def i32(self, value: int) -> None:
        self.code += b"\x41" + signed(value)

    def i64(self, value: int) -> None:
        self.code += b"\x42" + signed(value if value < 1 << 63 else value - (1 << 64))

    def f64(self, value: float) -> None:
        self.code += b"\x44" + struct.pack("<d", value)

    def get(self, local: int) -> None:
        self.code += b"\x20" + unsigned(local)

    def set(self, local: int) -> None:
        self.code += b"\x21" + unsigned(local)

    def tee(self, local: int) -> None:
        self.code += b"\x22" + unsigned(local)

    def get_global(self, index: int) -> None:
        self.code += b"\x23" + unsigned(index)

    def set_global(self, index: int) -> None:
        self.code += b"\x24" + unsigned(index)

    def call(self, index: int) -> None:
        self.code += b"\x10" + unsigned(index)

    def memory(self, name: str, offset: int = 0) -> None:
        """A load or a store, at an address that is a multiple of the value's size."""
        code, alignment = MEMORY[name]
        self.code += bytes((code, alignment)) + unsigned(offset)

    def fill(self) -> None:
        """memory.fill: address, octet and count."""
        self.code += b"\xfc\x0b\x00"

    def copy(self) -> None:
        """memory.copy: to, from and count."""
        self.code += b"\xfc\x0a\x00\x00"

    def saturate(self) -> None:
        """i64.trunc_sat_f64_s, which never stops."""
        self.code += b"\xfc\x06"

    # Blocks

    def block(self, type: int = EMPTY) -> int:
        self.code += b"\x02" + bytes((type,))
        return self.opened()

    def loop(self) -> int:
        self.code += b"\x03\x40"
        return self.opened()

    def begin_if(self, type: int = EMPTY) -> int:
        self.code += b"\x04" + bytes((type,))
        return self.opened()

    def opened(self) -> int:
        self.depth += 1
        return self.depth

    def end(self) -> None:
        self.op("end")
        self.depth -= 1

    def jump(self, label: int) -> None:
        self.code += b"\x0c" + unsigned(self.depth - label)

    def jump_if(self, label: int) -> None:
        self.code += b"\x0d" + unsigned(self.depth - label)

    # Locals

    def new(self, type: int) -> int:
        """A local that stays."""
        self.types.append(type)
        return len(self.types) - 1

    def take(self, type: int) -> int:
        """A local that is given back with `give`."""
        free = self.free[type]
        return free.pop() if free else self.new(type)

    def take_unused(self, type: int, since: int) -> int:
        """A local that nothing has used since this place in the code."""
        free = self.free[type]
        found = next((local for local in reversed(free) if self.given[local] <= since), None)
        if found is None:
            return self.new(type)
        free.remove(found)
        return found

    def give(self, *locals: int) -> None:
        for local in locals:
            self.free[self.types[local]].append(local)
            self.given[local] = len(self.code)

    @property
    def locals(self) -> list[int]:
        """The types of the locals after the parameters."""
        return self.types[self.parameters :]
