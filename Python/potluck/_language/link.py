"""Puts the author's functions and data into the runtime.

The runtime is a module with everything that does not depend on the author. It imports functions from the module
"author", which come first in the index space of functions. So a definition takes the place of an import, and other
functions, globals and data come after the runtime's. At the end, functions that nothing reaches are left out, so that a
module stays small and compiles fast.

The author's data begins where the runtime's ends, and the heap behind it.
"""

from __future__ import annotations

import struct
from typing import NamedTuple, Sequence

from . import wasm
from .wasm import F64, I32, I64, Module, WasmError, section, signed, sized, unsigned, vector

#: The most bytes of a sentence that says why a run ended; more is cut.
SENTENCE = 200

#: A gap between data that is filled with zeros, because another segment would take more.
GAP = 16

_UNREACHABLE = b"\0\0" + wasm.END


class Code(NamedTuple):
    """A function's code: the types of its locals after the parameters, and its instructions without the last `end`."""

    locals: list[int]
    body: bytes

    def octets(self) -> bytes:
        runs: list[list[int]] = []
        for type in self.locals:
            if runs and runs[-1][1] == type:
                runs[-1][0] += 1
            else:
                runs.append([1, type])
        return vector([unsigned(count) + bytes((type,)) for count, type in runs]) + self.body + wasm.END


class Program:
    """A module in the making."""

    def __init__(self, runtime: bytes) -> None:
        try:
            self._module = module = Module(runtime)
        except WasmError as error:
            raise _damaged(str(error)) from None
        end = module.constants.get(module.exported_globals.get("__heap_base", -1))
        if end is None:
            raise _damaged("it does not say where its data ends")
        #: The end of the data so far.
        self._end = end
        for each in module.imports:
            if each.module != "author":
                raise _damaged(f"it imports {each.module}.{each.name}")
        self._imports = {each.name: index for index, each in enumerate(module.imports)}
        self._types = {type: index for index, type in enumerate(module.types)}
        self._globals = list(module.globals)
        # The types of the functions that were added, and the bodies of these and of the runtime's imports.
        self._added: list[int] = []
        self._bodies: dict[int, bytes] = {}
        self._exports: dict[str, int] = {}
        self._segments: list[tuple[int, bytearray]] = []
        self._constants: dict[tuple[bytes, int], int] = {}
        self._sentences: dict[str, int] = {}
        #: The global with the number of the sentence that says why the module stopped; 0 if none does.
        self.why_variable = self.variable(I32)

    def function(self, name: str) -> int:
        """Returns the index of a function of the runtime."""
        if name not in self._module.exports:
            raise _damaged(f"it has no function {name}")
        return self._module.exports[name]

    def define(self, name: str, code: Code) -> None:
        """Gives a body to a function that the runtime imports."""
        self._bodies[self._import(name)] = code.octets()

    def _import(self, name: str) -> int:
        if name not in self._imports:
            raise _damaged(f"it does not import {name}")
        return self._imports[name]

    def add(self, parameters: Sequence[int], results: Sequence[int]) -> int:
        """Adds a function, whose body follows with `fill`, and returns its index."""
        self._added.append(self.signature(parameters, results))
        return len(self._module.imports) + len(self._module.functions) + len(self._added) - 1

    def fill(self, index: int, code: Code) -> None:
        """Gives a body to a function that was added."""
        self._bodies[index] = code.octets()

    def signature(self, parameters: Sequence[int], results: Sequence[int]) -> int:
        """Returns the index of a type of functions or blocks."""
        return self._types.setdefault(wasm.function_type(parameters, results), len(self._types))

    def variable(self, type: int, initial: int | float = 0) -> int:
        """Adds a global that the code may change, and returns its index."""
        if type == F64:
            value = b"\x44" + struct.pack("<d", initial)
        else:
            value = (b"\x41" if type == I32 else b"\x42") + signed(int(initial))
        self._globals.append(bytes((type, 1)) + value + wasm.END)
        return len(self._globals) - 1

    def data(self, octets: bytes, alignment: int = 8) -> int:
        """Returns the address of constant data. Equal data may share an address."""
        known = self._constants.get((octets, alignment))
        if known is not None:
            return known
        address = self.space(len(octets), alignment)
        self._constants[octets, alignment] = address
        if self._segments:
            start, last = self._segments[-1]
            gap = address - start - len(last)
            if gap <= GAP:
                last += bytes(gap) + octets
                return address
        self._segments.append((address, bytearray(octets)))
        return address

    def space(self, octets: int, alignment: int = 8) -> int:
        """Returns the address of memory that holds zeros at first."""
        address = -(-self._end // alignment) * alignment
        self._end = address + octets
        return address

    def why(self, sentence: str) -> int:
        """Returns the number of a sentence that says why the code stops or why parameters do not fit together."""
        return self._sentences.setdefault(sentence, len(self._sentences) + 1)

    def export(self, name: str, index: int) -> None:
        """Adds an export."""
        self._exports[name] = index

    def octets(self) -> bytes:
        """Returns the finished module."""
        self._finish()
        module = self._module
        first = len(module.imports)
        bodies = [self._bodies.get(index, _UNREACHABLE) for index in range(first)]
        bodies += module.bodies
        bodies += [self._bodies[first + len(module.functions) + index] for index in range(len(self._added))]
        types = [each.type for each in module.imports] + module.functions + self._added
        reached = self._reached(bodies, types)
        kept = sorted(reached)
        # Other entries of the table are never called. They become the first function.
        numbers = [0] * len(bodies)
        for number, index in enumerate(kept):
            numbers[index] = number
        exports = [sized(b"memory") + b"\2\0"]
        exports += [sized(name.encode()) + b"\0" + unsigned(numbers[index]) for name, index in self._exports.items()]
        segments = module.segments + [wasm.Segment(start, bytes(octets)) for start, octets in self._segments]
        return wasm.HEAD + b"".join(
            (
                section(wasm.TYPE, vector(list(self._types))),
                section(wasm.FUNCTION, vector([unsigned(types[index]) for index in kept])),
                section(wasm.TABLE, module.table),
                section(wasm.MEMORY, b"\1\0" + unsigned(max(module.pages, -(-self._end // wasm.PAGE)))),
                section(wasm.GLOBAL, vector(self._globals)),
                section(wasm.EXPORT, vector(exports)),
                section(
                    wasm.ELEMENT,
                    vector(
                        [
                            b"\0\x41"
                            + signed(place)
                            + wasm.END
                            + vector([unsigned(numbers[index]) for index in functions])
                            for place, functions in module.elements
                        ]
                    ),
                ),
                section(
                    wasm.CODE,
                    vector([sized(wasm.renumbered(bodies[index], reached[index], numbers)) for index in kept]),
                ),
                section(
                    wasm.DATA,
                    vector([b"\0\x41" + signed(each.address) + wasm.END + sized(each.octets) for each in segments]),
                ),
            )
        )

    def _finish(self) -> None:
        """Adds the sentences and the functions that follow from all the others."""
        table = b""
        for sentence in self._sentences:
            octets = _cut(sentence)
            table += struct.pack("<II", len(octets), self.data(octets, 1))
        # Number 0 is no sentence.
        start = self.data(table) - 8
        at_sentence = b"\x20\0\x41\3\x74\x41" + signed(start) + b"\x6a\x29\3\0"
        self.define("sentence", Code([], at_sentence))
        why = b"\x23" + unsigned(self.why_variable)
        otherwise = b"\x10" + unsigned(self.function("rt_why"))
        say = why + b"\x10" + unsigned(self._import("sentence"))
        index = self.add([], [I64])
        self.fill(index, Code([], why + b"\x04\x7e" + say + b"\x05" + otherwise + wasm.END))
        self.export("potluck_why", index)
        self.define("heap_base", Code([], b"\x41" + signed(self.space(0, 16))))

    def _reached(self, bodies: list[bytes], types: list[int]) -> dict[int, wasm.Calls]:
        """Returns the functions that the exports reach, each with its calls."""
        reached: dict[int, wasm.Calls] = {}
        left = list(self._exports.values())
        # The functions of the table by type, until a call of that type is reached.
        indirect: dict[int, list[int]] = {}
        for _, functions in self._module.elements:
            for index in functions:
                indirect.setdefault(types[index], []).append(index)
        while left:
            index = left.pop()
            if index in reached:
                continue
            try:
                reached[index] = called = wasm.calls(bodies[index])
            except (IndexError, WasmError) as error:
                raise _damaged(f"{error} in function {index}") from None
            left += [function for function, _, _ in called.functions]
            for type in called.types:
                left += indirect.pop(type, ())
        return reached


def _damaged(why: str) -> WasmError:
    return WasmError(f"the runtime is damaged: {why}; install Potluck again")


def _cut(sentence: str) -> bytes:
    """Returns a sentence as the interface allows it: of one line, and not too long."""
    octets = " ".join(sentence.split()).encode()
    if len(octets) <= SENTENCE:
        return octets
    return octets[: SENTENCE - len("…".encode())].decode(errors="ignore").encode() + "…".encode()
