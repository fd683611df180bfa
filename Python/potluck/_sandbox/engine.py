"""Engines of wasmtime, and what ends a call that takes too long."""

from __future__ import annotations

import ctypes
import threading
import time
from contextlib import contextmanager
from ctypes import byref, c_void_p
from functools import lru_cache
from typing import Any, Iterator, Optional

from .. import _platform
from . import limits
from .library import F64, FOR_SPEED, FUNCTION, External, Failure, Handle, Library, Octets, Pointers, Value, library

#: A module with one function: the quotient of its argument and itself. 0 / 0 makes a NaN.
_QUOTIENT = bytes.fromhex("0061736d01000000010601 60017c017c 03020100 0705010171 0000 0a09010700 20002000a3 0b".replace(" ", ""))


class Engine:
    """Compiles and runs modules.

    canonical: a NaN has the same bits on every processor. This costs a comparison after each operation on reals.
    fuel: a call ends after a number of instructions, not of seconds, and is compiled without optimisation. For tests.
    """

    def __init__(self, canonical: bool, *, fuel: bool = False) -> None:
        self.library, self.fuel = library(), fuel
        c = self.library.c
        config = c.wasm_config_new()
        c.wasmtime_config_epoch_interruption_set(config, not fuel)
        c.wasmtime_config_consume_fuel_set(config, fuel)
        c.wasmtime_config_cranelift_opt_level_set(config, 0 if fuel else FOR_SPEED)
        # Registers in one pass: a module then compiles in half of the time.
        c.wasmtime_config_cranelift_regalloc_algorithm_set(config, 1 if fuel else 0)
        c.wasmtime_config_cranelift_nan_canonicalization_set(config, canonical)
        c.wasmtime_config_max_wasm_stack_set(config, limits.STACK)
        # Compiling uses one core, like all other work for a module.
        c.wasmtime_config_parallel_compilation_set(config, False)
        # Relaxed SIMD may give different results on different machines. Nobody needs the others, which are only risks.
        for feature in ("relaxed_simd", "threads", "memory64", "multi_memory", "gc", "stack_switching"):
            getattr(c, f"wasmtime_config_wasm_{feature}_set")(config, False)
        self.engine = c.wasm_engine_new_with_config(config)
        if not self.engine:
            raise MemoryError("wasmtime gives no engine")

    def compiled(self, octets: bytes) -> Code:
        """Compiles a module, within this process."""
        return self._code(self.library.c.wasmtime_module_new, octets)

    def restored(self, code: bytes) -> Code:
        """Loads machine code that `Code.octets` returned. It is trusted like a program."""
        return self._code(self.library.c.wasmtime_module_deserialize, code)

    def _code(self, make: Any, octets: bytes) -> Code:
        made = c_void_p()
        self.library.check(make(self.engine, octets, len(octets), byref(made)))
        return Code(self, made)


class Code:
    """The machine code of a module."""

    def __init__(self, engine: Engine, module: c_void_p) -> None:
        self.engine, self.module = engine, module

    def __del__(self) -> None:
        self.engine.library.c.wasmtime_module_delete(self.module)

    def octets(self) -> bytes:
        made = Octets()
        return self.engine.library.octets(self.engine.library.c.wasmtime_module_serialize(self.module, byref(made)), made)

    def imports(self) -> set[str]:
        """Returns the namespaces that the module imports from."""
        c, found = self.engine.library.c, Pointers()
        c.wasmtime_module_imports(self.module, byref(found))
        spaces = [c.wasm_importtype_module(found.data[i]).contents for i in range(found.size)]
        names = {ctypes.string_at(space.data, space.size).decode("utf-8", "replace") for space in spaces}
        c.wasm_importtype_vec_delete(byref(found))
        return names


@lru_cache(maxsize=2)
def engine(canonical: bool) -> Engine:
    """The engine of this process, which the first caller makes."""
    return Engine(canonical)


class Alarm:
    """Ends calls that take too long. It counts the CPU time of this process, so a busy machine shortens no call; a process
    computes on one core."""

    #: The precision of limits: a hundredth of the shortest one in use.
    INTERVAL = 0.01

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun = threading.Event()
        #: The engine of the call under way, and when the call must end.
        self._call: Optional[tuple[Engine, float]] = None
        self._is_late = False
        threading.Thread(target=self._watch, name="watching modules", daemon=True).start()

    @contextmanager
    def within(self, engine: Engine, seconds: float) -> Iterator[None]:
        """Ends the call that the body makes after so many seconds of CPU time. The call must have a deadline of one step
        of the engine's clock."""
        with self._lock:
            self._call, self._is_late = (engine, time.process_time() + seconds), False
        self._begun.set()
        try:
            yield
        finally:
            with self._lock:
                self._call = None
            self._begun.clear()

    @property
    def is_late(self) -> bool:
        """Whether the latest call was ended."""
        return self._is_late

    def _watch(self) -> None:
        while True:
            self._begun.wait()
            time.sleep(self.INTERVAL)
            with self._lock:
                # The clock goes on only to end a call, so no other call ever meets its deadline.
                if self._call is not None and time.process_time() >= self._call[1] and not self._is_late:
                    self._is_late = True
                    self._call[0].library.c.wasmtime_engine_increment_epoch(self._call[0].engine)


@lru_cache(maxsize=1)
def alarm() -> Alarm:
    return Alarm()


class Flags:
    """Tells whether a call made a NaN of numbers: such an operation is invalid by IEEE 754, and every processor keeps a flag
    for it that costs nothing."""

    def __init__(self) -> None:
        c = _platform.c_library()
        self._clear, self._test = getattr(c, "feclearexcept", None), getattr(c, "fetestexcept", None)
        self._mask = _platform.SYSTEM.invalid
        #: Whether they can be told here. If not, modules run with NaNs that are the same everywhere, only more slowly.
        self.work = self._clear is not None and self._test is not None and self._are_seen()

    def clear(self) -> None:
        if self._clear is not None:
            self._clear(self._mask)

    @property
    def are_set(self) -> bool:
        return self._test is not None and self._test(self._mask) != 0

    def _are_seen(self) -> bool:
        """Divides 1 by 1, and 0 by 0, in a module."""
        code = engine(False).compiled(_QUOTIENT)
        return not self._seen(code, 1.0) and self._seen(code, 0.0)

    def _seen(self, code: Code, number: float) -> bool:
        library: Library = code.engine.library
        c, trap, handle, found = library.c, c_void_p(), Handle(), External()
        store = c.wasmtime_store_new(code.engine.engine, None, None)
        try:
            context = c.wasmtime_store_context(store)
            c.wasmtime_context_set_epoch_deadline(context, 1)
            library.check(c.wasmtime_instance_new(context, code.module, None, 0, byref(handle), byref(trap)), trap)
            if not c.wasmtime_instance_export_get(context, byref(handle), b"q", 1, byref(found)) or found.kind != FUNCTION:
                raise Failure("the module of a quotient has no function", is_trap=False)
            given, answer = Value(kind=F64), Value()
            given.of.f64 = number
            self.clear()
            error = c.wasmtime_func_call(context, byref(found.of), byref(given), 1, byref(answer), 1, byref(trap))
            is_set = self.are_set
            library.check(error, trap)
            return is_set
        finally:
            c.wasmtime_store_delete(store)


@lru_cache(maxsize=1)
def flags() -> Flags:
    return Flags()
