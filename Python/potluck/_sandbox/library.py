"""The library wasmtime, by its C interface: the layouts of version 50, as far as they are used.

The Python classes of the package are not used. Starting would take longer with them, and a call would cost more.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_bool, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from functools import lru_cache
from importlib import util
from pathlib import Path
from typing import Any, Optional

from .. import _platform
from .errors import VERSION, ModuleError

#: Names the file of the library, as for the program for Linux.
VARIABLE = "POTLUCK_WASMTIME"

I32, I64, F64 = 0, 1, 3
FUNCTION, MEMORY = 0, 3
#: Machine code is made to be fast.
FOR_SPEED = 1


class Octets(ctypes.Structure):
    """Bytes that belong to the library."""

    _fields_ = [("size", c_size_t), ("data", c_void_p)]


class Pointers(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("data", ctypes.POINTER(c_void_p))]


class Handle(ctypes.Structure):
    """A function, a memory or an instance: at most 24 bytes."""

    _fields_ = [("words", c_uint64 * 3)]


class External(ctypes.Structure):
    _fields_ = [("kind", c_uint8), ("of", Handle)]


class _Number(ctypes.Union):
    _fields_ = [("i32", c_int32), ("i64", c_int64), ("f64", ctypes.c_double), ("room", c_uint64 * 3)]


class Value(ctypes.Structure):
    _fields_ = [("kind", c_uint8), ("of", _Number)]


#: The functions: what each returns, and what it takes.
_TYPES: dict[str, tuple[Any, list[Any]]] = {
    "wasm_config_new": (c_void_p, []),
    "wasm_engine_new_with_config": (c_void_p, [c_void_p]),
    "wasmtime_config_epoch_interruption_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_consume_fuel_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_cranelift_opt_level_set": (None, [c_void_p, c_uint8]),
    "wasmtime_config_cranelift_regalloc_algorithm_set": (None, [c_void_p, c_uint8]),
    "wasmtime_config_cranelift_nan_canonicalization_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_max_wasm_stack_set": (None, [c_void_p, c_size_t]),
    "wasmtime_config_parallel_compilation_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_wasm_relaxed_simd_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_wasm_threads_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_wasm_memory64_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_wasm_multi_memory_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_wasm_gc_set": (None, [c_void_p, c_bool]),
    "wasmtime_config_wasm_stack_switching_set": (None, [c_void_p, c_bool]),
    "wasmtime_engine_increment_epoch": (None, [c_void_p]),
    "wasmtime_module_new": (c_void_p, [c_void_p, c_char_p, c_size_t, c_void_p]),
    "wasmtime_module_serialize": (c_void_p, [c_void_p, c_void_p]),
    "wasmtime_module_deserialize": (c_void_p, [c_void_p, c_char_p, c_size_t, c_void_p]),
    "wasmtime_module_imports": (None, [c_void_p, c_void_p]),
    "wasmtime_module_delete": (None, [c_void_p]),
    "wasm_importtype_vec_delete": (None, [c_void_p]),
    "wasm_importtype_module": (ctypes.POINTER(Octets), [c_void_p]),
    "wasmtime_store_new": (c_void_p, [c_void_p, c_void_p, c_void_p]),
    "wasmtime_store_context": (c_void_p, [c_void_p]),
    "wasmtime_store_limiter": (None, [c_void_p, c_int64, c_int64, c_int64, c_int64, c_int64]),
    "wasmtime_store_delete": (None, [c_void_p]),
    "wasmtime_context_set_epoch_deadline": (None, [c_void_p, c_uint64]),
    "wasmtime_context_set_fuel": (c_void_p, [c_void_p, c_uint64]),
    "wasmtime_instance_new": (c_void_p, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "wasmtime_instance_export_get": (c_bool, [c_void_p, c_void_p, c_char_p, c_size_t, c_void_p]),
    "wasmtime_func_call": (c_void_p, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p]),
    "wasmtime_memory_data": (c_void_p, [c_void_p, c_void_p]),
    "wasmtime_memory_data_size": (c_size_t, [c_void_p, c_void_p]),
    "wasmtime_memory_grow": (c_void_p, [c_void_p, c_void_p, c_uint64, c_void_p]),
    "wasmtime_error_message": (None, [c_void_p, c_void_p]),
    "wasmtime_error_delete": (None, [c_void_p]),
    "wasm_trap_message": (None, [c_void_p, c_void_p]),
    "wasm_trap_trace": (None, [c_void_p, c_void_p]),
    "wasm_frame_module_offset": (c_size_t, [c_void_p]),
    "wasm_frame_vec_delete": (None, [c_void_p]),
    "wasm_trap_delete": (None, [c_void_p]),
    "wasm_byte_vec_delete": (None, [c_void_p]),
}
#: The most calls of a trap whose places are kept.
_MOST_PLACES = 16


class Failure(Exception):
    """What a call of the library returned: its text, and the places of a trap."""

    def __init__(self, text: str, places: tuple[int, ...] = (), *, is_trap: bool) -> None:
        super().__init__(text)
        self.text, self.places, self.is_trap = text, places, is_trap


class Library:
    """The functions of the library, as attributes of `c`."""

    def __init__(self, path: Path) -> None:
        try:
            self.c: Any = ctypes.CDLL(str(path))
            for name, (result, arguments) in _TYPES.items():
                function = getattr(self.c, name)
                function.restype, function.argtypes = result, arguments
        except (OSError, AttributeError) as error:
            raise missing(str(error)) from None

    def check(self, error: Optional[int], trap: Optional[c_void_p] = None) -> None:
        """Raises what a call returned, if it returned something."""
        if error:
            text = self._take(self.c.wasmtime_error_message, error)
            self.c.wasmtime_error_delete(error)
            raise Failure(text, is_trap=False)
        if trap is not None and trap.value:
            text = self._take(self.c.wasm_trap_message, trap.value)
            places = self._places(trap.value)
            self.c.wasm_trap_delete(trap.value)
            raise Failure(text, places, is_trap=True)

    def octets(self, error: Optional[int], made: Octets) -> bytes:
        """Returns a copy of bytes that a call made, and frees them."""
        self.check(error)
        copied = ctypes.string_at(made.data, made.size) if made.size else b""
        self.c.wasm_byte_vec_delete(byref(made))
        return copied

    def _take(self, ask: Any, of: int) -> str:
        made = Octets()
        ask(of, byref(made))
        return self.octets(None, made).rstrip(b"\0").decode("utf-8", "replace")

    def _places(self, trap: int) -> tuple[int, ...]:
        frames = Pointers()
        self.c.wasm_trap_trace(trap, byref(frames))
        count = min(frames.size, _MOST_PLACES)
        places = tuple(int(self.c.wasm_frame_module_offset(frames.data[i])) for i in range(count))
        self.c.wasm_frame_vec_delete(byref(frames))
        return places


def missing(why: str) -> ModuleError:
    return ModuleError(
        f"plugins need wasmtime {VERSION}, which is missing ({why}); run 'pip install wasmtime=={VERSION}', or set "
        f"{VARIABLE} to the library's path")


def find() -> Path:
    """Returns the file of the library: the one that the variable names, or that of the package wasmtime. The package is
    not imported."""
    named = os.environ.get(VARIABLE)
    if named:
        if not os.access(named, os.R_OK):
            raise missing(f"no file {named}")
        return Path(named)
    found = util.find_spec("wasmtime")
    if found is None or not found.submodule_search_locations:
        raise missing("no package wasmtime")
    # Imported here, because it takes long, and workers get the path from the process that started them.
    from importlib import metadata

    version = metadata.version("wasmtime")
    # In another version structures may differ, and a call could do anything.
    if version != VERSION:
        raise missing(f"there is version {version}")
    path = Path(found.submodule_search_locations[0]) / _platform.SYSTEM.wasmtime
    if not path.is_file():
        raise missing(f"it has no library for {_platform.SYSTEM.name} on {_platform.SYSTEM.machine}")
    return path


@lru_cache(maxsize=1)
def library() -> Library:
    """The library, which the first caller opens."""
    return Library(find())
