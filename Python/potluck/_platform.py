"""What differs between systems, in one place: nothing else in the wheel for all systems asks which system it is on.

A system lacks what is None here. Tests put a fake in the place of `SYSTEM`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, Optional


class System(NamedTuple):
    """A kind of system, as far as this package cares."""

    #: "linux", "darwin" or "win32", as `sys.platform` has it.
    name: str
    #: "x86_64" or "aarch64".
    machine: str

    @property
    def is_windows(self) -> bool:
        return self.name == "win32"

    @property
    def wasmtime(self) -> str:
        """Where the package wasmtime has its library, below its folder."""
        library = {"win32": "_wasmtime.dll", "darwin": "_libwasmtime.dylib"}.get(self.name, "_libwasmtime.so")
        return f"{self.name}-{self.machine}/{library}"

    @property
    def invalid(self) -> int:
        """C's FE_INVALID: the flag of an operation that makes a NaN of numbers."""
        return 0x10 if self.is_windows else 1


#: What other systems call these processors.
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def _here() -> System:
    machine = platform.machine().lower()
    return System("linux" if sys.platform.startswith("linux") else sys.platform, _MACHINES.get(machine, machine))


SYSTEM = _here()


def c_library() -> Optional[ctypes.CDLL]:
    """The library with C's functions for real numbers; None if it cannot be opened."""
    try:
        return ctypes.CDLL("ucrtbase" if SYSTEM.is_windows else None)
    except OSError:
        return None


def cores() -> int:
    """The cores that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def shows_unicode(encoding: str) -> bool:
    """Whether a stream with this encoding shows more than ASCII. Elsewhere than on Windows the locale says so."""
    if not SYSTEM.is_windows:
        encoding = next((value for value in map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG")) if value), "")
    return "utf8" in encoding.lower().replace("-", "")


def cache_folder() -> Path:
    """Where this user's programs keep what can be made again."""
    named = os.environ.get("LOCALAPPDATA" if SYSTEM.is_windows else "XDG_CACHE_HOME")
    if named and os.path.isabs(named):
        return Path(named) / "potluck"
    home = Path.home()
    return home / ("Library/Caches" if SYSTEM.name == "darwin" else ".cache") / "potluck"


def has_limits() -> bool:
    """Whether the system limits the CPU time of a process."""
    return importlib.util.find_spec("resource") is not None


def limit(seconds: int, memory: int) -> None:
    """Limits the CPU time of this process, and the memory that it takes beside what it has. Windows has no such limits, and
    macOS none of memory: there only the clock ends it."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 1))
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (OSError, ValueError):
        pass


def ended_by_time(code: int) -> bool:
    """Whether a process with this exit code was ended because its CPU time was over."""
    return code < 0 and -code in [number for number in map(_signal, ("SIGXCPU", "SIGKILL")) if number is not None]


def _signal(name: str) -> Optional[int]:
    """The number of a signal; None where there is none of this name."""
    found = getattr(signal, name, None)
    return None if found is None else int(found)


def interrupts() -> list[int]:
    """The signals that ask a run to stop. Windows sends SIGBREAK to a process that has a group of its own."""
    return [number for number in map(_signal, ("SIGINT", "SIGTERM", "SIGBREAK")) if number is not None]


def is_interrupt(number: int) -> bool:
    """Whether a signal is Ctrl-C, or stands for it."""
    return number in (_signal("SIGINT"), _signal("SIGBREAK"))


def ask_to_stop() -> int:
    """What to send to a process that is apart, for Ctrl-C."""
    found = _signal("CTRL_BREAK_EVENT")
    return int(signal.SIGINT) if found is None else found


def kill() -> int:
    """What to send to a process to end it at once. Windows ends it when told to terminate."""
    found = _signal("SIGKILL")
    return int(signal.SIGTERM) if found is None else found


def apart() -> dict[str, Any]:
    """What to tell Popen, so that Ctrl-C in a terminal does not reach the process."""
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", None)
    return {"start_new_session": True} if group is None else {"creationflags": group}


def clock() -> float:
    """Seconds that also pass while the machine sleeps, so that whoever wakes knows at once how old a connection is."""
    # Linux has BOOTTIME. The MONOTONIC of macOS counts sleep, and so does Python's clock on Windows.
    which: Optional[int] = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic() if which is None else time.clock_gettime(which)


def understand_escapes() -> None:
    """Makes the window of an old Windows understand what moves its cursor. Every other terminal does."""
    windows = getattr(ctypes, "windll", None)
    if windows is not None:
        # Its standard output; what is written is processed, wrapped, and read for escapes.
        windows.kernel32.SetConsoleMode(ctypes.c_void_p(windows.kernel32.GetStdHandle(-11)), 7)


#: How far computing gives way to other programs, by the native program's names. A process that shares a core with one
#: ordinary program gets a quarter of it with 5, a tenth with 10, and 1½ % with 19.
PRIORITIES = {"interactive": 0, "normal": 5, "utility": 10, "background": 19}


def give_way(nice: int) -> None:
    """Lets this process give way to others: by a nice value from 1 to 19, where there are some, and on Windows by one of the
    two classes below the usual one. It never raises a priority."""
    lower = getattr(os, "nice", None)
    if lower is not None:
        lower(max(0, nice - lower(0)))
        return
    windows = getattr(ctypes, "windll", None)
    if windows is not None and nice > 0:
        kernel = windows.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL if nice < 10 else _IDLE)


#: Windows' classes of priority.
_BELOW_NORMAL, _IDLE = 0x4000, 0x40
