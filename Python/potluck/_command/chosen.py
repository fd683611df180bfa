"""The simulation that a command works on: a built-in one, by name, or a file."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple, Optional, Sequence

from .. import _sandbox
from .._sandbox import ModuleError, Shape
from .._sandbox.limits import LARGEST_MODULE
from . import bundle, quantities, spelling, stack, tables, values
from .arguments import Arguments, Option
from .failures import Failure, UsageError, ValueIsWrong, of_value

MEMORY = Option(
    "plugin-memory", "memory that a plugin may use per core: 64M, 1G", "Plugins", "SIZE", standard="256M",
    variable="POTLUCK_PLUGIN_MEMORY", read=quantities.memory)
SECONDS = Option(
    "plugin-seconds", "seconds that one call of a plugin may take; a good plugin takes 20 ms", "Plugins", "N",
    standard="2", variable="POTLUCK_PLUGIN_SECONDS", read=quantities.plugin_seconds)
OPTIONS = (MEMORY, SECONDS)

#: Files that only the program for Linux compiles.
_ELSEWHERE = (".swift", ".c")
_SOURCES = (".swift", ".py", ".c")


class Chosen(NamedTuple):
    """A simulation, compiled for this machine."""

    #: What the user wrote for it.
    typed: str
    is_built_in: bool
    module: _sandbox.Module
    memory: int
    seconds: float
    #: The options that repeat its limits.
    limits: tuple[str, ...]

    @property
    def description(self) -> _sandbox.Description:
        return self.module.description

    @property
    def name(self) -> str:
        return self.description.name

    @property
    def source(self) -> str:
        return self.description.source or self.module.hash

    @property
    def is_search(self) -> bool:
        return self.description.shape == Shape.SPACE

    @property
    def unit(self) -> str:
        """What its work is counted in."""
        return {Shape.SPACE: "point", Shape.COLLECT: "unit"}.get(self.description.shape, "trial")

    @property
    def label(self) -> str:
        """Its name in messages."""
        return self.name if self.is_built_in else spelling.path(self.typed)

    def chunk(self, parameters: Sequence[int], payload: bytes) -> _sandbox.Chunk:
        """Configures it. Raises an error for the user."""
        try:
            return self.module.chunk(parameters, payload, memory=self.memory, seconds=self.seconds)
        except _sandbox.ParameterError as refusal:
            if refusal.place is not None:
                parameter = self.description.parameters[refusal.place]
                raise UsageError(f"parameter '{parameter.name}' must be {values.domain(parameter)}") from None
            raise UsageError(f"{self.name}: {refusal}") from None
        except ModuleError as error:
            raise Failure(f"{self.label}: {error}") from None


def choose(arguments: Arguments) -> Chosen:
    typed = arguments.words[0]
    memory, seconds = arguments.value(MEMORY), arguments.value(SECONDS)
    limits = [f"--{MEMORY.name} {memory}"] * (memory is not None and memory != _sandbox.limits.MEMORY)
    limits += [f"--{SECONDS.name} {float(seconds or 0)!r}"] * (seconds is not None and seconds != _sandbox.limits.SECONDS)
    memory = _sandbox.limits.MEMORY if memory is None else memory
    seconds = _sandbox.limits.SECONDS if seconds is None else seconds
    is_file = "/" in typed or "." in typed or os.sep in typed
    octets = of_file(typed) if is_file else _built_in(typed)
    try:
        module = _sandbox.Module(octets, memory=memory, seconds=seconds)
    except ModuleError as error:
        raise Failure(f"{spelling.path(typed) if is_file else typed}: {error}") from None
    return Chosen(typed, not is_file, module, memory, seconds, tuple(limits))


def _built_in(name: str) -> bytes:
    known = bundle.names()
    if name in known:
        return bundle.module(name)
    # `potluck new NAME` creates a folder with a file of that name.
    files = [f"{stem}{end}" for stem in (f"{name}/{name}", name) for end in (".swift", ".py")] + [f"{name}.wasm"]
    for file in files:
        if os.access(file, os.R_OK):
            raise UsageError(
                f"unknown simulation {spelling.quoted(name)}; did you mean the file {spelling.path(file)}?")
    found = spelling.hint(name, known) or "; 'potluck simulations' lists them"
    raise UsageError(f"unknown simulation {spelling.quoted(name)}{found}")


def of_file(path: str) -> bytes:
    """Returns the module of a file. Compiles a file in Python first."""
    label = spelling.path(path)
    if path.endswith(_ELSEWHERE):
        _look(path)
        raise Failure(
            f"{label}: only the program for Linux compiles it; 'potluck build {spelling.shell(path)}' there makes a module, "
            "which runs here")
    if path.endswith(".py"):
        _look(path)
        return _compiled(tables.octets(path), label)
    if not path.endswith(".wasm"):
        if os.path.exists(path):
            _look(path)
        raise UsageError(
            f"{label} is neither a source file (.swift, .py, .c) nor a module (.wasm){_hint(path)}")
    _look(path)
    return tables.octets(path)[:LARGEST_MODULE + 1]


def _compiled(source: bytes, label: str) -> bytes:
    from .._language.compile import compiled
    from .._language.errors import RefusedAll
    from .._language.wasm import WasmError

    # Deep expressions need deep recursion; deeper ones are refused.
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20000)
    try:
        return stack.counted(compiled(source, bundle.runtime()))
    except RefusedAll as errors:
        lines = [line for error in errors.errors for line in error.lines(label)]
    except RecursionError:
        lines = [f"{label}:1:1: error: an expression is nested too deeply; write it in several lines"]
    except WasmError as error:
        lines = [f"{label}: error: {error}"]
    finally:
        sys.setrecursionlimit(before)
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    raise Failure(f"cannot compile {label}; see the errors above")


def _look(path: str) -> None:
    """Raises if there is no file, with a hint at a similar one."""
    label = spelling.path(path)
    try:
        os.stat(path)
    except OSError as error:
        raise Failure(f"cannot read {label}: {error.strerror}{_hint(path)}") from None
    if os.path.isdir(path):
        folder = path if path.endswith("/") else f"{path}/"
        files = _files(folder)
        meant = f"; did you mean {spelling.path(folder + files[0])}?" if len(files) == 1 else ""
        raise Failure(f"{label} is a folder, not a simulation's file{meant}")


def _hint(path: str) -> str:
    folder = path[:path.rfind("/") + 1]
    return spelling.hint(path[len(folder):], _files(folder or "."), folder)


def _files(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(name for name in names if name.endswith((*_SOURCES, ".wasm")) and name.isprintable())


def parameters(chosen: Chosen, given: Sequence[tuple[str, str]]) -> list[int]:
    """Returns the slots of all parameters."""
    declared = chosen.description.parameters
    names = [parameter.name for parameter in declared]
    slots = [parameter.standard for parameter in declared]
    seen = set()
    for name, value in given:
        if name not in names:
            known = f"; parameters: {', '.join(names)}" if names else "; it has none"
            found = spelling.hint(name, names) or known
            raise UsageError(f"unknown parameter {spelling.quoted(name)} of {chosen.name}{found}")
        if name in seen:
            raise UsageError(f"parameter '{name}' is given twice")
        seen.add(name)
        try:
            slots[names.index(name)] = values.slot(declared[names.index(name)], value)
        except ValueIsWrong as why:
            raise of_value(value, f"parameter '{name}'", why) from None
    return slots


def found(name: str) -> Optional[bytes]:
    """Returns the module of a name or a file, for hints; None if there is none."""
    try:
        if "/" in name or "." in name:
            return of_file(name) if name.endswith(".wasm") else None
        return bundle.module(name) if name in bundle.names() else None
    except (Failure, UsageError, OSError):
        return None
