"""An instance of a module, with a memory of its own."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_void_p
from typing import Any, Optional

from . import errors, limits
from .engine import Code, alarm, flags
from .errors import Misuse, ModuleError, OutOfTime, Trap
from .library import FUNCTION, I32, I64, MEMORY, External, Failure, Handle, Value

#: The versions of the interface: of simulations, and of programs with ranks.
_VERSION, _RANKS = 1, 2
#: What a module of the kit says when it is asked why it stopped itself.
_NO_MEMORY, _SYSTEM_RANDOMNESS, _TOO_DEEP = 1, 2, 4


class Instance:
    """Only one thread may use it. Use it in a `with` statement."""

    def __init__(self, code: Code, memory: int = limits.MEMORY, seconds: float = limits.SECONDS) -> None:
        self._code, self._most, self._seconds = code, memory, seconds
        self._library = code.engine.library
        self._c = self._library.c
        #: Whether any call so far made a NaN of numbers.
        self.made_nan = False
        self._functions: dict[str, Optional[External]] = {}
        self._handle = Handle()
        self._store: Optional[int] = self._c.wasmtime_store_new(code.engine.engine, None, None)
        self._c.wasmtime_store_limiter(self._store, memory, limits.TABLE_ELEMENTS, 1, limits.TABLES, 1)
        self._context = self._c.wasmtime_store_context(self._store)
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise

    def _start(self) -> None:
        trap = c_void_p()
        try:
            self._timed(lambda: self._c.wasmtime_instance_new(
                self._context, self._code.module, None, 0, byref(self._handle), byref(trap)), trap)
        except Failure as failure:
            text = errors.useful(failure.text)
            if text.startswith("memory minimum size"):
                raise errors.out_of_memory(self._most) from None
            raise OutOfTime(self._seconds) if alarm().is_late else Trap(text, failure.places) from None
        found = External()
        has = self._c.wasmtime_instance_export_get(
            self._context, byref(self._handle), b"memory", len(b"memory"), byref(found))
        self._memory = found.of if has and found.kind == MEMORY else None
        version = self.call("potluck_abi")
        if version == _RANKS:
            raise ModuleError("it is a program with ranks; start it with 'potluck launch'")
        if version != _VERSION:
            raise ModuleError(
                f"the module uses version {version} of the interface instead of {_VERSION}; build it again")

    def __enter__(self) -> Instance:
        return self

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._c.wasmtime_store_delete(self._store)
            self._store = None

    def _timed(self, make: Any, trap: c_void_p) -> None:
        """Makes a call of the library that runs code of the module."""
        self._c.wasmtime_context_set_epoch_deadline(self._context, 1)
        flag = flags()
        with alarm().within(self._code.engine, self._seconds):
            flag.clear()
            error = make()
            is_invalid = flag.are_set
        self.made_nan = self.made_nan or is_invalid
        self._library.check(error, trap)

    def has(self, name: str) -> bool:
        """Whether the module exports this function."""
        if name not in self._functions:
            found, word = External(), name.encode()
            has = self._c.wasmtime_instance_export_get(
                self._context, byref(self._handle), word, len(word), byref(found))
            self._functions[name] = found if has and found.kind == FUNCTION else None
        return self._functions[name] is not None

    def call(self, name: str, *arguments: int, wide: bool = False) -> int:
        """Calls a function with numbers of 32 bits. Returns its result, without a sign: of 64 bits if `wide`."""
        try:
            return self._call(name, arguments, wide)
        except Failure as failure:
            if alarm().is_late:
                raise OutOfTime(self._seconds) from None
            # Without a trap nothing was run: the function has another type.
            if not failure.is_trap:
                raise errors.lacks(errors.useful(failure.text)) from None
            raise self._after(failure) from None

    def _call(self, name: str, arguments: tuple[int, ...], wide: bool) -> int:
        function = self._functions[name] if self.has(name) else None
        if function is None:
            raise errors.lacks(f"no function {name}")
        given, answer, trap = (Value * max(1, len(arguments)))(), Value(), c_void_p()
        for place, argument in enumerate(arguments):
            given[place].kind = I32
            given[place].of.i32 = argument
        self._timed(lambda: self._c.wasmtime_func_call(
            self._context, byref(function.of), given, len(arguments), byref(answer), 1, byref(trap)), trap)
        if answer.kind != (I64 if wide else I32):
            raise errors.lacks(f"{name} gives no number of {64 if wide else 32} bits")
        return int(answer.of.i64) & (1 << 64) - 1 if wide else int(answer.of.i32) & (1 << 32) - 1

    def _after(self, failure: Failure) -> ModuleError:
        """Returns the reason of a trap, which the module itself may know."""
        text = errors.useful(failure.text)
        sentence = self._misuse()
        if sentence:
            return Misuse(sentence, failure.places)
        try:
            said = self._call("potluck_fault", (), False) if self.has("potluck_fault") else None
        except (Failure, ModuleError):
            said = None
        if said == _NO_MEMORY:
            return errors.out_of_memory(self._most)
        if said == _SYSTEM_RANDOMNESS:
            return errors.randomness()
        if said == _TOO_DEEP:
            return errors.too_deep()
        # A module that gets no more memory usually crashes. Memory grows by doubling, so it may have stopped at half.
        if said not in (0, 3) and self._size() > self._most // 2:
            return errors.out_of_memory(self._most)
        return Trap(text, failure.places)

    def _misuse(self) -> str:
        """Returns why the kit refused a call, after a trap; empty if it did not."""
        if not self.has("potluck_why"):
            return ""
        try:
            octets = self._octets("potluck_why", self._call("potluck_why", (), True), limits.LONGEST_SENTENCE)
        except (Failure, ModuleError):
            return ""
        return errors.on_screen(octets.decode("utf-8", "replace"))

    def record(self, name: str, request: Optional[bytes] = None, most: int = limits.LARGEST_ANSWER) -> bytes:
        """Calls a function that returns a record, and takes one if there is a request."""
        if request is None:
            return self._answer(name, self.call(name, wide=True), most)
        if len(request) >= 1 << 32:
            raise errors.wrong_answer(name, "the request is too long")
        address = self.call("potluck_alloc", len(request))
        if address == 0 or address % 8 != 0:
            raise errors.wrong_answer("potluck_alloc", "an invalid address")
        if self._memory is None or address + len(request) > self._size():
            raise errors.wrong_answer("potluck_alloc", "an address outside its memory")
        ctypes.memmove(self._c.wasmtime_memory_data(self._context, byref(self._memory)) + address, request, len(request))
        return self._answer(name, self.call(name, address, len(request), wide=True), most)

    def log(self) -> str:
        """Returns what the module logged since it began; empty if it does not log."""
        if not self.has("potluck_log"):
            return ""
        octets = self._octets("potluck_log", self.call("potluck_log", wide=True), limits.LARGEST_LOG)
        return octets.decode("utf-8", "replace")

    def kept(self) -> Optional[int]:
        """Returns a number that changes when anything that outlives a call changes; None if the module cannot tell."""
        return self.call("potluck_kept", wide=True) if self.has("potluck_kept") else None

    def image(self) -> bytes:
        """All of its memory."""
        return self._read(0, self._size())

    def copy(self, image: bytes) -> bool:
        """Makes its memory that of another instance. Returns false if it may not be that large."""
        more, before = len(image) - self._size(), ctypes.c_uint64()
        if self._memory is None or more < 0:
            return False
        error = self._c.wasmtime_memory_grow(self._context, byref(self._memory), more >> 16, byref(before))
        if error:
            self._c.wasmtime_error_delete(error)
            return False
        ctypes.memmove(self._c.wasmtime_memory_data(self._context, byref(self._memory)), image, len(image))
        return True

    def _size(self) -> int:
        if self._memory is None:
            return 0
        return int(self._c.wasmtime_memory_data_size(self._context, byref(self._memory)))

    def _answer(self, name: str, place: int, most: int) -> bytes:
        octets = self._octets(name, place, most)
        if len(octets) % 8 != 0:
            raise errors.wrong_answer(name, "an incomplete slot")
        return octets

    def _octets(self, name: str, place: int, most: int) -> bytes:
        """Returns the bytes at the place that the module gave."""
        address, length = place >> 32, place & (1 << 32) - 1
        if self._memory is None:
            raise errors.lacks("no memory")
        if length > most:
            raise errors.wrong_answer(name, f"{length} bytes, more than the limit of {most}")
        if address + length > self._size():
            raise errors.wrong_answer(name, f"{length} bytes outside its memory")
        return self._read(address, length)

    def _read(self, address: int, length: int) -> bytes:
        return ctypes.string_at(self._c.wasmtime_memory_data(self._context, byref(self._memory)) + address, length)
