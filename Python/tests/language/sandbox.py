"""Runs modules within this process, with the wasmtime that the project fetches. A call ends after a number of steps."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, Optional

from ..support import PROGRAM, ROOT

#: A trial that never ends is stopped after this many instructions, some seconds of them.
FUEL = 2_000_000_000


class Trap(Exception):
    """The module stopped, or is no valid module. The text is wasmtime's."""


class OutOfFuel(Trap):
    """The call took too many steps."""


class _Bytes(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p)]


class _Handle(ctypes.Structure):
    # A function, a memory or an instance in wasmtime 50: at most 24 bytes.
    _fields_ = [("words", ctypes.c_uint64 * 3)]


class _External(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("of", _Handle)]


class _Number(ctypes.Union):
    _fields_ = [("i32", ctypes.c_int32), ("i64", ctypes.c_int64), ("room", ctypes.c_uint64 * 3)]


class _Value(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("of", _Number)]


_I32 = 0


def library() -> Optional[Path]:
    """Returns the file of wasmtime, the one that the program would use."""
    named = os.environ.get("POTLUCK_WASMTIME")
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
        self.is_fast = is_fast
        path = library()
        assert path is not None, "wasmtime is not here: make deps fetches it"
        self.c = ctypes.CDLL(str(path))
        for name in ("wasm_config_new", "wasm_engine_new_with_config", "wasmtime_store_new", "wasmtime_store_context",
                     "wasmtime_module_new", "wasmtime_instance_new", "wasmtime_func_call", "wasmtime_memory_data",
                     "wasmtime_context_set_fuel"):
            getattr(self.c, name).restype = ctypes.c_void_p
        self.c.wasmtime_memory_data_size.restype = ctypes.c_size_t
        self.c.wasmtime_instance_export_get.restype = ctypes.c_bool
        config = ctypes.c_void_p(self.c.wasm_config_new())
        self.c.wasmtime_config_consume_fuel_set(config, ctypes.c_bool(not is_fast))
        self.c.wasmtime_config_epoch_interruption_set(config, ctypes.c_bool(is_fast))
        self.c.wasmtime_config_cranelift_opt_level_set(config, ctypes.c_uint8(1 if is_fast else 0))
        self.c.wasmtime_config_cranelift_nan_canonicalization_set(config, ctypes.c_bool(not is_fast))
        # Registers in one pass: a module then compiles in half of the time.
        self.c.wasmtime_config_cranelift_regalloc_algorithm_set(config, ctypes.c_uint8(0 if is_fast else 1))
        self.c.wasmtime_config_parallel_compilation_set(config, ctypes.c_bool(False))
        self.engine = ctypes.c_void_p(self.c.wasm_engine_new_with_config(config))
        self._last: tuple[bytes, ctypes.c_void_p] = b"", ctypes.c_void_p()

    def module(self, octets: bytes) -> ctypes.c_void_p:
        """Compiles a module. The last one is kept, because several instances of a module often follow each other."""
        if self._last[0] != octets:
            if self._last[0]:
                self.c.wasmtime_module_delete(self._last[1])
            self._last = b"", ctypes.c_void_p()
            made = ctypes.c_void_p()
            self.check(self.c.wasmtime_module_new(
                self.engine, octets, ctypes.c_size_t(len(octets)), ctypes.byref(made)))
            self._last = octets, made
        return self._last[1]

    def _text(self, error: int, kind: str) -> str:
        text = _Bytes()
        getattr(self.c, f"{kind}_message")(ctypes.c_void_p(error), ctypes.byref(text))
        said = ctypes.string_at(text.data, text.size).decode("utf-8", "replace") if text.data else ""
        self.c.wasm_byte_vec_delete(ctypes.byref(text))
        getattr(self.c, f"{kind}_delete")(ctypes.c_void_p(error))
        return said

    def check(self, error: Optional[int], trap: Optional[ctypes.c_void_p] = None) -> None:
        """Raises what a call of wasmtime returned."""
        if error:
            raise Trap(self._text(error, "wasmtime_error"))
        if trap is not None and trap.value:
            said = self._text(trap.value, "wasm_trap")
            raise OutOfFuel(said) if "fuel" in said else Trap(said)


class Instance:
    """A module with a memory of its own. Use it in a `with` statement."""

    def __init__(self, sandbox: Sandbox, octets: bytes) -> None:
        self.sandbox, self.c = sandbox, sandbox.c
        #: A call ends after so many instructions.
        self.most = FUEL
        module, trap = sandbox.module(octets), ctypes.c_void_p()
        self.store = ctypes.c_void_p(self.c.wasmtime_store_new(sandbox.engine, None, None))
        self.context = ctypes.c_void_p(self.c.wasmtime_store_context(self.store))
        self.instance = _Handle()
        self.fuel()
        error = self.c.wasmtime_instance_new(
            self.context, module, None, ctypes.c_size_t(0), ctypes.byref(self.instance), ctypes.byref(trap))
        sandbox.check(error, trap)
        self.memory = self._export("memory")
        assert self.memory is not None

    def __enter__(self) -> Instance:
        return self

    def __exit__(self, *_: Any) -> None:
        self.c.wasmtime_store_delete(self.store)

    def fuel(self) -> None:
        if self.sandbox.is_fast:
            self.c.wasmtime_context_set_epoch_deadline(self.context, ctypes.c_uint64(1 << 60))
            return
        self.sandbox.check(self.c.wasmtime_context_set_fuel(self.context, ctypes.c_uint64(self.most)))

    def _export(self, name: str) -> Optional[_External]:
        found, word = _External(), name.encode()
        has = self.c.wasmtime_instance_export_get(
            self.context, ctypes.byref(self.instance), word, ctypes.c_size_t(len(word)), ctypes.byref(found))
        return found if has else None

    def exports(self, name: str) -> bool:
        return self._export(name) is not None

    def call(self, name: str, *arguments: int) -> int:
        """Calls an export with numbers of 32 bits. Returns its result, unsigned."""
        function = self._export(name)
        assert function is not None, name
        given, answer, trap = (_Value * 4)(), _Value(), ctypes.c_void_p()
        for place, argument in enumerate(arguments):
            given[place].kind = _I32
            given[place].of.i32 = argument
        self.fuel()
        error = self.c.wasmtime_func_call(
            self.context, ctypes.byref(function.of), given, ctypes.c_size_t(len(arguments)), ctypes.byref(answer),
            ctypes.c_size_t(1), ctypes.byref(trap))
        self.sandbox.check(error, trap)
        if answer.kind == _I32:
            return int(answer.of.i32) & 0xFFFFFFFF
        return int(answer.of.i64) & 0xFFFFFFFFFFFFFFFF

    def _place(self, address: int, count: int) -> int:
        memory = ctypes.byref(self.memory.of)  # type: ignore[union-attr]
        size = self.c.wasmtime_memory_data_size(self.context, memory)
        assert 0 <= address and address + count <= size, f"{address} and {count} bytes lie outside the memory of {size}"
        return int(self.c.wasmtime_memory_data(self.context, memory)) + address

    def read(self, address: int, count: int) -> bytes:
        return ctypes.string_at(self._place(address, count), count)

    def write(self, address: int, octets: bytes) -> None:
        ctypes.memmove(self._place(address, len(octets)), octets, len(octets))
