"""Compiles modules. Each has a process of its own, because a module may take minutes or all memory to compile, or crash the
compiler, and only the end of the process stops that."""

from __future__ import annotations

import os
import subprocess
import sys

from .. import _apart, _platform
from . import errors, limits
from .engine import engine
from .errors import ModuleError
from .library import VARIABLE, Failure, find

#: The exit code for a module that the compiler refuses. The reason is on stdout.
_REFUSED = 3
#: The beginning of the text for a lack of memory that the compiler notices.
_NO_MEMORY = "mmap failed"


def compiled(octets: bytes, canonical: bool = False) -> bytes:
    """Returns the machine code of a module."""
    path = find()
    patience = limits.COMPILE_PATIENCE_OF_CPU if _platform.has_limits() else limits.COMPILE_PATIENCE
    words = _apart.command("potluck._sandbox.compiling:child", "canonical" if canonical else "plain")
    try:
        done = subprocess.run(
            words, input=octets, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
            timeout=limits.COMPILE_SECONDS * patience, env={**os.environ, VARIABLE: str(path)})
    except subprocess.TimeoutExpired:
        raise _too_slow() from None
    except OSError as error:
        raise ModuleError(f"cannot compile now: {error.strerror}") from None
    if done.returncode == 0:
        return done.stdout
    if done.returncode == _REFUSED:
        raise ModuleError(f"not a WebAssembly module: {done.stdout.decode('utf-8', 'replace')}")
    if _platform.ended_by_time(done.returncode):
        raise _too_slow()
    raise ModuleError(
        f"compiling needs more than {limits.COMPILE_MEMORY >> 20} MiB of memory, or crashes the compiler")


def _too_slow() -> ModuleError:
    return ModuleError(f"compiling takes longer than {errors.duration(limits.COMPILE_SECONDS)}")


def child(arithmetic: str) -> int:
    """Compiles the module on stdin, within limits, and writes its code to stdout."""
    octets = sys.stdin.buffer.read()
    maker = engine(arithmetic == "canonical")
    _platform.limit(limits.COMPILE_SECONDS, limits.COMPILE_MEMORY)
    try:
        made, code = maker.compiled(octets).octets(), 0
    except Failure as failure:
        if _NO_MEMORY in failure.text:
            return 1
        made, code = errors.useful(failure.text).encode(), _REFUSED
    sys.stdout.buffer.write(made)
    sys.stdout.buffer.flush()
    return code
