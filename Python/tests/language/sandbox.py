"""Runs modules within this process, with the wasmtime that the project fetches. A call ends after a number of steps."""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import c_void_p
from pathlib import Path
from typing import Any, Optional

from potluck._sandbox import instance
from potluck._sandbox.engine import Engine
from potluck._sandbox.library import VARIABLE, Failure

from ..support import PROGRAM, ROOT

#: A trial that never ends is stopped after this many instructions, some seconds of them.
FUEL = 2_000_000_000
#: Bytes of memory, and seconds, that no test reaches.
MEMORY, SECONDS = 1 << 32, 1e9
#: The functions of the interface that return a number of 32 bits.
NARROW = ("potluck_abi", "potluck_alloc", "potluck_fault")


class Trap(Exception):
    """The module stopped, or is no valid module. The text is wasmtime's."""


class OutOfFuel(Trap):
    """The call took too many steps."""


def library() -> Optional[Path]:
    """Returns the file of wasmtime, the one that the program would use."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    folders = [ROOT / ".build", Path(PROGRAM).resolve().parent.parent]
    found = [file for folder in folders for file in sorted(folder.glob("wasmtime/*/libwasmtime.so"))]
    beside = Path(PROGRAM).resolve().parent.parent / "lib/potluck/libwasmtime.so"
    return next((file for file in [*found, beside] if file.exists()), None)


class Sandbox:
    """An engine. Its modules are compiled without optimisation, which is quicker and checks the same instructions.

    is_fast: as the program compiles them, for benchmarks; then a call may take as long as it wants
    """

    def __init__(self, is_fast: bool = False) -> None:
        path = library()
        assert path is not None, "wasmtime is not here: make deps fetches it"
        os.environ[VARIABLE] = str(path)
        self.is_fast = is_fast
        self.engine = Engine(canonical=not is_fast, fuel=not is_fast)
        #: Compiles a module. The last one is kept, because several instances of a module often follow each other.
        self.compiled = functools.lru_cache(maxsize=1)(self.engine.compiled)


class Instance(instance.Instance):
    """A module with a memory of its own. Use it in a `with` statement."""

    def __init__(self, sandbox: Sandbox, octets: bytes) -> None:
        #: A call ends after so many instructions.
        self.most = FUEL
        self._has_fuel = not sandbox.is_fast
        try:
            super().__init__(sandbox.compiled(octets), MEMORY, SECONDS)
        except Failure as failure:
            raise Trap(failure.text) from None

    def _timed(self, make: Any, trap: c_void_p) -> None:
        if self._has_fuel:
            self._library.check(self._c.wasmtime_context_set_fuel(self._context, self.most))
        super()._timed(make, trap)

    def call(self, name: str, *arguments: int, wide: bool = False) -> int:
        """Calls an export with numbers of 32 bits. Returns its result, unsigned."""
        try:
            return self._call(name, arguments, wide or name not in NARROW)
        except Failure as failure:
            raise (OutOfFuel if "fuel" in failure.text else Trap)(failure.text) from None

    def read(self, address: int, count: int) -> bytes:
        assert 0 <= address and address + count <= self._size(), f"{address} and {count} bytes lie outside the memory"
        return self._read(address, count)

    def write(self, address: int, octets: bytes) -> None:
        assert 0 <= address and address + len(octets) <= self._size(), f"{address} lies outside the memory"
        assert self._memory is not None
        start = self._c.wasmtime_memory_data(self._context, ctypes.byref(self._memory))
        ctypes.memmove(start + address, octets, len(octets))
