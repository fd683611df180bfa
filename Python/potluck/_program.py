"""Finds the program and starts it.

The order: the file that the variable POTLUCK names, because who sets it wants just that; the program of the wheel that
this module belongs to; and `potluck` in PATH. The wheel for all systems has the command in Python in the program's place.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Mapping, Sequence

from ._errors import PotluckError, ProgramNotFound

DISTRIBUTION = "potluck-cluster"
VARIABLE = "POTLUCK"
NAME = "potluck"
#: The command in Python, and what only the wheel for all systems has beside it.
PYTHON_COMMAND = Path(__file__).resolve().parent / "_command" / "__main__.py"
BUNDLE = Path(__file__).resolve().parent / "_bundle"


def program() -> str:
    """Returns the path of the program that this module starts. A file in Python is started as a module."""
    named = os.environ.get(VARIABLE)
    if named:
        if _is_program(Path(named)):
            return os.path.abspath(named)
        raise ProgramNotFound(f"{VARIABLE} names {named!r}, which is not a program; name the file bin/potluck")
    if PYTHON_COMMAND.is_file() and BUNDLE.is_dir():
        return str(PYTHON_COMMAND)
    found = _of_wheel() or shutil.which(NAME)
    if found is None:
        raise ProgramNotFound(
            f"cannot find the program potluck; install the wheel with 'pip install {DISTRIBUTION}', "
            f"or set {VARIABLE} to the program's path")
    return os.path.abspath(found)


@lru_cache(maxsize=1)
def _of_wheel() -> str | None:
    """Returns the program of the wheel that brought this very file; None if no wheel did."""
    here = Path(__file__).resolve().parent
    try:
        brought = metadata.distribution(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return None
    files = brought.files or []
    places = {file.as_posix(): Path(str(file.locate())) for file in files}
    init = places.get("potluck/__init__.py")
    if init is None or init.resolve().parent != here:
        return None
    ours = [place for name, place in places.items() if name.endswith("bin/" + NAME) and _is_program(place)]
    return str(ours[0].resolve()) if ours else None


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


@lru_cache(maxsize=1)
def _leash() -> tuple[str, ...]:
    """The words before the program's that let it end when this Python ends, even if that is killed. They are empty
    where util-linux has no setpriv, or one that is too old for this."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    try:
        told = subprocess.run([setpriv, "--help"], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError:
        return ()
    return (setpriv, "--pdeathsig", "INT", "--") if b"--pdeathsig" in told.stdout else ()


def command(words: Sequence[str]) -> list[str]:
    """Returns the command that starts the program with these arguments."""
    return [*_leash(), *start(), *words]


def start() -> list[str]:
    """Returns the words that start the program, without arguments."""
    path = program()
    return [sys.executable, "-m", "potluck._command"] if path == str(PYTHON_COMMAND) else [path]


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Returns this process's environment with a few variables more."""
    return {**os.environ, **extra}


def cannot_start(error: OSError) -> PotluckError:
    """Returns the error for a program that the system does not start."""
    return PotluckError(f"cannot start the program: {error}")


@lru_cache(maxsize=8)
def _offers(start: tuple[str, ...], changed: int, verb: str, option: str) -> bool:
    del changed  # Only so that a program that was replaced is asked again.
    try:
        told = subprocess.run([*start, verb, "--help"], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise cannot_start(error) from error
    return option.encode() in told.stdout


def offers(verb: str, option: str) -> bool:
    """Whether the program's command has this option. A program may be older or newer than this module."""
    path = program()
    return _offers(tuple(start()), os.stat(path).st_mtime_ns, verb, option)
